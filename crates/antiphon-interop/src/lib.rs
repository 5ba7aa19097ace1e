//! The messages of other programs, read into [`antiphon_model`] and written back, without silent loss.
//!
//! - [`claude_code`]: session files of Claude Code, with branches, sidechains and compactions.
//! - [`plain`]: one message a line, flat `tool_use` and `tool_result` records among them.
//! - [`detect`]: which of the two a log is.
//!
//! Each dialect gives messages with their [`Origin`]: the lines, and the places in them, that they came from. Writing back leaves
//! every line alone that did not change. Nothing here does I/O; logs are read by [`antiphon_log`].
//!
//! ```
//! use antiphon_interop::{Dialect, detect};
//! let log = antiphon_log::read(b"{\"role\":\"user\",\"content\":\"hi\"}\n");
//! assert_eq!(detect(&log.entries), Some(Dialect::Plain));
//! let log = antiphon_log::read(b"{\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n");
//! assert_eq!(detect(&log.entries), Some(Dialect::ClaudeCode));
//! ```

pub mod claude_code;
pub mod plain;

mod align;
mod detect;

pub use detect::{Dialect, detect};

/// Where a message came from. Entries are named by their index in [`Log::entries`](antiphon_log::Log::entries).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The lines that carried it, in the order in which their blocks stand in it.
    pub entries: Vec<usize>,
    /// For each block of the message (as [`Message::blocks`](antiphon_model::Message::blocks) walks them): its entry, and its index among the blocks there.
    pub blocks: Vec<(usize, usize)>,
}
