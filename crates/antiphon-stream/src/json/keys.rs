//! Keys that come again and again are held once.

use std::sync::Arc;

/// Keys seen lately. The objects of a list have the same few keys, and a shared one costs no allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys([Option<Arc<str>>; 16]);

impl Keys {
    /// The key, shared with an earlier one if that is at hand.
    pub(super) fn get(&mut self, key: &str) -> Arc<str> {
        let bytes = key.as_bytes();
        let ends = bytes.first().zip(bytes.last());
        let ends = ends.map_or(0, |(&first, &last)| usize::from(first) * 7 + usize::from(last));
        // A slot for each kind of key; the one that came last has it.
        let Some(slot) = self.0.get_mut((bytes.len() * 31 + ends) % 16) else { return key.into() };
        match slot {
            Some(known) if **known == *key => Arc::clone(known),
            slot => Arc::clone(slot.insert(key.into())),
        }
    }
}
