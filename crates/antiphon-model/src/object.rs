//! Reading objects: which member goes to which typed field, and what stays in [`Extra`].

use crate::extra::Extra;
use crate::json::{JsonError, Pair, RawRef, Scanner, Text};

/// The members of one object, matched with the typed fields of a kind of object.
pub(crate) struct Object<'p, 'a> {
    pairs: &'p [Pair<'a>],
    /// For each typed field the index of its member.
    slots: [Option<u8>; MAX_FIELDS],
    fields: &'static [&'static str],
}

/// The most typed fields an object has.
const MAX_FIELDS: usize = 8;

/// An object with more members than this is kept whole as raw JSON: nothing the contract knows is
/// near it.
pub(crate) const MAX_MEMBERS: usize = 250;

/// Collects the members of the object that comes next.
pub(crate) fn scan_members<'a>(scanner: &mut Scanner<'a>, pairs: &mut Vec<Pair<'a>>) -> Result<(), JsonError> {
    let mut first = true;
    while let Some(pair) = scanner.next_pair(first)? {
        first = false;
        pairs.push(pair);
    }
    Ok(())
}

/// The one member called `key`; `None` if there is none or more than one.
pub(crate) fn only<'p, 'a>(pairs: &'p [Pair<'a>], key: &str) -> Option<&'p Pair<'a>> {
    let mut found = pairs.iter().filter(|p| p.key_is(key));
    let pair = found.next()?;
    found.next().is_none().then_some(pair)
}

impl<'p, 'a> Object<'p, 'a> {
    /// Matches members with `fields`. `None` if a field is there twice, or there are too many
    /// members: such an object cannot be written back from its fields.
    pub(crate) fn new(pairs: &'p [Pair<'a>], fields: &'static [&'static str]) -> Option<Self> {
        debug_assert!(fields.len() <= MAX_FIELDS);
        if pairs.len() > MAX_MEMBERS {
            return None;
        }
        let mut slots = [None; MAX_FIELDS];
        for (at, pair) in pairs.iter().enumerate() {
            if let Some(field) = fields.iter().position(|f| pair.key_is(f)) {
                let slot = slots.get_mut(field)?;
                if slot.is_some() {
                    return None;
                }
                *slot = u8::try_from(at).ok();
            }
        }
        Some(Self { pairs, slots, fields })
    }

    fn position(&self, field: &str) -> Option<usize> {
        self.fields.iter().position(|f| *f == field)
    }

    fn pair(&self, field: &str) -> Option<&'p Pair<'a>> {
        let slot = (*self.slots.get(self.position(field)?)?)?;
        self.pairs.get(usize::from(slot))
    }

    /// The raw value of a field.
    pub(crate) fn raw(&self, field: &str) -> Option<RawRef<'a>> {
        self.pair(field).map(|pair| pair.value)
    }

    /// Leaves a field's member to [`Extra`].
    fn release(&mut self, field: &str) {
        if let Some(slot) = self.position(field).and_then(|at| self.slots.get_mut(at)) {
            *slot = None;
        }
    }

    /// An optional field: read by `read`, or left in [`Extra`] if it does not have that shape.
    pub(crate) fn optional<T>(&mut self, field: &str, read: impl FnOnce(RawRef<'a>) -> Option<T>) -> Option<T> {
        let raw = self.raw(field)?;
        let value = read(raw);
        if value.is_none() {
            self.release(field);
        }
        value
    }

    /// A required string.
    pub(crate) fn string(&self, field: &str) -> Option<String> {
        self.pair(field)?.string()
    }

    /// A required string that may hold half surrogate pairs.
    pub(crate) fn text(&self, field: &str) -> Option<Text> {
        self.pair(field)?.text()
    }

    /// An optional string: left in [`Extra`] if it is something else.
    pub(crate) fn optional_text(&mut self, field: &str) -> Option<Text> {
        let text = self.pair(field)?.text();
        if text.is_none() {
            self.release(field);
        }
        text
    }

    /// What is not in a typed field, and the order of all unless the fields come first as they are written.
    pub(crate) fn extra(&self) -> Extra {
        let in_front = self.slots.iter().flatten().enumerate().all(|(at, slot)| usize::from(*slot) == at);
        let (fields, rest) = self.pairs.split_at_checked(self.slots.iter().flatten().count()).unwrap_or_default();
        if !in_front || fields.iter().any(|pair| pair.key_escaped) {
            self.skeleton()
        } else if rest.is_empty() {
            Extra::new()
        } else {
            Extra::from_pairs(rest, |_| false)
        }
    }

    fn skeleton(&self) -> Extra {
        // A bit for each member: is it a typed field?
        let mut typed = [0u64; MAX_MEMBERS.div_ceil(64)];
        for slot in self.slots.iter().flatten() {
            if let Some(word) = typed.get_mut(usize::from(*slot) / 64) {
                *word |= 1 << (slot % 64);
            }
        }
        Extra::from_pairs(self.pairs, |at| typed.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1))
    }
}

/// A boolean, or nothing.
pub(crate) fn read_bool(raw: RawRef<'_>) -> Option<bool> {
    raw.as_bool()
}
