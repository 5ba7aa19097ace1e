//! Finding the whole records inside a line that is not one.
//!
//! What happens in the field: a writer dies in the middle of a record and the next one appends behind the stub; two records come
//! without a line end between them; a crash leaves a run of zero bytes. So the line is read as JSON for as far as it
//! goes. Where it breaks, either a new record begins there, or it began inside the token that was being read (its `{"` ended
//! the string that was torn). Everything that was read in good order up to there belongs to the torn record: an
//! object inside it is part of a message and never a record of its own.
//!
//! Each byte is read at most a fixed number of times: a new attempt starts no earlier than the last token of the attempt before.

use std::ops::Range;

use crate::machine::{Machine, Step, is_space};
use crate::shape::Shapes;

/// What was found in a damaged line.
#[derive(Debug, Default)]
pub(crate) struct Salvage {
    /// Where the whole records stand, in order, without overlap.
    pub(crate) records: Vec<Range<usize>>,
    /// The line holds the start of a record whose end is missing.
    pub(crate) torn: bool,
    /// Where the first break is.
    pub(crate) broken_at: usize,
    /// A record in it is nested too deeply.
    pub(crate) too_deep: bool,
}

/// Looks for whole records in `line`. `terminated` says that the line ended in a line feed: then a writer may have got to the end
/// of a record here, and an object that ends with the line and starts as records do (`shapes`) is one, even where a stub in
/// front of it makes it look like a part of that. At the end of a file the same bytes are a torn record.
pub(crate) fn salvage(line: &[u8], terminated: bool, shapes: &Shapes) -> Salvage {
    let mut out = Salvage::default();
    let first = skip_padding(line, 0);
    let mut at = first;
    let mut broken = None;
    while let Some(start) = next_start(line, at, first) {
        if start > at {
            broken.get_or_insert(at);
        }
        let mut machine = Machine::new();
        let rest = line.get(start..).unwrap_or_default();
        match machine.feed(rest) {
            Step::Done(length) => {
                let end = start + length;
                if start == first || is_boundary(line, end) {
                    out.records.push(start..end);
                }
                at = end;
            }
            Step::Fail(offset) => {
                out.torn = true;
                let bad = start + offset;
                broken.get_or_insert(bad);
                if line.get(bad) == Some(&b'{') {
                    keep_last_object(&mut out, &machine, line, start..bad, shapes);
                    at = bad;
                } else {
                    at = start_in_string(line, &machine, start, bad).unwrap_or(bad).max(start + 1);
                }
            }
            Step::InToken | Step::More => {
                out.torn = true;
                broken.get_or_insert(line.len());
                if terminated {
                    keep_last_object(&mut out, &machine, line, start..line.len(), shapes);
                }
                at = line.len();
                break;
            }
            Step::TooDeep => {
                out.too_deep = true;
                at = line.len();
                break;
            }
        }
    }
    if skip_padding(line, at) < line.len() {
        broken.get_or_insert(at);
    }
    out.broken_at = broken.unwrap_or(0);
    out
}

/// The object that closed last is a record if it reaches to the end of `range` and starts as records do: the rest is a stub.
fn keep_last_object(out: &mut Salvage, machine: &Machine, line: &[u8], range: Range<usize>, shapes: &Shapes) {
    let Some((from, to)) = machine.last_object() else { return };
    let (from, to) = (range.start + from, range.start + to);
    let reaches = line.get(to..range.end).is_some_and(|between| between.iter().all(|byte| is_padding(*byte)));
    let (object, stub) = (line.get(from..to).unwrap_or_default(), line.get(range.start..from).unwrap_or_default());
    if from > range.start && reaches && shapes.knows(object, stub) {
        out.records.push(from..to);
    }
}

/// A record that was appended to a torn string closes that string with the quote of its first key: `"tex{"type":…`.
fn start_in_string(line: &[u8], machine: &Machine, start: usize, bad: usize) -> Option<usize> {
    let (from, to) = machine.last_string();
    let (from, to) = (start + from, start + to);
    if to <= from + 1 || !line.get(to..bad)?.iter().all(|byte| is_space(*byte)) {
        return None;
    }
    let content = line.get(from + 1..to - 1)?;
    let brace = content.iter().rposition(|byte| !is_space(*byte))?;
    (content.get(brace) == Some(&b'{')).then_some(from + 1 + brace)
}

/// The next place from `at` on where a record may start. An empty object counts only at the start of the line.
fn next_start(line: &[u8], at: usize, first: usize) -> Option<usize> {
    let mut from = at;
    loop {
        let found = from + memchr::memchr(b'{', line.get(from..)?)?;
        if found == first || opens_with_key(line, found) {
            return Some(found);
        }
        from = found + 1;
    }
}

/// Whether the object at `from` goes on with a key. Inside a JSON string it cannot: the quote would be escaped.
fn opens_with_key(line: &[u8], from: usize) -> bool {
    let rest = line.get(from + 1..).unwrap_or_default();
    rest.iter().find(|byte| !is_space(**byte)) == Some(&b'"')
}

/// Whether a record may end at `end`: the line ends there, or another record begins. A nested object is followed by `,`, `]` or `}`.
fn is_boundary(line: &[u8], end: usize) -> bool {
    matches!(line.get(skip_padding(line, end)), None | Some(b'{'))
}

/// White space and zero bytes carry nothing between records.
pub(crate) fn is_padding(byte: u8) -> bool {
    byte == 0 || is_space(byte)
}

fn skip_padding(line: &[u8], at: usize) -> usize {
    let rest = line.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !is_padding(*byte)).unwrap_or(rest.len())
}

#[cfg(test)]
#[path = "salvage_tests.rs"]
mod tests;
