//! Cases and what is expected of them, by the words of the cases' own README.

use std::collections::BTreeMap;
use std::path::PathBuf;

use antiphon_model::{Message, RawJson};
use serde_json::{Value, json};

use crate::support::{cases, files, value, wire};

/// One case.
pub(crate) struct Case {
    pub(crate) name: String,
    /// The file to run on: the case's own, or an expanded copy.
    pub(crate) file: PathBuf,
    pub(crate) expect: Value,
    /// Holds the expanded copy.
    _expanded: Option<tempfile::TempDir>,
}

impl Case {
    pub(crate) fn operation(&self) -> &str {
        self.expect["operation"].as_str().unwrap()
    }

    pub(crate) fn is_session(&self) -> bool {
        self.file.extension().is_some_and(|extension| extension == "jsonl")
    }

    /// Ids listed under a field.
    pub(crate) fn ids(&self, field: &str) -> Vec<String> {
        self.expect[field].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// Messages listed under a field.
    pub(crate) fn messages(&self, field: &str) -> Option<&Vec<Value>> {
        self.expect[field].as_array()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.file).unwrap()
    }

    /// The messages of the file before any repair, as the API would be sent them.
    pub(crate) fn input(&self) -> Vec<Value> {
        if self.is_session() {
            return recovered(&self.bytes()).iter().map(wire).collect();
        }
        messages_of(&self.bytes())
    }
}

/// Every conversation and session of the folder; streams and other dialects have tests of their own.
pub(crate) fn all() -> Vec<Case> {
    files(&cases()).into_iter().filter_map(case).collect()
}

fn case(path: PathBuf) -> Option<Case> {
    let name = path.file_name()?.to_str()?.to_owned();
    let kind = path.extension()?.to_str()?;
    let is_input = matches!(kind, "json" | "jsonl") && !path.file_stem()?.to_str()?.ends_with(".expect");
    let expect = path.with_extension("expect.json");
    if !is_input || !expect.exists() {
        return None;
    }
    let expect: Value = serde_json::from_slice(&std::fs::read(expect).unwrap()).unwrap();
    let operation = expect["operation"].as_str().unwrap();
    if matches!(operation, "convert" | "accumulate") {
        println!("skipped: {name} is for `{operation}`");
        return None;
    }
    if expect["needs_expand"] != true {
        return Some(Case { name, file: path, expect, _expanded: None });
    }
    let mut input: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let mut expect = expect;
    expand(&mut input);
    expand(&mut expect);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(&name);
    std::fs::write(&file, input.to_string()).unwrap();
    Some(Case { name, file, expect, _expanded: Some(folder) })
}

/// `{"$repeat": [s, n]}` is `s` written `n` times, `{"$concat": [x, y, …]}` joins strings.
fn expand(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(expand),
        Value::Object(members) => members.values_mut().for_each(expand),
        _ => {}
    }
    if let Some([Value::String(text), Value::Number(times)]) =
        value.get("$repeat").and_then(Value::as_array).map(Vec::as_slice)
    {
        let times = usize::try_from(times.as_u64().unwrap()).unwrap();
        *value = Value::String(text.repeat(times));
    } else if let Some(parts) = value.get("$concat").and_then(Value::as_array) {
        *value = Value::String(parts.iter().map(|part| part.as_str().unwrap()).collect());
    }
}

/// The messages of a JSON text, bare or in a request.
pub(crate) fn messages_of(bytes: &[u8]) -> Vec<Value> {
    let text = antiphon_model::json::decode_utf8(bytes);
    let raw = RawJson::parse(&text.text).unwrap();
    let all = value(raw.as_ref());
    let list = if all.is_array() { all } else { all["messages"].clone() };
    list.as_array().unwrap().clone()
}

/// The active conversation of a session file as it stands in it.
pub(crate) fn recovered(bytes: &[u8]) -> Vec<Message> {
    let log = antiphon_log::read(bytes);
    match antiphon_interop::detect(&log.entries) {
        Some(antiphon_interop::Dialect::ClaudeCode) => {
            antiphon_interop::claude_code::Session::new(&log).conversation().messages
        }
        _ => antiphon_interop::plain::conversation(&log).messages,
    }
}

