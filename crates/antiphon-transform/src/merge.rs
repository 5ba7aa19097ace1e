use crate::conversation::{Conversation, Slot};
use crate::error::Error;
use crate::pipeline::Transform;
use crate::report::{ChangeKind, Report};
use antiphon_contract::{Path, View};
use antiphon_model::{BlockRef, Content, ContentBlock, Message, Role};
use std::borrow::Cow;
use std::collections::HashSet;

/// Joins runs of messages of one role into one message each.
///
/// Afterwards user and assistant turns alternate (flat records count with their neighbours, system turns
/// and messages that are not known stay where they are), and all text is still there in order.
///
/// - String with string: joined by the joiner, a blank line by default; with [`Merge::blocks`] each
///   string becomes a text block of its own, so that the border stays visible.
/// - Otherwise blocks behind blocks, with their ids and cache marks. Tool results that answer the
///   assistant turn before come first, as the API wants them.
/// - What else the later message has (`id`, `usage`, …) stays where the first has no such key.
///
/// ```
/// use antiphon_model::Message;
/// use antiphon_transform::{Conversation, Merge, Transform};
/// let mut conversation = Conversation::from_messages(vec![Message::user("A"), Message::user("B")]);
/// Merge::default().apply(&mut conversation)?;
/// assert_eq!(conversation.messages()[0].to_json(), r#"{"role":"user","content":"A\n\nB"}"#);
/// # Ok::<(), antiphon_transform::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    joiner: Option<Cow<'static, str>>,
}

impl Default for Merge {
    /// Strings are joined by a blank line.
    fn default() -> Self {
        Self { joiner: Some("\n\n".into()) }
    }
}

impl Merge {
    /// Strings become text blocks, one each.
    pub fn blocks() -> Self {
        Self { joiner: None }
    }

    /// Strings are joined by `joiner`.
    #[must_use]
    pub fn with_joiner(mut self, joiner: impl Into<Cow<'static, str>>) -> Self {
        self.joiner = Some(joiner.into());
        self
    }

    pub(crate) fn join(&self, into: &mut Content, from: Content) {
        if let (Content::Text(a), Content::Text(b), Some(joiner)) = (&mut *into, &from, &self.joiner)
            && !a.has_lone_surrogate()
            && !b.has_lone_surrogate()
        {
            if !a.is_empty() && !b.is_empty() {
                a.make_mut().push_str(joiner);
            }
            a.make_mut().push_str(b);
            return;
        }
        into.make_blocks().extend(from.into_blocks());
    }
}

impl Transform for Merge {
    fn name(&self) -> &'static str {
        "merge"
    }

    fn apply(&self, conversation: &mut Conversation) -> Result<Report, Error> {
        let mut report = Report::default();
        let joins = joins(conversation.messages());
        if joins.is_empty() {
            return Ok(report);
        }
        let joins: HashSet<usize> = joins.into_iter().collect();
        let slots = conversation.take();
        let mut merged: Vec<Slot> = Vec::with_capacity(slots.len());
        // Merged messages that hold results, to be put in order at the end.
        let mut with_results = Vec::new();
        for (index, slot) in slots.into_iter().enumerate() {
            let Some(last) = merged.last_mut().filter(|_| joins.contains(&index)) else {
                merged.push(slot);
                continue;
            };
            report.add(
                Some("consecutive-same-role"),
                ChangeKind::Joined,
                Path::message(last.origin.as_slice().first().copied().unwrap_or(index)),
                format!("message {index} joined to the {} message before it", slot.message.role_name()),
            );
            last.origin.extend(&slot.origin);
            self.merge(&mut last.message, slot.message);
            let at = merged.len() - 1;
            if with_results.last() != Some(&at) {
                with_results.push(at);
            }
        }
        for at in with_results {
            results_first(&mut merged, at);
        }
        conversation.restore(merged);
        Ok(report)
    }
}

impl Merge {
    fn merge(&self, into: &mut Message, from: Message) {
        if let Some(other) = from.extra().filter(|extra| !extra.is_empty())
            && let Some(own) = into.extra_mut()
        {
            for (key, value) in other.iter() {
                if own.get(&key).is_none() {
                    own.insert(&key, value.to_owned());
                }
            }
        }
        let content = match from {
            Message::User(m) => m.content,
            Message::Assistant(m) => m.content,
            Message::System(m) => m.content,
            Message::ToolUse(_) | Message::ToolResult(_) | Message::Other(_) => return,
        };
        if let Some(own) = into.content_mut() {
            self.join(own, content);
        }
    }
}

/// The messages that go into the one before them.
fn joins(messages: &[Message]) -> Vec<usize> {
    let view = View::new(messages);
    view.turns
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if a.role == b.role && matches!(a.role, Some(Role::User | Role::Assistant)) => {
                Some(b.messages.start)
            }
            _ => None,
        })
        .collect()
}

/// Moves the results that answer the assistant turn before to the front of message `at`.
fn results_first(slots: &mut [Slot], at: usize) {
    let mut ids: HashSet<String> = HashSet::new();
    for slot in slots.get(..at).unwrap_or_default().iter().rev() {
        match slot.message.wire_role() {
            Some(Role::Assistant) => ids.extend(slot.message.tool_uses().map(|call| call.id.clone())),
            // Flat results of the same turn stand before the message.
            Some(Role::User) if slot.message.is_flat() && ids.is_empty() => {}
            _ => break,
        }
    }
    if ids.is_empty() {
        return;
    }
    let Some(Content::Blocks(blocks)) = slots.get_mut(at).and_then(|slot| slot.message.content_mut()) else { return };
    let answers =
        |block: &ContentBlock| matches!(BlockRef::from(block), BlockRef::ToolResult(r) if ids.contains(&r.tool_use_id));
    // A stable sort by one bit is a stable partition; most of the time it is in order already.
    if !blocks.is_sorted_by_key(|block| !answers(block)) {
        blocks.sort_by_key(|block| !answers(block));
    }
}
