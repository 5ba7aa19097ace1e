//! The stream cases as data: every `*.sse` with its `*.expect.json`, at every chunking. `testdata/cases/README.md`
//! says what the fields mean.
//!
//! `ANTIPHON_CASES` names another folder: the test is the same for cases nobody here has seen.

use std::path::{Path, PathBuf};

use antiphon_stream::{Collected, MessageDecoder, Update};
use serde_json::Value;

use crate::support::{CHUNKINGS, pieces};

fn folder() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    std::env::var_os("ANTIPHON_CASES").map_or_else(default, PathBuf::from)
}

fn cases() -> Vec<PathBuf> {
    let folder = folder();
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut cases: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "sse"))
        .collect();
    cases.sort();
    cases
}

/// Updates and outcome of a body in pieces of this size.
fn run(body: &[u8], size: usize) -> (Vec<Update>, Collected) {
    let mut decoder = MessageDecoder::new();
    let mut updates = Vec::new();
    for piece in pieces(body, size) {
        updates.extend(decoder.push(piece));
    }
    updates.extend(decoder.end());
    (updates, Collected::from_outcome(decoder.finish()))
}

/// The value with a string content as one text block, without `is_error: false`, and with only what a conversation
/// has of a message.
fn normal(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(normal).collect(),
        Value::Object(members) => {
            let is_message = members.contains_key("role");
            let keep = |key: &str, value: &Value| {
                if is_message {
                    ["role", "content"].contains(&key)
                } else {
                    !(key == "is_error" && value == &Value::Bool(false))
                }
            };
            let members = members.iter().filter(|(key, value)| keep(key, value)).map(|(key, value)| {
                let value = match value {
                    Value::String(text) if key == "content" && text != "<<any>>" => {
                        serde_json::json!([{ "type": "text", "text": text }])
                    }
                    other => normal(other),
                };
                (key.clone(), value)
            });
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

/// Equal, `<<any>>` standing for any text that is not empty, or a list of such text blocks.
fn matches(expected: &Value, got: &Value) -> bool {
    match (expected, got) {
        (Value::String(any), Value::String(text)) if any == "<<any>>" => !text.is_empty(),
        (Value::String(any), Value::Array(blocks)) if any == "<<any>>" => {
            !blocks.is_empty()
                && blocks
                    .iter()
                    .all(|block| block["type"] == "text" && block["text"].as_str().is_some_and(|text| !text.is_empty()))
        }
        (Value::Array(expected), Value::Array(got)) => {
            expected.len() == got.len() && expected.iter().zip(got).all(|(expected, got)| matches(expected, got))
        }
        (Value::Object(expected), Value::Object(got)) => {
            expected.len() == got.len()
                && expected.iter().all(|(key, expected)| got.get(key).is_some_and(|got| matches(expected, got)))
        }
        _ => expected == got,
    }
}

fn check(name: &str, body: &[u8], expect: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let (updates, whole) = run(body, 0);
    for size in CHUNKINGS {
        let (other_updates, other) = run(body, size);
        if other != whole || other_updates != updates {
            wrong.push(format!("{name}: pieces of {size} bytes give something else"));
        }
    }
    let message = whole.message.as_ref().map(|message| serde_json::from_str::<Value>(&message.to_json()).unwrap());
    if let (Some(valid), false) = (expect["valid"].as_bool(), expect["valid_basis"] == "model-dependent")
        && whole.complete != valid
    {
        wrong.push(format!("{name}: valid is {valid}, complete {}", whole.complete));
    }
    let ids = |key: &str| -> Vec<String> {
        expect[key].as_array().into_iter().flatten().filter_map(|id| id.as_str().map(str::to_owned)).collect()
    };
    let (violations, acceptable) = (ids("violations"), ids("also_acceptable_ids"));
    let found: Vec<_> = whole.rules().iter().map(|rule| rule.as_str()).collect();
    let stands_in =
        |id: &String| found.contains(&id.as_str()) || found.iter().any(|found| acceptable.iter().any(|id| id == found));
    for id in violations.iter().filter(|id| !stands_in(id)) {
        wrong.push(format!("{name}: {id} was not found, only {found:?}"));
    }
    if violations.is_empty() && !found.is_empty() && expect["valid"] == true {
        wrong.push(format!("{name}: found {found:?} where nothing is wrong"));
    }
    if let Some(repaired) = expect["repaired"].as_array() {
        let got: Value = message.iter().map(normal).collect();
        if !matches(&normal(&Value::Array(repaired.clone())), &got) {
            wrong.push(format!("{name}: the message is {got}"));
        }
    }
    if let Some(expected) = expect["message"].as_object() {
        let message = message.unwrap_or_default();
        if let Some(reason) = expected.get("stop_reason")
            && &message["stop_reason"] != reason
        {
            wrong.push(format!("{name}: stop_reason is {}", message["stop_reason"]));
        }
        for (key, tokens) in expected.get("usage").and_then(Value::as_object).into_iter().flatten() {
            if &message["usage"][key] != tokens {
                wrong.push(format!("{name}: usage.{key} is {}", message["usage"][key]));
            }
        }
    }
    wrong
}

#[test]
fn every_case_gives_what_its_expect_file_says() {
    let cases = cases();
    assert!(!cases.is_empty(), "no stream case in {}", folder().display());
    let mut wrong = Vec::new();
    for path in &cases {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expect: Value =
            serde_json::from_slice(&std::fs::read(path.with_extension("expect.json")).unwrap()).unwrap();
        wrong.extend(check(&name, &std::fs::read(path).unwrap(), &expect));
    }
    println!("{} stream cases", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The statements (`must_hold`) of the cases that `repaired` does not cover. Each looks for its case by name and
/// passes over a folder that does not have it.
mod statements {
    use super::{PathBuf, Value, folder, run};

    fn body(name: &str) -> Option<Vec<u8>> {
        let path: PathBuf = folder().join(name);
        path.exists().then(|| std::fs::read(path).unwrap())
    }

    fn content(body: &[u8]) -> Value {
        serde_json::from_str::<Value>(&run(body, 0).1.message.unwrap().to_json()).unwrap()["content"].clone()
    }

    #[test]
    fn a_body_cut_in_its_last_event_is_complete_in_content() {
        let Some(body) = body("31-no-blank-line-at-end.sse") else { return };
        let (_, collected) = run(&body[..body.len() - 5], 0);
        assert!(collected.complete && collected.error.is_none());
        assert_eq!(collected.text(), "All done.");
    }

    #[test]
    fn an_error_keeps_the_text_and_its_words() {
        let Some(body) = body("32-error-event-mid-stream.sse") else { return };
        let (_, collected) = run(&body, 0);
        let error = collected.error.as_ref().unwrap();
        assert_eq!((error.kind.as_str(), error.message.as_str()), ("overloaded_error", "Overloaded"));
        assert_eq!((collected.complete, collected.text().as_str()), (false, "The first part of the ans"));
        let message: Value = serde_json::from_str(&collected.message.unwrap().to_json()).unwrap();
        assert_eq!(message["stop_reason"], Value::Null);
    }

    #[test]
    fn unknown_blocks_stay_between_their_neighbours() {
        let Some(body) = body("35-unknown-events-and-blocks.sse") else { return };
        let content = content(&body);
        assert_eq!(content[0]["text"], "Known text.");
        assert_eq!(content[1], serde_json::json!({ "type": "hologram", "seed": 42 }));
        assert_eq!(content[2]["text"], "After.");
        assert_eq!(content[2]["citations"][0]["cited_text"], "A");
    }
}
