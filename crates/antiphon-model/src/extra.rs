//! The members of an object that have no field of their own.

use crate::json::{Pair, RawJson, RawRef, Scanner, decode_key, write_escaped};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// What stands in an object besides its typed fields: unknown members, known ones of unexpected
/// shape (`null` among them), and the order of all, so that the object leaves as it came.
///
/// Equality is that of what would be written: it sees the order of the members, and that of the typed
/// fields unless they come first in their usual order, as in an object made here.
///
/// ```
/// use antiphon_model::Message;
/// let line = r#"{"id":"msg_1","role":"assistant","content":"hi","x":1.0}"#;
/// let message = Message::from_json(line)?;
/// let extra = message.extra().unwrap();
/// assert_eq!(extra.get("x").unwrap().get(), "1.0");
/// assert_eq!(message.to_json(), line);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Extra {
    // One allocation an object, none for most: the members as written, joined by commas, with a mark
    // in place of a value that has a typed field. `"x":1.0,"type":·,"text":·` says everything. The
    // mark is a control character, which valid JSON never holds raw: it can be searched for. A
    // skeleton without marks follows the typed fields.
    skeleton: Option<Box<str>>,
}

/// Stands for a typed value in the skeleton.
const MARK: char = '\u{1}';
const MARK_BYTE: u8 = 1;

/// A value of the skeleton.
enum Slot<'a> {
    /// A typed field stands here.
    Field,
    /// A value kept raw.
    Value(RawRef<'a>),
}

impl Extra {
    /// Nothing.
    pub const fn new() -> Self {
        Self { skeleton: None }
    }

    /// From the members of an object; `typed` tells (by index) which have a field of their own.
    pub(crate) fn from_pairs(pairs: &[Pair<'_>], typed: impl Fn(usize) -> bool) -> Self {
        let length = |(at, pair): (usize, &Pair<'_>)| {
            pair.raw_key.len() + 4 + if typed(at) { 1 } else { pair.value.get().len() }
        };
        let mut out = String::with_capacity(pairs.iter().enumerate().map(length).sum::<usize>().saturating_sub(1));
        for (at, pair) in pairs.iter().enumerate() {
            push_key(&mut out, pair.raw_key);
            if typed(at) {
                out.push(MARK);
            } else {
                out.push_str(pair.value.get());
            }
        }
        Self { skeleton: Some(out.into_boxed_str()) }
    }

    fn slots(&self) -> Slots<'_> {
        Slots::of(self.skeleton.as_deref().unwrap_or_default())
    }

    /// Whether there are no members besides typed fields.
    pub fn is_empty(&self) -> bool {
        self.skeleton.is_none() || self.iter().next().is_none()
    }

