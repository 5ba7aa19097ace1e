//! Session files: their active conversation, and writing them back.

use crate::args::Kind;
use crate::render::plural;
use antiphon_interop::{Origin, claude_code, plain};
use antiphon_log::{LineEnding, Log};
use antiphon_model::{Content, Message, Request, Role};

/// A session file that was read.
pub(crate) struct Session {
    pub(crate) kind: Kind,
    pub(crate) log: Log,
    /// The active conversation as it would be sent: what only stored messages have is left out.
    pub(crate) request: Request,
    /// Leading system messages, which a request has in its system prompt: that many messages of the file
    /// stand before the first of `request`.
    pub(crate) leading: usize,
    /// Where each message of the file's conversation came from.
    origins: Vec<Origin>,
}

enum Conversation {
    Plain(plain::Conversation),
    ClaudeCode(claude_code::Conversation),
}

impl Conversation {
    fn of(log: &Log, kind: Kind) -> Self {
        if kind == Kind::ClaudeCode {
            Self::ClaudeCode(claude_code::Session::new(log).conversation())
        } else {
            Self::Plain(plain::conversation(log))
        }
    }

    fn messages(&self) -> &[Message] {
        match self {
            Self::Plain(c) => &c.messages,
            Self::ClaudeCode(c) => &c.messages,
        }
    }

    fn into_parts(self) -> (Vec<Message>, Vec<Origin>) {
        match self {
            Self::Plain(c) => (c.messages, c.origins),
            Self::ClaudeCode(c) => (c.messages, c.origins),
        }
    }
}

/// A session file with another conversation in it.
pub(crate) struct Rewritten {
    pub(crate) bytes: Vec<u8>,
    pub(crate) changed: bool,
    /// What became of the lines, in words.
    pub(crate) notes: Vec<String>,
}

impl Session {
    pub(crate) fn new(log: Log, kind: Kind) -> Self {
        // Of a large file no two copies are kept: `rewrite` reads the stored messages again.
        let (messages, origins) = Conversation::of(&log, kind).into_parts();
        let leading = messages.iter().take_while(|m| m.wire_role() == Some(Role::System)).count();
        let mut request = Request::default();
        for message in messages.iter().take(leading) {
            if let Some(content) = message.content().filter(|c| !c.is_empty()) {
                match &mut request.system {
                    Some(system) => system.make_blocks().extend(content.clone().into_blocks()),
                    None => request.system = Some(content.clone()),
                }
            }
        }
        request.messages = messages.into_iter().skip(leading).map(into_sendable).collect();
        Self { kind, log, request, leading, origins }
    }

    /// The messages of the active conversation as the file has them, `id` and `usage` included.
    pub(crate) fn stored(&self) -> Vec<Message> {
        Conversation::of(&self.log, self.kind).into_parts().0
    }

    /// The line of the file that a message, or one of its blocks, stands on.
    pub(crate) fn line(&self, message: usize, block: Option<usize>) -> Option<u64> {
        Some(self.log.entries.get(self.entry(message, block)?.0)?.line())
    }

    /// The entry that a message, or one of its blocks, stands in, and the index of the block there.
    pub(crate) fn entry(&self, message: usize, block: Option<usize>) -> Option<(usize, Option<usize>)> {
        let origin = self.origins.get(message + self.leading)?;
        if let Some((entry, at)) = block.and_then(|block| origin.blocks.get(block)) {
            return Some((*entry, Some(*at)));
        }
        Some((*origin.entries.first()?, None))
    }

    /// How many lines carry the active conversation, and how many do not.
    pub(crate) fn described(&self) -> String {
        let carrying: std::collections::BTreeSet<usize> =
            self.origins.iter().flat_map(|o| o.entries.iter().copied()).collect();
        let others = self.log.entries.len() - carrying.len();
        let messages = plural(self.origins.len(), "message");
        let lines = plural(carrying.len(), "line");
        match others {
            0 => format!("{messages} on {lines}"),
            1 => format!("{messages} on {lines}; 1 other record is carried along"),
            _ => format!("{messages} on {lines}; {others} other records are carried along"),
        }
    }

