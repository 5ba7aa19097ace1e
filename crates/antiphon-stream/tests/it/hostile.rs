//! Streams made to cost more than their bytes: work must stay in proportion to them.

use antiphon_stream::MessageDecoder;

use crate::support::{START, TEXT, TOOL, body, input};

/// How many events a stream of one kind has here: with a look at all that came before for each of them, the test
/// would not end.
const COUNT: usize = 50_000;

/// Reads a stream of [`COUNT`] of these events behind its beginning.
fn linear(first: &[&str], event: &dyn Fn(usize) -> String) {
    let events: Vec<_> = first.iter().map(|event| (*event).to_owned()).chain((0..COUNT).map(event)).collect();
    let events: Vec<_> = events.iter().map(String::as_str).collect();
    let bytes = body(&events);
    let mut decoder = MessageDecoder::new();
    let mut updates = Vec::new();
    for piece in bytes.chunks(4096) {
        decoder.push_into(piece, &mut updates);
        updates.clear();
    }
    drop(decoder.finish());
}

#[test]
fn work_is_in_proportion_to_the_bytes() {
    let thinking =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#;
    linear(&[START, thinking], &|_| {
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2lnc2lnc2lnc2lnc2lnc2ln"}}"#.into()
    });
    linear(&[START], &|i| format!(r#"{{"type":"message_delta","delta":{{}},"usage":{{"k{i}":{i}}}}}"#));
    linear(&[START], &|i| format!(r#"{{"type":"message_delta","delta":{{"k{i}":{i}}}}}"#));
    linear(&[START], &|_| TEXT.to_owned());
    linear(&[START], &|i| TEXT.replace("\"index\":0", &format!("\"index\":{}", (i as u64) << 40)));
    linear(&[START], &|i| format!(r#"{{"type":"content_block_stop","index":{i}}}"#));
    linear(&[START], &|i| format!(r#"{{"type":"x{i}"}}"#));
    linear(&[START, TOOL, &input(&"[".repeat(120))], &|_| input("1,2,"));
    linear(&[START, TOOL, &input("{")], &|i| input(&format!("\"k{i}\":{i},")));
    linear(&[START, TOOL, &input("]")], &|_| input("xxxxxxxxxxxx"));
    linear(&[START, TEXT], &|_| START.to_owned());
    linear(&[START], &|_| r#"{"type":"error","error":{"type":"overloaded_error","message":""}}"#.to_owned());
}
