use std::collections::BTreeMap;

use crate::{SessionId, Timestamp};

/// What a new session is given.
///
/// ```
/// let new = antiphon_store::NewSession::default().with_owner("ann").with_title("Bugs").with_label("branch", "main");
/// assert_eq!(new.labels["branch"], "main");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewSession {
    /// Whose it is.
    pub owner: Option<String>,
    /// What a person calls it.
    pub title: Option<String>,
    /// Whatever else a program wants to know about it.
    pub labels: BTreeMap<String, String>,
    /// When it begins; the store's clock if not given.
    pub at: Option<Timestamp>,
}

impl NewSession {
    /// Sets [`owner`](Self::owner).
    #[must_use]
    pub fn with_owner(mut self, owner: impl Into<String>) -> Self {
        self.owner = Some(owner.into());
        self
    }

    /// Sets [`title`](Self::title).
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Adds to [`labels`](Self::labels).
    #[must_use]
    pub fn with_label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }

    /// Sets [`at`](Self::at).
    #[must_use]
    pub fn at(mut self, time: Timestamp) -> Self {
        self.at = Some(time);
        self
    }
}

/// A change to what is known about a session. Its records are not touched.
///
/// ```
/// use antiphon_store::Change;
/// let change = Change::default().with_title(Some("Bugs")).with_label("branch", None::<String>);
/// assert_eq!(change.title, Some(Some("Bugs".to_owned())));
/// assert_eq!(change.labels["branch"], None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Another owner, or `Some(None)` for none.
    pub owner: Option<Option<String>>,
    /// Another title, or `Some(None)` for none.
    pub title: Option<Option<String>>,
    /// Labels to set, or with `None` to take away. Others stay.
    pub labels: BTreeMap<String, Option<String>>,
    /// When; the store's clock if not given.
    pub at: Option<Timestamp>,
}

impl Change {
    /// Sets [`owner`](Self::owner).
    #[must_use]
    pub fn with_owner(mut self, owner: Option<impl Into<String>>) -> Self {
        self.owner = Some(owner.map(Into::into));
        self
    }

    /// Sets [`title`](Self::title).
    #[must_use]
    pub fn with_title(mut self, title: Option<impl Into<String>>) -> Self {
        self.title = Some(title.map(Into::into));
        self
    }

    /// Adds to [`labels`](Self::labels).
    #[must_use]
    pub fn with_label(mut self, key: impl Into<String>, value: Option<impl Into<String>>) -> Self {
        self.labels.insert(key.into(), value.map(Into::into));
        self
    }

    /// Sets [`at`](Self::at).
    #[must_use]
    pub fn at(mut self, time: Timestamp) -> Self {
        self.at = Some(time);
        self
    }
}

/// The session that another was forked from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parent {
    /// The session.
    pub id: SessionId,
    /// Its records up to this one were taken over.
    pub at: u64,
}

impl Parent {
    /// Session `id`, up to record `at`.
    pub fn new(id: SessionId, at: u64) -> Self {
        Self { id, at }
    }
}

/// What is known about a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Its name.
    pub id: SessionId,
    /// Whose it is.
    pub owner: Option<String>,
    /// What a person calls it.
    pub title: Option<String>,
    /// Whatever else a program wants to know about it.
    pub labels: BTreeMap<String, String>,
    /// When it was created.
    pub created: Timestamp,
    /// When a record was appended or this was changed.
    pub updated: Timestamp,
    /// How many records it has, which is its last sequence number. `None` only in a list, where the store would have to read
    /// the session to know.
    pub entries: Option<u64>,
    /// The size of its records as lines, each with its line end. A store of files counts damaged lines too.
    pub bytes: u64,
    /// It takes no more records.
    pub sealed: bool,
    /// What it was forked from.
    pub parent: Option<Parent>,
}

impl SessionInfo {
    /// An empty session, as just created at that time.
    pub fn new(id: SessionId, new: NewSession, created: Timestamp) -> Self {
        let NewSession { owner, title, labels, .. } = new;
        Self {
            id,
            owner,
            title,
            labels,
            created,
            updated: created,
            entries: Some(0),
            bytes: 0,
            sealed: false,
            parent: None,
        }
    }

    /// Takes over a change that is made at that time.
    pub fn apply(&mut self, change: Change, at: Timestamp) {
        let Change { owner, title, labels, .. } = change;
        if let Some(owner) = owner {
            self.owner = owner;
        }
        if let Some(title) = title {
            self.title = title;
        }
        for (key, value) in labels {
            match value {
                Some(value) => self.labels.insert(key, value),
                None => self.labels.remove(&key),
            };
        }
        self.touch(at);
    }

    /// It was changed at that time. A clock that goes back does not make it older.
    pub fn touch(&mut self, at: Timestamp) {
        self.updated = self.updated.max(at);
    }
}
