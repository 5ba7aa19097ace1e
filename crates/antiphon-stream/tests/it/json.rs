//! The incremental parser by itself.

use antiphon_stream::{JsonFault, JsonOptions, JsonStream, PartialValue, StreamError};

fn shown(text: &str) -> Option<String> {
    let mut json = JsonStream::new();
    json.push(text).unwrap();
    json.value().map(PartialValue::to_json)
}

fn fault(text: &str) -> (JsonFault, usize) {
    let mut json = JsonStream::new();
    match json.push(text).and_then(|()| json.finish().map(|_| ())) {
        Err(StreamError::Json { fault, offset }) => (fault, offset),
        other => panic!("{text:?} gave {other:?}"),
    }
}

#[test]
fn nothing_half_is_shown() {
    for (text, value) in [
        ("", None),
        ("  ", None),
        ("12", None),
        ("{", Some("{}")),
        (r#"{"ke"#, Some("{}")),
        (r#"{"key""#, Some("{}")),
        (r#"{"key":"#, Some("{}")),
        (r#"{"key":""#, Some(r#"{"key":""}"#)),
        (r#"{"key":"te"#, Some(r#"{"key":"te"}"#)),
        (r#"{"key":"te\"#, Some(r#"{"key":"te"}"#)),
        (r#"{"key":"te\u00e"#, Some(r#"{"key":"te"}"#)),
        (r#"{"key":"te\ud83d"#, Some(r#"{"key":"te"}"#)),
        (r#"{"key":"te\ud83d\ude0"#, Some(r#"{"key":"te"}"#)),
        (r#"{"key":"te\ud83d\ude00"#, Some(r#"{"key":"te😀"}"#)),
        (r#"{"key":tru"#, Some("{}")),
        (r#"{"key":true"#, Some(r#"{"key":true}"#)),
        (r#"{"key":-12.5e3"#, Some("{}")),
        (r#"{"key":-12.5e3,"#, Some(r#"{"key":-12.5e3}"#)),
        (r#"{"key":[1,"#, Some(r#"{"key":[1]}"#)),
        (r#"{"key":[1,[],{"#, Some(r#"{"key":[1,[],{}]}"#)),
    ] {
        assert_eq!(shown(text).as_deref(), value, "{text}");
    }
}

#[test]
fn spelling_and_order_are_kept() {
    let text = r#"{"z":1.10,"a":123456789012345678901234567890,"z":-0}"#;
    assert_eq!(shown(text).as_deref(), Some(text));
    let mut json = JsonStream::new();
    json.push(text).unwrap();
    assert_eq!(json.value().unwrap().get("z"), Some(&PartialValue::Number("-0".into())));
}

#[test]
fn faults_have_a_place() {
    assert_eq!(fault("{]"), (JsonFault::Unexpected { found: b']' }, 1));
    assert_eq!(fault("[1 2]"), (JsonFault::Unexpected { found: b'2' }, 3));
    assert_eq!(fault("[01]"), (JsonFault::BadNumber, 3));
    assert_eq!(fault("[1.]"), (JsonFault::BadNumber, 3));
    assert_eq!(fault("[trux]"), (JsonFault::Unexpected { found: b'x' }, 4));
    assert_eq!(fault("\"a\nb\""), (JsonFault::ControlCharacter { found: b'\n' }, 2));
    assert_eq!(fault(r#""\x""#), (JsonFault::BadEscape, 2));
    assert_eq!(fault(r#""\u00g0""#), (JsonFault::BadEscape, 5));
    assert_eq!(fault("{} x"), (JsonFault::Unexpected { found: b'x' }, 3));
    assert_eq!(fault("[1,]"), (JsonFault::Unexpected { found: b']' }, 3));
    assert_eq!(fault("{\"a\":1,}"), (JsonFault::Unexpected { found: b'}' }, 7));
    assert_eq!(fault("[1"), (JsonFault::UnexpectedEnd, 2));
    assert_eq!(fault("\"abc"), (JsonFault::UnexpectedEnd, 4));
    assert_eq!(fault(""), (JsonFault::UnexpectedEnd, 0));
    assert_eq!(fault("1e"), (JsonFault::BadNumber, 2));
}

#[test]
fn a_fault_is_lasting_and_takes_nothing_back() {
    let mut json = JsonStream::new();
    json.push(r#"{"a":"b","#).unwrap();
    for _ in 0..3 {
        assert!(matches!(json.push("oops"), Err(StreamError::Json { offset: 9, .. })));
        assert!(matches!(json.finish(), Err(StreamError::Json { offset: 9, .. })));
    }
    assert_eq!(json.value().unwrap().to_json(), r#"{"a":"b"}"#);
    assert!(!json.is_complete());
}

#[test]
fn a_number_at_the_top_ends_with_the_text() {
    let mut json = JsonStream::new();
    json.push("4").unwrap();
    json.push("2").unwrap();
    assert!(json.value().is_none() && !json.is_complete());
    assert_eq!(json.finish().unwrap(), &PartialValue::Number("42".into()));
}

#[test]
fn half_a_surrogate_pair_is_replaced_and_counted() {
    for (text, value, count) in [
        (r#""\ud83d!""#, "\u{FFFD}!", 1),
        (r#""\ud83d\n""#, "\u{FFFD}\n", 1),
        (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀", 1),
        (r#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}", 2),
        (r#""\ud83dA""#, "\u{FFFD}A", 1),
    ] {
        let mut json = JsonStream::new();
        json.push(text).unwrap();
        assert_eq!(json.value().unwrap().as_str(), Some(value), "{text}");
        assert_eq!(json.lone_surrogates(), count);
    }
}

#[test]
fn limits_hold() {
    let mut json = JsonStream::with_options(JsonOptions::default().with_max_depth(3));
    let error = json.push("[[[[").unwrap_err();
    assert_eq!(error.to_string(), "nesting deeper than max_depth = 3 at byte 3 of the JSON text");
    let mut json = JsonStream::with_options(JsonOptions::default().with_max_bytes(10));
    json.push("\"12345").unwrap();
    let error = json.push("67890").unwrap_err();
    assert_eq!(error.to_string(), "more than max_bytes = 10 bytes of text at byte 6 of the JSON text");
}

#[test]
fn pointers_escape_their_parts() {
    let mut paths = Vec::new();
    JsonStream::new().push_with(r#"{"a/b~c":[{"":1}]}"#, |event| paths.push(event.path.to_owned())).unwrap();
    assert_eq!(paths, ["", "/a~1b~0c", "/a~1b~0c/0", "/a~1b~0c/0/", "/a~1b~0c/0", "/a~1b~0c", ""]);
    let mut json = JsonStream::new();
    json.push(r#"{"a/b~c":[{"":1}]}"#).unwrap();
    assert_eq!(json.value().unwrap().pointer("/a~1b~0c/0/"), Some(&PartialValue::Number("1".into())));
    assert_eq!(json.value().unwrap().pointer("/a~1b~0c/1"), None);
}

/// A parser that reads again from the start for every piece would go through 130 GB here.
#[test]
fn tool_input_in_small_pieces_is_linear() {
    let row = r#"{"path":"src/lib.rs","old":"let x = 1;\n","new":"let x = 2;\n","line":12},"#;
    let text = format!("{{\"edits\":[{}null]}}", row.repeat((2 << 20) / row.len()));
    let mut json = JsonStream::new();
    for piece in crate::support::text_pieces(&text, 16) {
        json.push(piece).unwrap();
        assert!(json.value().is_some());
    }
    assert!(json.is_complete());
}
