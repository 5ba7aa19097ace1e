use crate::SessionId;

/// An error of a backend, as its source.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What a store can refuse or fail at. What a caller does about it is in [`kind`](Self::kind).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such session.
    #[error("there is no session {id}")]
    NotFound {
        /// The session.
        id: SessionId,
    },
    /// There is such a session already.
    #[error("there is a session {id} already")]
    AlreadyExists {
        /// The session.
        id: SessionId,
    },
    /// The session has other records than the caller knew of. Nothing was appended: load what is new, and decide again.
    #[error("session {id} has {actual} records, not the {expected} that were expected")]
    Conflict {
        /// The session.
        id: SessionId,
        /// What the caller expected its last sequence number to be.
        expected: u64,
        /// Its last sequence number.
        actual: u64,
    },
    /// The append id was used before in this session, for other records.
    #[error("append id {append} of session {id} was used for other records")]
    AppendIdReused {
        /// The session.
        id: SessionId,
        /// The append id.
        append: crate::AppendId,
    },
    /// The session is sealed: it takes no more records.
    #[error("session {id} is sealed")]
    Sealed {
        /// The session.
        id: SessionId,
    },
    /// A name that a store does not take.
    #[error("invalid {what} {id:?}: {reason}")]
    InvalidId {
        /// What kind of name.
        what: &'static str,
        /// The name.
        id: String,
        /// Why not.
        reason: String,
    },
    /// A session cannot be forked there: it would tear a call from its result, or a thinking loop. `before` and `after` are
    /// the nearest places where it can.
    #[error("session {id} cannot be forked after record {at}: the nearest places are after {before} and after {after}")]
    IllegalFork {
        /// The session.
        id: SessionId,
        /// What was asked for.
        at: u64,
        /// The nearest legal place before.
        before: u64,
        /// The nearest legal place behind.
        after: u64,
    },
    /// A sequence number that the session does not reach.
    #[error("session {id} has {last} records; there is no record {at}")]
    OutOfRange {
        /// The session.
        id: SessionId,
        /// What was asked for.
        at: u64,
        /// Its last sequence number.
        last: u64,
    },
    /// Some other argument makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// More than the store takes. Nothing was appended.
    #[error("{what} of {size} bytes: at most {limit} are allowed")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// What is stored is damaged in a way that reading cannot get around. Damage that it can is in [`Loaded::problems`](crate::Loaded).
    #[error("session {id} is damaged at {place}: {detail}")]
    Corrupt {
        /// The session.
        id: SessionId,
        /// Where: a file with an offset, a table with a key.
        place: String,
        /// What is wrong.
        detail: String,
        /// What the engine says.
        #[source]
        source: Option<BoxError>,
    },
    /// The engine could not do it now: not reachable, busy, locked by somebody, or out of space.
    #[error("{detail}")]
    Unavailable {
        /// What happened, and to which file or server.
        detail: String,
        /// Whether a write may have been done all the same.
        applied: Applied,
        /// What the engine says.
        #[source]
        source: Option<BoxError>,
    },
    /// The engine does not allow it.
    #[error("{detail}")]
    Denied {
        /// What was not allowed.
        detail: String,
        /// What the engine says.
        #[source]
        source: Option<BoxError>,
    },
}

/// What a caller does about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The session is not there.
    NotFound,
    /// Somebody else was first: load, decide again.
    Conflict,
    /// What is stored is damaged: recover.
    Corrupt,
    /// Try again later. After [`Applied::Unknown`], with the same append id.
    Unavailable,
    /// Make it smaller.
    TooLarge,
    /// Ask for the right, or for another session.
    Denied,
    /// The call makes no sense; another one will not help.
    Invalid,
}

/// Whether a write that failed may have been done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Applied {
    /// It was not done.
    No,
    /// Nobody can tell: the connection broke between request and answer. Repeat it with the same [`AppendId`](crate::AppendId).
    Unknown,
}

impl Error {
    /// What a caller does about it.
    ///
    /// ```
    /// use antiphon_store::{Error, ErrorKind, SessionId};
    /// let error = Error::NotFound { id: SessionId::new("a")? };
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::AlreadyExists { .. } | Self::Conflict { .. } => ErrorKind::Conflict,
            Self::AppendIdReused { .. }
            | Self::InvalidId { .. }
            | Self::IllegalFork { .. }
            | Self::OutOfRange { .. }
            | Self::Invalid(_) => ErrorKind::Invalid,
            Self::Sealed { .. } | Self::Denied { .. } => ErrorKind::Denied,
            Self::TooLarge { .. } => ErrorKind::TooLarge,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Unavailable { .. } => ErrorKind::Unavailable,
        }
    }

    /// The engine could not do it, and did not.
    pub fn unavailable(detail: impl Into<String>, source: impl Into<BoxError>) -> Self {
        Self::Unavailable { detail: detail.into(), applied: Applied::No, source: Some(source.into()) }
    }
}