    /// The member `key` (the last, if it is repeated).
    pub fn get(&self, key: &str) -> Option<RawRef<'_>> {
        // Most questions are answered with no: a key that stands nowhere in the text is not there, unless
        // it is spelled with escapes.
        let skeleton = self.skeleton.as_deref()?;
        if !skeleton.contains(key) && !skeleton.contains('\\') {
            return None;
        }
        self.iter().filter(|(k, _)| k == key).last().map(|(_, value)| value)
    }

    /// Whether there is a member `key`, `null` or not.
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (Cow<'_, str>, RawRef<'_>)> {
        self.slots().filter_map(|member| match member.slot {
            Slot::Field => None,
            Slot::Value(value) => Some((member.key(), value)),
        })
    }

    /// Sets a member: in its place if it is there, else at the end. Each call writes all members anew; to
    /// set many at once, use [`Extend`].
    ///
    /// A typed field that is set wins over a member of its name.
    ///
    /// ```
    /// use antiphon_model::{Message, RawJson};
    /// let mut message = Message::from_json(r#"{"x":1,"role":"user","content":"hi"}"#)?;
    /// let extra = message.extra_mut().unwrap();
    /// extra.insert("x", RawJson::null());
    /// extra.insert("y", RawJson::string("new"));
    /// assert_eq!(message.to_json(), r#"{"x":null,"role":"user","content":"hi","y":"new"}"#);
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    pub fn insert(&mut self, key: &str, value: RawJson) {
        self.set(&[(key, value.as_ref())]);
    }

    /// Sets members with different keys: in place, or at the end in this order.
    fn set(&mut self, members: &[(&str, RawRef<'_>)]) {
        let index: BTreeMap<&str, usize> = members.iter().enumerate().map(|(at, (key, _))| (*key, at)).collect();
        let mut written = vec![false; members.len()];
        let length = self.skeleton.as_deref().map_or(0, str::len);
        let mut out =
            String::with_capacity(length + members.iter().map(|(k, v)| k.len() + v.get().len() + 4).sum::<usize>());
        for old in self.slots() {
            let new = index.get(&*old.key()).and_then(|at| Some((members.get(*at)?, written.get_mut(*at)?)));
            match (new, old.slot) {
                (Some((_, true)), _) => {}
                (Some(((_, value), written)), _) => {
                    push_member(&mut out, old.raw_key, value.get());
                    *written = true;
                }
                (None, Slot::Field) => {
                    push_key(&mut out, old.raw_key);
                    out.push(MARK);
                }
                (None, Slot::Value(value)) => push_member(&mut out, old.raw_key, value.get()),
            }
        }
        for ((key, value), _) in members.iter().zip(&written).filter(|(_, written)| !**written) {
            let mut raw_key = String::with_capacity(key.len());
            write_escaped(key, &mut raw_key);
            push_member(&mut out, &raw_key, value.get());
        }
        self.skeleton = (!out.is_empty()).then(|| out.into_boxed_str());
    }

    /// Takes a member away and gives it back (the last, if it was repeated: all of them go).
    pub fn remove(&mut self, key: &str) -> Option<RawJson> {
        let removed = self.get(key)?.to_owned();
        self.retain(|name, _| name != key);
        Some(removed)
    }

    /// Takes away every member; the order of the typed fields is forgotten too.
    pub fn clear(&mut self) {
        self.skeleton = None;
    }

    /// Keeps the members that `keep` says yes to.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, RawRef<'_>) -> bool) {
        if self.skeleton.is_none() {
            return;
        }
        let mut out = String::new();
        for member in self.slots() {
            match member.slot {
                Slot::Field => {
                    push_key(&mut out, member.raw_key);
                    out.push(MARK);
                }
                Slot::Value(value) if keep(&member.key(), value) => push_member(&mut out, member.raw_key, value.get()),
                Slot::Value(_) => {}
            }
        }
        self.skeleton = (!out.is_empty()).then(|| out.into_boxed_str());
    }

    /// Only the members, at the end of the object: for an object that takes on another shape.
    pub(crate) fn without_order(&self, keep: impl Fn(&str) -> bool) -> Self {
        let mut out = String::new();
        for member in self.slots() {
            if let Slot::Value(value) = member.slot
                && keep(&member.key())
            {
                push_member(&mut out, member.raw_key, value.get());
            }
        }
        Self { skeleton: (!out.is_empty()).then(|| out.into_boxed_str()) }
    }

    /// Bytes that [`write_members`](Self::write_members) writes beyond the typed values, more or less.
    pub(crate) fn size_hint(&self) -> usize {
        self.skeleton.as_deref().map_or(48, str::len)
    }

    /// Writes the members of an object: typed `fields` in their places, the rest as it came.
    pub(crate) fn write_members(&self, fields: &[(&'static str, Option<Field<'_>>)], out: &mut String) {
        let Some(skeleton) = self.skeleton.as_deref() else {
            write_fields(fields, 0, true, out);
            return;
        };
        let start = out.len();
        if !skeleton.contains(MARK) {
            append(skeleton, fields, out);
        } else if !fill(skeleton, fields, out) {
            out.truncate(start);
            rewrite(skeleton, fields, 0, true, out);
        }
    }
}

/// Fills the marks of a skeleton. `false` if that is not all there is to do: a field has no mark or a
/// mark no field.
fn fill(skeleton: &str, fields: &[(&'static str, Option<Field<'_>>)], out: &mut String) -> bool {
    let mut parts = skeleton.split(MARK);
    let mut before = parts.next().unwrap_or_default();
    out.push_str(before);
    let mut written = 0u32;
    let mut expected = 0;
    for after in parts {
        // Fields mostly stand in the order in which they are listed.
        let is_next = fields.get(expected).is_some_and(|(key, _)| ends_with_key(before, key));
        let found =
            if is_next { Some(expected) } else { fields.iter().position(|(key, _)| ends_with_key(before, key)) };
        let Some(at) = found else { return false };
        let Some((_, Some(field))) = fields.get(at) else { return false };
        field.write(out);
        out.push_str(after);
        written |= 1 << at;
        expected = at + 1;
        before = after;
    }
    fields.iter().enumerate().all(|(at, (_, field))| field.is_some() == (written & 1 << at != 0))
}

/// Whether `text` ends with `"key":` as a whole member's start: the quote before it opens the key.
fn ends_with_key(text: &str, key: &str) -> bool {
    let opening =
        text.strip_suffix("\":").and_then(|rest| rest.strip_suffix(key)).and_then(|rest| rest.strip_suffix('"'));
    opening.is_some_and(|before| before.is_empty() || before.ends_with(','))
}

/// Which field a member of the skeleton is named after.
fn place(fields: &[(&'static str, Option<Field<'_>>)], member: &Member<'_>) -> Option<usize> {
    fields.iter().position(|(key, _)| member.key_is(key))
}

