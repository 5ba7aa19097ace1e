//! The short way for the events that make up nearly all of a stream: deltas of one piece of text.

use std::borrow::Cow;

use serde::Deserialize;

use super::{Delta, EventBody, StreamEvent};

/// A delta event with nothing out of the ordinary. Anything else is an error here and goes the long way.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Event<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    index: u64,
    #[serde(borrow)]
    delta: Piece<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Borrowed<'a>>,
    #[serde(borrow)]
    partial_json: Option<Borrowed<'a>>,
    #[serde(borrow)]
    thinking: Option<Borrowed<'a>>,
    #[serde(borrow)]
    signature: Option<Borrowed<'a>>,
}

/// serde does not borrow through `Option<Cow<str>>`; it does through a newtype.
#[derive(Deserialize)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

/// The event, if it is a plain delta.
pub(super) fn parse(data: &str) -> Option<StreamEvent<'_>> {
    let event: Event<'_> = serde_json::from_str(data).ok()?;
    if event.kind != "content_block_delta" {
        return None;
    }
    let Piece { kind, text, partial_json, thinking, signature } = event.delta;
    let delta = match (&*kind, text, partial_json, thinking, signature) {
        ("text_delta", Some(text), None, None, None) => Delta::Text(text.0),
        ("input_json_delta", None, Some(text), None, None) => Delta::InputJson(text.0),
        ("thinking_delta", None, None, Some(text), None) => Delta::Thinking(text.0),
        ("signature_delta", None, None, None, Some(text)) => Delta::Signature(text.0),
        _ => return None,
    };
    Some(EventBody::delta(event.index, delta).into())
}
