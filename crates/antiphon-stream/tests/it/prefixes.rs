//! Any prefix of any stream: no panic, and what is salvaged may stand in a conversation.

use antiphon_stream::{MessageDecoder, SalvageOptions, Update, testkit};
use proptest::prelude::*;
use serde_json::json;

use crate::support::assert_check_accepts;

fn block() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        3 => Just(json!({ "type": "text", "text": "" })),
        1 => Just(json!({ "type": "text", "text": " ", "citations": [] })),
        2 => prop::sample::select(vec!["", "sig"]).prop_map(|signature| json!({ "type": "thinking", "thinking": "", "signature": signature })),
        1 => Just(json!({ "type": "redacted_thinking", "data": "x" })),
        3 => "t[0-9]".prop_map(|id| json!({ "type": "tool_use", "id": id, "name": "f", "input": {} })),
        1 => "srvtoolu_[0-3]".prop_map(|id| json!({ "type": "server_tool_use", "id": id, "name": "web_search", "input": {} })),
        1 => "srvtoolu_[0-3]".prop_map(|id| json!({ "type": "web_search_tool_result", "tool_use_id": id, "content": [] })),
        1 => Just(json!({ "type": "compaction", "content": null })),
        1 => Just(json!({ "type": "fallback", "from": { "model": "a" }, "to": { "model": "b" } })),
        1 => Just(json!({ "type": "container_upload", "file_id": "f" })),
        1 => Just(json!({ "type": "hologram" })),
        1 => Just(json!({ "text": 1 })),
    ]
}

fn delta() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        3 => "[a-z \\n😀]{0,5}".prop_map(|text| json!({ "type": "text_delta", "text": text })),
        3 => prop::sample::select(vec!["", "{", "}", "{\"a\":", "1", "\"b", "\"", "{}", "[", ",", "\\ud83d"])
            .prop_map(|piece| json!({ "type": "input_json_delta", "partial_json": piece })),
        2 => "[a-z ]{0,3}".prop_map(|text| json!({ "type": "thinking_delta", "thinking": text })),
        1 => Just(json!({ "type": "signature_delta", "signature": "c2ln" })),
        1 => Just(json!({ "type": "citations_delta", "citation": { "type": "char_location" } })),
        1 => Just(json!({ "type": "compaction_delta", "content": "sum" })),
        1 => Just(json!({ "type": "hologram_delta" })),
        1 => Just(json!({ "type": "text_delta" })),
    ]
}

fn index() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0u64..4, 1 => Just(u64::MAX)]
}

fn event() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        2 => Just(json!({ "type": "message_start", "message": { "id": "m", "role": "assistant", "content": [], "usage": { "input_tokens": 1 } } })),
        8 => (index(), block()).prop_map(|(index, block)| json!({ "type": "content_block_start", "index": index, "content_block": block })),
        20 => (index(), delta()).prop_map(|(index, delta)| json!({ "type": "content_block_delta", "index": index, "delta": delta })),
        8 => index().prop_map(|index| json!({ "type": "content_block_stop", "index": index })),
        1 => prop::sample::select(vec![json!(null), json!("end_turn"), json!("pause_turn"), json!("max_tokens")])
            .prop_map(|reason| json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 2 } })),
        1 => Just(json!({ "type": "message_stop" })),
        1 => Just(json!({ "type": "error", "error": { "type": "overloaded_error", "message": "" } })),
        1 => Just(json!({ "type": "ping" })),
        1 => Just(json!(17)),
    ]
}

/// A stream of one message in good order, whatever its blocks hold.
fn orderly() -> impl Strategy<Value = Vec<serde_json::Value>> {
    prop::collection::vec((block(), prop::collection::vec(delta(), 0..4)), 0..5).prop_map(|blocks| {
        let mut events = vec![json!({ "type": "message_start", "message": { "role": "assistant", "content": [] } })];
        for (index, (block, deltas)) in blocks.into_iter().enumerate() {
            events.push(json!({ "type": "content_block_start", "index": index, "content_block": block }));
            events.extend(
                deltas
                    .into_iter()
                    .map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })),
            );
            events.push(json!({ "type": "content_block_stop", "index": index }));
        }
        events.push(json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }));
        events.push(json!({ "type": "message_stop" }));
        events
    })
}

fn bytes(events: &[serde_json::Value], crlf: bool) -> Vec<u8> {
    let end = if crlf { "\r\n" } else { "\n" };
    events.iter().flat_map(|event| format!("data: {event}{end}{end}").into_bytes()).collect()
}

fn salvaged(prefix: &[u8]) {
    let mut decoder = MessageDecoder::new();
    let mut updates = decoder.push(prefix);
    updates.extend(decoder.end());
    let told = updates
        .iter()
        .filter(|update| matches!(update, Update::Done { .. } | Update::Interrupted { .. } | Update::Error { .. }))
        .count();
    assert_eq!(told, 1, "how it ended is told once");
    let salvage = match decoder.finish() {
        Ok(finished) => finished.salvage(&SalvageOptions::default()),
        Err(interrupted) => interrupted.salvage(&SalvageOptions::default()),
    };
    if let Some(message) = &salvage.message {
        assert_check_accepts(message);
    }
}

proptest! {
    #[test]
    fn of_orderly_streams(events in orderly(), crlf in any::<bool>()) {
        let bytes = bytes(&events, crlf);
        for cut in (0..=bytes.len()).step_by(3) {
            salvaged(&bytes[..cut]);
        }
    }

    #[test]
    fn of_any_streams(events in prop::collection::vec(event(), 0..25), size in any::<u8>(), crlf in any::<bool>()) {
        let bytes = bytes(&events, crlf);
        for cut in (0..=bytes.len()).step_by(41) {
            salvaged(&bytes[..cut]);
        }
        // All else that must hold at any chunking.
        testkit::message(&[&[size], &bytes[..]].concat());
    }

    #[test]
    fn of_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        testkit::message(&bytes);
        testkit::sse(&bytes);
    }
}
