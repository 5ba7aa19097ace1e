//! Recorded streams, where they are at hand: `ANTIPHON_CORPUS`, or `../shared/corpus` beside the workspace. Nothing
//! of them is in the repo.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use antiphon_model::{Message, RawJson};
use antiphon_stream::{
    Accumulator, Collected, EventBody, MessageDecoder, SalvageOptions, SseDecoder, StreamEvent, Update,
};
use serde_json::Value;

use crate::support::{CHUNKINGS, assert_check_accepts, pieces};

fn corpus() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("ANTIPHON_CORPUS").map_or_else(default, PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: no corpus at {}", folder.display());
        return None;
    }
    Some(folder)
}

fn recordings() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = corpus() else { return Vec::new() };
    let entries = std::fs::read_dir(folder.join("sse-anthropic")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "sse")).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect()
}

fn events(body: &[u8]) -> Vec<String> {
    let mut decoder = SseDecoder::new();
    let mut events: Vec<_> = decoder.decode(body).into_iter().map(|event| event.unwrap().data).collect();
    events.extend(decoder.finish().unwrap().map(|frame| frame.data().to_owned()));
    events
}

#[test]
fn every_recording_accumulates_at_every_chunking() {
    for (name, body) in recordings() {
        let run = |size: usize| {
            let mut decoder = MessageDecoder::new();
            let mut updates: Vec<Update> = pieces(&body, size).flat_map(|piece| decoder.push(piece)).collect();
            updates.extend(decoder.end());
            (updates, decoder.finish())
        };
        let (updates, outcome) = run(0);
        let holds_error =
            events(&body).iter().any(|data| matches!(StreamEvent::parse(data).unwrap().body, EventBody::Error(_)));
        match &outcome {
            Ok(finished) => {
                assert!(!holds_error, "{name}");
                assert_eq!(finished.anomalies, [], "{name}");
            }
            Err(interrupted) => assert!(holds_error, "{name}: {interrupted}"),
        }
        for size in CHUNKINGS {
            assert!(run(size) == (updates.clone(), outcome.clone()), "{name} in pieces of {size}");
        }
        // What was told piece by piece is what the message holds.
        let told: String = updates
            .iter()
            .filter_map(|update| if let Update::TextChunk { text, .. } = update { Some(text.as_str()) } else { None })
            .collect();
        assert_eq!(told, Collected::from_outcome(outcome).text(), "{name}");
    }
}

/// Every member of every event is either in a field of the typed event or in its `extra`, and then in the message or
/// carried.
#[test]
fn nothing_is_lost() {
    let (mut count, mut unknown) = (0, 0);
    for (name, body) in recordings() {
        let mut accumulator = Accumulator::new();
        let mut started = Value::Null;
        let mut changed = Vec::new();
        for data in events(&body) {
            let event = StreamEvent::parse(&data).unwrap();
            let raw = RawJson::parse(&data).unwrap();
            let back = RawJson::parse(&event.to_json()).unwrap();
            assert!(raw.as_ref().equivalent(back.as_ref()), "{name}: {data} came back as {}", back.get());
            assert!(!event.is_malformed(), "{name}: {data}");
            unknown += usize::from(matches!(event.body, EventBody::Unknown { .. }));
            count += 1;
            let value: Value = serde_json::from_str(&data).unwrap();
            match &event.body {
                EventBody::MessageStart { .. } => started = value["message"].clone(),
                EventBody::MessageDelta(_) => changed.push(value),
                _ => {}
            }
            accumulator.push(event);
        }
        let finished = accumulator.finish().unwrap_or_else(|interrupted| panic!("{name}: {interrupted}"));
        let message: Value = serde_json::from_str(&Message::Assistant(finished.message).to_json()).unwrap();
        // Members of the message: those of the start, replaced by what came later unless that was null.
        let mut expected = started.as_object().unwrap().clone();
        for event in &changed {
            let beside = event
                .as_object()
                .unwrap()
                .iter()
                .filter(|(key, _)| !["type", "delta", "usage"].contains(&key.as_str()));
            for (key, value) in event["delta"].as_object().unwrap().iter().chain(beside) {
                if !value.is_null() || !expected.contains_key(key) {
                    expected.insert(key.clone(), value.clone());
                }
            }
            for (key, value) in event["usage"].as_object().into_iter().flatten() {
                let usage = expected["usage"].as_object_mut().unwrap();
                if !value.is_null() || !usage.contains_key(key) {
                    usage.insert(key.clone(), value.clone());
                }
            }
        }
        expected.insert("content".into(), message["content"].clone());
        assert_eq!(message, Value::Object(expected), "{name}");
    }
    println!("{count} events, {unknown} of unknown type");
    assert_eq!(unknown, 0, "the recordings hold no event we do not know");
}

