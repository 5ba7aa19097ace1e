use crate::{AppendId, Timestamp};

/// How an append is done.
///
/// ```
/// use antiphon_store::{Append, AppendId, Durability};
/// let append = Append::default()
///     .expecting(12)
///     .with_id(AppendId::new("turn-7")?)
///     .with_durability(Durability::Synced);
/// assert_eq!(append.expected, Some(12));
/// # Ok::<(), antiphon_store::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Append {
    /// The last sequence number the caller has seen (0 for an empty session). If the session has another, nothing is
    /// appended and the error says which. `None`: append behind whatever is there.
    pub expected: Option<u64>,
    /// A name for this append: repeated with the same one, it is done once and answered as the first time.
    pub id: Option<AppendId>,
    /// What must hold before the call returns.
    pub durability: Durability,
    /// When; the store's clock if not given.
    pub at: Option<Timestamp>,
}

impl Append {
    /// Sets [`expected`](Self::expected).
    #[must_use]
    pub fn expecting(mut self, last: u64) -> Self {
        self.expected = Some(last);
        self
    }

    /// Sets [`id`](Self::id).
    #[must_use]
    pub fn with_id(mut self, id: AppendId) -> Self {
        self.id = Some(id);
        self
    }

    /// Sets [`durability`](Self::durability).
    #[must_use]
    pub fn with_durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets [`at`](Self::at).
    #[must_use]
    pub fn at(mut self, time: Timestamp) -> Self {
        self.at = Some(time);
        self
    }
}

/// What an append outlives once it is acknowledged. Each level holds what the one before holds. A store may do more than asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Durability {
    /// Nothing: it may still lie in this process. Readers of this store see it.
    Buffered,
    /// The end of the process, kill -9 too: the operating system or the server has it.
    #[default]
    Flushed,
    /// The loss of power: it is on the disk, as far as the disk tells the truth.
    Synced,
}

impl Durability {
    /// The level as a word: `buffered`, `flushed`, `synced`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Buffered => "buffered",
            Self::Flushed => "flushed",
            Self::Synced => "synced",
        }
    }
}

/// What an append came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended {
    /// The sequence number of the first record. Of an empty append: the one that the next record will get.
    pub first: u64,
    /// The sequence number of the last record; of an empty append one less than `first`.
    pub last: u64,
    /// What holds now: at least what was asked for. Only a store that has nothing to outlive its process says less than that, and
    /// [`MemoryStore`](crate::MemoryStore) always says [`Durability::Buffered`].
    pub durability: Durability,
    /// It had been done before under the same append id; nothing was appended now.
    pub repeated: bool,
}

impl Appended {
    /// `count` records behind record `before`.
    pub fn behind(before: u64, count: usize, durability: Durability) -> Self {
        Self { first: before + 1, last: before + count as u64, durability, repeated: false }
    }

    /// The same, as the answer to a repetition.
    #[must_use]
    pub fn as_repeated(mut self) -> Self {
        self.repeated = true;
        self
    }
}
