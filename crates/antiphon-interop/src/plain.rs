//! Plain logs: one message a line, flat `tool_use` and `tool_result` records among them.
//!
//! ```
//! let log = antiphon_log::read(
//!     br#"{"role":"user","content":"go"}
//! {"role":"tool_use","id":"t1","name":"ls","input":{}}
//! {"role":"tool_result","tool_use_id":"t1","content":"a b"}
//! {"event":"saved"}
//! "#,
//! );
//! let conversation = antiphon_interop::plain::conversation(&log);
//! assert_eq!(conversation.messages.len(), 3);
//! assert_eq!(conversation.origins[2].entries, [2]);
//! assert_eq!(conversation.carried, [3]);
//! let back = antiphon_interop::plain::rewrite(&log, &conversation, &conversation.messages);
//! assert!(!back.changed);
//! ```

use antiphon_log::Log;
use antiphon_model::Message;

use crate::Origin;
use crate::align::align;

/// The messages of a plain log.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Conversation {
    /// The messages, in file order.
    pub messages: Vec<Message>,
    /// The line of each.
    pub origins: Vec<Origin>,
    /// Records that are no messages: they stay in the file and are not sent.
    pub carried: Vec<usize>,
}

/// A log with other messages in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewrite {
    /// The file.
    pub bytes: Vec<u8>,
    /// Whether anything is different: a message, or damage that is gone. If not, there is no reason to write.
    pub changed: bool,
    /// Entries whose lines stand as they came.
    pub kept: usize,
    /// Entries that gave way: their message was changed or dropped.
    pub removed: Vec<usize>,
    /// Indices of messages that got a line of their own.
    pub written: Vec<usize>,
    /// Damaged lines that are gone; the records in them were kept.
    pub damaged: u64,
}

/// Reads every record that is a message: itself, or in a member `message`.
pub fn conversation(log: &Log) -> Conversation {
    let mut out = Conversation::default();
    for (entry, record) in log.entries.iter().enumerate() {
        let Some(message) = record.message() else {
            out.carried.push(entry);
            continue;
        };
        let blocks = (0..message.blocks().count()).map(|block| (entry, block)).collect();
        out.origins.push(Origin { entries: vec![entry], blocks });
        out.messages.push(message.clone());
    }
    out
}

/// The log with `messages` in place of those of `conversation`, which was read from it. Lines of messages that are still there stay
/// byte for byte, as do records that are no messages; a salvaged record gets a clean line; a blank line goes.
pub fn rewrite(log: &Log, conversation: &Conversation, messages: &[Message]) -> Rewrite {
    let texts = |messages: &[Message]| messages.iter().map(Message::to_json).collect::<Vec<_>>();
    let matched = align(&texts(&conversation.messages), &texts(messages));
    let entry_of = |old: usize| conversation.origins.get(old).and_then(|origin| origin.entries.first().copied());
    let mut out = Rewrite { damaged: log.report.lines.bad, ..Rewrite::default() };
    let mut next = 0;
    let mut lines = Lines { log, out: &mut out, carried: &conversation.carried };
    for (at, message) in messages.iter().enumerate() {
        if let Some(entry) = matched.get(at).copied().flatten().and_then(entry_of) {
            lines.up_to(&mut next, entry);
            lines.keep(entry);
            next = entry + 1;
        } else {
            // In the place of the line it replaces, if there is one before the next line that stays.
            let stays = matched.get(at..).and_then(|rest| rest.iter().flatten().next()).copied().and_then(entry_of);
            let limit = stays.unwrap_or(log.entries.len());
            let replaced = (next..limit).find(|entry| !lines.carried.contains_sorted(*entry));
            if let Some(replaced) = replaced {
                lines.up_to(&mut next, replaced);
                lines.out.removed.push(replaced);
                next = replaced + 1;
            }
            antiphon_log::write_message(message, &mut lines.out.bytes);
            lines.out.written.push(at);
        }
    }
    lines.up_to(&mut next, log.entries.len());
    out.changed = out.damaged > 0 || !out.removed.is_empty() || !out.written.is_empty();
    out
}

trait Sorted {
    fn contains_sorted(&self, item: usize) -> bool;
}

impl Sorted for [usize] {
    fn contains_sorted(&self, item: usize) -> bool {
        self.binary_search(&item).is_ok()
    }
}

struct Lines<'l, 'o> {
    log: &'l Log,
    out: &'o mut Rewrite,
    carried: &'l [usize],
}

impl Lines<'_, '_> {
    fn keep(&mut self, entry: usize) {
        if let Some(entry) = self.log.entries.get(entry) {
            entry.write_to(&mut self.out.bytes);
            self.out.kept += 1;
        }
    }

    /// The entries from `next` to `end`: records that are no messages stay, the rest is gone.
    fn up_to(&mut self, next: &mut usize, end: usize) {
        for entry in *next..end {
            if self.carried.contains_sorted(entry) {
                self.keep(entry);
            } else {
                self.out.removed.push(entry);
            }
        }
        *next = end.max(*next);
    }
}
