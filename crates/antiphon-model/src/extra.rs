//! The members of an object that have no field of their own.

use crate::json::{Pair, RawJson, RawRef, Scanner, write_escaped};
use std::borrow::Cow;
use std::fmt;

/// What stands in an object besides its typed fields: unknown members, known ones of unexpected
/// shape (`null` among them), and the order of all, so that the object leaves as it came.
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
    // One allocation an object, none for most: the members as written, joined by commas, with `~`
    // in place of a value that has a typed field. `"type":~,"text":~,"x":1.0` says everything.
    skeleton: Option<Box<str>>,
}

/// A slot of the skeleton.
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

    /// From the members of an object: `Some(_)` in `fields` marks those with a typed field.
    pub(crate) fn from_pairs(pairs: &[Pair<'_>], is_field: impl Fn(usize) -> bool) -> Self {
        let mut out = String::with_capacity(
            pairs
                .iter()
                .enumerate()
                .map(|(i, p)| p.raw_key.len() + 4 + if is_field(i) { 1 } else { p.value.get().len() })
                .sum(),
        );
        for (i, pair) in pairs.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            out.push('"');
            out.push_str(pair.raw_key);
            out.push_str("\":");
            out.push_str(if is_field(i) { "~" } else { pair.value.get() });
        }
        Self { skeleton: Some(out.into_boxed_str()) }
    }

    fn slots(&self) -> Slots<'_> {
        Slots { scanner: Scanner::new(self.skeleton.as_deref().unwrap_or_default()), first: true }
    }

    /// Whether there are no members besides typed fields.
    pub fn is_empty(&self) -> bool {
        self.skeleton.is_none() || self.iter().next().is_none()
    }

    /// The member `key` (the last, if it is repeated).
    pub fn get(&self, key: &str) -> Option<RawRef<'_>> {
        self.skeleton.as_ref()?;
        self.iter().filter(|(k, _)| k == key).last().map(|(_, value)| value)
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (Cow<'_, str>, RawRef<'_>)> {
        self.slots().filter_map(|(raw_key, slot)| match slot {
            Slot::Field => None,
            Slot::Value(value) => Some((decode_key(raw_key), value)),
        })
    }

    /// Sets a member: in its place if it is there, else at the end.
    pub fn insert(&mut self, key: &str, value: RawJson) {
        let mut written = false;
        let mut out =
            String::with_capacity(self.skeleton.as_deref().map_or(0, str::len) + key.len() + value.get().len() + 4);
        for (raw_key, slot) in self.slots() {
            let same = matches!(slot, Slot::Value(_)) && decode_key(raw_key) == key;
            if same && written {
                continue;
            }
            let value = match slot {
                Slot::Field => "~",
                Slot::Value(_) if same => value.get(),
                Slot::Value(old) => old.get(),
            };
            written |= same;
            push_member(&mut out, raw_key, value);
        }
        if !written {
            let mut raw_key = String::new();
            write_escaped(key, &mut raw_key);
            push_member(&mut out, &raw_key, value.get());
        }
        self.skeleton = Some(out.into_boxed_str());
    }

    /// Takes a member away and gives it back (the last, if it was repeated: all of them go).
    pub fn remove(&mut self, key: &str) -> Option<RawJson> {
        let removed = self.get(key)?.to_owned();
        let mut out = String::new();
        for (raw_key, slot) in self.slots() {
            match slot {
                Slot::Field => push_member(&mut out, raw_key, "~"),
                Slot::Value(_) if decode_key(raw_key) == key => {}
                Slot::Value(value) => push_member(&mut out, raw_key, value.get()),
            }
        }
        self.skeleton = (!out.is_empty()).then(|| out.into_boxed_str());
        Some(removed)
    }

    /// Takes away every member; the order of the typed fields is forgotten too.
    pub fn clear(&mut self) {
        self.skeleton = None;
    }

    /// Keeps the members that `keep` says yes to.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, RawRef<'_>) -> bool) {
        let gone: Vec<String> = self.iter().filter(|(k, v)| !keep(k, *v)).map(|(k, _)| k.into_owned()).collect();
        for key in gone {
            self.remove(&key);
        }
    }

    /// Writes the members of an object: typed `fields` in their places, the rest as it came.
    pub(crate) fn write_members(&self, fields: &[(&'static str, Option<Field<'_>>)], out: &mut String) {
        let mut first = true;
        let mut comma = |out: &mut String| {
            if !first {
                out.push(',');
            }
            first = false;
        };
        let mut write_field = |key: &str, field: &Field<'_>, out: &mut String| {
            comma(out);
            out.push('"');
            out.push_str(key);
            out.push_str("\":");
            field.write(out);
        };
        let Some(skeleton) = self.skeleton.as_deref() else {
            for (key, field) in fields {
                if let Some(field) = field {
                    write_field(key, field, out);
                }
            }
            return;
        };
        // Fields that have no place of their own: before the rest if none has (an object made here),
        // after it otherwise (a field added to an object that was read).
        let mut placed = 0u32;
        for (raw_key, _) in (Slots { scanner: Scanner::new(skeleton), first: true }) {
            for (i, (key, _)) in fields.iter().enumerate() {
                if decode_key(raw_key) == *key {
                    placed |= 1 << i;
                }
            }
        }
        if placed == 0 {
            for (key, field) in fields {
                if let Some(field) = field {
                    write_field(key, field, out);
                }
            }
        }
        for (raw_key, slot) in (Slots { scanner: Scanner::new(skeleton), first: true }) {
            let field =
                fields.iter().find(|(key, _)| decode_key(raw_key) == *key).and_then(|(_, field)| field.as_ref());
            match (field, slot) {
                // A typed field that was set wins over what stood there.
                (Some(field), _) => write_field(raw_key, field, out),
                (None, Slot::Value(value)) => write_field(raw_key, &Field::Raw(value.get()), out),
                (None, Slot::Field) => {}
            }
        }
        if placed != 0 {
            for (i, (key, field)) in fields.iter().enumerate() {
                if let Some(field) = field.as_ref().filter(|_| placed & 1 << i == 0) {
                    write_field(key, field, out);
                }
            }
        }
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

fn push_member(out: &mut String, raw_key: &str, value: &str) {
    if !out.is_empty() {
        out.push(',');
    }
    out.push('"');
    out.push_str(raw_key);
    out.push_str("\":");
    out.push_str(value);
}

fn decode_key(raw_key: &str) -> Cow<'_, str> {
    Pair { raw_key, key_escaped: raw_key.contains('\\'), value: RawRef::trusted("null") }.key()
}

struct Slots<'a> {
    scanner: Scanner<'a>,
    first: bool,
}

impl<'a> Iterator for Slots<'a> {
    type Item = (&'a str, Slot<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.scanner.peek()?;
        let (raw_key, _) = self.scanner.next_key(self.first).ok()??;
        self.first = false;
        if self.scanner.eat(b'~') {
            return Some((raw_key, Slot::Field));
        }
        Some((raw_key, Slot::Value(self.scanner.skip_value().ok()?)))
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