/// Writes the fields, then a skeleton without marks.
fn append(skeleton: &str, fields: &[(&'static str, Option<Field<'_>>)], out: &mut String) {
    let places = Slots::of(skeleton).filter_map(|member| place(fields, &member)).fold(0u32, |bits, at| bits | 1 << at);
    let first = write_fields(fields, places, true, out);
    let set = |(at, (_, field)): (usize, &(_, Option<Field<'_>>))| field.is_some() && places & 1 << at != 0;
    if fields.iter().enumerate().any(set) {
        rewrite(skeleton, fields, !places, first, out);
    } else {
        out.push_str(if first { "" } else { "," });
        out.push_str(skeleton);
    }
}

/// Writes member by member: the way for an object whose fields were set or taken away since it was read.
/// Fields that have no place of their own and are not `written` come after the rest.
fn rewrite(
    skeleton: &str,
    fields: &[(&'static str, Option<Field<'_>>)],
    mut written: u32,
    mut first: bool,
    out: &mut String,
) {
    for member in Slots::of(skeleton) {
        let at = place(fields, &member);
        let field = at.and_then(|at| fields.get(at)).and_then(|(_, field)| field.as_ref());
        let value = match (field, member.slot) {
            // A typed field that was set wins over what stood there, and stands there once.
            (Some(field), _) => {
                let bit = at.map_or(0, |at| 1 << at);
                if written & bit != 0 {
                    continue;
                }
                written |= bit;
                field
            }
            (None, Slot::Value(value)) => &Field::Raw(value.get()),
            (None, Slot::Field) => continue,
        };
        write_field(member.raw_key, value, first, out);
        first = false;
    }
    write_fields(fields, written, first, out);
}

/// Writes the fields whose bit is not in `written`; gives back whether nothing stands there yet.
fn write_fields(fields: &[(&'static str, Option<Field<'_>>)], written: u32, mut first: bool, out: &mut String) -> bool {
    for (at, (key, field)) in fields.iter().enumerate() {
        if let Some(field) = field.as_ref().filter(|_| written & 1 << at == 0) {
            write_field(key, field, first, out);
            first = false;
        }
    }
    first
}

fn write_field(raw_key: &str, field: &Field<'_>, first: bool, out: &mut String) {
    out.push_str(if first { "\"" } else { ",\"" });
    out.push_str(raw_key);
    out.push_str("\":");
    field.write(out);
}

impl<K: AsRef<str>> Extend<(K, RawJson)> for Extra {
    /// Sets members as [`insert`](Self::insert) does one by one, in time that grows with their number. Of a
    /// repeated key the last value counts.
    fn extend<T: IntoIterator<Item = (K, RawJson)>>(&mut self, members: T) {
        let members: Vec<(K, RawJson)> = members.into_iter().collect();
        let mut index = BTreeMap::new();
        let mut last: Vec<(&str, RawRef<'_>)> = Vec::with_capacity(members.len());
        for (key, value) in &members {
            let at = *index.entry(key.as_ref()).or_insert(last.len());
            match last.get_mut(at) {
                Some(member) => member.1 = value.as_ref(),
                None => last.push((key.as_ref(), value.as_ref())),
            }
        }
        self.set(&last);
    }
}

impl<K: AsRef<str>> FromIterator<(K, RawJson)> for Extra {
    fn from_iter<T: IntoIterator<Item = (K, RawJson)>>(members: T) -> Self {
        let mut extra = Self::new();
        extra.extend(members);
        extra
    }
}

/// A typed field on its way out.
pub(crate) enum Field<'a> {
    Str(&'a str),
    Raw(&'a str),
    Bool(bool),
    /// Anything that writes itself.
    Value(&'a dyn WriteJson),
}

/// What can write itself as JSON.
pub(crate) trait WriteJson {
    fn write(&self, out: &mut String);
}

impl WriteJson for crate::json::Text {
    fn write(&self, out: &mut String) {
        self.write_json(out);
    }
}

impl Field<'_> {
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Str(value) => {
                out.push('"');
                write_escaped(value, out);
                out.push('"');
            }
            Self::Raw(raw) => out.push_str(raw),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Value(value) => value.write(out),
        }
    }
}

/// Starts a member of a skeleton that holds nothing else than `out`.
fn push_key(out: &mut String, raw_key: &str) {
    out.push_str(if out.is_empty() { "\"" } else { ",\"" });
    out.push_str(raw_key);
    out.push_str("\":");
}

fn push_member(out: &mut String, raw_key: &str, value: &str) {
    push_key(out, raw_key);
    out.push_str(value);
}

/// A member of a skeleton.
struct Member<'a> {
    raw_key: &'a str,
    key_escaped: bool,
    slot: Slot<'a>,
}

impl<'a> Member<'a> {
    fn key(&self) -> Cow<'a, str> {
        decode_key(self.raw_key, self.key_escaped)
    }

    fn key_is(&self, name: &str) -> bool {
        if self.key_escaped { self.key() == name } else { self.raw_key == name }
    }
}

struct Slots<'a> {
    scanner: Scanner<'a>,
    first: bool,
}

impl<'a> Slots<'a> {
    fn of(skeleton: &'a str) -> Self {
        Self { scanner: Scanner::new(skeleton), first: true }
    }
}

impl<'a> Iterator for Slots<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.scanner.peek()?;
        let (raw_key, key_escaped) = self.scanner.next_key(self.first).ok()??;
        self.first = false;
        let slot = if self.scanner.eat(MARK_BYTE) { Slot::Field } else { Slot::Value(self.scanner.skip_value().ok()?) };
        Some(Member { raw_key, key_escaped, slot })
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
