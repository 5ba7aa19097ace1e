//! From JSON to events.

use std::borrow::Cow;

use antiphon_model::{JsonError, JsonKind, RawJson, RawRef};

use super::{ApiError, Delta, EventBody, MessageDelta, StreamEvent, TextFault, fast};
use crate::SseFrame;

impl<'a> StreamEvent<'a> {
    /// Reads the data of one event.
    ///
    /// # Errors
    ///
    /// [`JsonError`] with its place if the data is not JSON. Any JSON gives an event, an
    /// [unknown](EventBody::Unknown) one if need be.
    pub fn parse(data: &'a str) -> Result<Self, JsonError> {
        Self::parse_named("", data)
    }

    /// Reads one server-sent event. Its name stands in where the data has no `type`, and an event named `error` gives
    /// an [error](EventBody::Error) even if its data is not JSON.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse).
    pub fn from_frame(frame: &'a SseFrame<'_>) -> Result<Self, JsonError> {
        let mut event = Self::parse_named(frame.event(), frame.data())?;
        if let (EventBody::BlockDelta { fault, .. }, Some(_)) = (&mut event.body, frame.invalid_utf8()) {
            fault.lossy = true;
        }
        Ok(event)
    }

    fn parse_named(name: &str, data: &'a str) -> Result<Self, JsonError> {
        if let Some(event) = fast::parse(data) {
            return Ok(event);
        }
        match RawRef::parse(data) {
            Ok(raw) => Ok(from_raw(name, raw)),
            Err(_) if name == "error" => Ok(EventBody::Error(ApiError::from_text(data)).into()),
            Err(error) => Err(error),
        }
    }
}

/// Members by name, each at most once; what is asked for twice, or never, stays in the list.
struct Fields<'a>(Vec<(Cow<'a, str>, RawRef<'a>)>);

impl<'a> Fields<'a> {
    fn take(&mut self, key: &str) -> Option<RawRef<'a>> {
        let at = self.0.iter().rposition(|(name, _)| name == key)?;
        Some(self.0.remove(at).1)
    }

    fn rest(self) -> Vec<(String, RawJson)> {
        self.0.into_iter().map(|(key, value)| (key.into_owned(), value.to_owned())).collect()
    }
}

fn string(raw: Option<RawRef<'_>>) -> Option<Cow<'_, str>> {
    raw.and_then(RawRef::as_str)
}

fn object(raw: Option<RawRef<'_>>) -> Option<RawRef<'_>> {
    raw.filter(|raw| raw.kind() == JsonKind::Object)
}

fn from_raw<'a>(name: &str, raw: RawRef<'a>) -> StreamEvent<'a> {
    let mut fields = Fields(raw.members().collect());
    // A body that is only an error, without a type, is how some gateways report one.
    let kind = string(fields.take("type")).unwrap_or(match raw.member("error") {
        Some(error) if !error.is_null() && !super::KNOWN.contains(&name) => Cow::Borrowed("error"),
        _ => Cow::Owned(if name == "message" { String::new() } else { name.to_owned() }),
    });
    match body(&kind, raw, &mut fields) {
        Some(body @ (EventBody::Error(_) | EventBody::Unknown { .. })) => body.into(),
        Some(body) => StreamEvent { body, extra: fields.rest() },
        None => EventBody::Unknown { kind: kind.into_owned(), raw: raw.to_owned() }.into(),
    }
}

/// The body, or nothing if the type is not known or something it needs is missing.
fn body<'a>(kind: &str, raw: RawRef<'a>, fields: &mut Fields<'a>) -> Option<EventBody<'a>> {
    Some(match kind {
        "message_start" => EventBody::MessageStart { message: object(fields.take("message"))?.to_owned() },
        "content_block_start" => {
            let index = fields.take("index")?.as_u64()?;
            EventBody::BlockStart { index, block: object(fields.take("content_block"))?.to_owned() }
        }
        "content_block_delta" => {
            let index = fields.take("index")?.as_u64()?;
            let (delta, extra, fault) = delta(object(fields.take("delta"))?);
            EventBody::BlockDelta { index, delta, extra, fault }
        }
        "content_block_stop" => EventBody::BlockStop { index: fields.take("index")?.as_u64()? },
        "message_delta" => EventBody::MessageDelta(MessageDelta {
            // Usage alone, as some gateways send it, is news too.
            delta: match fields.take("delta").filter(|delta| !delta.is_null()) {
                Some(delta) => object(Some(delta))?.to_owned(),
                None => RawJson::object(),
            },
            usage: fields.take("usage").map(RawRef::to_owned),
        }),
        "message_stop" => EventBody::MessageStop,
        "ping" => EventBody::Ping,
        "error" => EventBody::Error(ApiError::from_raw(raw)),
        _ => return None,
    })
}

fn delta(raw: RawRef<'_>) -> (Delta<'_>, Vec<(String, RawJson)>, TextFault) {
    let mut fields = Fields(raw.members().collect());
    let kind = string(fields.take("type")).unwrap_or_default();
    let sound = TextFault::default();
    let text = match &*kind {
        "text_delta" => text(fields.take("text")).map(|(text, fault)| (Delta::Text(text), fault)),
        "input_json_delta" => text(fields.take("partial_json")).map(|(text, fault)| (Delta::InputJson(text), fault)),
        "thinking_delta" => text(fields.take("thinking")).map(|(text, fault)| (Delta::Thinking(text), fault)),
        "signature_delta" => fields.take("signature").and_then(|raw| {
            let lossy = raw.lone_surrogates().next().is_some();
            Some((Delta::Signature(raw.as_str()?), TextFault { lossy, ..sound }))
        }),
        "citations_delta" => object(fields.take("citation")).map(|raw| (Delta::Citation(raw.to_owned()), sound)),
        "compaction_delta" => return (Delta::Compaction(raw.to_owned()), Vec::new(), sound),
        _ => None,
    };
    match text {
        Some((delta, fault)) => (delta, fields.rest(), fault),
        None => (Delta::Unknown { kind: kind.into_owned(), raw: raw.to_owned() }, Vec::new(), sound),
    }
}

/// A piece of text, with the halves of surrogate pairs at its edges cut off.
fn text(raw: Option<RawRef<'_>>) -> Option<(Cow<'_, str>, TextFault)> {
    let raw = raw?;
    let mut text = raw.as_str()?;
    let mut fault = TextFault::default();
    let mut whole = &*text;
    for at in raw.lone_surrogates() {
        // Where a half stands alone the text has U+FFFD. The first byte of `raw` is its quote, an escape has six.
        let escape = raw.get().get(at..at + 6).and_then(|escape| escape.strip_prefix("\\u"));
        match escape.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(low @ 0xDC00..) if at == 1 => {
                fault.low = Some(low);
                whole = whole.strip_prefix('\u{FFFD}').unwrap_or(whole);
            }
            Some(high @ ..0xDC00) if at + 7 == raw.get().len() => {
                fault.high = Some(high);
                whole = whole.strip_suffix('\u{FFFD}').unwrap_or(whole);
            }
            _ => fault.lossy = true,
        }
    }
    if whole.len() < text.len() {
        text = Cow::Owned(whole.to_owned());
    }
    Some((text, fault))
}
