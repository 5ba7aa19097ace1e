use super::error::{JsonError, JsonErrorKind};
use super::iter::{Elements, Members};
use super::scan::Scanner;
use super::text::{Text, decode, decode_unicode, write_string};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Validated JSON text, kept as written: spelling of numbers, order of keys, escapes.
///
/// Equality and hashing go by the text; [`RawRef::equivalent`] compares values.
///
/// ```
/// use antiphon_model::RawJson;
/// let input = RawJson::parse(r#" {"b": 1.10, "a": 123456789012345678901234567890} "#)?;
/// assert_eq!(input.get(), r#"{"b": 1.10, "a": 123456789012345678901234567890}"#);
/// assert_eq!(input.member("b").unwrap().get(), "1.10");
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RawJson(Box<str>);

/// A borrowed, copyable [`RawJson`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RawRef<'a>(&'a str);

/// What a JSON value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    /// The kind's name as JSON Schema has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

impl RawJson {
    /// Validates `text` and keeps it; white space around the value is not kept.
    ///
    /// # Errors
    /// A [`JsonError`] with the place if the text is not exactly one JSON value.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        RawRef::parse(text).map(RawRef::to_owned)
    }

    /// The JSON of any serialisable value.
    ///
    /// # Errors
    /// If the value cannot be JSON (a map with keys that are not strings, say) or nests too deep.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, JsonError> {
        match serde_json::to_string(value) {
            // A `RawValue` inside the value may nest without a bound, and nothing here does.
            Ok(text) if RawRef::parse(&text)?.0.len() == text.len() => Ok(Self(text.into_boxed_str())),
            Ok(text) => Self::parse(&text),
            Err(error) => Err(JsonError::shape(format!("not representable as JSON: {error}"))),
        }
    }

    /// Text known to be one JSON value.
    pub(crate) fn trusted(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// `{}`
    pub fn object() -> Self {
        Self::trusted("{}")
    }

    /// `null`
    pub fn null() -> Self {
        Self::trusted("null")
    }

    /// A JSON string.
    pub fn string(value: &str) -> Self {
        let mut out = String::with_capacity(value.len() + 2);
        write_string(value, &mut out);
        Self::trusted(out)
    }

    /// The text.
    pub fn get(&self) -> &str {
        &self.0
    }

    /// The borrowed twin, which has the accessors.
    pub fn as_ref(&self) -> RawRef<'_> {
        RawRef(&self.0)
    }

    /// See [`RawRef::kind`].
    pub fn kind(&self) -> JsonKind {
        self.as_ref().kind()
    }

    /// See [`RawRef::as_str`].
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        self.as_ref().as_str()
    }

    /// See [`RawRef::as_text`].
    pub fn as_text(&self) -> Option<Text> {
        self.as_ref().as_text()
    }

    /// See [`RawRef::member`].
    pub fn member(&self, key: &str) -> Option<RawRef<'_>> {
        self.as_ref().member(key)
    }

    /// See [`RawRef::members`].
    pub fn members(&self) -> Members<'_> {
        self.as_ref().members()
    }

    /// See [`RawRef::elements`].
    pub fn elements(&self) -> Elements<'_> {
        self.as_ref().elements()
    }
}

impl<'a> RawRef<'a> {
    /// Validates `text`; white space around the value is left out.
    ///
    /// # Errors
    /// A [`JsonError`] with the place if the text is not exactly one JSON value.
    pub fn parse(text: &'a str) -> Result<Self, JsonError> {
        let mut scanner = Scanner::new(text);
        let value = scanner.skip_value()?;
        scanner.end()?;
        Ok(value)
    }

    /// Text known to be one JSON value without white space around it.
    pub(crate) fn trusted(text: &'a str) -> Self {
        Self(text)
    }

