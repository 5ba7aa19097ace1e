//! Bytes in any pieces to entries and a report.

use std::collections::VecDeque;
use std::ops::Range;

use antiphon_model::json::{JsonKind, Scanner, decode_utf8};
use antiphon_model::{JsonError, Message, RawJson, RawRef};

use crate::entry::{Entry, Inner, LineEnding};
use crate::join::{Join, Joined, Line};
use crate::machine::{Machine, Step, is_space};
use crate::report::{LoadReport, Problem, Reason};
use crate::salvage::{Salvage, is_padding, salvage};
use crate::shape::Shapes;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What a reader allows.
///
/// ```
/// let options = antiphon_log::ReaderOptions::default().with_max_line(1 << 20);
/// let log = antiphon_log::read_with(b"{}\n{}\n", options);
/// assert_eq!(log.entries.len(), 2);
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ReaderOptions {
    /// A longer line is skipped and reported with its length; it is never held in memory. 256 MiB unless set: above any
    /// line that an agent writes, below what a machine cannot hold.
    pub max_line: usize,
    /// More problems than this are counted but not listed, so that a hostile file cannot fill the memory with them.
    /// 100,000 unless set.
    pub max_problems: usize,
    /// Read the message of each whole line in the pass that validates it, for a caller that wants them all: faster
    /// than asking for each, and more memory at once. Not set unless asked for.
    pub messages: bool,
}

impl Default for ReaderOptions {
    fn default() -> Self {
        Self { max_line: 256 << 20, max_problems: 100_000, messages: false }
    }
}

impl ReaderOptions {
    /// Sets [`max_line`](Self::max_line), in bytes.
    #[must_use]
    pub fn with_max_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes;
        self
    }

    /// Sets [`messages`](Self::messages).
    ///
    /// ```
    /// let options = antiphon_log::ReaderOptions::default().with_messages(true);
    /// let log = antiphon_log::read_with(b"{\"role\":\"user\",\"content\":\"hi\"}\n", options);
    /// assert_eq!(log.entries[0].message().unwrap().text(), "hi");
    /// ```
    #[must_use]
    pub fn with_messages(mut self, messages: bool) -> Self {
        self.messages = messages;
        self
    }

    /// Sets [`max_problems`](Self::max_problems).
    #[must_use]
    pub fn with_max_problems(mut self, count: usize) -> Self {
        self.max_problems = count;
        self
    }
}

/// A log that was read: its records in file order, and what else was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The records.
    pub entries: Vec<Entry>,
    /// The damage.
    pub report: LoadReport,
}

/// The tolerant reader.
///
/// Push bytes as they come; take entries between pushes (then memory stays near the longest line) or all at the end. Only a line feed
/// ends a record. How the bytes are cut into pieces makes no difference to the result.
///
/// ```
/// let mut reader = antiphon_log::Reader::default();
/// reader.push(b"{\"role\":\"user\",\"con");
/// assert!(reader.next_entry().is_none());
/// reader.push(b"tent\":\"hi\"}\n{\"role\"");
/// assert_eq!(reader.next_entry().unwrap().line(), 1);
/// let rest = reader.finish();
/// assert!(rest.entries.is_empty());
/// assert_eq!(rest.report.problems[0].rule(), "jsonl-torn-tail");
/// ```
#[derive(Debug, Default)]
pub struct Reader {
    options: ReaderOptions,
    /// The start of a line whose end has not come.
    carry: Vec<u8>,
    /// Bytes of a line over the limit that were skipped so far.
    skipped: Option<usize>,
    /// Lines that may be one record.
    join: Option<Join>,
    shapes: Shapes,
    lines: u64,
    ready: VecDeque<Entry>,
    report: LoadReport,
}

/// Reads a whole log.
///
/// ```
/// let log = antiphon_log::read(b"{\"a\":1}{\"b\":2}\n");
/// assert_eq!(log.entries.len(), 2);
/// assert_eq!(log.report.lines.bad, 1);
/// ```
pub fn read(bytes: &[u8]) -> Log {
    read_with(bytes, ReaderOptions::default())
}

/// Reads a whole log; see [`read`].
pub fn read_with(bytes: &[u8], options: ReaderOptions) -> Log {
    let mut reader = Reader::new(options);
    reader.push(bytes);
    reader.finish()
}

