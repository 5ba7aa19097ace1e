//! serde, for those who have these types inside their own: through `RawValue`, so with serde_json only.

use crate::block::ContentBlock;
use crate::content::Content;
use crate::json::{RawJson, Text};
use crate::message::Message;
use crate::request::Request;
use crate::usage::Usage;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
                let raw = RawJson::deserialize(deserializer)?;
                let read: fn(&RawJson) -> Result<$type, String> = $read;
                read(&raw).map_err(D::Error::custom)
            }
        }
    )*};
}

through_raw! {
    Message: Message::to_json, |raw| Ok(Message::from_raw(raw.as_ref()));
    ContentBlock: ContentBlock::to_json, |raw| Ok(ContentBlock::from_raw(raw.as_ref()));
    Request: Request::to_json, |raw| Request::from_json(raw.get()).map_err(|e| e.to_string());
    Content: |content| { let mut out = String::new(); content.write_json(&mut out); out },
        |raw| Content::from_raw(raw.as_ref()).ok_or_else(|| "content is neither a string nor a list".to_owned());
    Text: Text::to_json, |raw| raw.as_text().ok_or_else(|| "not a string".to_owned());
    Usage: |usage| usage.to_raw().get().to_owned(),
        |raw| Usage::from_raw(raw.as_ref()).ok_or_else(|| "usage is not an object".to_owned());
}
