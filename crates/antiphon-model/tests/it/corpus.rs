//! Recorded data: `ANTIPHON_CORPUS` names the folder, else one beside the repository is tried.

use antiphon_model::{Message, RawRef, Request};
use std::path::PathBuf;

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("ANTIPHON_CORPUS")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus at {}", folder.display());
    None
}

/// Each line that is JSON, with its place for messages.
fn lines(path: PathBuf, mut visit: impl FnMut(&str, RawRef<'_>)) {
    let bytes = std::fs::read(&path).unwrap();
    let text = antiphon_model::json::decode_utf8(&bytes).text;
    for (at, line) in text.split('\n').enumerate() {
        if let Ok(record) = RawRef::parse(line) {
            visit(&format!("{}:{}", path.display(), at + 1), record);
        }
    }
}

fn message_round_trips(place: &str, raw: RawRef<'_>) {
    let message = Message::from_raw(raw);
    let written = message.to_json();
    let again = RawRef::parse(&written).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(raw.equivalent(again), "{place}: what was written is not what was read");
    // Keys stay in order, to all depths: without white space and escapes aside, both are the same text.
    assert_eq!(Message::from_json(&written).unwrap().to_json(), written, "{place}");
    assert!(message.walk().count() >= message.blocks().count());
}

fn request_round_trips(place: &str, raw: RawRef<'_>) -> usize {
    let request = Request::from_json(raw.get()).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(raw.equivalent(RawRef::parse(&request.to_json()).unwrap()), "{place}");
    let messages = raw.member("messages").unwrap();
    messages.elements().for_each(|message| message_round_trips(place, message));
    request.messages.len()
}

#[test]
fn recorded_requests_and_answers_round_trip() {
    let Some(corpus) = corpus() else { return };
    for name in ["conversations/anthropic-exchanges.jsonl", "usage-pairs/claude-usage-pairs.jsonl"] {
        let (mut requests, mut messages, mut answers) = (0, 0, 0);
        lines(corpus.join(name), |place, record| {
            if let Some(request) = record.member("request").filter(|request| request.member("messages").is_some()) {
                requests += 1;
                messages += request_round_trips(place, request);
            }
            if let Some(answer) = record.member("response").filter(|answer| answer.member("role").is_some()) {
                answers += 1;
                message_round_trips(place, answer);
                let Message::Assistant(message) = Message::from_raw(answer) else { panic!("{place}") };
                assert!(message.usage().is_some() && message.stop_reason().is_some(), "{place}");
            }
        });
        println!("{name}: {requests} requests, {messages} messages, {answers} answers");
        assert!(messages > 0, "{name} holds none");
    }
}

#[test]
fn messages_of_claude_code_logs_round_trip() {
    let Some(corpus) = corpus() else { return };
    let (mut messages, mut other) = (0, 0);
    for entry in std::fs::read_dir(corpus.join("claude-code")).unwrap() {
        lines(entry.unwrap().path(), |place, record| {
            if let Some(message) = record.member("message") {
                messages += 1;
                other += usize::from(matches!(Message::from_raw(message), Message::Other(_)));
                message_round_trips(place, message);
            }
        });
    }
    println!("claude-code: {messages} messages, {other} kept raw");
    assert!(messages > 1000);
}
