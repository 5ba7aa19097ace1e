//! Counts remembered by content.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use crate::counter::{Bounds, TokenCounter};

/// Remembers the counts of another counter by the hash of the text, at most so many; threads share it.
///
/// Texts under 64 bytes are counted each time. A text is known by two keyed 64-bit hashes and its length, so two texts are taken
/// for each other with a chance of 2⁻¹²⁸, and nobody can aim for it.
///
/// ```
/// use antiphon_tokens::{Cached, Quick, TokenCounter};
/// let counter = Cached::new(Quick, 1000);
/// let text = "long enough to be remembered ".repeat(10);
/// assert_eq!(counter.count(&text), counter.count(&text));
/// assert_eq!(counter.hits(), 1);
/// ```
#[derive(Debug)]
pub struct Cached<C> {
    inner: C,
    capacity: usize,
    keys: (RandomState, RandomState),
    store: Mutex<Store>,
}

type Key = (u64, u64, usize);

/// Two generations: when the young one is half of the capacity, it becomes the old one and the old one goes.
#[derive(Debug, Default)]
struct Store {
    young: HashMap<Key, u64>,
    old: HashMap<Key, u64>,
    hits: u64,
}

const SHORT: usize = 64;

impl<C: TokenCounter> Cached<C> {
    /// Remembers up to `capacity` counts (48 bytes each, or so).
    pub fn new(inner: C, capacity: usize) -> Self {
        Self {
            inner,
            capacity: capacity.max(2),
            keys: (RandomState::new(), RandomState::new()),
            store: Mutex::new(Store::default()),
        }
    }

    /// The counter that is asked.
    pub fn inner(&self) -> &C {
        &self.inner
    }

    /// How many counts were answered from memory.
    pub fn hits(&self) -> u64 {
        self.with(|store| store.hits)
    }

    fn with<T>(&self, work: impl FnOnce(&mut Store) -> T) -> T {
        // A panic elsewhere cannot leave the maps half changed in a way that matters.
        work(&mut self.store.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn key(&self, text: &str) -> Key {
        (self.keys.0.hash_one(text), self.keys.1.hash_one(text), text.len())
    }

    fn get(&self, key: &Key) -> Option<u64> {
        self.with(|store| {
            let count = store.young.get(key).or_else(|| store.old.get(key)).copied();
            store.hits += u64::from(count.is_some());
            count
        })
    }

    fn put(&self, key: Key, count: u64) {
        self.with(|store| {
            if store.young.len() >= self.capacity / 2 {
                store.old = std::mem::take(&mut store.young);
            }
            store.young.insert(key, count);
        });
    }
}

impl<C: TokenCounter> TokenCounter for Cached<C> {
    fn count(&self, text: &str) -> u64 {
        if text.len() < SHORT {
            return self.inner.count(text);
        }
        let key = self.key(text);
        self.get(&key).unwrap_or_else(|| {
            let count = self.inner.count(text);
            self.put(key, count);
            count
        })
    }

    fn is_exact(&self) -> bool {
        self.inner.is_exact()
    }

    fn count_up_to(&self, text: &str, limit: u64) -> Option<u64> {
        if text.len() < SHORT {
            return self.inner.count_up_to(text, limit);
        }
        let key = self.key(text);
        if let Some(count) = self.get(&key) {
            return (count <= limit).then_some(count);
        }
        // Beyond the limit the count is not known, so there is nothing to remember.
        let count = self.inner.count_up_to(text, limit)?;
        self.put(key, count);
        Some(count)
    }

    fn bounds(&self, text: &str) -> Bounds {
        if self.is_exact() { Bounds::exact(self.count(text)) } else { self.inner.bounds(text) }
    }

    fn prefix<'a>(&self, text: &'a str, limit: u64) -> &'a str {
        self.inner.prefix(text, limit)
    }

    fn suffix<'a>(&self, text: &'a str, limit: u64) -> &'a str {
        self.inner.suffix(text, limit)
    }
}
