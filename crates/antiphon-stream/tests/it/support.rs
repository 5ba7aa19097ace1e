//! What several test modules need.

use antiphon_contract::{Profile, Severity, check};
use antiphon_model::{AssistantMessage, ContentBlock, Message, Request, ToolResult};
use antiphon_stream::{Anomaly, AnomalyKind, Finished, Interrupted, MessageDecoder};

/// The sizes of pieces every stream is fed in; 0 stands for the whole.
pub(crate) const CHUNKINGS: [usize; 6] = [1, 2, 3, 7, 64, 0];

/// The bytes in pieces of this size.
pub(crate) fn pieces(bytes: &[u8], size: usize) -> impl Iterator<Item = &[u8]> {
    bytes.chunks(if size == 0 { bytes.len().max(1) } else { size })
}

/// The text in pieces of about this size, cut on character boundaries.
pub(crate) fn text_pieces(text: &str, size: usize) -> Vec<&str> {
    let mut rest = text;
    let mut out = Vec::new();
    while !rest.is_empty() {
        let mut cut = size.clamp(1, rest.len());
        while !rest.is_char_boundary(cut) {
            cut += 1;
        }
        out.push(&rest[..cut]);
        rest = &rest[cut..];
    }
    out
}

/// A body of these events, one `data` line each.
pub(crate) fn body(events: &[&str]) -> Vec<u8> {
    events.iter().flat_map(|event| format!("data: {event}\n\n").into_bytes()).collect()
}

/// The outcome of these events.
pub(crate) fn outcome(events: &[&str]) -> Result<Finished, Box<Interrupted>> {
    let mut decoder = MessageDecoder::new();
    decoder.push(&body(events));
    decoder.finish()
}

/// The kinds of anomaly, in order.
pub(crate) fn kinds(anomalies: &[Anomaly]) -> Vec<AnomalyKind> {
    anomalies.iter().map(|anomaly| anomaly.kind).collect()
}

/// Asserts that a salvaged message may stand in a conversation: that `check` of antiphon-contract finds no error in a
/// request made of a user turn, the message, and a result for each of its calls (which the caller owes).
pub(crate) fn assert_check_accepts(message: &AssistantMessage) {
    antiphon_stream::testkit::check_salvage(message);
    let message = Message::Assistant(message.clone());
    let results: Vec<_> =
        message.tool_uses().map(|tool| ContentBlock::ToolResult(ToolResult::error(&*tool.id, "not run"))).collect();
    let mut request = Request::from_json(r#"{"model":"m","max_tokens":9,"messages":[]}"#).unwrap();
    // A call of a server tool that is still at work (`pause_turn`) is resumed by sending the turn back as the last one.
    let uses = message.blocks().filter(|block| block.type_name() == "server_tool_use").count();
    let answers = message.blocks().filter(|block| block.type_name().ends_with("_tool_result")).count();
    let pending = uses > answers;
    request.messages = vec![Message::user("go"), message];
    if !results.is_empty() {
        request.messages.push(Message::user_blocks(results));
    } else if !pending {
        request.messages.push(Message::user("go on"));
    }
    let mut findings = check(&request, &Profile::default());
    findings.retain(|finding| finding.severity == Severity::Error);
    assert!(findings.is_empty(), "{findings:?} in {}", request.to_json());
}

pub(crate) const START: &str = r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}}"#;
pub(crate) const TEXT: &str = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
pub(crate) const HELLO: &str =
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}"#;
pub(crate) const STOP: &str = r#"{"type":"content_block_stop","index":0}"#;
pub(crate) const TOOL: &str =
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"rm","input":{}}}"#;
pub(crate) const END: &str =
    r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}"#;
pub(crate) const OVER: &str = r#"{"type":"message_stop"}"#;

/// A delta of tool input for block 0.
pub(crate) fn input(piece: &str) -> String {
    serde_json::json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": piece } }).to_string()
}
