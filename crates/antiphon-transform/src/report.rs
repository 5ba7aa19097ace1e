use antiphon_contract::Path;
use std::fmt;

/// What a transform did: every change, and what survives of the provider's prompt cache.
///
/// ```
/// use antiphon_model::Message;
/// use antiphon_transform::{Conversation, Merge, Transform};
/// let mut conversation = Conversation::from_messages(vec![Message::user("a"), Message::user("b")]);
/// let report = Merge::default().apply(&mut conversation)?;
/// assert_eq!(report.changes.len(), 1);
/// assert_eq!(report.first_changed(), Some(0));
/// # Ok::<(), antiphon_transform::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The changes, in the order they were made.
    pub changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The rule it was made for, if for one.
    pub rule: Option<&'static str>,
    /// What was done.
    pub kind: ChangeKind,
    /// Where, in the conversation as it was given (a message that was made here has the place of what it
    /// was made for).
    pub path: Path,
    /// What exactly, in words.
    pub detail: String,
    /// The first message of the conversation as it was given whose bytes this changed, or in front of which
    /// it put something. `None` if it changed none.
    pub from: Option<usize>,
}

/// What a change did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Something new was put in.
    Inserted,
    /// Something was taken out.
    Removed,
    /// Something stands elsewhere now.
    Moved,
    /// An id or name was changed.
    Renamed,
    /// Something stands in place of something else.
    Replaced,
    /// Messages were joined.
    Joined,
}

impl ChangeKind {
    /// The kind as a word: `inserted`, `removed`, …
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inserted => "inserted",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Renamed => "renamed",
            Self::Replaced => "replaced",
            Self::Joined => "joined",
        }
    }
}

impl Report {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The first message, in the conversation as it was given, whose bytes are not what they were. What
    /// stands before it can still be read from the provider's cache. `None` if nothing changed, or only
    /// the system prompt, tools or parameters did (then nothing survives: see [`Report::prefix_changed`]).
    pub fn first_changed(&self) -> Option<usize> {
        self.changes.iter().filter_map(|change| change.from).min()
    }

    /// Whether something before the messages changed.
    pub fn prefix_changed(&self) -> bool {
        self.changes.iter().any(|change| change.path.message_index().is_none())
    }

    /// Adds what another transform did.
    pub fn extend(&mut self, other: Self) {
        self.changes.extend(other.changes);
    }

    /// Adds a change of the message that `path` lies in.
    pub(crate) fn add(&mut self, rule: Option<&'static str>, kind: ChangeKind, path: Path, detail: impl Into<String>) {
        let from = path.message_index();
        self.add_from(rule, kind, path, from, detail);
    }

    /// Adds a change that reaches back, or forward, to message `from`.
    pub(crate) fn add_from(
        &mut self,
        rule: Option<&'static str>,
        kind: ChangeKind,
        path: Path,
        from: Option<usize>,
        detail: impl Into<String>,
    ) {
        self.changes.push(Change { rule, kind, path, detail: detail.into(), from });
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.kind.as_str(), self.path, self.detail)?;
        if let Some(rule) = self.rule {
            write!(f, " [{rule}]")?;
        }
        Ok(())
    }
}