    /// The text.
    pub fn get(self) -> &'a str {
        self.0
    }

    /// An owned copy.
    pub fn to_owned(self) -> RawJson {
        RawJson(self.0.into())
    }

    /// What the value is, by its first byte.
    pub fn kind(self) -> JsonKind {
        match self.0.as_bytes().first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'n') | None => JsonKind::Null,
            Some(_) => JsonKind::Number,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// The boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The number, if it is written as a whole one that fits.
    pub fn as_u64(self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// The number, if it is written as a whole one that fits.
    pub fn as_i64(self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The string, decoded; half surrogate pairs become U+FFFD. `None` if it is no string.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let inner = self.inner()?;
        if inner.as_bytes().contains(&b'\\') { Some(Cow::Owned(decode(inner).0)) } else { Some(Cow::Borrowed(inner)) }
    }

    /// The string as a [`Text`], which remembers half surrogate pairs. `None` if it is no string.
    pub fn as_text(self) -> Option<Text> {
        Text::from_raw(self.0)
    }

    pub(super) fn inner(self) -> Option<&'a str> {
        self.0.strip_prefix('"')?.strip_suffix('"')
    }

    /// Whether it is a string equal to `value` (fast for strings without escapes).
    pub fn is_str(self, value: &str) -> bool {
        self.inner() == Some(value) || self.as_str().is_some_and(|s| s == value)
    }

    /// The members of an object in order, repeated keys included; nothing for any other value.
    pub fn members(self) -> Members<'a> {
        Members::of(self.0)
    }

    /// The elements of an array; nothing for any other value.
    pub fn elements(self) -> Elements<'a> {
        Elements::of(self.0)
    }

    /// The member `key` of an object. The last one if the key is repeated, as most readers have it.
    pub fn member(self, key: &str) -> Option<RawRef<'a>> {
        self.members().filter(|(k, _)| k == key).last().map(|(_, value)| value)
    }

    /// The member `key` of an object (the last one, if it is repeated) and the object without it; all that
    /// stays keeps its spelling. `None` if there is no such member.
    pub(crate) fn without_member(self, key: &str) -> Option<(RawJson, RawJson)> {
        let mut removed = None;
        let mut rest = String::with_capacity(self.0.len());
        let mut members = self.members();
        while let Some(pair) = members.next_pair() {
            if pair.key_is(key) {
                removed = Some(pair.value);
                continue;
            }
            rest.push_str(if rest.is_empty() { "{\"" } else { ",\"" });
            rest.push_str(pair.raw_key);
            rest.push_str("\":");
            rest.push_str(pair.value.get());
        }
        let removed = removed?.to_owned();
        rest.push_str(if rest.is_empty() { "{}" } else { "}" });
        Some((removed, RawJson::trusted(rest)))
    }

    /// Reads the value into a type of one's own, by serde_json.
    ///
    /// # Errors
    /// If the value does not fit the type; serde_json's message is kept.
    pub fn deserialize<T: DeserializeOwned>(self) -> Result<T, JsonError> {
        serde_json::from_str(self.0).map_err(|error| JsonError::shape(error.to_string()))
    }

    /// The same text without white space between its tokens: one line, as a session file needs it.
    ///
    /// ```
    /// let raw = antiphon_model::RawJson::parse("{\"a\": [1.0,\n \"b c\"]}")?;
    /// assert_eq!(raw.as_ref().compact(), r#"{"a":[1.0,"b c"]}"#);
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    pub fn compact(self) -> Cow<'a, str> {
        super::compact::compact(self.0)
    }

    /// Byte offsets, within this text, of escapes that are half a surrogate pair.
    ///
    /// ```
    /// let raw = antiphon_model::RawJson::parse(r#"["\ud83d\ude00", "\ud83d"]"#)?;
    /// assert_eq!(raw.as_ref().lone_surrogates().collect::<Vec<_>>(), [18]);
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    pub fn lone_surrogates(self) -> impl Iterator<Item = usize> + 'a {
        let text = self.0;
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let rest = text.get(at..)?;
                let found = rest.find('\\')?;
                let escape = rest.get(found..)?;
                let here = at + found;
                if escape.as_bytes().get(1) == Some(&b'u') {
                    let (decoded, used) = decode_unicode(escape);
                    at = here + used;
                    if decoded.is_none() {
                        return Some(here);
                    }
                } else {
                    at = here + 2;
                }
            }
        })
    }

    /// The same text with U+FFFD in place of half surrogate pairs; `None` if there are none.
    pub fn without_lone_surrogates(self) -> Option<RawJson> {
        let mut out = String::new();
        let mut done = 0;
        for at in self.lone_surrogates() {
            out.push_str(self.0.get(done..at)?);
            out.push_str("\\ufffd");
            done = at + 6;
        }
        if done == 0 {
            return None;
        }
        out.push_str(self.0.get(done..)?);
        Some(RawJson::trusted(out))
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RawRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for RawRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl From<RawRef<'_>> for RawJson {
    fn from(raw: RawRef<'_>) -> Self {
        raw.to_owned()
    }
}

impl std::str::FromStr for RawJson {
    type Err = JsonError;
    fn from_str(text: &str) -> Result<Self, JsonError> {
        Self::parse(text)
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().serialize(serializer)
    }
}

impl Serialize for RawRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: &serde_json::value::RawValue = serde_json::from_str(self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text: Box<str> = Box::<serde_json::value::RawValue>::deserialize(deserializer)?.into();
        // serde_json has validated it, but without a bound on nesting.
        RawRef::parse(&text).map_err(serde::de::Error::custom)?;
        Ok(RawJson(text))
    }
}

impl From<JsonError> for std::io::Error {
    fn from(error: JsonError) -> Self {
        let kind = match error.kind() {
            JsonErrorKind::UnexpectedEnd => std::io::ErrorKind::UnexpectedEof,
            _ => std::io::ErrorKind::InvalidData,
        };
        std::io::Error::new(kind, error)
    }
}
