//! A session file with other messages in it.

use antiphon_model::Message;

use super::plan::{Plan, Style};
use super::relink::emit;
use super::session::{Conversation, Session};

/// A session file with other messages in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewrite {
    /// The file.
    pub bytes: Vec<u8>,
    /// Whether anything is different. If not, there is no reason to write.
    pub changed: bool,
    /// How many lines stand as they came.
    pub kept: usize,
    /// Entries whose message was changed in its line.
    pub edited: Vec<usize>,
    /// Entries that only have another `parentUuid` now.
    pub relinked: Vec<usize>,
    /// Entries that stand at another place of the file.
    pub moved: Vec<usize>,
    /// Entries that are gone: what they carried was dropped, or stands in another line now.
    pub removed: Vec<usize>,
    /// Lines that were written anew.
    pub written: Vec<Written>,
    /// Damaged lines that are gone; the records in them were kept, each on a clean line.
    pub damaged: u64,
}

/// A line that was written anew.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The message that it carries, or a part of it.
    pub message: usize,
    /// Its `uuid`, made from the line before it and its own text. `None` in a file without any.
    pub uuid: Option<String>,
}

/// Why a conversation cannot be written as a session file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// A session file holds user and assistant messages only.
    #[error("message {message} is neither a user nor an assistant message")]
    Role {
        /// Its index.
        message: usize,
    },
    /// The file would not read back as these messages (two answers with one id, say, come back as one).
    #[error("the session file would not read back as the same conversation: it differs at message {message}")]
    Differs {
        /// The first message that would be another one.
        message: usize,
        /// The file with the least change. Everything that was to be written is in it, yet it reads back as another
        /// conversation: read it, repair that, and write again.
        nearest: Vec<u8>,
    },
}

/// The session file with `messages` in place of those of `conversation`, which must be the session's active conversation.
///
/// Only role and content of `messages` count ([`Conversation::to_send`] gives just those); what an answer has besides stays in its line.
///
/// What is promised: reading the result gives `messages` (role and content) again, by the official rule for the active leaf; writing
/// that once more changes nothing; the history stays: other branches, sidechains, what was compacted, records that are unknown.
///
/// How: the line of a message that did not change stays byte for byte. Where a message came from several lines, only those lines
/// change whose blocks did. A line that nothing is left of goes, and what hung on it hangs on the line before it. A new
/// message gets a line right behind the one it follows, with an envelope like its neighbour's, no clock and no chance: its
/// `uuid` comes from its content. The lines around a change are linked one behind the other. A damaged line
/// becomes the records that were found in it, a blank line and a byte order mark go, and a link that had to be healed is written out, so that
/// other readers find it too.
///
/// # Errors
/// [`RewriteError`] if the conversation cannot be expressed in such a file. The result is read back before it is returned.
///
/// ```
/// use antiphon_interop::claude_code::{Session, rewrite};
/// use antiphon_model::{Message, ToolResult};
/// let file = br#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}
/// {"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}]}}
/// "#;
/// let log = antiphon_log::read(file);
/// let session = Session::new(&log);
/// let conversation = session.conversation();
/// let mut messages = conversation.messages.clone();
/// messages.push(Message::from_json(
///     r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"interrupted"}]}"#,
/// )?);
/// let back = rewrite(&session, &conversation, &messages)?;
/// assert!(back.bytes.starts_with(file));
/// assert_eq!((back.kept, back.written.len()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rewrite(
    session: &Session<'_>,
    conversation: &Conversation,
    messages: &[Message],
) -> Result<Rewrite, RewriteError> {
    let turn = |message: &Message| matches!(message, Message::User(_) | Message::Assistant(_));
    if let Some(message) = messages.iter().position(|message| !turn(message)) {
        return Err(RewriteError::Role { message });
    }
    let mut differs = None;
    // First the least change; then what shapes need that it cannot express.
    let least = Style::default();
    let whole = Style { whole: true, ..least };
    for style in [
        least,
        Style { last: true, ..least },
        whole,
        Style { last: true, ..whole },
        Style { last: true, copy: true, ..least },
        Style { last: true, copy: true, ..whole },
    ] {
        let plan = Plan::new(session, conversation, messages, style);
        let out = emit(session, &plan);
        if !out.changed {
            return Ok(out);
        }
        match first_difference(&out.bytes, conversation, messages) {
            None => return Ok(out),
            Some(message) => {
                differs.get_or_insert((message, out.bytes));
            }
        }
    }
    let (message, nearest) = differs.unwrap_or_default();
    Err(RewriteError::Differs { message, nearest })
}

/// Reads the file back: the first message that is not the one wanted.
fn first_difference(bytes: &[u8], conversation: &Conversation, messages: &[Message]) -> Option<usize> {
    let log = antiphon_log::read(bytes);
    let back = Session::new(&log).conversation_with(conversation.options).messages;
    let differs = back.iter().zip(messages).position(|(a, b)| !same(a, b));
    differs.or_else(|| (back.len() != messages.len()).then(|| back.len().min(messages.len())))
}

/// Whether two messages are sent alike.
pub(super) fn same(a: &Message, b: &Message) -> bool {
    a.role_name() == b.role_name() && a.content() == b.content()
}
