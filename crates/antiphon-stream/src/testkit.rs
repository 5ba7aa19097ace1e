//! The bodies of the fuzz targets, so that a plain `cargo test` can replay their corpora. Each panics if a law is
//! broken.
//!
//! Not part of the stable interface.

use crate::accumulate::{Accumulator, SalvageOptions, Update};
use crate::{JsonStream, JsonWhat, MessageDecoder, PartialValue, SseDecoder, SseEvent, SseOptions, mend_json};

/// Splits the input: its first byte chooses how the rest is cut.
fn cut(data: &[u8]) -> (usize, &[u8]) {
    match data.split_first() {
        Some((size, rest)) => (usize::from(*size % 64) + 1, rest),
        None => (1, data),
    }
}

fn decode(bytes: &[u8], size: usize) -> (Vec<Result<SseEvent, String>>, Option<SseEvent>) {
    let options = SseOptions::default().with_max_event_bytes(256).with_max_line_bytes(300);
    let mut decoder = SseDecoder::with_options(options);
    let mut events = Vec::new();
    for piece in bytes.chunks(size) {
        events.extend(decoder.decode(piece).into_iter().map(|event| event.map_err(|error| error.to_string())));
        assert!(decoder.buffered() <= 600, "the decoder keeps more than its limits");
    }
    let last = decoder.finish();
    let last = last.map(|frame| frame.map(|frame| frame.to_event()));
    match last {
        Ok(last) => (events, last),
        Err(error) => {
            events.push(Err(error.to_string()));
            (events, None)
        }
    }
}

/// Server-sent events: any cut gives the same events and errors, and what is kept is bounded.
///
/// ```
/// antiphon_stream::testkit::sse(b"\x03data: 1\r\n\r\ndata: 2");
/// ```
pub fn sse(data: &[u8]) {
    let (size, bytes) = cut(data);
    let whole = decode(bytes, bytes.len().max(1));
    assert_eq!(decode(bytes, size), whole, "pieces of {size} bytes change the events");
    assert_eq!(decode(bytes, 1), whole, "single bytes change the events");
}

/// The whole way: any cut gives the same updates and the same outcome; what is said to be runnable is; a salvage
/// holds its promises; a state saved and restored goes on as if nothing had been.
///
/// ```
/// antiphon_stream::testkit::message(b"\x07data: {\"type\":\"content_block_stop\",\"index\":18446744073709551615}\n\n");
/// ```
pub fn message(data: &[u8]) {
    let (size, bytes) = cut(data);
    let run = |size: usize, save: bool| {
        let mut decoder = MessageDecoder::new();
        let mut updates = Vec::new();
        // A state is looked at four times on the way, wherever that falls.
        let every = bytes.len() / size / 4 + 1;
        for (count, piece) in bytes.chunks(size).enumerate() {
            updates.extend(decoder.push(piece));
            if save && count % every == every / 2 {
                restore(decoder.accumulator());
            }
        }
        updates.extend(decoder.end());
        (updates, decoder.finish())
    };
    let (updates, outcome) = run(bytes.len().max(1), false);
    assert!(run(size, true) == (updates.clone(), outcome.clone()), "pieces of {size} bytes change the outcome");
    let salvage = match &outcome {
        Ok(finished) => {
            for tool in finished.tool_uses() {
                runnable(&tool.id, tool.input.get());
            }
            finished.salvage(&SalvageOptions::default())
        }
        Err(interrupted) => {
            assert!(interrupted.unfinished().count() <= updates.len());
            interrupted.salvage(&SalvageOptions::default())
        }
    };
    for update in &updates {
        if let Update::ToolUseComplete { id, input, .. } = update {
            runnable(id, input.get());
        }
    }
    if let Some(message) = salvage.message {
        check_salvage(&message);
    }
}

fn restore(accumulator: &Accumulator) {
    let saved = serde_json::to_string(accumulator).unwrap_or_default();
    let restored: Result<Accumulator, _> = serde_json::from_str(&saved);
    let again = restored.map(|restored| serde_json::to_string(&restored).unwrap_or_default());
    assert_eq!(again.ok(), Some(saved), "a state does not survive being saved");
}

fn runnable(id: &str, input: &str) {
    assert!(!id.is_empty() && input.starts_with('{'), "a call that can not be run is said to be whole: {id} {input}");
    let parsed: Result<serde_json::Value, _> = serde_json::from_str(input);
    // serde_json refuses what the model takes: half surrogate pairs, numbers beyond f64, deep nesting.
    let excused = |error: &serde_json::Error| {
        let text = error.to_string();
        ["surrogate", "out of range", "recursion", "hex escape"].iter().any(|word| text.contains(word))
    };
    assert!(parsed.as_ref().err().is_none_or(excused), "{parsed:?}");
}

