use std::fmt;
use std::sync::Arc;

use antiphon_log::Entry;
use async_trait::async_trait;

use crate::{Append, Appended, Change, Error, ListQuery, Listed, Loaded, NewSession, Page, SessionId, SessionInfo};

/// How much a store takes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest record, in bytes as a line.
    pub record: u64,
}

impl Default for Limits {
    /// Records of 256 MiB: the longest line that the log's reader takes.
    fn default() -> Self {
        Self { record: 256 << 20 }
    }
}

impl Limits {
    /// Records of at most so many bytes.
    #[must_use]
    pub fn with_record(mut self, bytes: u64) -> Self {
        self.record = bytes;
        self
    }

    /// Whether a record as a line is within the limit.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn check(&self, line: &str) -> Result<(), Error> {
        let size = line.len() as u64;
        if size > self.record {
            return Err(Error::TooLarge { what: "a record", size, limit: self.record });
        }
        Ok(())
    }
}

/// A store of sessions. What it promises is the same for every backend, and the conformance suite (feature `testkit`) tests it.
///
/// 1. **Nothing acknowledged is lost**, as far as the [durability](crate::Durability) that was asked for reaches.
/// 2. **Numbers are for ever.** Records are numbered from 1 without gaps, in the order of their appends. A record never changes, and
///    never its number.
/// 3. **An append is whole.** The records of one append stand together, and none of them when it fails. Only an append that the end of
///    the process or machine cut off may have left some of its records, whole and in order, or all.
/// 4. **Conflicts are told.** With an expected number, of several writers one succeeds; the others get [`Error::Conflict`].
/// 5. **Exactly once.** An append with an id may be repeated: it is done once, and answered as the first time. The same id with other
///    records is refused.
/// 6. **Readers see whole records only**, and once they have seen one they see it again.
/// 7. **Forks are copies.** A fork has the records of the original up to the given one, under the same numbers; neither
///    notices what happens to the other.
/// 8. **Damage is reported**, never skipped in silence.
///
/// All methods may be called from many tasks at once. A future that is dropped may or may not have done its work.
#[async_trait]
pub trait SessionStore: fmt::Debug + Send + Sync {
    /// The kind of store, for messages: `memory`, `jsonl`, …
    fn name(&self) -> &'static str;

    /// How much it takes at once.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// A new session without records.
    ///
    /// # Errors
    /// [`Error::AlreadyExists`]; whatever the engine fails at.
    async fn create(&self, id: &SessionId, new: NewSession) -> Result<SessionInfo, Error>;

    /// Appends records, all or none. An empty slice appends nothing, and still checks what is expected.
    ///
    /// What is looked at first: whether the session is there; whether the append id was used (then the answer is that of the
    /// first time, whatever is expected, even if the session was sealed since); whether it is sealed; what is expected; the size.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::AppendIdReused`], [`Error::Sealed`], [`Error::Conflict`], [`Error::TooLarge`]; whatever the engine
    /// fails at, and then [`Applied`](crate::Applied) says whether it may have been done.
    async fn append(&self, id: &SessionId, entries: &[Entry], append: Append) -> Result<Appended, Error>;

    /// A page of records. Behind the last record it is empty.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Corrupt`]; whatever the engine fails at.
    async fn load(&self, id: &SessionId, page: Page) -> Result<Loaded, Error>;

    /// The last `limit` records, in order. What it costs does not depend on what stands before them.
    ///
    /// # Errors
    /// Those of [`load`](Self::load).
    async fn tail(&self, id: &SessionId, limit: usize) -> Result<Loaded, Error>;

    /// What is known about a session.
    ///
    /// # Errors
    /// [`Error::NotFound`]; whatever the engine fails at.
    async fn info(&self, id: &SessionId) -> Result<SessionInfo, Error>;

    /// Changes what is known about a session, sealed ones too.
    ///
    /// # Errors
    /// [`Error::NotFound`]; whatever the engine fails at.
    async fn update(&self, id: &SessionId, change: Change) -> Result<SessionInfo, Error>;

    /// A page of sessions, the last changed first, without reading their records.
    ///
    /// # Errors
    /// Whatever the engine fails at.
    async fn list(&self, query: &ListQuery) -> Result<Listed, Error>;

    /// A new session with the records of another up to number `at` (0 for none of them), where the conversation may be cut:
    /// see [`fork_points`](crate::fork_points). Of `new`, an owner that is not given is the original's.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::AlreadyExists`] for `to`, [`Error::OutOfRange`], [`Error::IllegalFork`]; whatever the engine fails at.
    async fn fork(&self, id: &SessionId, at: u64, to: &SessionId, new: NewSession) -> Result<SessionInfo, Error>;

    /// Closes a session: it takes no more records. Sealing it again changes nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`]; whatever the engine fails at.
    async fn seal(&self, id: &SessionId) -> Result<SessionInfo, Error>;

    /// Takes a session away, records and all. Its forks stay.
    ///
    /// # Errors
    /// [`Error::NotFound`]; whatever the engine fails at.
    async fn delete(&self, id: &SessionId) -> Result<(), Error>;

    /// Everything acknowledged so far outlives the loss of power once this returns.
    ///
    /// # Errors
    /// [`Error::NotFound`]; whatever the engine fails at.
    async fn sync(&self, id: &SessionId) -> Result<(), Error>;
}

macro_rules! forward {
    ($($pointer:tt)*) => {
        #[async_trait]
        impl<S: SessionStore + ?Sized> SessionStore for $($pointer)* {
            fn name(&self) -> &'static str {
                (**self).name()
            }
            fn limits(&self) -> Limits {
                (**self).limits()
            }
            async fn create(&self, id: &SessionId, new: NewSession) -> Result<SessionInfo, Error> {
                (**self).create(id, new).await
            }
            async fn append(&self, id: &SessionId, entries: &[Entry], append: Append) -> Result<Appended, Error> {
                (**self).append(id, entries, append).await
            }
            async fn load(&self, id: &SessionId, page: Page) -> Result<Loaded, Error> {
                (**self).load(id, page).await
            }
            async fn tail(&self, id: &SessionId, limit: usize) -> Result<Loaded, Error> {
                (**self).tail(id, limit).await
            }
            async fn info(&self, id: &SessionId) -> Result<SessionInfo, Error> {
                (**self).info(id).await
            }
            async fn update(&self, id: &SessionId, change: Change) -> Result<SessionInfo, Error> {
                (**self).update(id, change).await
            }
            async fn list(&self, query: &ListQuery) -> Result<Listed, Error> {
                (**self).list(query).await
            }
            async fn fork(&self, id: &SessionId, at: u64, to: &SessionId, new: NewSession) -> Result<SessionInfo, Error> {
                (**self).fork(id, at, to, new).await
            }
            async fn seal(&self, id: &SessionId) -> Result<SessionInfo, Error> {
                (**self).seal(id).await
            }
            async fn delete(&self, id: &SessionId) -> Result<(), Error> {
                (**self).delete(id).await
            }
            async fn sync(&self, id: &SessionId) -> Result<(), Error> {
                (**self).sync(id).await
            }
        }
    };
}

forward!(&S);
forward!(Box<S>);
forward!(Arc<S>);
