//! The value as far as it is known.

use std::sync::Arc;

use antiphon_model::RawJson;

/// A JSON value of which the end may still be missing: what [`JsonStream::value`](crate::JsonStream::value) shows.
///
/// Numbers keep their spelling, objects their order and even a key that comes twice.
///
/// ```
/// use antiphon_stream::{JsonStream, PartialValue};
///
/// let mut json = JsonStream::new();
/// json.push(r#"{"path":"a.rs","lines":[1,23],"text":"fn ma"#)?;
/// let value = json.value().unwrap();
/// assert_eq!(value.pointer("/text").and_then(PartialValue::as_str), Some("fn ma"));
/// assert_eq!(value.to_json(), r#"{"path":"a.rs","lines":[1,23],"text":"fn ma"}"#);
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartialValue {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(Box<str>),
    /// A string; the text grows until its quote comes.
    String(String),
    /// An array; elements are added at the end.
    Array(Vec<PartialValue>),
    /// An object, in the order written; members are added at the end. Keys are shared: objects in a list tend to have
    /// the same ones.
    Object(Vec<(Arc<str>, PartialValue)>),
}

impl PartialValue {
    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The member of this name, the last if there are several; `None` if there is none yet or this is no object.
    pub fn get(&self, key: &str) -> Option<&PartialValue> {
        match self {
            Self::Object(members) => members.iter().rev().find(|(name, _)| **name == *key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value at a JSON pointer (RFC 6901), such as `/edits/0/text`; the empty pointer is the value itself.
    pub fn pointer(&self, pointer: &str) -> Option<&PartialValue> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |value, part| match value {
            Self::Object(_) => value.get(&part.replace("~1", "/").replace("~0", "~")),
            Self::Array(elements) => elements.get(part.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The value as JSON text, with everything that is open closed.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    /// The same as [`RawJson`].
    pub fn to_raw(&self) -> RawJson {
        // What `write_json` writes is JSON and no deeper than the model allows, see `JsonOptions::max_depth`.
        RawJson::parse(&self.to_json()).unwrap_or_else(|_| RawJson::null())
    }

    /// Appends the value as JSON text.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(number) => out.push_str(number),
            Self::String(text) => out.push_str(RawJson::string(text).get()),
            Self::Array(elements) => {
                out.push('[');
                for (i, element) in elements.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    element.write_json(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    out.push_str(RawJson::string(key).get());
                    out.push(':');
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }
}

impl serde::Serialize for PartialValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_raw().serialize(serializer)
    }
}