/// The structural promises of a salvage.
///
/// ```
/// let message = antiphon_model::AssistantMessage::new("Hi");
/// antiphon_stream::testkit::check_salvage(&message);
/// ```
pub fn check_salvage(message: &antiphon_model::AssistantMessage) {
    use antiphon_model::{Content, ContentBlock};
    let Content::Blocks(blocks) = &message.content else { return };
    assert!(!blocks.is_empty(), "nothing at all is no message");
    let mut thinking = false;
    for block in blocks {
        match block {
            ContentBlock::Text(text) => assert!(!text.text.trim().is_empty(), "empty text"),
            ContentBlock::Thinking(block) => {
                assert!(block.signature.as_ref().is_some_and(|s| !s.is_empty()), "unsigned thinking");
            }
            ContentBlock::ToolUse(tool) => assert!(tool.input.get().starts_with('{'), "tool input that is no object"),
            ContentBlock::ContainerUpload(_) => assert_eq!(block.type_name(), "", "a block the API does not take back"),
            _ => {}
        }
        thinking |= block.is_thinking();
    }
    assert!(blocks.last().is_none_or(|last| !last.is_thinking()), "thinking ends the message");
    if let Some(ContentBlock::Text(last)) = blocks.last() {
        assert_eq!(last.text.trim_end(), last.text.as_str(), "white space ends the message");
    }
    assert!(
        !thinking || !matches!(blocks.first(), Some(ContentBlock::Text(_) | ContentBlock::ToolUse(_))),
        "thinking is not first"
    );
}

/// Incremental JSON: agrees with serde_json at the end, is the same in any pieces, never takes back, and its events
/// tell the same as its value; mending gives JSON.
///
/// ```
/// antiphon_stream::testkit::json(b"\x02{\"a\":[1,\"\\ud83d\\ude00\"]}");
/// ```
pub fn json(data: &[u8]) {
    let (size, bytes) = cut(data);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut whole = JsonStream::new();
    let whole_result = whole.push(text).is_ok();
    let mut pieces = JsonStream::new();
    let mut told = String::new();
    let mut before: Option<PartialValue> = None;
    let mut rest = text;
    let mut sound = true;
    while !rest.is_empty() {
        let mut end = size.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let Some((piece, tail)) = rest.split_at_checked(end) else { break };
        let result = pieces.push_with(piece, |event| {
            if let JsonWhat::StringChunk(chunk) = event.what {
                told.push_str(chunk);
            }
        });
        sound &= result.is_ok();
        if let (Some(before), Some(now)) = (&before, pieces.value()) {
            assert!(extends(before, now, true), "{before:?} was shown, and now {now:?}");
        }
        before = pieces.value().cloned();
        rest = tail;
    }
    assert_eq!((sound, pieces.value()), (whole_result, whole.value()), "pieces of {size} bytes change the value");
    let mut texts = String::new();
    pieces.value().into_iter().for_each(|value| collect_texts(value, &mut texts));
    assert_eq!(told, texts, "the events do not tell what the value holds");
    let ours = pieces.finish().map(PartialValue::to_json);
    match (ours, serde_json::from_str::<serde_json::Value>(text)) {
        (Ok(ours), Ok(theirs)) => assert_eq!(serde_json::from_str::<serde_json::Value>(&ours).ok(), Some(theirs)),
        (Ok(ours), Err(error)) => {
            let text = error.to_string();
            let excused =
                ["surrogate", "out of range", "recursion", "hex escape"].iter().any(|word| text.contains(word));
            assert!(excused, "{ours} is taken, yet {error}");
        }
        (Err(error), Ok(theirs)) => assert_eq!(error.to_string(), "", "refused, yet serde_json has {theirs}"),
        (Err(_), Err(_)) => {}
    }
    if let Ok(mended) = mend_json(text) {
        assert!(
            JsonStream::new().push(mended.display().get()).is_ok() || mended.display().get().len() > 128,
            "mended to {:?}",
            mended.display()
        );
    }
}

/// Whether `new` shows everything that `old` showed: texts grew, containers gained at the end, nothing else changed.
/// Only the last of what is `open` may still grow.
pub fn extends(old: &PartialValue, new: &PartialValue, open: bool) -> bool {
    match (old, new) {
        (PartialValue::String(old), PartialValue::String(new)) => {
            if open {
                new.starts_with(old.as_str())
            } else {
                old == new
            }
        }
        (PartialValue::Array(old), PartialValue::Array(new)) => {
            let last = old.len().wrapping_sub(1);
            old.len() <= new.len()
                && (open || old.len() == new.len())
                && old.iter().zip(new).enumerate().all(|(i, (old, new))| extends(old, new, open && i == last))
        }
        (PartialValue::Object(old), PartialValue::Object(new)) => {
            let last = old.len().wrapping_sub(1);
            old.len() <= new.len()
                && (open || old.len() == new.len())
                && old
                    .iter()
                    .zip(new)
                    .enumerate()
                    .all(|(i, (old, new))| old.0 == new.0 && extends(&old.1, &new.1, open && i == last))
        }
        _ => old == new,
    }
}

fn collect_texts(value: &PartialValue, out: &mut String) {
    match value {
        PartialValue::String(text) => out.push_str(text),
        PartialValue::Array(elements) => elements.iter().for_each(|element| collect_texts(element, out)),
        PartialValue::Object(members) => members.iter().for_each(|(_, value)| collect_texts(value, out)),
        _ => {}
    }
}
