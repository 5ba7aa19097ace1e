//! Reading objects: which member goes to which typed field, and what stays in [`Extra`].

use crate::extra::Extra;
use crate::json::{JsonError, JsonKind, Pair, RawRef, Scanner, Text};

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

/// The value of the one member called `key`; `None` if there is none or more than one.
pub(crate) fn only<'a>(pairs: &[Pair<'a>], key: &str) -> Option<RawRef<'a>> {
    let mut found = pairs.iter().filter(|p| p.key_is(key));
    let value = found.next()?.value;
    found.next().is_none().then_some(value)
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

    /// The raw value of a field.
    pub(crate) fn raw(&self, field: &str) -> Option<RawRef<'a>> {
        let slot = (*self.slots.get(self.position(field)?)?)?;
        self.pairs.get(usize::from(slot)).map(|p| p.value)
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
        self.raw(field)?.as_text().filter(|t| !t.has_lone_surrogate()).map(Text::into_string)
    }

    /// A required string that may hold half surrogate pairs.
    pub(crate) fn text(&self, field: &str) -> Option<Text> {
        self.raw(field)?.as_text()
    }

    /// What is not in a typed field, and the order of all.
    pub(crate) fn extra(&self) -> Extra {
        let mut last = None;
        let mut typed = 0;
        for slot in self.slots.iter().flatten() {
            if last.is_some_and(|l| *slot < l) {
                return self.skeleton();
            }
            last = Some(*slot);
            typed += 1;
        }
        if typed == self.pairs.len() && !self.pairs.iter().any(|p| p.key_escaped) {
            Extra::new()
        } else {
            self.skeleton()
        }
    }

    fn skeleton(&self) -> Extra {
        Extra::from_pairs(self.pairs, |at| self.slots.iter().flatten().any(|slot| usize::from(*slot) == at))
    }
}

/// A boolean, or nothing.
pub(crate) fn read_bool(raw: RawRef<'_>) -> Option<bool> {
    raw.as_bool()
}

/// A text, or nothing.
pub(crate) fn read_text(raw: RawRef<'_>) -> Option<Text> {
    (raw.kind() == JsonKind::String).then(|| raw.as_text()).flatten()
}
