//! From what is stored to what is sent.

use super::{AssistantMessage, Message, Role, UserMessage};
use crate::block::ContentBlock;
use crate::content::Content;
use crate::extra::Extra;
use std::ops::Range;

/// Messages as a request has them, and where each came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Wire {
    /// User, assistant and system turns only (and what is not known, as it came).
    pub messages: Vec<Message>,
    /// For each of them the range of source messages it was made of.
    pub sources: Vec<Range<usize>>,
}

/// Lowers stored messages to those of a request.
///
/// - Flat calls become `tool_use` blocks of an assistant turn, flat results `tool_result` blocks of a
///   user turn; a flat record joins its neighbours of the same wire role. Turns that are not flat are
///   never joined with one another (that is `Merge`'s work).
/// - Members that only stored or answered messages have (`id`, `model`, `usage`, time stamps, …) are
///   left behind: the API refuses every key it does not know (contract 0). A system turn keeps
///   `output_config` and `clear_at`, a flat call `caller`, `toolset_name` and `cache_control`, a flat result
///   `toolset_name` and `cache_control` (contract 1.1). Blocks keep everything.
///
/// ```
/// use antiphon_model::{Message, ToolUse, ToolResult, to_wire};
/// let stored = vec![
///     Message::user("list"),
///     Message::from(ToolUse::new("t1", "ls", &serde_json::json!({}))?),
///     Message::from(ToolResult::ok("t1", "a.txt")?),
/// ];
/// let wire = to_wire(&stored);
/// assert_eq!(wire.messages.iter().map(|m| m.role_name()).collect::<Vec<_>>(), ["user", "assistant", "user"]);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
pub fn to_wire(messages: &[Message]) -> Wire {
    let mut wire = Wire { messages: Vec::with_capacity(messages.len()), sources: Vec::with_capacity(messages.len()) };
    let mut last_flat = false;
    for (at, message) in messages.iter().enumerate() {
        let flat = message.is_flat();
        let joins = (flat || last_flat)
            && message.wire_role().is_some()
            && wire.messages.last().and_then(Message::wire_role) == message.wire_role();
        last_flat = flat;
        if joins
            && let Some(content) = wire.messages.last_mut().and_then(Message::content_mut)
            && let Some(range) = wire.sources.last_mut()
        {
            range.end = at + 1;
            match message {
                Message::ToolUse(record) => content.make_blocks().push(record.to_wire_block().into()),
                Message::ToolResult(record) => content.make_blocks().push(record.to_wire_block().into()),
                other => {
                    if let Some(more) = other.content() {
                        content.make_blocks().extend(more.clone().into_blocks());
                    }
                }
            }
            continue;
        }
        wire.messages.push(message.to_wire());
        wire.sources.push(at..at + 1);
    }
    wire
}

impl Message {
    /// This message alone as a request has it; see [`to_wire`].
    pub fn to_wire(&self) -> Self {
        match self {
            Self::User(m) => Self::User(UserMessage { content: m.content.clone(), extra: Extra::new() }),
            Self::Assistant(m) => Self::Assistant(AssistantMessage { content: m.content.clone(), extra: Extra::new() }),
            Self::ToolUse(record) => Self::turn(Role::Assistant, ContentBlock::from(record.to_wire_block())),
            Self::ToolResult(record) => Self::turn(Role::User, ContentBlock::from(record.to_wire_block())),
            Self::System(m) => {
                let mut m = m.clone();
                m.extra.retain(|key, _| matches!(key, "output_config" | "clear_at"));
                Self::System(m)
            }
            Self::Other(_) => self.clone(),
        }
    }

    /// A turn of a role with any content.
    pub fn turn(role: Role, content: impl Into<Content>) -> Self {
        let content = content.into();
        let extra = Extra::new();
        match role {
            Role::User => Self::User(UserMessage { content, extra }),
            Role::Assistant => Self::Assistant(AssistantMessage { content, extra }),
            Role::System => Self::System(super::SystemMessage { content, extra }),
        }
    }
}
