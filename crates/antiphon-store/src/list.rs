use std::fmt;
use std::str::FromStr;

use crate::{Error, SessionId, SessionInfo, Timestamp};

/// Which sessions to list: those changed last come first, and of those changed at the same time the lesser id.
///
/// ```
/// use antiphon_store::ListQuery;
/// let query = ListQuery::default().with_owner("ann").with_limit(20);
/// assert_eq!(query.owner.as_deref(), Some("ann"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListQuery {
    /// Only sessions of this owner.
    pub owner: Option<String>,
    /// Only sessions changed at this time or later.
    pub since: Option<Timestamp>,
    /// Only sessions changed before this time.
    pub until: Option<Timestamp>,
    /// At most so many. 100 unless set.
    pub limit: usize,
    /// Behind the page that gave this cursor.
    pub cursor: Option<Cursor>,
}

impl Default for ListQuery {
    fn default() -> Self {
        Self { owner: None, since: None, until: None, limit: 100, cursor: None }
    }
}

impl ListQuery {
    /// Sets [`owner`](Self::owner).
    #[must_use]
    pub fn with_owner(mut self, owner: impl Into<String>) -> Self {
        self.owner = Some(owner.into());
        self
    }

    /// Sets [`since`](Self::since).
    #[must_use]
    pub fn since(mut self, time: Timestamp) -> Self {
        self.since = Some(time);
        self
    }

    /// Sets [`until`](Self::until).
    #[must_use]
    pub fn until(mut self, time: Timestamp) -> Self {
        self.until = Some(time);
        self
    }

    /// Sets [`limit`](Self::limit).
    #[must_use]
    pub fn with_limit(mut self, sessions: usize) -> Self {
        self.limit = sessions;
        self
    }

    /// Sets [`cursor`](Self::cursor).
    #[must_use]
    pub fn from_cursor(mut self, cursor: Cursor) -> Self {
        self.cursor = Some(cursor);
        self
    }

    /// Whether a session belongs into the list, wherever its page is.
    pub fn matches(&self, info: &SessionInfo) -> bool {
        self.owner.as_ref().is_none_or(|owner| info.owner.as_ref() == Some(owner))
            && self.since.is_none_or(|since| info.updated >= since)
            && self.until.is_none_or(|until| info.updated < until)
            && self.cursor.as_ref().is_none_or(|cursor| cursor.is_before(info))
    }

    /// The page of these sessions: those that match, in order. For stores that have to look at all of them anyway.
    pub fn page(&self, sessions: impl IntoIterator<Item = SessionInfo>) -> Listed {
        let mut found: Vec<SessionInfo> = sessions.into_iter().filter(|info| self.matches(info)).collect();
        found.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| a.id.cmp(&b.id)));
        let more = found.len() > self.limit;
        found.truncate(self.limit);
        let next = found.last().filter(|_| more).map(Cursor::behind);
        Listed { sessions: found, next }
    }
}

/// A place in a list. As text it can be kept and sent; what is in it is the store's business.
///
/// A session that is changed while somebody pages moves to the front: it may be seen twice or not, the others are seen once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    updated: Timestamp,
    id: SessionId,
}

impl Cursor {
    /// Behind this session.
    pub fn behind(info: &SessionInfo) -> Self {
        Self { updated: info.updated, id: info.id.clone() }
    }

    /// When the session that it stands behind was changed, and its id: what a store compares with.
    pub fn position(&self) -> (Timestamp, &SessionId) {
        (self.updated, &self.id)
    }

    fn is_before(&self, info: &SessionInfo) -> bool {
        info.updated < self.updated || (info.updated == self.updated && info.id > self.id)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.updated.millis(), self.id)
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let invalid = || Error::Invalid(format!("{text:?} is no cursor of a list"));
        let (updated, id) = text.split_once(':').ok_or_else(invalid)?;
        let updated = updated.parse().map(Timestamp::from_millis).map_err(|_| invalid())?;
        Ok(Self { updated, id: SessionId::new(id).map_err(|_| invalid())? })
    }
}

/// A page of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The sessions.
    pub sessions: Vec<SessionInfo>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<Cursor>,
}

impl Listed {
    /// A page that `next` follows.
    pub fn new(sessions: Vec<SessionInfo>, next: Option<Cursor>) -> Self {
        Self { sessions, next }
    }
}
