use super::find::find_special;
use super::raw::RawJson;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// A string that remembers a spelling Unicode cannot hold.
///
/// JSON may escape half a surrogate pair (`"\ud83d"`), as programs do that cut UTF-16 text in the
/// middle of an emoji. No Rust string can hold that. `Text` reads as a `str` in which such an escape
/// is U+FFFD, and writes the escape as it came until the text is changed: storing keeps, sending
/// (after `Repair`) replaces.
///
/// ```
/// use antiphon_model::{RawJson, Text};
/// let text = RawJson::parse(r#""cut \ud83d""#)?.as_text().unwrap();
/// assert_eq!(text, "cut \u{fffd}");
/// assert!(text.has_lone_surrogate());
/// assert_eq!(text.to_json(), r#""cut \ud83d""#);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Clone, Default)]
pub struct Text {
    value: String,
    spelling: Option<RawJson>,
}

impl Text {
    /// A text without oddities.
    pub fn new(value: impl Into<String>) -> Self {
        Self { value: value.into(), spelling: None }
    }

    /// From a validated JSON string, quotes included. `None` if it is not a string.
    pub(crate) fn from_raw(raw: &str) -> Option<Self> {
        let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
        if !inner.as_bytes().contains(&b'\\') {
            return Some(Self { value: inner.to_owned(), spelling: None });
        }
        let (value, lone) = decode(inner);
        Some(Self { value, spelling: lone.then(|| RawJson::trusted(raw)) })
    }

    /// The text, with U+FFFD for each half surrogate pair.
    pub fn as_str(&self) -> &str {
        &self.value
    }

    /// The text as an owned string, with U+FFFD for each half surrogate pair.
    pub fn into_string(self) -> String {
        self.value
    }

    /// Whether the JSON it came from held half a surrogate pair.
    pub fn has_lone_surrogate(&self) -> bool {
        self.spelling.is_some()
    }

    /// The text to change. What it came as is forgotten: half surrogate pairs stay U+FFFD.
    pub fn make_mut(&mut self) -> &mut String {
        self.spelling = None;
        &mut self.value
    }

    /// Appends this text to `out` as a JSON string.
    pub fn write_json(&self, out: &mut String) {
        match &self.spelling {
            Some(raw) => out.push_str(raw.get()),
            None => write_string(self.value.as_str(), out),
        }
    }

    /// About how long [`to_json`](Self::to_json) is: room for an escape now and then.
    pub(crate) fn size_hint(&self) -> usize {
        self.value.len() + self.value.len() / 16 + 2
    }

    /// This text as a JSON string.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.value.len() + 2);
        self.write_json(&mut out);
        out
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.value
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.value
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.spelling {
            Some(raw) => f.write_str(raw.get()),
            None => fmt::Debug::fmt(&self.value, f),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.spelling == other.spelling
    }
}
impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.value == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.value == *other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        self.value == *other
    }
}

impl PartialEq<Text> for str {
    fn eq(&self, other: &Text) -> bool {
        other == self
    }
}

impl PartialEq<Text> for &str {
    fn eq(&self, other: &Text) -> bool {
        other == self
    }
}

impl PartialEq<Text> for String {
    fn eq(&self, other: &Text) -> bool {
        other == self
    }
}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl From<String> for Text {
    fn from(value: String) -> Self {
        Self::new(value)
    }
}

impl From<&str> for Text {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

impl From<&String> for Text {
    fn from(value: &String) -> Self {
        Self::new(value.as_str())
    }
}

impl From<Box<str>> for Text {
    fn from(value: Box<str>) -> Self {
        Self::new(value)
    }
}

impl From<char> for Text {
    fn from(value: char) -> Self {
        Self::new(value)
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(value: Cow<'_, str>) -> Self {
        Self::new(value.into_owned())
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.value
    }
}

/// Decodes the inside of a validated JSON string; tells whether half a surrogate pair was in it.
pub(super) fn decode(inner: &str) -> (String, bool) {
    let mut out = String::with_capacity(inner.len());
    let mut lone = false;
    let mut rest = inner;
    loop {
        // Inside a validated string the only such byte is a backslash.
        let (plain, escape) = rest.split_at_checked(find_special(rest.as_bytes())).unwrap_or((rest, ""));
        out.push_str(plain);
        let Some(&letter) = escape.as_bytes().get(1) else { break };
        let mut used = 2;
        out.push(match letter {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let decoded;
                (decoded, used) = decode_unicode(escape);
                lone |= decoded.is_none();
                decoded.unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            itself => char::from(itself),
        });
        rest = escape.get(used..).unwrap_or_default();
    }
    (out, lone)
}

/// The code unit of an escape `\uXXXX` at the start of `text`.
pub(super) fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

/// Decodes `\uXXXX` (or a pair of them) at the start of `escape`: the character, or `None` for half a
/// pair, and the bytes used.
pub(super) fn decode_unicode(escape: &str) -> (Option<char>, usize) {
    let Some(first) = unit(escape) else { return (None, escape.len().min(2)) };
    match first {
        0xd800..=0xdbff => match escape.get(6..).and_then(unit) {
            Some(second @ 0xdc00..=0xdfff) => {
                let code = 0x1_0000 + ((u32::from(first) - 0xd800) << 10) + (u32::from(second) - 0xdc00);
                (char::from_u32(code), 12)
            }
            _ => (None, 6),
        },
        0xdc00..=0xdfff => (None, 6),
        _ => (char::from_u32(u32::from(first)), 6),
    }
}

/// The code points of the inside of a validated JSON string, halves of surrogate pairs as themselves.
pub(super) fn code_points(inner: &str) -> impl Iterator<Item = u32> + '_ {
    let mut rest = inner;
    std::iter::from_fn(move || {
        let next = rest.chars().next()?;
        let mut used = next.len_utf8();
        let mut code = u32::from(next);
        if next == '\\' {
            used = 2;
            code = match rest.as_bytes().get(1)? {
                b'n' => 0xa,
                b't' => 0x9,
                b'r' => 0xd,
                b'b' => 0x8,
                b'f' => 0xc,
                b'u' => {
                    let decoded;
                    (decoded, used) = decode_unicode(rest);
                    decoded.map_or_else(|| unit(rest).map_or(0xfffd, u32::from), u32::from)
                }
                itself => u32::from(*itself),
            };
        }
        rest = rest.get(used..).unwrap_or_default();
        Some(code)
    })
}

/// Appends `value` to `out` as a JSON string.
pub(crate) fn write_string(value: &str, out: &mut String) {
    out.push('"');
    write_escaped(value, out);
    out.push('"');
}

/// Appends `value` to `out`, escaped as inside a JSON string: quotes, backslashes and control
/// characters only, in the short form where JSON has one.
pub(crate) fn write_escaped(value: &str, out: &mut String) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |n: u8| HEX.get(usize::from(n & 15)).copied().unwrap_or('0');
    out.reserve(value.len());
    let mut rest = value;
    loop {
        let (plain, special) = rest.split_at_checked(find_special(rest.as_bytes())).unwrap_or((rest, ""));
        out.push_str(plain);
        let Some(&byte) = special.as_bytes().first() else { break };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x8 => out.push_str("\\b"),
            0xc => out.push_str("\\f"),
            other => {
                out.push_str("\\u00");
                out.push(digit(other >> 4));
                out.push(digit(other));
            }
        }
        rest = special.get(1..).unwrap_or_default();
    }
}
