//! Medians and ratios against the yardsticks: `cargo xtask bench --ratios`.
//!
//! The last column is how many times the yardstick's speed; above 1 is faster. Times are CPU times of this process, so
//! that another one's work on the same machine does not show.

use antiphon_benches::derived::{self, flattened};
use antiphon_benches::generate::{Shape, claude_code_log, describe, message_array};
use antiphon_benches::measure::{Contender, interleaved, sizes};
use antiphon_benches::unlimited;
use antiphon_contract::check;
use antiphon_model::{Message, Request};
use antiphon_transform::{Conversation, Merge, Repair, Transform};

const DERIVE: &str = "serde_json, derived enum (loses data)";
const CLONE: &str = "a clone of the messages";

fn main() {
    if cfg!(debug_assertions) {
        println!("(not optimised: this shows that all runs; the figures mean nothing)\n");
    }
    for messages in sizes(&[1_000, 10_000, 100_000]) {
        let rounds = (200_000 / messages.max(1)).clamp(5, 31);
        println!("== {messages} messages, median of {rounds} rounds, CPU time");
        println!("   input: {}\n", describe(&claude_code_log(messages, Shape::Whole)));
        load_array(messages, rounds);
        load_log(messages, rounds);
        check_request(messages, rounds);
        transforms(messages, rounds);
    }
}

fn load_array(messages: usize, rounds: usize) {
    let text = message_array(messages, Shape::Whole);
    let medians = interleaved(
        rounds,
        &mut [
            Contender::new("antiphon, Request::from_messages_json", || {
                Request::from_messages_json(&text).map_err(drop)
            }),
            Contender::new("antiphon through serde, Vec<Message>", || {
                serde_json::from_str::<Vec<Message>>(&text).map_err(drop)
            }),
            Contender::new(DERIVE, || serde_json::from_str::<Vec<derived::Message>>(&text).map_err(drop)),
            Contender::new("serde_json, derive with flatten", || {
                serde_json::from_str::<Vec<flattened::Message>>(&text).map_err(drop)
            }),
            Contender::new("serde_json, Value", || serde_json::from_str::<serde_json::Value>(&text).map_err(drop)),
        ],
    );
    println!("{}", medians.table("load a message array", Some(text.len()), DERIVE));
}

fn load_log(messages: usize, rounds: usize) {
    let text = claude_code_log(messages, Shape::Whole);
    let medians = interleaved(
        rounds,
        &mut [
            Contender::new("antiphon, entries and messages", || {
                let log = antiphon_log::read(text.as_bytes());
                let read = log.entries.iter().filter(|entry| entry.message().is_some()).count();
                assert_eq!(read, messages);
                log
            }),
            Contender::new("antiphon, entries and messages in one pass", || {
                let options = antiphon_log::ReaderOptions::default().with_messages(true);
                antiphon_log::read_with(text.as_bytes(), options)
            }),
            Contender::new("antiphon, entries (messages when asked for)", || antiphon_log::read(text.as_bytes())),
            Contender::new("antiphon, 64 KB pieces, each entry dropped", || {
                let mut reader = antiphon_log::Reader::default();
                let mut read = 0;
                for piece in text.as_bytes().chunks(64 << 10) {
                    reader.push(piece);
                    read += reader.drain().filter(|entry| entry.message().is_some()).count();
                }
                assert_eq!(read, messages);
                reader.finish()
            }),
            Contender::new(DERIVE, || {
                text.lines().map(serde_json::from_str::<derived::Record>).collect::<Result<Vec<_>, _>>().map_err(drop)
            }),
            Contender::new("serde_json, Value", || {
                text.lines().map(serde_json::from_str::<serde_json::Value>).collect::<Result<Vec<_>, _>>().map_err(drop)
            }),
        ],
    );
    println!("{}", medians.table("load a Claude Code log", Some(text.len()), DERIVE));
}

/// The yardstick: what it costs to have the messages at all.
fn check_request(messages: usize, rounds: usize) {
    let profile = unlimited();
    for (shape, title) in [(Shape::Whole, "check, nothing to find"), (Shape::Broken, "check, much to find")] {
        let text = message_array(messages, shape);
        let request = request(&text);
        let medians = interleaved(
            rounds,
            &mut [
                Contender::new("antiphon, check", || check(&request, &profile)),
                Contender::new(DERIVE, || serde_json::from_str::<Vec<derived::Message>>(&text).map_err(drop)),
            ],
        );
        println!("{}", medians.table(title, Some(text.len()), DERIVE));
    }
}

/// The yardstick: a clone, since a transform moves what it does not change.
fn transforms(messages: usize, rounds: usize) {
    let repair = Repair::new(unlimited());
    let tasks: [(&str, Shape, &dyn Transform); 4] = [
        ("repair, much to do", Shape::Broken, &repair),
        ("repair, nothing to do", Shape::Whole, &repair),
        ("merge, runs of one role", Shape::Runs, &Merge::default()),
        ("merge, nothing to do", Shape::Whole, &Merge::default()),
    ];
    for (title, shape, transform) in tasks {
        let text = message_array(messages, shape);
        let request = request(&text);
        if let Err(error) = transform.apply(&mut Conversation::new(request.clone())) {
            println!("{title}: not measured, {error}\n");
            continue;
        }
        let medians = interleaved(
            rounds,
            &mut [
                Contender::with(
                    "antiphon, in place",
                    || Conversation::new(request.clone()),
                    |mut conversation| (transform.apply(&mut conversation).map_err(drop), conversation),
                ),
                Contender::new(CLONE, || request.clone()),
                Contender::new(DERIVE, || serde_json::from_str::<Vec<derived::Message>>(&text).map_err(drop)),
            ],
        );
        println!("{}", medians.table(title, Some(text.len()), CLONE));
    }
}

fn request(text: &str) -> Request {
    Request::new(serde_json::from_str::<Vec<Message>>(text).unwrap_or_default())
}
