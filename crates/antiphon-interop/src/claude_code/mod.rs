//! Claude Code session files: the conversation that `--resume` would continue, and writing an edited one back.
//!
//! The format is internal to its program and changes; what is here follows the official readers where they can be seen, and the rest was observed.
//!
//! - One API message stands on several lines, one for each block; tool results of one turn stand on lines of their own, not always
//!   behind one another. [`Session::conversation`] joins both, so that the messages are those the API saw.
//! - Lines are linked by `parentUuid`. The active conversation is found by the official rule (see [`Session::leaf`]); a compaction
//!   boundary has no parent, so what it replaced is not part of the conversation.
//! - Where damage took a line away, its child continues from the line before it in the file. That may bring in a branch that
//!   was left; it never loses what the reader could read. Each such link is in the [`SessionReport`], as is every line.
//! - [`rewrite`] gives the file back with other messages in it: lines that did not change stay byte for byte.
//!
//! ```
//! use antiphon_interop::claude_code::Session;
//! let file = br#"{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"hi"}}
//! {"type":"assistant","uuid":"b","parentUuid":"a","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"one"}]}}
//! {"type":"assistant","uuid":"c","parentUuid":"b","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"two"}]}}
//! {"type":"summary","summary":"greeting","leafUuid":"c"}
//! "#;
//! let log = antiphon_log::read(file);
//! let session = Session::new(&log);
//! let conversation = session.conversation();
//! assert_eq!(conversation.messages.len(), 2);
//! assert_eq!(conversation.messages[1].blocks().count(), 2);
//! assert_eq!(conversation.origins[1].entries, [1, 2]);
//! ```

mod chain;
mod gather;
mod line;
mod merge;
mod pieces;
mod plan;
mod relink;
mod rewrite;
mod session;

pub use chain::{Healed, LinkFault};
pub use line::{Line, LineKind, Parent};
pub use rewrite::{Rewrite, RewriteError, Written, rewrite};
pub use session::{Conversation, Joined, LineRole, Options, Session, SessionReport};