/// Role and content alone; a string is one text block; a missing `is_error` is false.
fn normal(message: &Value) -> Value {
    let mut content = blocks(&message["content"]);
    for block in content.as_array_mut().into_iter().flatten() {
        if block["type"] == "tool_result" {
            block["content"] = blocks(&block["content"]);
            if block["is_error"].is_null() {
                block["is_error"] = json!(false);
            }
        }
    }
    json!({"role": message["role"], "content": content})
}

fn blocks(content: &Value) -> Value {
    match content {
        Value::String(text) if text != "<<any>>" => json!([{"type": "text", "text": text}]),
        Value::Null => json!([]),
        other => other.clone(),
    }
}

/// Whether `found` is what `wanted` asks for; `<<any>>` stands for any text that is not empty.
fn matches(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::String(any), found) if any == "<<any>>" => is_some_text(found),
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len() && wanted.iter().zip(found).all(|(w, f)| matches(w, f))
        }
        (Value::Object(wanted), Value::Object(found)) => {
            wanted.len() == found.len() && wanted.iter().all(|(key, w)| found.get(key).is_some_and(|f| matches(w, f)))
        }
        _ => wanted == found,
    }
}

fn is_some_text(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| item["type"] == "text" && is_some_text(&item["text"]))
        }
        _ => false,
    }
}

/// The first message that differs, if one does. In the messages of `order_free` results may stand in any order.
pub(crate) fn difference(wanted: &[Value], found: &[Value], order_free: &Value) -> Option<String> {
    if wanted.len() != found.len() {
        return Some(format!("{} messages wanted, {} found: {found:?}", wanted.len(), found.len()));
    }
    let free: Vec<u64> = order_free.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    wanted.iter().zip(found).enumerate().find_map(|(at, (wanted, found))| {
        let (mut wanted, mut found) = (normal(wanted), normal(found));
        if free.contains(&(at as u64)) {
            sort_results(&mut wanted);
            sort_results(&mut found);
        }
        (!matches(&wanted, &found)).then(|| format!("message {at}: wanted {wanted}\nfound {found}"))
    })
}

/// Results by their ids, other blocks behind them in their own order.
fn sort_results(message: &mut Value) {
    if let Some(blocks) = message["content"].as_array_mut() {
        blocks.sort_by_key(|block| match block["tool_use_id"].as_str() {
            Some(id) => (0, id.to_owned()),
            None => (1, String::new()),
        });
    }
}

/// How often each visible word stands in what users and the assistant said.
pub(crate) fn words(messages: &[Value]) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for message in messages {
        for block in blocks(&message["content"]).as_array().into_iter().flatten() {
            if block["type"] == "text" {
                for word in block["text"].as_str().unwrap_or_default().split_whitespace() {
                    *words.entry(word.to_owned()).or_default() += 1;
                }
            }
        }
    }
    words
}

/// Words of `before` that are not in `after` as often.
pub(crate) fn lost(before: &[Value], after: &[Value]) -> Vec<String> {
    let after = words(after);
    let kept = |word: &str| after.get(word).copied().unwrap_or(0);
    words(before).into_iter().filter(|(word, n)| kept(word) < *n).map(|(word, _)| word).collect()
}

#[test]
fn comparison_tells_right_from_wrong() {
    let wanted = [
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "is_error": true, "content": "<<any>>"}]}),
    ];
    let found = |content: Value, is_error: bool| {
        [
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "is_error": is_error, "content": content}]}),
        ]
    };
    assert_eq!(difference(&wanted, &found(json!("x"), true), &Value::Null), None);
    assert_eq!(difference(&wanted, &found(json!([{"type": "text", "text": "x"}]), true), &Value::Null), None);
    assert!(difference(&wanted, &found(json!(" "), true), &Value::Null).is_some());
    assert!(difference(&wanted, &found(json!([]), true), &Value::Null).is_some());
    assert!(difference(&wanted, &found(json!("x"), false), &Value::Null).is_some());
    assert!(difference(&wanted, &[], &Value::Null).is_some());
    let said = |content: Value| [json!({"role": "user", "content": content})];
    assert_eq!(difference(&said(json!("a")), &said(json!([{"type": "text", "text": "a"}])), &Value::Null), None);
    assert!(difference(&said(json!("a")), &said(json!("b")), &Value::Null).is_some());
    assert_eq!(lost(&said(json!("a b a")), &said(json!("b a"))), ["a"]);
    let mut macros = json!({"a": {"$concat": ["x", {"$repeat": ["ab", 3]}]}});
    expand(&mut macros);
    assert_eq!(macros, json!({"a": "xababab"}));
}