impl Reader {
    /// A reader with these limits.
    pub fn new(options: ReaderOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Takes the next bytes of the log.
    pub fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (piece, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if self.skipped.is_some() || self.carry.len() + piece.len() > self.options.max_line {
                self.skip(piece);
                self.end_skipped(true);
            } else if self.carry.is_empty() {
                self.line(piece, true);
            } else {
                let mut line = std::mem::take(&mut self.carry);
                line.extend_from_slice(piece);
                self.line(&line, true);
                line.clear();
                self.carry = line;
            }
        }
        if self.skipped.is_some() || self.carry.len() + rest.len() > self.options.max_line {
            self.skip(rest);
        } else {
            self.carry.extend_from_slice(rest);
        }
    }

    /// The next record that is whole, if there is one by now.
    pub fn next_entry(&mut self) -> Option<Entry> {
        self.ready.pop_front()
    }

    /// Takes every record that is whole by now.
    pub fn drain(&mut self) -> impl Iterator<Item = Entry> + '_ {
        self.ready.drain(..)
    }

    /// What was seen up to now. Lines that are still open are not in it.
    pub fn report(&self) -> &LoadReport {
        &self.report
    }

    /// Ends the log: gives the entries that were not taken yet, and the report on all of it.
    pub fn finish(mut self) -> Log {
        if self.skipped.is_some() {
            self.end_skipped(false);
        } else if !self.carry.is_empty() {
            let line = std::mem::take(&mut self.carry);
            self.line(&line, false);
        }
        self.release();
        Log { entries: self.ready.into(), report: self.report }
    }

    fn skip(&mut self, piece: &[u8]) {
        let before = self.skipped.unwrap_or(self.carry.len());
        self.carry = Vec::new();
        self.skipped = Some(before + piece.len());
    }

    /// The end of a line that is over the limit.
    fn end_skipped(&mut self, terminated: bool) {
        let length = self.skipped.take().unwrap_or(0) as u64;
        self.release();
        self.lines += 1;
        self.report.lines.total += 1;
        self.report.lines.bad += 1;
        let reason = Reason::TooLong { limit: self.options.max_line as u64 };
        let (line, offset) = (self.lines, self.report.bytes);
        self.report.bytes += length + u64::from(terminated);
        self.problem(Problem {
            line,
            last_line: line,
            offset,
            length,
            reason,
            torn_tail: !terminated,
            records: 0,
            dropped: length,
            excerpt: Box::default(),
        });
    }

    /// One line, without its line feed.
    fn line(&mut self, bytes: &[u8], terminated: bool) {
        self.lines += 1;
        let mut offset = self.report.bytes;
        self.report.bytes += bytes.len() as u64 + u64::from(terminated);
        let (mut body, ending) = match bytes.strip_suffix(b"\r") {
            _ if !terminated => (bytes, LineEnding::None),
            Some(body) => (body, LineEnding::CrLf),
            None => (bytes, LineEnding::Lf),
        };
        if self.lines == 1
            && let Some(rest) = body.strip_prefix(BYTE_ORDER_MARK)
        {
            self.report.byte_order_mark = true;
            body = rest;
            offset += BYTE_ORDER_MARK.len() as u64;
        }
        if body.iter().all(|byte| is_space(*byte)) {
            self.report.blank += 1;
            return;
        }
        self.report.lines.total += 1;
        let line = Line { body, number: self.lines, offset, ending };
        if let Some(mut join) = self.join.take() {
            match join.feed(line, self.options.max_line) {
                Joined::Held => {
                    self.join = Some(join);
                    return;
                }
                Joined::Whole(end) => return self.joined(&join, end),
                Joined::Broken => self.judge_alone(&join),
            }
        }
        self.judge(line, true);
    }

    /// Lines are held, but no record comes of them.
    fn release(&mut self) {
        if let Some(join) = self.join.take() {
            self.judge_alone(&join);
        }
    }

    fn judge_alone(&mut self, join: &Join) {
        for line in join.lines() {
            self.judge(line, false);
        }
    }

    /// A line by itself. `may_join`: it may be the start of a record over several lines.
    fn judge(&mut self, line: Line<'_>, may_join: bool) {
        if let Ok(text) = std::str::from_utf8(line.body)
            && let Ok((raw, inner, message)) = self.whole(text)
        {
            if raw.kind() == JsonKind::Object {
                self.shapes.note(line.body);
                let bytes = (raw.get().len() != line.body.len()).then(|| line.body.into());
                let entry = Entry::read(raw.to_owned(), inner, bytes, line.number, line.offset, line.ending);
                self.entry(if self.options.messages { entry.with_message(message) } else { entry });
            } else {
                self.lost(line, Reason::NotAnObject(raw.kind()));
            }
            return;
        }
        self.judge_damaged(line, may_join);
    }

    /// A line that is one whole value, and where its message stands, seen in the pass that validates it.
    fn whole<'l>(&self, text: &'l str) -> Result<(RawRef<'l>, Inner, Option<Message>), JsonError> {
        if self.options.messages {
            let (raw, message) = Message::from_record(text)?;
            return Ok((raw, Inner::Unknown, message));
        }
        let mut scanner = Scanner::new(text);
        let mut message = None;
        let (mut role, mut odd) = (false, false);
        let raw = scanner.skip_object(|key, value| match key {
            "role" => role = true,
            "message" if value.kind() == JsonKind::Object => message = Some(within(text, value)),
            "message" => message = None,
            // A key spelled with escapes could be one of these: such a record is looked at again when asked.
            _ if key.contains('\\') => odd = true,
            _ => {}
        })?;
        scanner.end()?;
        let start = within(text, raw).start;
        let inner = match message {
            _ if odd => Inner::Unknown,
            Some(at) if !role => Inner::Member(at.start - start..at.end - start),
            _ => Inner::Record,
        };
        Ok((raw, inner, None))
    }

    fn judge_damaged(&mut self, line: Line<'_>, may_join: bool) {
        let mut core = trim(line.body, 0..line.body.len());
        if line.body.get(core.clone()).is_some_and(|bytes| bytes.starts_with(BYTE_ORDER_MARK)) {
            core = trim(line.body, core.start + BYTE_ORDER_MARK.len()..core.end);
        }
        let bytes = line.body.get(core.clone()).unwrap_or_default();
        if bytes.is_empty() {
            return self.lost(line, Reason::NulBlock);
        }
        let mut machine = Machine::new();
        match machine.feed(bytes) {
            Step::Done(end) if end == bytes.len() && bytes.first() == Some(&b'{') => {
                if let Some((json, replaced)) = record(bytes) {
                    let reason = match replaced.first() {
                        Some(first) => Reason::InvalidUtf8 {
                            at: line.offset + (core.start + first) as u64,
                            runs: replaced.len() as u64,
                        },
                        None => Reason::Padded,
                    };
                    return self.rescued(line, reason, [(core, json)], None);
                }
            }
            Step::More if may_join && line.terminated() && bytes.first() == Some(&b'{') => {
                self.join = Some(Join::start(machine, line, bytes.len()));
                return;
            }
            _ => {}
        }
        let found = salvage(line.body, line.terminated(), &self.shapes);
        let at = line.offset + found.broken_at as u64;
        let records: Vec<_> = found
            .records
            .iter()
            .filter_map(|range| Some((range.clone(), record(line.body.get(range.clone())?)?.0)))
            .collect();
        let reason = match (&found, records.len()) {
            (Salvage { too_deep: true, .. }, _) => Reason::TooDeep,
            (Salvage { torn: true, .. }, 0) if bytes.first() == Some(&b'{') => Reason::Torn { at },
            (_, 0) => Reason::NotJson { at },
            (Salvage { torn: true, .. }, _) => Reason::Spliced { at },
            _ if gaps_are_empty(line.body, &records) => Reason::Glued,
            _ => Reason::Mixed { at },
        };
        self.rescued(line, reason, records, None);
    }

    /// A record over several lines, which ends in the last one before `end`.
    fn joined(&mut self, join: &Join, end: usize) {
        let (Some(first), Some(last)) = (join.lines().next(), join.lines().last()) else { return };
        let text = join.text(end);
        let core = trim(&text, 0..text.len());
        let Some((json, _)) = text.get(core).and_then(record) else { return self.judge_alone(join) };
        // What follows the record in its last line: a comma as in an array, or another record.
        let behind = salvage(last.body.get(end..).unwrap_or_default(), last.terminated(), &self.shapes);
        let more = behind.records.iter().filter_map(|range| {
            let range = end + range.start..end + range.end;
            Some((range.clone(), record(last.body.get(range)?)?.0))
        });
        let more: Vec<_> = more.collect();
        let lines = join.len() as u64;
        self.report.lines.bad += lines - 1;
        self.report.lines.salvaged += 1;
        self.entry(Entry::salvaged(json, None, first.number, first.offset));
        self.rescued(last, Reason::Spread, more, Some((first, end)));
    }

    /// A damaged line of which `records` were kept. `spread`: a record that began at this line ends in ours before this offset.
    fn rescued(
        &mut self,
        line: Line<'_>,
        reason: Reason,
        records: impl IntoIterator<Item = (Range<usize>, RawJson)>,
        spread: Option<(Line<'_>, usize)>,
    ) {
        let mut kept = u64::from(spread.is_some());
        let mut dropped = 0;
        let mut excerpt = Vec::new();
        let mut drop = |bytes: Range<usize>| {
            let bytes = line.body.get(trim(line.body, bytes)).unwrap_or_default();
            dropped += bytes.len() as u64;
            let room = Problem::EXCERPT.saturating_sub(excerpt.len());
            excerpt.extend_from_slice(bytes.get(..room.min(bytes.len())).unwrap_or_default());
        };
        let mut from = spread.map_or(0, |(_, end)| end);
        for (range, json) in records {
            drop(from..range.start);
            from = range.end;
            kept += 1;
            self.report.lines.salvaged += 1;
            let bytes = line.body.get(range.clone()).filter(|bytes| *bytes != json.get().as_bytes()).map(Into::into);
            self.entry(Entry::salvaged(json, bytes, line.number, line.offset + range.start as u64));
        }
        drop(from..line.body.len());
        let ends_whole = kept > 0 && trim(line.body, from..line.body.len()).is_empty();
        let first = spread.map_or(line, |(first, _)| first);
        self.report.lines.bad += 1;
        self.problem(Problem {
            line: first.number,
            last_line: line.number,
            offset: first.offset,
            length: line.offset - first.offset + line.body.len() as u64,
            reason,
            torn_tail: !line.terminated() && !ends_whole,
            records: kept,
            dropped,
            excerpt: excerpt.into(),
        });
    }

    /// A damaged line of which nothing can be kept.
    fn lost(&mut self, line: Line<'_>, reason: Reason) {
        self.rescued(line, reason, [], None);
    }

    fn entry(&mut self, entry: Entry) {
        self.report.records += 1;
        self.ready.push_back(entry);
    }

    fn problem(&mut self, problem: Problem) {
        if let Some(last) = self.report.problems.last_mut()
            && last.last_line + 1 == problem.line
            && plain(last)
            && plain(&problem)
            && std::mem::discriminant(&last.reason) == std::mem::discriminant(&problem.reason)
        {
            last.last_line = problem.last_line;
            last.length = problem.offset - last.offset + problem.length;
            last.dropped += problem.dropped;
        } else if self.report.problems.len() < self.options.max_problems {
            self.report.problems.push(problem);
        } else {
            self.report.unlisted += 1;
        }
    }
}

