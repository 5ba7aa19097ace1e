//! The events of a Messages stream, typed, with everything unknown kept.

mod delta;
mod error;
mod fast;
mod parse;

use std::borrow::Cow;

use antiphon_model::{RawJson, StopReason, Usage};

pub use delta::{Delta, TextFault};
pub use error::ApiError;

use crate::members;

/// One event of a Messages stream (contract, section 3.1).
///
/// Nothing is lost on the way in: members that no field stands for are in [`extra`](Self::extra), events and deltas
/// that are not known are kept whole, and [`to_json`](Self::to_json) gives an equivalent of what came.
///
/// The lifetime is that of the text it was read from: the pieces of text in deltas are borrowed where they need no
/// unescaping.
///
/// ```
/// use antiphon_stream::{Delta, EventBody, StreamEvent};
///
/// let event = StreamEvent::parse(r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}"#)?;
/// let EventBody::BlockDelta { index: 0, delta: Delta::Text(text), .. } = &event.body else { panic!() };
/// assert_eq!(text, "Hi");
///
/// let event = StreamEvent::parse(r#"{"type":"weather_report","note":"new"}"#)?;
/// assert!(matches!(event.body, EventBody::Unknown { ref kind, .. } if kind == "weather_report"));
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StreamEvent<'a> {
    /// What happened.
    pub body: EventBody<'a>,
    /// Members of the event that `body` does not stand for.
    pub extra: Vec<(String, RawJson)>,
}

/// The kinds of event.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EventBody<'a> {
    /// `message_start`: the message without its content.
    MessageStart {
        /// The `message` member.
        message: RawJson,
    },
    /// `content_block_start`.
    BlockStart {
        /// The place of the block in the message. Chosen by the peer: never use it to size anything.
        index: u64,
        /// The `content_block` member: the block with its first values.
        block: RawJson,
    },
    /// `content_block_delta`.
    BlockDelta {
        /// The place of the block.
        index: u64,
        /// What is added to it.
        delta: Delta<'a>,
        /// Members of the `delta` object that [`Delta`] does not stand for.
        extra: Vec<(String, RawJson)>,
        /// What of the text can not stand in a Rust string.
        fault: TextFault,
    },
    /// `content_block_stop`.
    BlockStop {
        /// The place of the block.
        index: u64,
    },
    /// `message_delta`.
    MessageDelta(MessageDelta),
    /// `message_stop`.
    MessageStop,
    /// `ping`.
    Ping,
    /// `error`: the stream ends here, although the HTTP status was 200.
    Error(ApiError),
    /// An event of a type that is not known, or of a known type ([`is_malformed`](StreamEvent::is_malformed)) that
    /// lacks what its type needs.
    Unknown {
        /// The `type` member, or the name of the server-sent event, or nothing.
        kind: String,
        /// The whole event.
        raw: RawJson,
    },
}

/// The payload of `message_delta`: what became known of the message as a whole.
///
/// ```
/// use antiphon_stream::{EventBody, StreamEvent};
///
/// let event = StreamEvent::parse(r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}}"#)?;
/// let EventBody::MessageDelta(delta) = &event.body else { panic!() };
/// assert_eq!(delta.stop_reason().unwrap().as_str(), "end_turn");
/// assert_eq!(delta.usage().unwrap().output_tokens, Some(7));
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MessageDelta {
    /// The `delta` member: `stop_reason`, `stop_sequence`, `stop_details`, `container`, and what may come.
    pub delta: RawJson,
    /// The `usage` member. Its numbers are running totals.
    pub usage: Option<RawJson>,
}

impl MessageDelta {
    /// Why the model stopped, if this says so.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.delta.member("stop_reason").and_then(|raw| raw.as_str().map(|name| StopReason::from(&*name)))
    }

    /// The usage so far, if it is an object.
    pub fn usage(&self) -> Option<Usage> {
        self.usage.as_ref().and_then(|raw| Usage::from_raw(raw.as_ref()))
    }
}

/// The types of event that are known.
const KNOWN: [&str; 8] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
    "error",
];

