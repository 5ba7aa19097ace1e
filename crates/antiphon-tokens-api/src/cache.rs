//! Counts by the content of what was counted.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

/// Two keyed hashes and the length: nobody can aim for a collision.
type Key = (u64, u64, usize);

/// At most `capacity` counts in two generations.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    keys: (RandomState, RandomState),
    capacity: usize,
    store: Mutex<(HashMap<Key, u64>, HashMap<Key, u64>)>,
}

impl Cache {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, ..Self::default() }
    }

    /// Address and body; the key of the account is no part of it.
    pub(crate) fn key(&self, request: &http::Request<Vec<u8>>) -> Key {
        let of = (request.uri(), request.body());
        (self.keys.0.hash_one(of), self.keys.1.hash_one(of), request.body().len())
    }

    pub(crate) fn get(&self, key: &Key) -> Option<u64> {
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        store.0.get(key).or_else(|| store.1.get(key)).copied()
    }

    pub(crate) fn put(&self, key: Key, count: u64) {
        if self.capacity == 0 {
            return;
        }
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if store.0.len() >= self.capacity.div_ceil(2) {
            store.1 = std::mem::take(&mut store.0);
        }
        store.0.insert(key, count);
    }
}