/// Where a part of `text` lies in it.
fn within(text: &str, part: RawRef<'_>) -> Range<usize> {
    let start = (part.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + part.get().len()
}

/// Whether neighbours of this kind may be listed as one.
fn plain(problem: &Problem) -> bool {
    problem.records == 0 && !problem.torn_tail && matches!(problem.reason, Reason::NotJson { .. } | Reason::NulBlock)
}

/// A record from bytes that hold one, and the places that are not UTF-8.
fn record(bytes: &[u8]) -> Option<(RawJson, Vec<usize>)> {
    let decoded = decode_utf8(bytes);
    let raw = RawRef::parse(&decoded.text).ok().filter(|raw| raw.kind() == JsonKind::Object)?;
    Some((raw.to_owned(), decoded.replaced))
}

/// The part of `range` without zero bytes and white space around it.
fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = range;
    while start < end && bytes.get(start).is_some_and(|byte| is_padding(*byte)) {
        start += 1;
    }
    while start < end && bytes.get(end - 1).is_some_and(|byte| is_padding(*byte)) {
        end -= 1;
    }
    start..end
}

/// Whether nothing but padding stands between and around the records.
fn gaps_are_empty(line: &[u8], records: &[(Range<usize>, RawJson)]) -> bool {
    let starts = records.iter().map(|(range, _)| range.start).chain([line.len()]);
    let ends = [0].into_iter().chain(records.iter().map(|(range, _)| range.end));
    ends.zip(starts).all(|(from, to)| trim(line, from..to).is_empty())
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