impl StreamEvent<'_> {
    /// The type of the event, as the wire has it.
    pub fn type_name(&self) -> &str {
        match &self.body {
            EventBody::MessageStart { .. } => "message_start",
            EventBody::BlockStart { .. } => "content_block_start",
            EventBody::BlockDelta { .. } => "content_block_delta",
            EventBody::BlockStop { .. } => "content_block_stop",
            EventBody::MessageDelta(_) => "message_delta",
            EventBody::MessageStop => "message_stop",
            EventBody::Ping => "ping",
            EventBody::Error(_) => "error",
            EventBody::Unknown { kind, .. } => kind,
        }
    }

    /// Whether the type is known and yet the event lacks what its type needs, say a delta without an index.
    pub fn is_malformed(&self) -> bool {
        matches!(&self.body, EventBody::Unknown { kind, .. } if KNOWN.contains(&kind.as_str()))
    }

    /// The event as JSON, equivalent to what was parsed.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\"type\":");
        let number = |key: &str, value: u64| (key.to_owned(), value.to_string());
        let mut fields: Vec<(String, String)> = Vec::new();
        match &self.body {
            EventBody::Unknown { raw, .. } => return raw.get().to_owned(),
            EventBody::Error(error) => return error.raw.get().to_owned(),
            EventBody::MessageStart { message } => fields.push(("message".to_owned(), message.get().to_owned())),
            EventBody::BlockStart { index, block } => {
                fields.extend([number("index", *index), ("content_block".to_owned(), block.get().to_owned())]);
            }
            EventBody::BlockDelta { index, delta, extra, fault } => {
                fields.extend([number("index", *index), ("delta".to_owned(), delta.to_json(extra, *fault))]);
            }
            EventBody::BlockStop { index } => fields.push(number("index", *index)),
            EventBody::MessageDelta(MessageDelta { delta, usage }) => {
                fields.push(("delta".to_owned(), delta.get().to_owned()));
                fields.extend(usage.iter().map(|usage| ("usage".to_owned(), usage.get().to_owned())));
            }
            EventBody::MessageStop | EventBody::Ping => {}
        }
        out.push_str(RawJson::string(self.type_name()).get());
        for (key, value) in &fields {
            members::write_member(key, value, &mut out);
        }
        for (key, value) in &self.extra {
            members::write_member(key, value.get(), &mut out);
        }
        out.push('}');
        out
    }

    /// The same event, on its own feet.
    pub fn into_owned(self) -> StreamEvent<'static> {
        let body = match self.body {
            EventBody::MessageStart { message } => EventBody::MessageStart { message },
            EventBody::BlockStart { index, block } => EventBody::BlockStart { index, block },
            EventBody::BlockDelta { index, delta, extra, fault } => {
                EventBody::BlockDelta { index, delta: delta.into_owned(), extra, fault }
            }
            EventBody::BlockStop { index } => EventBody::BlockStop { index },
            EventBody::MessageDelta(delta) => EventBody::MessageDelta(delta),
            EventBody::MessageStop => EventBody::MessageStop,
            EventBody::Ping => EventBody::Ping,
            EventBody::Error(error) => EventBody::Error(error),
            EventBody::Unknown { kind, raw } => EventBody::Unknown { kind, raw },
        };
        StreamEvent { body, extra: self.extra }
    }
}

impl<'a> From<EventBody<'a>> for StreamEvent<'a> {
    fn from(body: EventBody<'a>) -> Self {
        Self { body, extra: Vec::new() }
    }
}

impl<'a> EventBody<'a> {
    /// A delta with nothing besides: for those who translate other streams into these events.
    ///
    /// ```
    /// use antiphon_stream::{Accumulator, Delta, EventBody};
    ///
    /// let mut accumulator = Accumulator::new();
    /// accumulator.push(EventBody::delta(0, Delta::Text("Hi".into())).into());
    /// ```
    pub fn delta(index: u64, delta: Delta<'a>) -> Self {
        Self::BlockDelta { index, delta, extra: Vec::new(), fault: TextFault::default() }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
