//! Server-sent events: from bytes in any pieces to events, without I/O.
//!
//! The rules are those of the WHATWG HTML standard, section 9.2 ("server-sent events"), with two stated leniencies:
//! an event that lacks its blank line at the end of the stream is handed out and marked
//! ([`SseOptions::lenient_end`]), and bytes that are not UTF-8 are marked too (the standard replaces them silently).

mod decoder;
mod event;

pub use decoder::{SseDecoder, SseOptions};
pub use event::{SseEvent, SseFrame};
