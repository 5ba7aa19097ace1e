//! `antiphon stream`.

use std::io::{Read, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::expect::difference;
use crate::support::{cases, command, files, run, run_with_input};

const EVENTS: [&str; 5] = [
    r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":1}}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}"#,
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"ls","input":{}}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}}"#,
    r#"{"type":"message_stop"}"#,
];

fn body(events: &[&str]) -> String {
    events.iter().flat_map(|event| ["data: ", event, "\n\n"]).collect()
}

#[test]
fn every_stream_case_is_as_expected() {
    let mut seen = 0;
    for file in files(&cases()).into_iter().filter(|file| file.extension().is_some_and(|e| e == "sse")) {
        let expect: Value =
            serde_json::from_slice(&std::fs::read(file.with_extension("expect.json")).unwrap()).unwrap();
        let run = run(&["stream", file.to_str().unwrap(), "--format", "json"]);
        let out = run.json();
        let name = file.display();
        let valid = expect["valid"].as_bool().unwrap();
        if expect["valid_basis"] != "model-dependent" {
            assert_eq!(out["complete"], valid, "{name}: {out}");
            assert_eq!(run.code, Some(i32::from(!valid)), "{name}");
        }
        let found: Vec<&str> =
            out["findings"].as_array().unwrap().iter().map(|f| f["rule"].as_str().unwrap()).collect();
        for rule in expect["violations"].as_array().unwrap() {
            assert!(found.contains(&rule.as_str().unwrap()), "{name}: {found:?}");
        }
        if let Some(wanted) = expect["repaired"].as_array() {
            let message = json!({"role": out["message"]["role"], "content": out["message"]["content"]});
            assert_eq!(difference(wanted, &[message], &Value::Null), None, "{name}");
        }
        if let Some(wanted) = expect["message"].as_object() {
            assert_eq!(out["message"]["stop_reason"], wanted["stop_reason"], "{name}");
            for (key, value) in wanted.get("usage").and_then(Value::as_object).into_iter().flatten() {
                assert_eq!(&out["message"]["usage"][key], value, "{name}: {key}");
            }
        }
        seen += 1;
    }
    println!("{seen} stream cases");
}

#[test]
fn text_is_shown_while_the_pipe_is_open() {
    let mut child = command()
        .args(["stream", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(body(&EVENTS[..2]).as_bytes()).unwrap();
    stdin.flush().unwrap();
    // It stands on the screen before the stream has ended: this read would wait for ever otherwise.
    let mut shown = [0; 5];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut shown).unwrap();
    assert_eq!(&shown, b"Hello");
    drop(stdin);
    stdout.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "the message is not whole");
}

#[test]
fn a_call_that_did_not_finish_is_told_and_has_no_input() {
    let run = run_with_input(&["stream", "-", "--format", "json"], body(&EVENTS).as_bytes());
    let out = run.json();
    let mut keys: Vec<&String> = out.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["complete", "error", "findings", "message", "tool_calls"]);
    assert_eq!(
        out["tool_calls"],
        json!([{"id": "t1", "name": "ls", "input": null, "complete": false, "raw": "{\"path\":"}])
    );
    assert!(out["findings"].as_array().unwrap().iter().any(|f| f["rule"] == "tool-input-incomplete"), "{out}");
    for finding in out["findings"].as_array().unwrap() {
        let mut keys: Vec<&String> = finding.as_object().unwrap().keys().collect();
        keys.sort();
        assert_eq!(keys, ["fix", "message", "path", "rule", "severity"]);
    }
    assert_eq!(run.code, Some(1));
}

#[test]
fn events_are_one_update_a_line() {
    let run = run_with_input(&["stream", "-", "--events"], body(&EVENTS[..2]).as_bytes());
    let lines: Vec<Value> = run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.contains(&json!({"type": "text_chunk", "index": 0, "text": "Hello"})), "{lines:?}");
}

#[test]
fn what_is_no_stream_is_refused() {
    run_with_input(&["stream", "-"], b"").refuses(2, &["<stdin> is empty"]);
    run_with_input(&["stream", "-"], b"{\"role\":\"user\"}").refuses(2, &["no event"]);
    run(&["stream", "/nowhere/at/all.sse"]).refuses(2, &["/nowhere/at/all.sse"]);
    run_with_input(&["check", "-"], body(&EVENTS).as_bytes()).refuses(2, &["antiphon stream"]);
}
