//! The incremental parser against serde_json (whole texts) and jiter (every prefix).

use antiphon_stream::testkit::extends;
use antiphon_stream::{JsonStream, JsonWhat, PartialValue};
use jiter::{JsonValue, PartialMode};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::text_pieces;

fn to_serde(value: &PartialValue) -> Value {
    serde_json::from_str(&value.to_json()).unwrap()
}

fn to_ours(value: &JsonValue<'_>) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => (*value).into(),
        JsonValue::Int(value) => (*value).into(),
        JsonValue::BigInt(value) => serde_json::from_str(&value.to_string()).unwrap(),
        JsonValue::Float(value) => (*value).into(),
        JsonValue::Str(text) => Value::String(text.to_string()),
        JsonValue::Array(elements) => elements.iter().map(to_ours).collect(),
        JsonValue::Object(members) => members.iter().map(|(key, value)| (key.to_string(), to_ours(value))).collect(),
    }
}

/// Drops what jiter's partial mode shows and we do not: a number that may still go on. In `[1, 2` it shows the 2.
fn without_open_number(mut value: Value, prefix: &str) -> Value {
    fn drop_last(value: &mut Value) -> bool {
        match value {
            Value::Array(elements) => match elements.last_mut() {
                Some(Value::Number(_)) => elements.pop().is_some(),
                Some(last) => drop_last(last),
                None => false,
            },
            // The order of members is not known to serde_json: the caller makes sure that there is one at most.
            Value::Object(members) => match members.iter_mut().next() {
                Some((key, Value::Number(_))) => {
                    let key = key.clone();
                    members.remove(&key).is_some()
                }
                Some((_, last)) => drop_last(last),
                None => false,
            },
            _ => false,
        }
    }
    if prefix.ends_with(|c: char| c.is_ascii_digit()) {
        drop_last(&mut value);
    }
    value
}

/// JSON with objects of one member at most, see `without_open_number`.
fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![Just(String::new()), "[a-z\"\\\\\n\u{1}é世😀/ ]{0,12}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i32>().prop_map(|n| Value::from(f64::from(n) / 8.0)),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::option::of((text.clone(), inner)).prop_map(|member| Value::Object(member.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn equals_serde_json_at_the_end_and_never_retracts(value in json(), pretty in any::<bool>(), size in 1usize..20) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let mut json = JsonStream::new();
        let mut before: Option<PartialValue> = None;
        let mut told = String::new();
        for piece in text_pieces(&text, size) {
            json.push_with(piece, |event| if let JsonWhat::StringChunk(chunk) = event.what { told.push_str(chunk) }).unwrap();
            if let Some(before) = &before {
                prop_assert!(extends(before, json.value().unwrap(), true), "{before:?} -> {:?}", json.value());
            }
            before = json.value().cloned();
        }
        let whole = json.finish().unwrap();
        prop_assert_eq!(to_serde(whole), value);
        // The events hold every text there is, in order.
        let mut texts = String::new();
        collect_texts(whole, &mut texts);
        prop_assert_eq!(told, texts);
    }

    #[test]
    fn pieces_do_not_matter(value in json(), size in 1usize..20) {
        let text = value.to_string();
        let (mut one, mut many) = (JsonStream::new(), JsonStream::new());
        one.push(&text).unwrap();
        for piece in text_pieces(&text, size) {
            many.push(piece).unwrap();
        }
        prop_assert_eq!(one.value(), many.value());
    }

    /// The stated differences: jiter shows a number that may still go on, and refuses half a surrogate pair.
    #[test]
    fn agrees_with_jiter_at_every_prefix(value in json()) {
        let text = value.to_string();
        for (end, _) in text.char_indices().skip(1) {
            let prefix = &text[..end];
            let mut json = JsonStream::new();
            json.push(prefix).unwrap();
            let theirs = JsonValue::parse_with_config(prefix.as_bytes(), false, PartialMode::TrailingStrings);
            match (json.value(), theirs) {
                (Some(ours), Ok(theirs)) => prop_assert_eq!(to_serde(ours), without_open_number(to_ours(&theirs), prefix), "{}", prefix),
                (None, Ok(JsonValue::Int(_) | JsonValue::Float(_) | JsonValue::BigInt(_)) | Err(_)) => {}
                (ours, theirs) => prop_assert!(false, "{prefix}: ours {ours:?}, theirs {theirs:?}"),
            }
        }
    }

    /// On any text at all: accepted exactly where serde_json accepts it, but for what the docs state (half surrogate
    /// pairs, depth).
    #[test]
    fn accepts_what_serde_json_accepts(text in "[\\[\\]{}:,\"\\\\0-9.eE+\\-ntrufalsd8 \n\u{1}]{0,24}") {
        let mut json = JsonStream::new();
        let ours = json.push(&text).and_then(|()| json.finish().cloned());
        let theirs = serde_json::from_str::<Value>(&text);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(to_serde(&ours), theirs),
            (Err(_), Err(_)) => {}
            (Ok(ours), Err(error)) => prop_assert!(json.lone_surrogates() > 0 || error.to_string().contains("out of range"), "{text}: {ours:?} against {error}"),
            (Err(error), Ok(theirs)) => prop_assert!(false, "{text}: {error} against {theirs:?}"),
        }
    }
}

fn collect_texts(value: &PartialValue, out: &mut String) {
    match value {
        PartialValue::String(text) => out.push_str(text),
        PartialValue::Array(elements) => elements.iter().for_each(|element| collect_texts(element, out)),
        PartialValue::Object(members) => members.iter().for_each(|(_, value)| collect_texts(value, out)),
        _ => {}
    }
}
