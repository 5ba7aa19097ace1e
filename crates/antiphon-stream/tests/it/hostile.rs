//! Streams made to cost more than their bytes: work must stay in proportion to them.

use antiphon_stream::MessageDecoder;

use crate::support::{START, TEXT, TOOL, body, cpu_time, input};

/// Seconds for a stream of `count` of these events behind its beginning.
fn time(first: &[&str], event: &dyn Fn(usize) -> String, count: usize) -> f64 {
    let events: Vec<_> = first.iter().map(|event| (*event).to_owned()).chain((0..count).map(event)).collect();
    let events: Vec<_> = events.iter().map(String::as_str).collect();
    let bytes = body(&events);
    let start = cpu_time();
    let mut decoder = MessageDecoder::new();
    let mut updates = Vec::new();
    for piece in bytes.chunks(4096) {
        decoder.push_into(piece, &mut updates);
        updates.clear();
    }
    drop(decoder.finish());
    cpu_time() - start
}

/// Ten times the events must not take much more than ten times as long. (Quadratic work takes a hundred times.)
fn linear(name: &str, first: &[&str], event: &dyn Fn(usize) -> String) {
    let small = time(first, event, 2_000).min(time(first, event, 2_000)).max(0.005);
    let large = time(first, event, 20_000);
    assert!(large < small * 40.0, "{name}: {large} s for ten times of what takes {small} s");
}

#[test]
fn work_is_in_proportion_to_the_bytes() {
    let thinking =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#;
    linear("signatures", &[START, thinking], &|_| {
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2lnc2lnc2lnc2lnc2lnc2ln"}}"#.into()
    });
    linear("new keys of usage", &[START], &|i| {
        format!(r#"{{"type":"message_delta","delta":{{}},"usage":{{"k{i}":{i}}}}}"#)
    });
    linear("new keys of the message", &[START], &|i| format!(r#"{{"type":"message_delta","delta":{{"k{i}":{i}}}}}"#));
    linear("one index again and again", &[START], &|_| TEXT.to_owned());
    linear("new indices", &[START], &|i| TEXT.replace("\"index\":0", &format!("\"index\":{}", (i as u64) << 40)));
    linear("stops for nothing", &[START], &|i| format!(r#"{{"type":"content_block_stop","index":{i}}}"#));
    linear("unknown events", &[START], &|i| format!(r#"{{"type":"x{i}"}}"#));
    linear("deep input", &[START, TOOL, &input(&"[".repeat(120))], &|_| input("1,2,"));
    linear("wide input", &[START, TOOL, &input("{")], &|i| input(&format!("\"k{i}\":{i},")));
    linear("broken input", &[START, TOOL, &input("]")], &|_| input("xxxxxxxxxxxx"));
    linear("starts", &[START, TEXT], &|_| START.to_owned());
    linear("errors", &[START], &|_| r#"{"type":"error","error":{"type":"overloaded_error","message":""}}"#.to_owned());
}
