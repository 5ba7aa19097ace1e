//! Decoding, tool input and the whole way, each beside its peers in one run.
//!
//! `cargo bench -p antiphon-stream`. Growth shows in the throughput: bytes a second at 10 KB and at 1 MB must be
//! alike. Peers that are quadratic are left out where one pass would take minutes; `ANTIPHON_BENCH_SLOW=1` lets them
//! run.
#![allow(clippy::unwrap_used, clippy::semicolon_if_nothing_returned, missing_docs)]

use std::fmt::Write as _;
use std::hint::black_box;

use antiphon_stream::{AccumulatorOptions, JsonStream, MessageDecoder, SseDecoder, SseOptions, ToolInputDetail};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use futures_util::{FutureExt as _, StreamExt as _, stream};

fn slow() -> bool {
    std::env::var_os("ANTIPHON_BENCH_SLOW").is_some()
}

/// A body whose deltas hold these pieces.
fn body(block: &str, kind: &str, key: &str, pieces: &[&str]) -> Vec<u8> {
    let mut out = String::from(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\n",
    );
    let _ = write!(
        out,
        "event: content_block_start\ndata: {{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{block}}}\n\n"
    );
    for piece in pieces {
        let piece = serde_json::to_string(piece).unwrap();
        let _ = write!(
            out,
            "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"{kind}\",\"{key}\":{piece}}}}}\n\n"
        );
    }
    out += "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n";
    out += "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":9}}\n\n";
    out += "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    out.into_bytes()
}

/// Text in deltas of five bytes.
fn text_body(bytes: usize) -> Vec<u8> {
    let text = "the quick brown fox jumps over the lazy dog. ".repeat(bytes / 45 + 1);
    let pieces: Vec<_> = (0..bytes / 5).map(|i| text.get(i * 5..i * 5 + 5).unwrap()).collect();
    body(r#"{"type":"text","text":""}"#, "text_delta", "text", &pieces)
}

/// Tool input of many small values.
fn edits(bytes: usize) -> String {
    let row = r#"{"path":"src/lib.rs","old":"let x = 1;\n","new":"let x = 2;\n","line":12},"#;
    format!("{{\"edits\":[{}null]}}", row.repeat(bytes / row.len()))
}

/// Tool input of one long text.
fn write(bytes: usize) -> String {
    format!("{{\"path\":\"a.rs\",\"content\":\"{}\"}}", "fn main() { println!(\\\"hi\\\"); }\\n".repeat(bytes / 34))
}

fn pieces(text: &str, size: usize) -> Vec<&str> {
    (0..text.len()).step_by(size).map(|at| text.get(at..(at + size).min(text.len())).unwrap()).collect()
}

fn ours(body: &[u8], size: usize) -> usize {
    let mut decoder = SseDecoder::new();
    let mut sum = 0;
    for mut piece in body.chunks(size) {
        while let Some(frame) = decoder.next_event(&mut piece).unwrap() {
            sum += frame.data().len();
        }
    }
    sum
}

fn sse_core(body: &[u8], size: usize) -> usize {
    let limit = std::num::NonZeroUsize::new(64 << 20).unwrap();
    let mut decoder = sse_core::SseDecoder::with_limit(limit);
    let mut sum = 0;
    for mut piece in body.chunks(size) {
        while let Some(event) = decoder.next(&mut piece) {
            if let sse_core::SseEvent::Message(message) = event.unwrap() {
                sum += message.data.len();
            }
        }
    }
    sum
}

fn chunks(body: &[u8], size: usize) -> Vec<Result<bytes::Bytes, std::io::Error>> {
    let body = bytes::Bytes::copy_from_slice(body);
    (0..body.len()).step_by(size).map(|at| Ok(body.slice(at..(at + size).min(body.len())))).collect()
}

fn sse_stream(chunks: Vec<Result<bytes::Bytes, std::io::Error>>) -> usize {
    let mut events = sse_stream::SseStream::from_bytes_stream(stream::iter(chunks));
    async {
        let mut sum = 0;
        while let Some(event) = events.next().await {
            sum += event.unwrap().data.map_or(0, |data| data.len());
        }
        sum
    }
    .now_or_never()
    .unwrap()
}

fn eventsource(chunks: Vec<Result<bytes::Bytes, std::io::Error>>) -> Vec<String> {
    use eventsource_stream::Eventsource as _;
    stream::iter(chunks).eventsource().map(|event| event.unwrap().data).collect::<Vec<_>>().now_or_never().unwrap()
}

fn decoding(c: &mut Criterion) {
    for (name, body, size) in [
        ("decode/text_200KB_in_4KB", text_body(200_000), 4096),
        ("decode/one_8MB_event_in_4KB", format!("event: big\ndata: {}\n\n", "x".repeat(8 << 20)).into_bytes(), 4096),
        ("decode/text_200KB_in_one_read", text_body(200_000), usize::MAX / 2),
    ] {
        let mut group = c.benchmark_group(name);
        group.sample_size(10).throughput(Throughput::Bytes(body.len() as u64));
        group.bench_function("antiphon", |b| b.iter(|| ours(black_box(&body), size.min(body.len()))));
        group.bench_function("sse-core", |b| b.iter(|| sse_core(black_box(&body), size.min(body.len()))));
        let list = || chunks(&body, size.min(body.len()));
        group.bench_function("sse-stream", |b| b.iter_batched(list, sse_stream, criterion::BatchSize::LargeInput));
        if slow() || name == "decode/text_200KB_in_4KB" {
            group.bench_function("eventsource-stream", |b| {
                b.iter_batched(list, |list| eventsource(list).len(), criterion::BatchSize::LargeInput)
            });
        }
        group.finish();
    }
}

fn tool_input(c: &mut Criterion) {
    for (kind, make) in [("edits", edits as fn(usize) -> String), ("write", write)] {
        let mut group = c.benchmark_group(format!("tool_input/{kind}_in_16B"));
        for bytes in [10_000, 100_000, 1_000_000] {
            let text = make(bytes);
            let list = pieces(&text, 16);
            group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::new("antiphon, a value at every piece", bytes), &list, |b, list| {
                b.iter(|| {
                    let mut json = JsonStream::new();
                    for piece in list {
                        json.push(piece).unwrap();
                        black_box(json.value());
                    }
                    json
                });
            });
            group.bench_with_input(BenchmarkId::new("joined, parsed once at the end", bytes), &list, |b, list| {
                b.iter(|| serde_json::from_str::<serde_json::Value>(&black_box(list).concat()).unwrap());
            });
            if bytes <= 10_000 || slow() {
                group.bench_with_input(BenchmarkId::new("jiter, parsed at every piece", bytes), &list, |b, list| {
                    b.iter(|| {
                        let mut text = Vec::new();
                        for piece in list {
                            text.extend_from_slice(piece.as_bytes());
                            let mode = jiter::PartialMode::TrailingStrings;
                            black_box(jiter::JsonValue::parse_with_config(&text, false, mode).unwrap());
                        }
                    });
                });
            }
        }
        group.finish();
    }
}

