use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use antiphon_log::Entry;
use antiphon_model::RawJson;
use async_trait::async_trait;

use crate::{
    Append, AppendId, Appended, Change, Clock, Durability, Error, Limits, ListQuery, Listed, Loaded, NewSession, Page,
    Parent, Record, SessionId, SessionInfo, SessionStore, SystemClock, Timestamp, check_fork, same_records, to_line,
};

/// A store in memory: for tests, for sessions that need not outlive the process, and as the yardstick for other stores.
///
/// A clone is another handle to the same sessions.
#[derive(Debug, Clone)]
pub struct MemoryStore {
    sessions: Arc<Mutex<BTreeMap<SessionId, Session>>>,
    clock: Arc<dyn Clock>,
    limits: Limits,
}

#[derive(Debug, Clone)]
struct Session {
    info: SessionInfo,
    lines: Vec<Arc<str>>,
    appends: HashMap<AppendId, Appended>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self { sessions: Arc::default(), clock: Arc::new(SystemClock), limits: Limits::default() }
    }

    /// Takes the time from elsewhere.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Takes at most so much at once.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn with<T>(&self, work: impl FnOnce(&mut BTreeMap<SessionId, Session>) -> T) -> T {
        // Every change under the lock is checked first and cannot fail half way.
        work(&mut self.sessions.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn session<T>(&self, id: &SessionId, work: impl FnOnce(&mut Session) -> Result<T, Error>) -> Result<T, Error> {
        self.with(|sessions| match sessions.get_mut(id) {
            Some(session) => work(session),
            None => Err(Error::NotFound { id: id.clone() }),
        })
    }

    fn insert(&self, session: Session) -> Result<SessionInfo, Error> {
        let info = session.info.clone();
        self.with(|sessions| {
            if sessions.contains_key(&info.id) {
                return Err(Error::AlreadyExists { id: info.id.clone() });
            }
            sessions.insert(info.id.clone(), session);
            Ok(info)
        })
    }

    fn time(&self, given: Option<Timestamp>) -> Timestamp {
        given.unwrap_or_else(|| self.clock.now())
    }
}

impl Session {
    fn last(&self) -> u64 {
        self.lines.len() as u64
    }

    fn repeated(&self, entries: &[Entry], append: &AppendId) -> Result<Option<Appended>, Error> {
        let Some(done) = self.appends.get(append) else { return Ok(None) };
        let stored = self.lines.get(index(done.first - 1)..index(done.last)).unwrap_or_default();
        if !same_records(entries, stored.iter().map(|line| &**line)) {
            return Err(Error::AppendIdReused { id: self.info.id.clone(), append: append.clone() });
        }
        Ok(Some(done.as_repeated()))
    }

    fn loaded(&self, page: Page) -> Result<Loaded, Error> {
        let mut records = Vec::new();
        let mut bytes = 0;
        for (seq, line) in (page.after + 1..).zip(self.lines.iter().skip(index(page.after))).take(page.limit) {
            if bytes > 0 && bytes + line.len() > page.max_bytes {
                break;
            }
            bytes += line.len() + 1;
            records.push(Record::new(seq, self.entry(seq, line)?));
        }
        Ok(Loaded::new(records, self.last()))
    }

    fn entry(&self, seq: u64, line: &str) -> Result<Entry, Error> {
        let read = RawJson::parse(line).map_err(antiphon_log::LogError::from).and_then(Entry::new);
        read.map_err(|error| Error::Corrupt {
            id: self.info.id.clone(),
            place: format!("record {seq}"),
            detail: "it is no record".to_owned(),
            source: Some(error.into()),
        })
    }
}

fn index(seq: u64) -> usize {
    usize::try_from(seq).unwrap_or(usize::MAX)
}

