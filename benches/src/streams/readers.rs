//! The same bytes read by antiphon and by what one would take instead.
//!
//! Framing alone gives the sum of the lengths of all data; the whole way gives the length of the text or tool input of
//! the finished message. Both are what shows that all readers saw the same.

use std::hint::black_box;
use std::io;
use std::num::NonZeroUsize;

use antiphon_stream::{
    AccumulatorOptions, Finished, Interrupted, MessageDecoder, SseDecoder, SseOptions, ToolInputDetail,
};
use bytes::Bytes;
use eventsource_stream::Eventsource as _;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use jiter::{JsonValue, PartialMode};
use serde::Deserialize;

/// Largest event that a reader with a limit takes here.
const LIMIT: usize = 64 << 20;

/// Server-sent events out of pieces of bytes, by one crate; hands the data of each to a function.
pub type Frames = fn(Vec<Bytes>, &mut dyn FnMut(&str));

/// [`SseDecoder`].
pub fn antiphon_frames(pieces: Vec<Bytes>, each: &mut dyn FnMut(&str)) {
    let mut decoder = SseDecoder::with_options(SseOptions::default());
    for piece in &pieces {
        let mut input: &[u8] = piece;
        while let Ok(Some(frame)) = decoder.next_event(&mut input) {
            each(frame.data());
        }
    }
}

/// The crate `sse-core`.
pub fn sse_core_frames(pieces: Vec<Bytes>, each: &mut dyn FnMut(&str)) {
    let mut decoder = sse_core::SseDecoder::with_limit(NonZeroUsize::new(LIMIT).unwrap_or(NonZeroUsize::MAX));
    for mut piece in pieces {
        while let Some(Ok(event)) = decoder.next(&mut piece) {
            if let sse_core::SseEvent::Message(message) = event {
                each(&message.data);
            }
        }
    }
}

/// The crate `sse-stream`.
pub fn sse_stream_frames(pieces: Vec<Bytes>, each: &mut dyn FnMut(&str)) {
    let pieces = stream::iter(pieces.into_iter().map(Ok::<_, io::Error>));
    let mut events = sse_stream::SseStream::from_bytes_stream(pieces);
    at_once(async {
        while let Some(Ok(event)) = events.next().await {
            each(event.data.as_deref().unwrap_or_default());
        }
    });
}

/// The crate `eventsource-stream`.
pub fn eventsource_frames(pieces: Vec<Bytes>, each: &mut dyn FnMut(&str)) {
    let mut events = stream::iter(pieces.into_iter().map(Ok::<_, io::Error>)).eventsource();
    at_once(async {
        while let Some(Ok(event)) = events.next().await {
            each(&event.data);
        }
    });
}

/// Runs what never waits.
fn at_once(future: impl Future<Output = ()>) {
    assert!(future.now_or_never().is_some(), "the pieces are all there");
}

/// The length of all data.
pub fn framing(frames: Frames, pieces: Vec<Bytes>) -> usize {
    let mut sum = 0;
    frames(pieces, &mut |data| sum += data.len());
    sum
}

/// From bytes to updates and the message, with a look at the tool input's value after every piece.
///
/// # Errors
///
/// The message is not whole.
pub fn antiphon(pieces: &[Bytes], detail: ToolInputDetail) -> Result<Finished, Box<Interrupted>> {
    let options = AccumulatorOptions::default().with_tool_input(detail);
    let mut decoder = MessageDecoder::with_options(SseOptions::default(), options);
    let mut updates = Vec::new();
    for piece in pieces {
        decoder.push_into(piece, &mut updates);
        black_box(decoder.accumulator().tool_input(0));
        black_box(&updates);
        updates.clear();
    }
    decoder.finish()
}

/// How tool input is read on the way by a program that has no incremental parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Not at all; parsed once at its end.
    AtTheEnd,
    /// All that has come is parsed again at every delta, by `jiter`'s partial mode.
    Again,
}

/// A message as a derive and forty lines put it together.
#[derive(Debug, Default)]
pub struct Message {
    /// Text, or tool input as it came.
    pub blocks: Vec<String>,
    /// The value of the last tool input.
    pub input: serde_json::Value,
    /// Why it ended.
    pub stop_reason: Option<String>,
}

/// From bytes to a message by a crate for the frames and serde's derive. Knows text and tool input; drops the rest.
pub fn derived(frames: Frames, pieces: Vec<Bytes>, input: Input) -> Message {
    let mut message = Message::default();
    frames(pieces, &mut |data| {
        if let Ok(event) = serde_json::from_str(data) {
            take(&mut message, event, input);
        }
    });
    message
}

fn take(message: &mut Message, event: Event, input: Input) {
    match event {
        Event::ContentBlockStart { .. } => message.blocks.push(String::new()),
        Event::ContentBlockDelta { index, delta } => {
            let Some(block) = message.blocks.get_mut(index) else { return };
            match delta {
                Delta::Text { text } => block.push_str(&text),
                Delta::InputJson { partial_json } => {
                    block.push_str(&partial_json);
                    if input == Input::Again {
                        let mode = PartialMode::TrailingStrings;
                        let _ = black_box(JsonValue::parse_with_config(block.as_bytes(), false, mode));
                    }
                }
                Delta::Other => {}
            }
        }
        Event::ContentBlockStop { index } => {
            let text = message.blocks.get(index).map(String::as_str).unwrap_or_default();
            if text.starts_with('{') {
                message.input = serde_json::from_str(text).unwrap_or_default();
            }
        }
        Event::MessageDelta { delta } => message.stop_reason = delta.stop_reason,
        Event::Other => {}
    }
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    ContentBlockStart {},
    ContentBlockDelta {
        index: usize,
        delta: Delta,
    },
    ContentBlockStop {
        index: usize,
    },
    MessageDelta {
        delta: Ending,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    InputJson { partial_json: String },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Ending {
    stop_reason: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::body::{Body, Cut, edits, write};

    const ALL: [Frames; 4] = [antiphon_frames, sse_core_frames, sse_stream_frames, eventsource_frames];

    #[test]
    fn all_readers_see_the_same() {
        let input = edits(2_000);
        for body in [Body::text(100), Body::one_large_event(50_000), Body::tool_input(&input)] {
            for cut in [Cut::Events, Cut::Bytes(7), Cut::Bytes(4096), Cut::Whole] {
                for frames in ALL {
                    assert_eq!(framing(frames, body.pieces(cut)), body.data, "{cut:?}");
                    let message = derived(frames, body.pieces(cut), Input::Again);
                    assert_eq!(message.blocks[0].len(), body.carries, "{cut:?}");
                    assert_eq!(message.stop_reason.as_deref(), Some("end_turn"));
                }
            }
        }
    }

    #[test]
    fn antiphon_finishes_every_body() {
        for input in [edits(2_000), write(2_000)] {
            let body = Body::tool_input(&input);
            for detail in [ToolInputDetail::Raw, ToolInputDetail::Values, ToolInputDetail::Changes] {
                let finished = antiphon(&body.pieces(Cut::Events), detail).unwrap();
                assert_eq!(finished.tool_uses().next().unwrap().input.get(), input);
            }
            let message = derived(sse_core_frames, body.pieces(Cut::Events), Input::AtTheEnd);
            assert_eq!(message.input, serde_json::from_str::<serde_json::Value>(&input).unwrap());
        }
        assert!(antiphon(&Body::text(10).pieces(Cut::Whole), ToolInputDetail::Changes).is_ok());
    }
}
