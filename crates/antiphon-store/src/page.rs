use antiphon_log::{Entry, Problem};

/// Which records to load.
///
/// ```
/// let page = antiphon_store::Page::after(100).with_limit(50);
/// assert_eq!((page.after, page.limit), (100, 50));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// Records behind this sequence number; 0 for the first ones.
    pub after: u64,
    /// At most so many. 1,000 unless set.
    pub limit: usize,
    /// No further record once these bytes are reached, but always one. 8 MiB unless set: with the limit it bounds the memory
    /// of a reader, whatever the records are.
    pub max_bytes: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self::after(0)
    }
}

impl Page {
    /// The records behind this sequence number.
    pub fn after(seq: u64) -> Self {
        Self { after: seq, limit: 1000, max_bytes: 8 << 20 }
    }

    /// Sets [`limit`](Self::limit).
    #[must_use]
    pub fn with_limit(mut self, records: usize) -> Self {
        self.limit = records;
        self
    }

    /// Sets [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }
}

/// A record and its number.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// Its number in the session, from 1, without gaps.
    pub seq: u64,
    /// What was appended.
    pub entry: Entry,
}

impl Record {
    /// A record under its number.
    pub fn new(seq: u64, entry: Entry) -> Self {
        Self { seq, entry }
    }
}

/// Records of a session.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The records, in order.
    pub records: Vec<Record>,
    /// The session's last sequence number when they were read. Behind the last of `records`, and there is more to load.
    pub last: u64,
    /// Damage that was met on the way. What could be saved is among `records`.
    pub problems: Vec<Problem>,
}

impl Loaded {
    /// Records of a session that ends with number `last`.
    pub fn new(records: Vec<Record>, last: u64) -> Self {
        Self { records, last, problems: Vec::new() }
    }

    /// The page behind this one, of the same size; `None` at the end.
    ///
    /// ```
    /// use antiphon_store::{Loaded, Page};
    /// assert_eq!(Loaded::default().next(Page::default()), None);
    /// ```
    pub fn next(&self, page: Page) -> Option<Page> {
        let seen = self.records.last()?.seq;
        (seen < self.last).then_some(Page { after: seen, ..page })
    }
}
