//! Reading and writing messages, beside serde_json into derived types that lose data.
//!
//! `cargo bench -p antiphon-model --bench read` prints CPU times and ratios. All candidates run in turns within one
//! process and their medians are compared, so that a busy machine slows all of them alike. With `ANTIPHON_CORPUS` set,
//! recorded messages are measured too.
#![allow(clippy::cast_precision_loss, clippy::indexing_slicing, reason = "figures to look at, over data made here")]

use antiphon_model::Message;
use antiphon_model::json::Scanner;
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

/// What one writes with serde's derive: unknown members and blocks are lost, numbers and key order change.
#[derive(Deserialize, Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Derived {
    User { content: Content },
    Assistant { id: Option<String>, model: Option<String>, content: Content, stop_reason: Option<String> },
    System { content: Content },
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    Thinking {
        thinking: String,
        signature: Option<String>,
    },
    Image {
        source: Value,
    },
    Document {
        source: Value,
    },
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    ToolResult {
        tool_use_id: String,
        content: Option<Content>,
        is_error: Option<bool>,
    },
    #[serde(other)]
    Other,
}

/// A small generator, the same on every machine (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn words(&mut self, n: u64) -> String {
        const WORDS: [&str; 16] = [
            "the", "miller", "turns", "wheel", "water", "under", "a", "stone", "before", "dawn", "grain", "sack",
            "größer", "in", "flows", "of",
        ];
        let words: Vec<_> = (0..n).map(|_| WORDS[usize::try_from(self.below(16)).unwrap_or(0)]).collect();
        words.join(" ")
    }

    /// Lines like a program's output: indented, with quotes and line ends that JSON escapes.
    fn listing(&mut self, lines: u64) -> String {
        let mut out = String::new();
        for line in 0..lines {
            let (indent, words) = (self.below(4) * 4, 1 + self.below(9));
            let _ = writeln!(
                out,
                "{line:>6}\t{:indent$}let x = \"{}\";",
                "",
                self.words(words),
                indent = usize::try_from(indent).unwrap_or(0)
            );
        }
        out
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Messages as a Claude Code log has them, `bytes` in all.
fn messages(bytes: usize) -> Vec<String> {
    let mut random = Random(0x5eed);
    let (mut out, mut size) = (Vec::new(), 0);
    while size < bytes {
        let turn = out.len();
        let text = quoted(&{
            let n = 8 + random.below(60);
            random.words(n)
        });
        let answer = |block: &str| {
            format!(
                r#"{{"model":"claude-sonnet-4-5","id":"msg_{turn:024x}","type":"message","role":"assistant","content":[{block}],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":{turn},"cache_creation_input_tokens":312,"cache_read_input_tokens":40211,"cache_creation":{{"ephemeral_5m_input_tokens":312,"ephemeral_1h_input_tokens":0}},"output_tokens":64,"service_tier":"standard"}}}}"#
            )
        };
        let message = match random.below(12) {
            0 => format!(r#"{{"role":"user","content":{text}}}"#),
            1 => format!(r#"{{"role":"user","content":[{{"type":"text","text":{text}}}]}}"#),
            2 => answer(&format!(r#"{{"type":"thinking","thinking":{text},"signature":"{}"}}"#, "c2ln".repeat(90))),
            3 | 4 => answer(&format!(r#"{{"type":"text","text":{text}}}"#)),
            5..=7 => answer(&format!(
                r#"{{"type":"tool_use","id":"toolu_{turn:024x}","name":"Shell","input":{{"command":{text},"timeout":{turn},"path":"src/mill.rs"}}}}"#
            )),
            8 => format!(
                r#"{{"role":"user","content":[{{"tool_use_id":"toolu_{turn:024x}","type":"tool_result","content":[{{"type":"text","text":{text}}}]}}]}}"#
            ),
            _ => {
                let lines = if random.below(12) == 0 { 150 + random.below(200) } else { 4 + random.below(40) };
                let listing = quoted(&random.listing(lines));
                format!(
                    r#"{{"role":"user","content":[{{"tool_use_id":"toolu_{turn:024x}","type":"tool_result","content":{listing},"is_error":false}}]}}"#
                )
            }
        };
        size += message.len();
        out.push(message);
    }
    out
}

/// Many messages with nothing in them.
fn tiny(count: usize) -> Vec<String> {
    (0..count).map(|n| format!(r#"{{"role":"{}","content":"{n}"}}"#, ["user", "assistant"][n % 2])).collect()
}

fn recorded() -> Option<Vec<String>> {
    let folder = std::env::var_os("ANTIPHON_CORPUS")?;
    let mut out = Vec::new();
    for entry in std::fs::read_dir(std::path::Path::new(&folder).join("claude-code")).ok()? {
        let bytes = std::fs::read(entry.ok()?.path()).ok()?;
        for line in String::from_utf8_lossy(&bytes).lines() {
            #[derive(Deserialize)]
            struct Line<'a> {
                #[serde(borrow)]
                message: &'a RawValue,
            }
            if let Ok(line) = serde_json::from_str::<Line<'_>>(line)
                && serde_json::from_str::<Derived>(line.message.get()).is_ok()
            {
                out.push(line.message.get().to_owned());
            }
        }
    }
    Some(out)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(0.0, Duration::as_secs_f64)
}

/// Runs the candidates in turns and prints a line for each; the first is what the others are compared with.
fn compare(title: &str, bytes: usize, rounds: usize, candidates: &mut [(&str, &mut dyn FnMut())]) {
    let mut times = vec![Vec::new(); candidates.len()];
    for round in 0..=rounds {
        for (times, (_, run)) in times.iter_mut().zip(candidates.iter_mut()) {
            let start = ProcessTime::now();
            run();
            if round > 0 {
                times.push(start.elapsed());
            }
        }
    }
    println!("{title} ({:.1} MB)", bytes as f64 / 1e6);
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    for ((name, _), time) in candidates.iter().zip(&medians) {
        println!(
            "  {name:<34} {:>8.1} ms {:>7.0} MB/s   x{:.2}",
            time * 1e3,
            bytes as f64 / 1e6 / time,
            medians.first().map_or(0.0, |first| first / time)
        );
    }
}

fn measure(title: &str, lines: &[String], rounds: usize) {
    let bytes = lines.iter().map(String::len).sum();
    compare(
        &format!("{title}: read, each message dropped"),
        bytes,
        rounds,
        &mut [
            ("serde derive, tagged (loses data)", &mut || {
                for line in lines {
                    black_box(serde_json::from_str::<Derived>(line).ok());
                }
            }),
            ("Message::from_json", &mut || {
                for line in lines {
                    black_box(Message::from_json(line).ok());
                }
            }),
        ],
    );
    compare(
        &format!("{title}: read, all kept"),
        bytes,
        rounds,
        &mut [
            ("serde derive, tagged (loses data)", &mut || {
                black_box(
                    lines.iter().filter_map(|line| serde_json::from_str::<Derived>(line).ok()).collect::<Vec<_>>(),
                );
            }),
            ("Message::from_json", &mut || {
                black_box(lines.iter().filter_map(|line| Message::from_json(line).ok()).collect::<Vec<_>>());
            }),
        ],
    );
    compare(
        &format!("{title}: validate only"),
        bytes,
        rounds,
        &mut [
            ("serde_json RawValue", &mut || {
                for line in lines {
                    black_box(serde_json::from_str::<&RawValue>(line).ok());
                }
            }),
            ("Scanner::skip_value", &mut || {
                for line in lines {
                    black_box(Scanner::new(line).skip_value().ok());
                }
            }),
        ],
    );
    let derived: Vec<Derived> = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let ours: Vec<Message> = lines.iter().filter_map(|line| Message::from_json(line).ok()).collect();
    compare(
        &format!("{title}: write"),
        bytes,
        rounds,
        &mut [
            ("serde derive, tagged (loses data)", &mut || {
                for message in &derived {
                    black_box(serde_json::to_string(message).ok());
                }
            }),
            ("Message::to_json", &mut || {
                for message in &ours {
                    black_box(message.to_json());
                }
            }),
        ],
    );
}

fn main() {
    // `cargo test --benches` runs this too: then a smoke run is enough.
    let (size, rounds) = if std::env::args().any(|arg| arg == "--bench") { (50_000_000, 7) } else { (100_000, 1) };
    measure("generated log", &messages(size), rounds);
    measure("tiny messages", &tiny(size / 50), rounds);
    match recorded() {
        Some(lines) => measure("recorded messages", &lines, rounds * 3),
        None => println!("skipped: no corpus (set ANTIPHON_CORPUS)"),
    }
}
