//! What the reader saw besides whole records.

use std::fmt;

use antiphon_model::json::JsonKind;

/// What loading a log met: counts, and every damaged line.
///
/// Entries, [`problems`](Self::problems) and blank lines together cover the file: each byte is in an entry's line, in a problem's range, in
/// a blank line, in a line end or in the byte order mark at the start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadReport {
    /// Bytes read.
    pub bytes: u64,
    /// Counts of lines.
    pub lines: LineCounts,
    /// Lines of nothing but white space.
    pub blank: u64,
    /// Records that became entries, the salvaged ones included.
    pub records: u64,
    /// The file starts with a byte order mark (which is left out of the first record).
    pub byte_order_mark: bool,
    /// The damage, in file order. Neighbouring lines that are lost for the same plain reason stand in one problem.
    pub problems: Vec<Problem>,
    /// Problems beyond [`ReaderOptions::max_problems`](crate::ReaderOptions::max_problems): counted, not listed.
    pub unlisted: u64,
}

/// Counts of lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// Lines that are not blank.
    pub total: u64,
    /// Lines that are not exactly one whole record.
    pub bad: u64,
    /// Records that were got out of bad lines.
    pub salvaged: u64,
}

/// Damage at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The line, counted from 1.
    pub line: u64,
    /// The last line of the range; the same as `line` for most.
    pub last_line: u64,
    /// Where the range starts: bytes from the start of the file.
    pub offset: u64,
    /// How many bytes it covers, without the last line's end.
    pub length: u64,
    /// What is wrong.
    pub reason: Reason,
    /// The last line of the file: it has no line end and does not end in a whole record. An append that was cut off.
    pub torn_tail: bool,
    /// Whole records that were got out of it.
    pub records: u64,
    /// Bytes that are in none of them, zero bytes and white space around records not counted.
    pub dropped: u64,
    /// The first of the dropped bytes, at most [`EXCERPT`](Self::EXCERPT) of them.
    pub excerpt: Box<[u8]>,
}

/// Why a line is not exactly one whole record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The start of a record, without its end.
    Torn {
        /// File offset where it breaks off.
        at: u64,
    },
    /// The start of a record, then whole ones: a writer died and the next one appended.
    Spliced {
        /// File offset of the first break.
        at: u64,
    },
    /// Several whole records without a line end between them.
    Glued,
    /// Nothing but zero bytes, as a crash leaves them.
    NulBlock,
    /// A whole record with zero bytes or a byte order mark around it.
    Padded,
    /// One whole record, written over several lines.
    Spread,
    /// A whole record that is not UTF-8: each broken run reads as U+FFFD.
    InvalidUtf8 {
        /// File offset of the first such run.
        at: u64,
        /// How many there are.
        runs: u64,
    },
    /// Whole JSON, but not an object.
    NotAnObject(JsonKind),
    /// Whole records with other bytes beside them.
    Mixed {
        /// File offset of the first of them.
        at: u64,
    },
    /// Not JSON.
    NotJson {
        /// File offset of the first byte that is not.
        at: u64,
    },
    /// Longer than the reader's limit: skipped without being held in memory.
    TooLong {
        /// The limit, in bytes.
        limit: u64,
    },
    /// Nested deeper than [`MAX_DEPTH`](antiphon_model::json::MAX_DEPTH).
    TooDeep,
}

impl LoadReport {
    /// Whether every line is exactly one whole record.
    ///
    /// ```
    /// assert!(antiphon_log::read(b"{}\n\n{}").report.is_clean());
    /// assert!(!antiphon_log::read(b"{}\n{").report.is_clean());
    /// ```
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty() && self.unlisted == 0
    }

    /// The problem that is the torn end of the file, if it has one.
    pub fn torn_tail(&self) -> Option<&Problem> {
        self.problems.last().filter(|problem| problem.torn_tail)
    }
}

impl Problem {
    /// The most bytes that an excerpt holds.
    pub const EXCERPT: usize = 256;

    /// The rule that the line breaks: `jsonl-torn-tail` for an append that was cut off at the end of the file, else `jsonl-bad-line`.
    pub fn rule(&self) -> &'static str {
        if self.torn_tail { "jsonl-torn-tail" } else { "jsonl-bad-line" }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.last_line > self.line {
            write!(f, "lines {}-{}: {}", self.line, self.last_line, self.reason)?;
        } else {
            write!(f, "line {}: {}", self.line, self.reason)?;
        }
        match self.records {
            0 => {}
            1 => f.write_str("; 1 record kept")?,
            more => write!(f, "; {more} records kept")?,
        }
        match self.dropped {
            0 => Ok(()),
            1 => f.write_str("; 1 byte dropped"),
            more => write!(f, "; {more} bytes dropped"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torn { .. } => f.write_str("the record breaks off"),
            Self::Spliced { .. } => f.write_str("a record breaks off and another one follows on the same line"),
            Self::Glued => f.write_str("several records on one line"),
            Self::NulBlock => f.write_str("only zero bytes"),
            Self::Padded => f.write_str("a record with zero bytes or a byte order mark around it"),
            Self::Spread => f.write_str("one record over several lines"),
            Self::InvalidUtf8 { at, runs } => {
                write!(f, "the record is not UTF-8 at byte {at}")?;
                if *runs > 1 { write!(f, " and {} more places", runs - 1) } else { Ok(()) }
            }
            Self::NotAnObject(kind) => write!(f, "a record is a JSON object, not {}", kind.name()),
            Self::Mixed { .. } => f.write_str("other bytes beside a record"),
            Self::NotJson { at } => write!(f, "not JSON at byte {at}"),
            Self::TooLong { limit } => write!(f, "longer than the limit of {limit} bytes, skipped"),
            Self::TooDeep => {
                write!(f, "nested deeper than {} levels", antiphon_model::json::MAX_DEPTH)
            }
        }
    }
}