#[async_trait]
impl SessionStore for MemoryStore {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    async fn create(&self, id: &SessionId, new: NewSession) -> Result<SessionInfo, Error> {
        let created = self.time(new.at);
        self.insert(Session {
            info: SessionInfo::new(id.clone(), new, created),
            lines: Vec::new(),
            appends: HashMap::new(),
        })
    }

    async fn append(&self, id: &SessionId, entries: &[Entry], append: Append) -> Result<Appended, Error> {
        let at = self.time(append.at);
        let lines: Vec<Arc<str>> = entries.iter().map(|entry| to_line(entry).into()).collect();
        let limits = self.limits;
        self.session(id, |session| {
            if let Some(append) = &append.id
                && let Some(done) = session.repeated(entries, append)?
            {
                return Ok(done);
            }
            if session.info.sealed {
                return Err(Error::Sealed { id: id.clone() });
            }
            let actual = session.last();
            if let Some(expected) = append.expected.filter(|expected| *expected != actual) {
                return Err(Error::Conflict { id: id.clone(), expected, actual });
            }
            lines.iter().try_for_each(|line| limits.check(line))?;
            let done = Appended::behind(actual, lines.len(), Durability::Buffered);
            if !lines.is_empty() {
                session.info.touch(at);
            }
            session.info.bytes += lines.iter().map(|line| line.len() as u64 + 1).sum::<u64>();
            session.lines.extend(lines);
            session.info.entries = Some(session.last());
            if let Some(append) = append.id {
                session.appends.insert(append, done);
            }
            Ok(done)
        })
    }

    async fn load(&self, id: &SessionId, page: Page) -> Result<Loaded, Error> {
        self.session(id, |session| session.loaded(page))
    }

    async fn tail(&self, id: &SessionId, limit: usize) -> Result<Loaded, Error> {
        self.session(id, |session| {
            let after = session.last().saturating_sub(limit as u64);
            session.loaded(Page::after(after).with_limit(limit).with_max_bytes(usize::MAX))
        })
    }

    async fn info(&self, id: &SessionId) -> Result<SessionInfo, Error> {
        self.session(id, |session| Ok(session.info.clone()))
    }

    async fn update(&self, id: &SessionId, change: Change) -> Result<SessionInfo, Error> {
        let at = self.time(change.at);
        self.session(id, |session| {
            session.info.apply(change, at);
            Ok(session.info.clone())
        })
    }

    async fn list(&self, query: &ListQuery) -> Result<Listed, Error> {
        Ok(self.with(|sessions| query.page(sessions.values().map(|session| session.info.clone()))))
    }

    async fn fork(&self, id: &SessionId, at: u64, to: &SessionId, new: NewSession) -> Result<SessionInfo, Error> {
        // What is checked stays true: records are only ever added behind.
        check_fork(self, id, at).await?;
        let created = self.time(new.at);
        let fork = self.session(id, |session| {
            let lines: Vec<Arc<str>> = session.lines.iter().take(index(at)).cloned().collect();
            let mut info = SessionInfo::new(to.clone(), new, created);
            info.owner = info.owner.or_else(|| session.info.owner.clone());
            info.entries = Some(lines.len() as u64);
            info.bytes = lines.iter().map(|line| line.len() as u64 + 1).sum();
            info.parent = Some(Parent::new(id.clone(), at));
            Ok(Session { info, lines, appends: HashMap::new() })
        })?;
        self.insert(fork)
    }

    async fn seal(&self, id: &SessionId) -> Result<SessionInfo, Error> {
        let at = self.clock.now();
        self.session(id, |session| {
            if !session.info.sealed {
                session.info.sealed = true;
                session.info.touch(at);
            }
            Ok(session.info.clone())
        })
    }

    async fn delete(&self, id: &SessionId) -> Result<(), Error> {
        self.with(|sessions| sessions.remove(id)).map(drop).ok_or_else(|| Error::NotFound { id: id.clone() })
    }

    async fn sync(&self, id: &SessionId) -> Result<(), Error> {
        self.session(id, |_| Ok(()))
    }
}
