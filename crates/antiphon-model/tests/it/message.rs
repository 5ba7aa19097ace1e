//! Reading messages: which kind it is, and what stays raw.

use antiphon_model::{Content, JsonErrorKind, Message, RawJson, RawRef, Role, StopReason, Usage};

fn read(text: &str) -> Message {
    let message = Message::from_json(text).unwrap();
    assert_eq!(message.to_json(), text);
    message
}

#[test]
fn the_five_kinds() {
    let cases = [
        (r#"{"role":"user","content":"a"}"#, "user", Some(Role::User), false),
        (r#"{"role":"assistant","content":[]}"#, "assistant", Some(Role::Assistant), false),
        (r#"{"role":"system","content":"a","clear_at":1}"#, "system", Some(Role::System), false),
        (
            r#"{"role":"tool_use","id":"t","name":"n","input":{"b":1,"a":1.10}}"#,
            "tool_use",
            Some(Role::Assistant),
            true,
        ),
        (
            r#"{"role":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x"}]}"#,
            "tool_result",
            Some(Role::User),
            true,
        ),
    ];
    for (text, name, wire, flat) in cases {
        let message = read(text);
        assert_eq!((message.role_name(), message.wire_role(), message.is_flat()), (name, wire, flat));
        assert!(!matches!(message, Message::Other(_)));
        assert_eq!(message.content().is_some(), !flat);
    }
}

#[test]
fn what_is_no_message_is_kept_as_it_came() {
    for (text, role) in [
        (r#"{"role":"developer","content":"x"}"#, "developer"),
        (r#"{"role":"user"}"#, "user"),
        (r#"{"role":"user","content":null}"#, "user"),
        (r#"{"role":"user","content":{"type":"text"}}"#, "user"),
        (r#"{"role":"user","role":"user","content":"x"}"#, "user"),
        (r#"{"role":"user","content":"x","content":[]}"#, "user"),
        (r#"{"role":"tool_use","id":1,"name":"n","input":{}}"#, "tool_use"),
        (r#"{"role":"tool_use","id":"\ud800","name":"n","input":{}}"#, "tool_use"),
        (r#"{"role":"tool_result","tool_use_id":"t","content":7}"#, "tool_result"),
        (r#"{"content":"x"}"#, ""),
        (r#"{"role":7,"content":"x"}"#, ""),
        (r#"{"role": "x" , "a":[ ]}"#, "x"),
        ("[]", ""),
        ("null", ""),
        ("1.10", ""),
        ("\"text\"", ""),
        ("{}", ""),
    ] {
        let message = read(text);
        assert!(matches!(message, Message::Other(_)), "{text}");
        assert_eq!((message.role_name(), message.wire_role()), (role, None), "{text}");
        assert!(message.extra().is_none() && message.content().is_none());
        assert_eq!(message.blocks().count(), 0);
    }
}

#[test]
fn odd_spellings_are_understood() {
    let message = read(r#"{"c\u006fntent":[{"type":"text","te\u0078t":"a"}],"role":"user"}"#);
    assert_eq!(message.text(), "a");
    let spaced = Message::from_json(
        " {\n \"role\" : \"us\\u0065r\" , \"content\" : [ { \"type\":\"text\" ,\"text\":\"a\" } ] }\n",
    )
    .unwrap();
    assert!(matches!(spaced, Message::User(_)));
    assert_eq!(spaced.to_json(), r#"{"role":"user","content":[{"type":"text","text":"a"}]}"#);
}

#[test]
fn the_form_of_the_content_is_kept() {
    assert!(matches!(read(r#"{"role":"user","content":"a"}"#).content(), Some(Content::Text(_))));
    assert!(matches!(read(r#"{"role":"user","content":[]}"#).content(), Some(Content::Blocks(b)) if b.is_empty()));
    assert!(
        matches!(read(r#"{"role":"user","content":["a",1,null]}"#).content(), Some(Content::Blocks(b)) if b.len() == 3)
    );
    let mut content = Content::from("a");
    assert_eq!(content.make_blocks().len(), 1);
    assert_eq!(content.to_json(), r#"[{"type":"text","text":"a"}]"#);
    assert!(Content::from("").into_blocks().is_empty());
    assert!(Content::default().is_empty() && Content::from("").is_empty());
    assert_eq!(Content::from(["a".into(), "b".into()]).text(), "ab");
    assert_eq!(Content::from("x").as_string().unwrap(), &"x");
}

#[test]
fn half_a_surrogate_pair_does_not_make_a_message_unreadable() {
    let message = read(r#"{"role":"user","content":[{"type":"text","text":"cut \ud83d","x":"\udc00"}]}"#);
    assert_eq!(message.text(), "cut \u{fffd}");
    read(r#"{"role":"\ud800","content":"a"}"#);
    read(r#"{"role":"user","content":"a","\ud800":1}"#);
}

#[test]
fn answers_have_more() {
    let text = r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"pause_turn","stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":0,"cache_read_input_tokens":null,"cache_creation":{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":5},"output_tokens":6}}"#;
    let Message::Assistant(mut answer) = read(text) else { panic!() };
    assert_eq!((answer.id().as_deref(), answer.model().as_deref()), (Some("msg_1"), Some("m")));
    assert_eq!(answer.stop_reason(), Some(StopReason::PauseTurn));
    assert_eq!(answer.stop_sequence(), None);
    let usage = answer.usage().unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens), (Some(3), Some(6), None));
    assert_eq!(usage.total_input(), 12, "cache writes reported only in the nested object");
    answer.set_stop_reason(None);
    answer.set_id("msg_2");
    answer.set_model("n");
    answer.set_usage(&Usage { output_tokens: Some(1), ..Usage::default() });
    assert_eq!(
        Message::from(answer).to_json(),
        r#"{"id":"msg_2","type":"message","role":"assistant","model":"n","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"output_tokens":1}}"#
    );
}

#[test]
fn stop_reasons_go_both_ways() {
    for name in [
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "tool_use",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
        "compaction",
        "new",
    ] {
        assert_eq!(StopReason::from(name).as_str(), name);
        assert_eq!(StopReason::from(name).to_string(), name);
    }
    assert_eq!(StopReason::from("new"), StopReason::Other("new".to_owned()));
}

#[test]
fn usage_is_read_with_care() {
    let usage = |text: &str| Usage::from_raw(RawJson::parse(text).unwrap().as_ref());
    for text in [
        r#"{"output_tokens":1,"input_tokens":2,"iterations":null}"#,
        r#"{"input_tokens":-1}"#,
        r#"{"input_tokens":1e2}"#,
        "{}",
    ] {
        assert_eq!(usage(text).unwrap().to_raw().get(), text);
    }
    assert_eq!(usage("[]"), None);
    assert_eq!(usage(r#"{"input_tokens":1,"input_tokens":2}"#), None);
    let most =
        usage(r#"{"input_tokens":18446744073709551615,"cache_read_input_tokens":1,"cache_creation_input_tokens":1}"#)
            .unwrap();
    assert_eq!(most.total_input(), u64::MAX);
}

#[test]
fn roles_by_name() {
    assert_eq!(
        ["user", "assistant", "system"].map(|name| Role::from_name(name).unwrap().to_string()),
        ["user", "assistant", "system"]
    );
    assert_eq!(Role::from_name("tool"), None);
}

#[test]
fn an_error_says_where() {
    let error = Message::from_json("{\"role\":\"user\",\n\"content\":[{\"type\":tru}]}").unwrap_err();
    assert_eq!((error.kind(), error.line(), error.column()), (&JsonErrorKind::Expected("a JSON value"), 2, 20));
    assert_eq!(Message::from_json("{} {}").unwrap_err().kind(), &JsonErrorKind::TrailingCharacters);
    let raw = RawRef::parse(r#"{"role":"user","content":"a"}"#).unwrap();
    assert_eq!(Message::from_raw(raw), Message::user("a"));
}
