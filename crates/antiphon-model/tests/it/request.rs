//! Requests and tools.

use antiphon_model::{Content, JsonErrorKind, Message, RawJson, Request, Tool, ToolResult, ToolUse};

#[test]
fn a_request_is_read_and_written() {
    let text = r#"{"model":"m","max_tokens":1024,"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"a"}],"tools":[{"name":"n","description":"d","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}],"thinking":{"type":"enabled","budget_tokens":1.0}}"#;
    let request = Request::from_json(text).unwrap();
    assert_eq!(request.to_json(), text);
    assert_eq!((request.model().as_deref(), request.max_tokens()), (Some("m"), Some(1024)));
    assert_eq!(request.tools.as_ref().unwrap().len(), 2);
    let tool = request.tool("n").unwrap();
    assert!(tool.is_custom() && !request.tool("web_search").unwrap().is_custom());
    assert_eq!(
        (tool.description().as_deref(), tool.input_schema().unwrap().get()),
        (Some("d"), r#"{"type":"object"}"#)
    );
    assert!(request.tool("other").is_none());
    assert_eq!(request.param("thinking").unwrap().get(), r#"{"type":"enabled","budget_tokens":1.0}"#);
}

#[test]
fn unexpected_shapes_stay() {
    for text in [
        r#"{"messages":[],"system":null,"tools":null}"#,
        r#"{"messages":[],"system":7,"tools":{}}"#,
        r#"{"tools":[1,null],"messages":[null,1,"a",[]],"stream":true}"#,
        r#"{"m\u0065ssages":[{"role":"user","content":"a"}]}"#,
    ] {
        assert_eq!(Request::from_json(text).unwrap().to_json(), text);
    }
}

#[test]
fn what_is_no_request_is_refused() {
    for (text, message) in [
        ("[]", "expected a request object at line 1 column 1"),
        ("\n {\"a\":1}", "expected a list of `messages` in the object at line 2 column 2"),
        ("{\"messages\":null}", "expected a list of `messages` in the object at line 1 column 1"),
        (
            r#"{"messages":[],"messages":[]}"#,
            "expected each of `system`, `messages` and `tools` once at line 1 column 1",
        ),
        (r#"{"messages":[{]}"#, "expected a key in quotes at line 1 column 15"),
        ("", "expected a request object at line 1 column 1"),
    ] {
        assert_eq!(Request::from_json(text).unwrap_err().to_string(), message);
    }
    assert_eq!(Request::from_messages_json("{}").unwrap_err().kind(), &JsonErrorKind::Expected("an array of messages"));
    assert_eq!(Request::from_messages_json("[] x").unwrap_err().kind(), &JsonErrorKind::TrailingCharacters);
    assert_eq!(Request::from_messages_json(" [ ] ").unwrap().messages, []);
}

#[test]
fn a_request_is_built() {
    let schema = RawJson::parse(r#"{"type":"object"}"#).unwrap();
    let mut request = Request::new(vec![Message::user("a")])
        .with_system("s")
        .with_tools(vec![Tool::new("n", "say \"hi\"", &schema)])
        .with_param("model", RawJson::string("m"));
    request.set_param("model", RawJson::string("k"));
    assert_eq!(
        request.to_json(),
        r#"{"system":"s","messages":[{"role":"user","content":"a"}],"tools":[{"name":"n","description":"say \"hi\"","input_schema":{"type":"object"}}],"model":"k"}"#
    );
    assert_eq!(Request::from_json(&request.to_json()).unwrap(), request);
    assert_eq!(Request::default().to_json(), r#"{"messages":[]}"#);
}

#[test]
fn lookups_over_all_messages() {
    let call = ToolUse::new("t1", "ls", &()).unwrap();
    let request = Request::new(vec![
        Message::assistant_blocks(vec!["look".into(), call.clone().into()]),
        Message::from(ToolResult::with_content("t1", Content::from(["x".into()]), false)),
        Message::from(call),
    ]);
    assert_eq!(request.tool_uses().count(), 2);
    assert_eq!(request.tool_results().next().unwrap().tool_use_id, "t1");
    let walk: Vec<_> = request.walk().map(|(at, item)| (at, item.depth, item.block.type_name())).collect();
    assert_eq!(walk, [(0, 0, "text"), (0, 0, "tool_use"), (1, 0, "tool_result"), (1, 1, "text"), (2, 0, "tool_use")]);
}

#[test]
fn a_tool_loses_only_its_cache_mark() {
    let mut tool =
        Tool::from_raw(RawJson::parse(r#"{"name":"n","cache_control":{"type":"ephemeral"},"\ud800":1.0}"#).unwrap());
    assert_eq!(tool.remove_cache_control().unwrap().get(), r#"{"type":"ephemeral"}"#);
    assert_eq!(tool.raw().get(), r#"{"name":"n","\ud800":1.0}"#);
    assert_eq!((tool.remove_cache_control(), tool.kind()), (None, None));
    assert_eq!(Tool::from_raw(RawJson::null()).name(), None);
}
