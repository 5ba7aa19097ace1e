//! Session logs of agents: one JSON record a line, read in spite of damage, written so that it stays readable.
//!
//! Logs break in the field: a process dies in the middle of a line and the next record is glued to the stub, a crash leaves a run
//! of zero bytes, an editor writes a byte order mark. Readers that stop at the first bad line, or skip it without a word, lose
//! what users cannot get back. [`Reader`] takes bytes in any pieces, gives an [`Entry`] for every whole record (those inside
//! damaged lines too) and a [`LoadReport`] that names each damaged line with its place, the reason, and what was
//! kept and dropped.
//!
//! This crate does no I/O: callers push bytes and write what [`write_record`] gives. It knows nothing of a program's own
//! record types; `antiphon-interop` does.
//!
//! ```
//! let file = b"{\"role\":\"user\",\"content\":\"hi\"}\n{\"role\":\"assis{\"role\":\"user\",\"content\":\"again\"}\n";
//! let log = antiphon_log::read(file);
//! assert_eq!(log.entries.len(), 2);
//! assert_eq!(log.entries[1].text(), r#"{"role":"user","content":"again"}"#);
//! let problem = &log.report.problems[0];
//! assert_eq!((problem.line, problem.records, problem.dropped), (2, 1, 14));
//! assert_eq!(problem.rule(), "jsonl-bad-line");
//! ```

mod edit;
mod entry;
mod error;
mod join;
mod machine;
mod reader;
mod record;
mod report;
mod salvage;
mod shape;

pub use edit::{remove_member, set_member};
pub use entry::{Entry, LineEnding};
pub use error::LogError;
pub use reader::{Log, Reader, ReaderOptions, read, read_with};
pub use record::{needs_line_end, write_message, write_record};
pub use report::{LineCounts, LoadReport, Problem, Reason};
