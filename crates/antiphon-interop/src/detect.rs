use antiphon_log::Entry;
use antiphon_model::RawRef;

use crate::claude_code::Line;

/// A kind of log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// A session file of Claude Code; see [`claude_code`](crate::claude_code).
    ClaudeCode,
    /// One message a line; see [`plain`](crate::plain).
    Plain,
}

/// How many records are looked at.
const LOOK_AT: usize = 1000;

/// Which kind of log this is, by its first thousand records. `None` if no record tells.
///
/// A message in an envelope (`{"type":"user","message":{…}}`), or a `uuid` with a `parentUuid`, is Claude Code's; a record with a `role` of its own is a
/// plain message. A whole envelope with a `uuid` decides, since no plain log has one (and a repair that drops a line must not make
/// a file something else); without one, the kind that more records speak for wins.
pub fn detect(entries: &[Entry]) -> Option<Dialect> {
    let (mut claude, mut plain) = (0, 0);
    for entry in entries.iter().take(LOOK_AT) {
        if entry.raw().member("role").is_some_and(|role| role.as_str().is_some()) {
            plain += 1;
            continue;
        }
        let line = Line::read(entry);
        let envelope = line.is_turn() && line.message.is_some();
        if envelope && line.uuid.is_some() {
            return Some(Dialect::ClaudeCode);
        }
        let linked = line.uuid.is_some() && entry.raw().member("parentUuid").is_some();
        let named = line.type_name.and_then(RawRef::as_str).is_some_and(|name| RECORDS.contains(&&*name));
        claude += usize::from(envelope || linked || named);
    }
    match (claude, plain) {
        (0, 0) => None,
        _ if claude >= plain => Some(Dialect::ClaudeCode),
        _ => Some(Dialect::Plain),
    }
}

/// Records outside the chain that only Claude Code writes.
const RECORDS: [&str; 10] = [
    "file-history-snapshot",
    "file-history-delta",
    "queue-operation",
    "custom-title",
    "ai-title",
    "last-prompt",
    "permission-mode",
    "bridge-session",
    "content-replacement",
    "pr-link",
];
