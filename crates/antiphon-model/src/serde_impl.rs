//! serde, for those who have these types inside their own: through `RawValue`, so with serde_json only. The crate's
//! own page says what follows from it.

use crate::block::{Citation, ContentBlock};
use crate::content::Content;
use crate::json::{JsonError, RawJson, RawRef, Text};
use crate::message::Message;
use crate::request::{Request, Tool};
use crate::usage::Usage;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

macro_rules! through_raw {
    ($($type:ty: $write:expr, $read:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$type) -> String = $write;
                RawJson::trusted(write(self)).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                // serde_json has validated it, but without a bound on nesting: what reads it here has one.
                let raw = Box::<RawValue>::deserialize(deserializer)?;
                let read: fn(&str) -> Result<$type, JsonError> = $read;
                read(raw.get()).map_err(D::Error::custom)
            }
        }
    )*};
}

fn shape<T>(value: Option<T>, fault: &str) -> Result<T, JsonError> {
    value.ok_or_else(|| JsonError::shape(fault))
}

through_raw! {
    Message: Message::to_json, Message::from_json;
    ContentBlock: ContentBlock::to_json, ContentBlock::from_json;
    Request: Request::to_json, Request::from_json;
    Content: Content::to_json, |text| shape(Content::from_raw(RawRef::parse(text)?), "content is neither a string nor a list");
    Text: Text::to_json, |text| shape(RawRef::parse(text)?.as_text(), "not a string");
    Usage: |usage| usage.to_raw().get().to_owned(),
        |text| shape(Usage::from_raw(RawRef::parse(text)?), "usage is not an object, or names a count twice");
    Tool: |tool| tool.raw().get().to_owned(), |text| RawJson::parse(text).map(Tool::from_raw);
    Citation: |citation| citation.raw().get().to_owned(), |text| RawJson::parse(text).map(Citation::new);
}
