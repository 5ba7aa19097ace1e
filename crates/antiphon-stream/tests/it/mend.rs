//! Mending broken JSON.

use antiphon_stream::{MendingKind, StreamError, mend_json};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn what_is_open_is_closed_and_what_is_half_is_dropped() {
    use MendingKind::{
        ClosedArray, ClosedObject, ClosedString, DroppedComma, DroppedEscape, DroppedKey, DroppedRest, DroppedScalar,
        EscapedBackslash, EscapedControl,
    };
    let table: &[(&str, &str, &[MendingKind])] = &[
        (r#"{"a":1}"#, r#"{"a":1}"#, &[]),
        (r#" {"a" : [ ] } "#, r#"{"a" : [ ] }"#, &[]),
        (r#"{"a":"b"#, r#"{"a":"b"}"#, &[ClosedString, ClosedObject]),
        (r#"{"a":"b\"#, r#"{"a":"b"}"#, &[DroppedEscape, ClosedString, ClosedObject]),
        (r#"{"a":"b\u00"#, r#"{"a":"b"}"#, &[DroppedEscape, ClosedString, ClosedObject]),
        (r#"{"a":"b\ud83d"#, r#"{"a":"b"}"#, &[DroppedEscape, ClosedString, ClosedObject]),
        (r#"{"a":"b\ud83d\ude"#, r#"{"a":"b"}"#, &[DroppedEscape, ClosedString, ClosedObject]),
        (r#"{"a":[1,23"#, r#"{"a":[1]}"#, &[DroppedScalar, DroppedComma, ClosedArray, ClosedObject]),
        (r#"{"a":true,"b":fal"#, r#"{"a":true}"#, &[DroppedScalar, DroppedKey, ClosedObject]),
        (r#"{"a":1,"b":"#, r#"{"a":1}"#, &[DroppedKey, ClosedObject]),
        (r#"{"a":1,"b"#, r#"{"a":1}"#, &[DroppedKey, ClosedObject]),
        (r#"{"a":1,"#, r#"{"a":1}"#, &[DroppedComma, ClosedObject]),
        ("[1,]", "[1]", &[DroppedComma]),
        (r#"{"a":1,}"#, r#"{"a":1}"#, &[DroppedComma]),
        ("{\"a\":\"x\ty\\q\"}", r#"{"a":"x\u0009y\\q"}"#, &[EscapedControl, EscapedBackslash]),
        (r#"{"a":1} and more"#, r#"{"a":1}"#, &[DroppedRest]),
        (r#"{"a":1 "b":2}"#, r#"{"a":1}"#, &[DroppedRest, ClosedObject]),
        (r#"{"a":[1}"#, r#"{"a":[1]}"#, &[DroppedRest, ClosedArray, ClosedObject]),
        ("[\"a\\", "[\"a\"]", &[DroppedEscape, ClosedString, ClosedArray]),
    ];
    for (text, mended, kinds) in table {
        let got = mend_json(text).unwrap();
        let got_kinds: Vec<_> = got.changes().iter().map(|change| change.kind).collect();
        assert_eq!((got.display().get().trim_end(), got_kinds.as_slice()), (*mended, *kinds), "{text}");
    }
}

#[test]
fn no_value_is_made_from_nothing() {
    for text in ["", "  ", "hello", "tru", "12", "]", ",", "'a'"] {
        assert!(matches!(mend_json(text), Err(StreamError::Unrepairable { .. })), "{text}");
    }
    assert!(matches!(mend_json(&"[".repeat(5000)), Err(StreamError::Json { .. })));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z\"\\\\\n😀]{0,6}".prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c]{1,2}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Any prefix mends to what the incremental parser shows of it, or has no value at all; a whole text is left alone.
    #[test]
    fn a_prefix_mends_to_what_is_certain(value in value()) {
        let text = json!([value]).to_string();
        for (end, _) in text.char_indices().skip(1) {
            let mended = mend_json(&text[..end]).unwrap();
            prop_assert!(!mended.changes().is_empty());
            let mut stream = antiphon_stream::JsonStream::new();
            stream.push(&text[..end]).unwrap();
            let shown: Value = serde_json::from_str(&stream.value().unwrap().to_json()).unwrap();
            prop_assert_eq!(serde_json::from_str::<Value>(mended.display().get()).unwrap(), shown, "{}", &text[..end]);
        }
        let whole = mend_json(&text).unwrap();
        prop_assert!(whole.changes().is_empty());
        prop_assert_eq!(whole.display().get(), text);
    }

    #[test]
    fn any_text_gives_json_or_an_error(text in "[\\[\\]{}:,\"\\\\0-9.eE+\\-ntrufalsd8 \n\u{1}é]{0,40}") {
        if let Ok(mended) = mend_json(&text) {
            prop_assert!(mended.display().get().len() <= 6 * text.len() + 8);
        }
    }
}
