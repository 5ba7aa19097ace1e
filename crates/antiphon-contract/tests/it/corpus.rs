//! Recorded requests and answers, where the corpus is present.

use antiphon_contract::{Profile, check, diagnose};
use antiphon_model::{RawJson, RawRef, Request};
use std::path::PathBuf;

fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("ANTIPHON_CORPUS")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no corpus at {}", path.display());
    None
}

fn lines(path: &str) -> Vec<RawJson> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let text = std::fs::read_to_string(corpus.join(path)).unwrap();
    text.lines().filter(|l| !l.trim().is_empty()).map(|l| RawJson::parse(l).unwrap()).collect()
}

fn profile(host: &str, model: &str) -> Profile {
    let host = if host.contains("bedrock") {
        Profile::bedrock()
    } else if host.contains("googleapis") {
        Profile::google_cloud()
    } else {
        Profile::first_party()
    };
    host.with_model(model)
}

fn errors_of(record: &RawJson) -> Vec<String> {
    let text = |key: &str| record.member(key).and_then(RawRef::as_str).unwrap_or_default();
    let Some(raw) = record.member("request") else { return Vec::new() };
    let request = Request::from_json(raw.get()).unwrap();
    assert!(raw.equivalent(RawJson::parse(&request.to_json()).unwrap().as_ref()), "round trip of {}", text("source"));
    let model = request.model().unwrap_or_else(|| text("model")).into_owned();
    check(&request, &profile(&text("via"), &model))
        .into_iter()
        .filter(antiphon_contract::Finding::is_error)
        .map(|finding| format!("{finding} ({}, {model})", text("source")))
        .collect()
}

/// A false alarm is a fault.
fn no_false_alarms(path: &str) {
    let mut alarms = Vec::new();
    let records = lines(path);
    for record in &records {
        let refused = record.member("response").and_then(|r| r.member("type")).is_some_and(|t| t.is_str("error"));
        if !refused {
            alarms.extend(errors_of(record));
        }
    }
    println!("{path}: {} requests, {} false alarms", records.len(), alarms.len());
    assert!(alarms.is_empty(), "{}\n{}", alarms.len(), alarms.join("\n"));
}

#[test]
fn recorded_exchanges_pass() {
    no_false_alarms("conversations/anthropic-exchanges.jsonl");
}

#[test]
fn recorded_usage_pairs_pass() {
    no_false_alarms("usage-pairs/claude-usage-pairs.jsonl");
}

/// Recorded 4xx answers about the structure of messages lead to a rule, whoever the provider was.
#[test]
fn recorded_refusals_are_diagnosed() {
    // What such an answer speaks of. The rest is about keys, models, limits on parameters.
    let subjects = [
        "messages",
        "tools.",
        "contents",
        "prompt",
        "context",
        "tool output",
        "content block",
        "image",
        "file data",
        "role",
        "reasoning' was",
        "input token",
        "doesn't support the",
    ];
    let mut told = 0;
    for folder in ["sse-anthropic", "sse-openai", "sse-gemini"] {
        for record in lines(&format!("{folder}/http-errors.jsonl")) {
            if !matches!(record.member("status").and_then(RawRef::as_u64), Some(400 | 413 | 422)) {
                continue;
            }
            let Some(body) = record.member("body") else { continue };
            let text = body.as_str().map_or_else(|| body.get().to_owned(), std::borrow::Cow::into_owned);
            if !subjects.iter().any(|word| text.contains(word)) || NOT_STRUCTURE.iter().any(|word| text.contains(word))
            {
                continue;
            }
            let diagnosis = diagnose(&text).unwrap_or_else(|| panic!("no rule for {text}"));
            told += 1;
            println!("{}: {}", diagnosis.rule.id, diagnosis.text);
        }
    }
    println!("{told} recorded refusals are diagnosed");
    assert!(told > 20 || corpus().is_none());
}

/// Texts that name one of the subjects, but are about something else: what a model or an endpoint can do.
const NOT_STRUCTURE: &[&str] = &[
    "is not supported with",
    "JSON mode",
    "response modalities",
    "web_search_preview",
    "API key",
    "did not match schema",
];