/// The blocks of each message, put together the plain way from the events, equal ours.
#[test]
fn the_content_is_that_of_the_events() {
    for (name, body) in recordings() {
        let mut blocks: Vec<Value> = Vec::new();
        let mut inputs: HashMap<usize, String> = HashMap::new();
        for data in events(&body) {
            let event: Value = serde_json::from_str(&data).unwrap();
            let index = usize::try_from(event["index"].as_u64().unwrap_or(0)).unwrap();
            if event["type"] == "content_block_start" {
                blocks.push(event["content_block"].clone());
            }
            let (delta, block) = (&event["delta"], blocks.get_mut(index));
            let Some(block) = block else { continue };
            let append = |block: &mut Value, key: &str| {
                block[key] =
                    format!("{}{}", block[key].as_str().unwrap_or_default(), delta[key].as_str().unwrap()).into();
            };
            match delta["type"].as_str() {
                Some("text_delta") => append(block, "text"),
                Some("thinking_delta") => append(block, "thinking"),
                Some("signature_delta") => block["signature"] = delta["signature"].clone(),
                Some("input_json_delta") => {
                    inputs.entry(index).or_default().push_str(delta["partial_json"].as_str().unwrap());
                }
                Some("citations_delta") => match &mut block["citations"] {
                    Value::Array(citations) => citations.push(delta["citation"].clone()),
                    none => *none = Value::Array(vec![delta["citation"].clone()]),
                },
                Some("compaction_delta") => block["content"] = delta["content"].clone(),
                _ => {}
            }
        }
        for (index, input) in inputs.into_iter().filter(|(_, input)| !input.is_empty()) {
            blocks[index]["input"] = serde_json::from_str(&input).unwrap();
        }
        let message = antiphon_stream::collect(&body).message.unwrap_or_else(|| panic!("{name}"));
        let message: Value = serde_json::from_str(&message.to_json()).unwrap();
        assert_eq!(message["content"], Value::Array(blocks), "{name}");
    }
}

/// A stream may break off anywhere.
#[test]
fn any_prefix_is_salvaged() {
    for (name, body) in recordings() {
        for cut in (0..body.len()).step_by(body.len() / 40 + 1).chain([body.len()]) {
            let mut decoder = MessageDecoder::new();
            decoder.push(&body[..cut]);
            let salvage = match decoder.finish() {
                Ok(finished) => finished.salvage(&SalvageOptions::default()),
                Err(interrupted) => interrupted.salvage(&SalvageOptions::default()),
            };
            assert!(cut < body.len() || salvage.message.is_some(), "{name}");
            if let Some(message) = &salvage.message {
                assert_check_accepts(message);
            }
        }
    }
}

/// Where a later request of the corpus replays a recorded answer, ours is what it replays.
#[test]
fn answers_equal_their_replays() {
    let Some(folder) = corpus() else { return };
    let mut by_id: HashMap<String, Vec<Value>> = HashMap::new();
    for (name, body) in recordings() {
        let message = antiphon_stream::collect(&body).message.unwrap_or_else(|| panic!("{name}"));
        let message: Value = serde_json::from_str(&message.to_json()).unwrap();
        for block in message["content"].as_array().unwrap() {
            if let Some(id) = block["id"].as_str() {
                by_id.entry(id.to_owned()).or_default().push(block.clone());
            }
        }
    }
    let mut compared = 0;
    for file in ["sse-anthropic/index.jsonl", "conversations/anthropic-exchanges.jsonl"] {
        for line in std::fs::read_to_string(folder.join(file)).unwrap().lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let messages = row["request"]["messages"].as_array().into_iter().flatten();
            for block in messages.filter_map(|message| message["content"].as_array()).flatten() {
                for ours in block["id"].as_str().and_then(|id| by_id.get(id)).into_iter().flatten() {
                    for key in ["type", "id", "name", "input"] {
                        assert_eq!(ours[key], block[key], "{file}: {block}");
                    }
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} tool calls compared with their replays");
    assert!(compared > 0);
}