    /// The file with `messages` in place of the active conversation. `origin` gives for each the messages
    /// of [`request`](Self::request) that it was made of.
    pub(crate) fn rewrite<'o>(
        &self,
        messages: &[Message],
        origin: impl Fn(usize) -> &'o [usize],
    ) -> anyhow::Result<Rewritten> {
        let conversation = Conversation::of(&self.log, self.kind);
        let stored = conversation.messages();
        let mut written: Vec<Message> = stored.iter().take(self.leading).cloned().collect();
        for (index, message) in messages.iter().enumerate() {
            let first = origin(index).first().and_then(|at| stored.get(at + self.leading));
            written.push(match first {
                Some(old) if origin(index).len() == 1 && sendable(old) == *message => old.clone(),
                Some(old) => with_stored_members(message.clone(), old),
                None => message.clone(),
            });
        }
        let mut result = match &conversation {
            Conversation::Plain(conversation) => {
                let out = plain::rewrite(&self.log, conversation, &written);
                let notes = vec![
                    count(out.kept, "line", "stand as they came"),
                    count(out.written.len(), "line", "written anew"),
                ];
                Rewritten { bytes: out.bytes, changed: out.changed, notes }
            }
            Conversation::ClaudeCode(conversation) => {
                let session = claude_code::Session::new(&self.log);
                let out = claude_code::rewrite(&session, conversation, &written)?;
                let notes = [
                    (out.kept, "stand as they came"),
                    (out.edited.len(), "edited"),
                    (out.relinked.len(), "linked to another parent"),
                    (out.moved.len(), "moved"),
                    (out.removed.len(), "removed"),
                    (out.written.len(), "written anew"),
                ];
                let notes =
                    notes.into_iter().map(|(n, what)| count(n, "line", what)).filter(|n| !n.is_empty()).collect();
                Rewritten { bytes: out.bytes, changed: out.changed, notes }
            }
        };
        if self.log.report.byte_order_mark {
            result.changed = true;
            result.notes.insert(0, "the byte order mark is left out".to_owned());
        }
        // What did not change has no line end at its end if it came without one.
        let ended = self.log.entries.last().is_none_or(|last| last.ending() != LineEnding::None);
        if !result.changed && !ended && result.bytes.last() == Some(&b'\n') {
            result.bytes.pop();
        }
        Ok(result)
    }
}

fn count(n: usize, what: &str, done: &str) -> String {
    match n {
        0 => String::new(),
        1 => format!("1 {what} {}", done.replacen("stand as they", "stands as it", 1)),
        _ => format!("{n} {what}s {done}"),
    }
}

/// A stored message without what only stored messages have. Flat records stay flat.
fn sendable(message: &Message) -> Message {
    if message.is_flat() { message.clone() } else { message.to_wire() }
}

fn into_sendable(message: Message) -> Message {
    if message.is_flat() { message } else { message.to_wire() }
}

/// The members of the stored message go back onto the changed one.
fn with_stored_members(mut message: Message, old: &Message) -> Message {
    if !message.is_flat()
        && message.wire_role() == old.wire_role()
        && let (Some(extra), Some(stored)) = (message.extra_mut(), old.extra())
        && extra.is_empty()
        && !old.is_flat()
    {
        *extra = stored.clone();
    }
    // A string that was left alone stays a string.
    if let (Some(Content::Blocks(blocks)), Some(Content::Text(text))) = (message.content(), old.content())
        && let [block] = blocks.as_slice()
        && matches!(block, antiphon_model::ContentBlock::Text(b) if b.text == *text && b.extra.is_empty())
        && let Some(content) = message.content_mut()
    {
        *content = Content::Text(text.clone());
    }
    message
}
