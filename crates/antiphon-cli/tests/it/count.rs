//! `antiphon count`.

use serde_json::{Value, json};

use crate::expect;
use crate::support::{run, run_with_input};

fn count(args: &[&str], input: &str) -> Value {
    let mut all = vec!["count", "-", "--format", "json"];
    all.extend(args);
    let run = run_with_input(&all, input.as_bytes());
    assert_eq!(run.code, Some(0), "{run:?}");
    run.json()
}

fn user(text: &str) -> String {
    json!([{"role": "user", "content": text}]).to_string()
}

#[test]
fn every_case_of_counting_is_in_its_range() {
    let mut counted = 0;
    for case in expect::all().iter().filter(|case| case.operation() == "count") {
        let Some(range) = case.expect["count_range"].as_array() else { continue };
        for counter in ["heuristic", "claude"] {
            let out = count(&["--counter", counter], &String::from_utf8(case.bytes()).unwrap());
            let likely = out["likely"].as_u64().unwrap();
            assert!(
                (range[0].as_u64().unwrap()..=range[1].as_u64().unwrap()).contains(&likely),
                "{}: {out}",
                case.name
            );
        }
        counted += 1;
    }
    println!("{counted} cases of counting");
}

#[test]
fn the_parts_add_up_and_the_figures_stand_in_order() {
    let request = r#"{"model":"claude-sonnet-4-5","system":"Be brief.","tools":[{"name":"f","description":"does f",
        "input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"Count this, please."},
        {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{"a":1}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one two three"}]}]}"#;
    for counter in ["quick", "heuristic", "o200k", "cl100k", "claude"] {
        let out = count(&["--counter", counter], request);
        let number = |value: &Value| value.as_u64().unwrap();
        let messages: u64 = out["messages"].as_array().unwrap().iter().map(|m| number(&m["likely"])).sum();
        let sum = number(&out["overhead"]) + number(&out["system"]) + number(&out["tools"]) + messages;
        assert_eq!(number(&out["likely"]), sum, "{out}");
        assert!(
            out["low"].as_u64() <= out["likely"].as_u64() && out["likely"].as_u64() <= out["high"].as_u64(),
            "{out}"
        );
        assert_eq!(out["counter"], counter);
        assert_eq!(out["messages"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn counting_is_in_proportion() {
    let words = "lorem ipsum dolor sit amet ".repeat(15);
    let (once, twice) = (count(&[], &user(&words)), count(&[], &user(&words.repeat(2))));
    let (once, twice) = (once["likely"].as_u64().unwrap(), twice["likely"].as_u64().unwrap());
    assert!((60..=200).contains(&once), "{once} tokens for 400 letters");
    assert!(twice.abs_diff(2 * once) * 10 <= 2 * once, "{once} once, {twice} twice");
}

#[test]
fn usage_is_counted_once_for_each_answer() {
    let line = |uuid: &str, parent: &str, block: &str, out: u64| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","parentUuid":"{parent}","message":{{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{block}],"usage":{{"input_tokens":100,"cache_read_input_tokens":900,"output_tokens":{out}}}}}}}"#
        )
    };
    let session = [
        r#"{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"go"}}"#.to_owned(),
        line("b", "a", r#"{"type":"text","text":"one"}"#, 3),
        line("c", "b", r#"{"type":"text","text":"two"}"#, 40),
    ]
    .join("\n");
    let out = count(&[], &format!("{session}\n"));
    assert_eq!(
        out["usage"],
        json!({"answers": 1, "input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 900, "output_tokens": 40})
    );
    let next = out["next_request"]["likely"].as_u64().unwrap();
    assert!((1000..1100).contains(&next), "{out}");
}

#[test]
fn people_get_a_table_with_bars() {
    let session = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/sessions/interrupted.jsonl");
    let run = run(&["count", session]);
    assert_eq!(run.code, Some(0), "{run:?}");
    for part in ["tool results", "total", "▇", "largest messages", "reported by 2 answers", "next request"] {
        assert!(run.text().contains(part), "{part} is not in {}", run.text());
    }
}

#[cfg(not(feature = "api"))]
#[test]
fn a_build_without_a_client_says_so() {
    run_with_input(&["count", "-", "--counter", "api"], user("hi").as_bytes()).refuses(2, &["--features api"]);
}
