//! Input made to hurt: depth, size, repetition.

use antiphon_model::json::MAX_DEPTH;
use antiphon_model::{ContentBlock, JsonErrorKind, Message, RawJson, RawRef, Request};

/// Runs on a stack so small that recursion without a bound would not survive.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(512 * 1024).spawn(run).unwrap().join().unwrap();
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + inner + &close.repeat(depth)
}

#[test]
fn deep_nesting_is_an_error_with_its_place() {
    on_a_small_stack(|| {
        for depth in [MAX_DEPTH + 1, 10_000, 1_000_000] {
            for (open, inner, close) in
                [("[", "1", "]"), ("{\"a\":", "1", "}"), ("[", "", ""), ("{\"content\":[", "1", "]}")]
            {
                let text = nested(open, inner, close, depth);
                let error = RawRef::parse(&text).unwrap_err();
                assert_eq!(error.kind(), &JsonErrorKind::TooDeep);
                assert!(error.offset() <= (MAX_DEPTH + 1) * open.len());
                assert!(error.to_string().starts_with("nested deeper than 1024 levels at line 1 column "), "{error}");
                for prefix in [r#"{"role":"user","content":"#, r#"{"role":"tool_use","id":"a","name":"b","input":"#] {
                    let message = format!("{prefix}{text}}}");
                    let error = Message::from_json(&message).unwrap_err();
                    assert_eq!(error.kind(), &JsonErrorKind::TooDeep);
                    let request = format!(r#"{{"messages":[{message}]}}"#);
                    assert_eq!(Request::from_json(&request).unwrap_err().kind(), &JsonErrorKind::TooDeep);
                    assert_eq!(ContentBlock::from_json(&message).unwrap_err().kind(), &JsonErrorKind::TooDeep);
                    assert!(serde_json::from_str::<Message>(&message).is_err());
                    assert!(serde_json::from_str::<RawJson>(&message).is_err());
                }
            }
        }
    });
}

#[test]
fn the_limit_is_the_same_however_it_is_read() {
    on_a_small_stack(|| {
        for depth in MAX_DEPTH - 4..MAX_DEPTH + 4 {
            let input = nested("[", "0", "]", depth - 3);
            let text = format!(
                r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"b","input":{input}}}]}}"#
            );
            let fits = depth <= MAX_DEPTH;
            assert_eq!(RawRef::parse(&text).is_ok(), fits, "{depth}");
            assert_eq!(Message::from_json(&text).is_ok(), fits, "{depth}");
            if fits {
                let message = Message::from_json(&text).unwrap();
                assert_eq!(message.to_json(), text);
                let raw = RawJson::parse(&text).unwrap();
                let spaced = RawJson::parse(&text.replace(":[", ": [")).unwrap();
                assert!(raw.as_ref().equivalent(spaced.as_ref()));
            }
        }
    });
}

#[test]
fn what_is_serialised_is_held_to_the_limit_too() {
    let deep = serde_json::value::RawValue::from_string(nested("[", "0", "]", MAX_DEPTH + 1)).unwrap();
    assert_eq!(RawJson::from_serialize(&deep).unwrap_err().kind(), &JsonErrorKind::TooDeep);
    assert!(antiphon_model::ToolUse::new("a", "b", &deep).is_err());
}

#[test]
fn blocks_in_blocks_in_blocks() {
    on_a_small_stack(|| {
        // Each level is two levels of JSON; all of it stays, whether as typed blocks or raw.
        for depth in [1, 7, 8, 9, 40, 500] {
            let text = nested(
                r#"{"type":"tool_result","tool_use_id":"t","content":["#,
                r#"{"type":"text","text":"x"}"#,
                "]}",
                depth,
            );
            let message = format!(r#"{{"role":"user","content":[{text}]}}"#);
            let read = Message::from_json(&message).unwrap();
            assert_eq!(read.to_json(), message);
            assert!(read.walk().count() <= 9, "typed blocks nest eight deep");
            drop(read.clone());
        }
    });
}

#[test]
fn hand_made_depth_is_walked_as_well() {
    let mut block = ContentBlock::text("x");
    for _ in 0..50 {
        block = antiphon_model::ToolResult::with_content("t", block, false).into();
    }
    let message = Message::user_blocks(vec![block, ContentBlock::text("y")]);
    let depths: Vec<usize> = message.walk().map(|item| item.depth).collect();
    assert_eq!(depths, (0..=50).chain([0]).collect::<Vec<_>>());
}

#[test]
fn a_million_of_everything() {
    const N: usize = 1_000_000;
    let messages = vec![r#"{"role":"user","content":"a"}"#; N].join(",");
    let request = Request::from_messages_json(&format!("[{messages}]")).unwrap();
    assert_eq!(request.messages.len(), N);
    drop(request);

    let members: Vec<String> = (0..N).map(|n| format!("\"k{n}\":{n}")).collect();
    let object = format!(r#"{{"role":"user","content":"x",{}}}"#, members.join(","));
    let message = Message::from_json(&object).unwrap();
    assert!(matches!(message, Message::Other(_)), "more members than any message has: kept whole");
    assert_eq!(message.role_name(), "user");
    assert_eq!(message.to_json(), object);
    let error = Request::from_json(&format!(r#"{{"messages":[],{}}}"#, members.join(","))).unwrap_err();
    assert_eq!(error.to_string(), "expected a request with at most 250 parameters at line 1 column 1");

    let blocks = vec![r#"{"type":"text","text":""}"#; N].join(",");
    let message = Message::from_json(&format!(r#"{{"role":"user","content":[{blocks}]}}"#)).unwrap();
    assert_eq!(message.blocks().len(), N);

    let extra: antiphon_model::Extra = (0..N).map(|n| (format!("k{n}"), RawJson::null())).collect();
    assert_eq!(extra.iter().count(), N);
}

#[test]
fn long_strings_and_ids() {
    let id = "x".repeat(1_000_000);
    let text = format!(r#"{{"role":"tool_use","id":"{id}","name":"n","input":{{}}}}"#);
    assert_eq!(Message::from_json(&text).unwrap().to_json(), text);
    let escapes = "\\u0041\\n\\\\".repeat(300_000);
    let message = Message::from_json(&format!(r#"{{"role":"user","content":"{escapes}"}}"#)).unwrap();
    assert_eq!(message.text(), "A\n\\".repeat(300_000));
    let halves = "\\ud83d".repeat(300_000);
    let text = format!(r#"{{"role":"user","content":"{halves}"}}"#);
    assert_eq!(Message::from_json(&text).unwrap().to_json(), text);
    assert_eq!(RawRef::parse(&text).unwrap().lone_surrogates().count(), 300_000);
}

#[test]
fn torn_messages_end_too_early() {
    let text = r#"{"role":"user","content":[{"type":"text","text":"a\u00e9\n","n":-1.5e+3,"t":true,"z":null}]}"#;
    for at in 0..text.len() {
        let error = Message::from_json(&text[..at]).unwrap_err();
        // A number may be whole where it is cut, but the object is not.
        assert_eq!(error.kind(), &JsonErrorKind::UnexpectedEnd, "cut at {at}: {error}");
        assert!(error.offset() <= at);
    }
    Message::from_json(text).unwrap();
}