/// The events as a derive would read them.
#[derive(serde::Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Derived {
    ContentBlockDelta {
        delta: DerivedDelta,
    },
    #[serde(other)]
    Other,
}

#[derive(serde::Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum DerivedDelta {
    TextDelta { text: String },
    InputJsonDelta { partial_json: String },
}

fn eventsource_and_derive(chunks: Vec<Result<bytes::Bytes, std::io::Error>>) -> String {
    let mut out = String::new();
    for data in eventsource(chunks) {
        match serde_json::from_str(&data).unwrap() {
            Derived::ContentBlockDelta { delta: DerivedDelta::TextDelta { text } } => out.push_str(&text),
            Derived::ContentBlockDelta { delta: DerivedDelta::InputJsonDelta { partial_json } } => {
                out.push_str(&partial_json)
            }
            Derived::Other => {}
        }
    }
    out
}

fn message(body: &[u8], size: usize, detail: ToolInputDetail) -> usize {
    let options = AccumulatorOptions::default().with_tool_input(detail);
    let mut decoder = MessageDecoder::with_options(SseOptions::default(), options);
    let (mut updates, mut count) = (Vec::new(), 0);
    for piece in body.chunks(size) {
        decoder.push_into(piece, &mut updates);
        black_box(decoder.accumulator().tool_input(0));
        count += updates.len();
        updates.clear();
    }
    assert!(decoder.finish().is_ok());
    count
}

fn whole_way(c: &mut Criterion) {
    let mut group = c.benchmark_group("whole_way/text_in_4KB");
    for bytes in [20_000, 200_000, 2_000_000] {
        let body = text_body(bytes);
        group.sample_size(10).throughput(Throughput::Bytes(body.len() as u64));
        group.bench_function(BenchmarkId::new("antiphon", bytes), |b| {
            b.iter(|| message(black_box(&body), 4096, ToolInputDetail::Changes))
        });
        let list = || chunks(&body, 4096);
        group.bench_function(BenchmarkId::new("eventsource-stream and a derive", bytes), |b| {
            b.iter_batched(list, eventsource_and_derive, criterion::BatchSize::LargeInput);
        });
    }
    group.finish();
    for (kind, make) in [("edits", edits as fn(usize) -> String), ("write", write)] {
        let mut group = c.benchmark_group(format!("whole_way/{kind}_in_16B"));
        for bytes in [100_000, 1_000_000] {
            let text = make(bytes);
            let block = r#"{"type":"tool_use","id":"t","name":"f","input":{}}"#;
            let body = body(block, "input_json_delta", "partial_json", &pieces(&text, 16));
            group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
            for (name, detail) in [
                ("no value", ToolInputDetail::Raw),
                ("a value", ToolInputDetail::Values),
                ("value and changes", ToolInputDetail::Changes),
            ] {
                group.bench_function(BenchmarkId::new(name, bytes), |b| {
                    b.iter(|| message(black_box(&body), 4096, detail))
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, decoding, tool_input, whole_way);
criterion_main!(benches);
