//! A record that was written over several lines, as an editor or a pretty printer leaves it.
//!
//! A line that starts an object and breaks off between two tokens may be such a start, or a torn record. The lines that follow tell:
//! as long as they go on as JSON they are held; if the object closes, it is one record; if anything else comes, each held
//! line is judged by itself. A torn record is nearly always told by the very next line, since a whole record
//! after it is not JSON's way to go on; what is cut inside a string is not held at all.

use crate::entry::LineEnding;
use crate::machine::{Machine, Step};

/// One line on its way through the reader.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Without its end and without the byte order mark of the file.
    pub(crate) body: &'a [u8],
    pub(crate) number: u64,
    pub(crate) offset: u64,
    pub(crate) ending: LineEnding,
}

impl Line<'_> {
    pub(crate) fn terminated(self) -> bool {
        self.ending != LineEnding::None
    }
}

#[derive(Debug)]
struct Held {
    from: usize,
    number: u64,
    offset: u64,
    ending: LineEnding,
}

/// The lines that are held.
#[derive(Debug)]
pub(crate) struct Join {
    machine: Machine,
    bytes: Vec<u8>,
    lines: Vec<Held>,
    /// Blank lines among them do not count as lines.
    fed: usize,
}

/// What a line did to the lines held.
pub(crate) enum Joined {
    /// The record goes on.
    Held,
    /// The record ended before this offset of the line.
    Whole(usize),
    /// This is no record over several lines.
    Broken,
}

impl Join {
    /// Starts with a line that [`Machine::feed`] answered with [`Step::More`].
    pub(crate) fn start(machine: Machine, line: Line<'_>, fed: usize) -> Self {
        let mut join = Self { machine, bytes: Vec::new(), lines: Vec::new(), fed };
        join.hold(line);
        join
    }

    fn hold(&mut self, line: Line<'_>) {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(line.body);
        self.lines.push(Held { from, number: line.number, offset: line.offset, ending: line.ending });
    }

    /// The next line that is not blank. It is held in every case but [`Joined::Broken`].
    pub(crate) fn feed(&mut self, line: Line<'_>, limit: usize) -> Joined {
        if self.bytes.len() + line.body.len() > limit {
            return Joined::Broken;
        }
        match self.machine.feed(line.body) {
            Step::More => {
                self.fed += line.body.len();
                self.hold(line);
                Joined::Held
            }
            Step::Done(end) => {
                self.hold(line);
                Joined::Whole(end - self.fed)
            }
            Step::InToken | Step::Fail(_) | Step::TooDeep => Joined::Broken,
        }
    }

    /// How many lines are held.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The lines that are held.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let ends = self.lines.iter().skip(1).map(|next| next.from).chain([self.bytes.len()]);
        self.lines.iter().zip(ends).map(|(held, end)| Line {
            body: self.bytes.get(held.from..end).unwrap_or_default(),
            number: held.number,
            offset: held.offset,
            ending: held.ending,
        })
    }

    /// The record on one line: a space stands for each line end. `end` is where it ends in the last line.
    pub(crate) fn text(&self, end: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() + self.lines.len());
        let last = self.lines.len().saturating_sub(1);
        for (index, line) in self.lines().enumerate() {
            if index > 0 {
                out.push(b' ');
            }
            let to = if index == last { end } else { line.body.len() };
            out.extend_from_slice(line.body.get(..to).unwrap_or(line.body));
        }
        out
    }
}
