//! Constructors: the sentence and the JSON it makes.

use antiphon_model::{
    CompactionBlock, ContainerUploadBlock, ContentBlock, DocumentBlock, ImageBlock, Message, RawJson,
    RedactedThinkingBlock, SearchResultBlock, ServerToolResult, ServerToolUse, Source, ThinkingBlock,
    ToolReferenceBlock, ToolResult, ToolUse,
};
use serde::Serialize;

#[derive(Serialize)]
struct Output {
    lines: Vec<&'static str>,
    ok: bool,
    none: Option<u8>,
}

const OUTPUT: Output = Output { lines: Vec::new(), ok: true, none: None };

#[test]
fn what_people_and_models_say() {
    assert_eq!(Message::user("a").to_json(), r#"{"role":"user","content":"a"}"#);
    assert_eq!(Message::assistant(String::from("a\"b")).to_json(), r#"{"role":"assistant","content":"a\"b"}"#);
    assert_eq!(Message::system("a").to_json(), r#"{"role":"system","content":"a"}"#);
    assert_eq!(
        Message::user_blocks(vec!["a".into()]).to_json(),
        r#"{"role":"user","content":[{"type":"text","text":"a"}]}"#
    );
}

#[test]
fn results_from_any_serialisable_output() {
    let content = |result: ToolResult| match result.content {
        Some(antiphon_model::Content::Text(text)) => (text.into_string(), result.is_error),
        other => panic!("{other:?}"),
    };
    assert_eq!(content(ToolResult::ok("t", "line\n\"quoted\"").unwrap()), ("line\n\"quoted\"".to_owned(), Some(false)));
    assert_eq!(content(ToolResult::ok("t", &String::from("s")).unwrap()).0, "s");
    assert_eq!(content(ToolResult::ok("t", &OUTPUT).unwrap()).0, r#"{"lines":[],"ok":true,"none":null}"#);
    assert_eq!(content(ToolResult::ok("t", &1.5).unwrap()).0, "1.5");
    assert_eq!(content(ToolResult::ok("t", &Some("x")).unwrap()).0, "x");
    assert_eq!(content(ToolResult::ok("t", &()).unwrap()).0, "null");
    assert_eq!(content(ToolResult::json("t", "s").unwrap()), ("\"s\"".to_owned(), Some(false)), "always the JSON text");
    assert_eq!(content(ToolResult::json("t", &OUTPUT).unwrap()).0, r#"{"lines":[],"ok":true,"none":null}"#);
    assert_eq!(content(ToolResult::error("t", "no such file")), ("no such file".to_owned(), Some(true)));
    assert_eq!(content(ToolResult::error("t", " \n")).0, "error", "the API refuses an empty text");
    assert!(ToolResult::ok("t", &std::collections::BTreeMap::from([((1, 2), 3)])).is_err());
    assert!(ToolResult::error("t", "x").failed() && !ToolResult::ok("t", "x").unwrap().failed());
}

#[test]
fn flat_records() {
    assert_eq!(
        Message::tool_use("t", "ls", &serde_json::json!({"path":"."})).unwrap().to_json(),
        r#"{"role":"tool_use","id":"t","name":"ls","input":{"path":"."}}"#
    );
    assert_eq!(
        Message::tool_result("t", "a").unwrap().to_json(),
        r#"{"role":"tool_result","tool_use_id":"t","content":"a","is_error":false}"#
    );
    assert_eq!(
        Message::tool_error("t", "a").to_json(),
        r#"{"role":"tool_result","tool_use_id":"t","content":"a","is_error":true}"#
    );
    assert_eq!(ToolResult::error("t", "a").to_flat_json(), Message::tool_error("t", "a").to_json());
}

#[test]
fn a_record_becomes_a_block_and_back() {
    let Message::ToolUse(call) =
        Message::from_json(r#"{"ts":1,"role":"tool_use","id":"t","name":"n","input":{}}"#).unwrap()
    else {
        panic!()
    };
    let block = ContentBlock::from(call.clone());
    assert_eq!(block.to_json(), r#"{"ts":1,"id":"t","name":"n","input":{},"type":"tool_use"}"#);
    assert_eq!(Message::from(call).to_json(), r#"{"ts":1,"role":"tool_use","id":"t","name":"n","input":{}}"#);
}

#[test]
fn every_block_can_be_made_and_reads_back_as_itself() {
    let input = || RawJson::parse(r#"{"q":1.10}"#).unwrap();
    let blocks: Vec<(ContentBlock, &str)> = vec![
        ("a".into(), "text"),
        (String::from("a").into(), "text"),
        (ThinkingBlock::new("a", "c2ln").into(), "thinking"),
        (RedactedThinkingBlock::new("eA==").into(), "redacted_thinking"),
        (ToolUse::new("t", "n", &input()).unwrap().into(), "tool_use"),
        (ToolResult::with_content("t", ContentBlock::text("a"), true).into(), "tool_result"),
        (ImageBlock::new(Source::url("u")).into(), "image"),
        (ImageBlock::new(Source::file("f")).into(), "image"),
        (DocumentBlock::new(Source::text("a")).with_title("t").with_context("c").into(), "document"),
        (DocumentBlock::new(Source::content(vec!["a".into()])).into(), "document"),
        (DocumentBlock::new(Source::base64("application/pdf", "JVBERg==")).into(), "document"),
        (SearchResultBlock::new("s", "t", vec!["a".into()]).into(), "search_result"),
        (ToolReferenceBlock::new("n").into(), "tool_reference"),
        (ContainerUploadBlock::new("f").into(), "container_upload"),
        (CompactionBlock::new("a").into(), "compaction"),
        (ServerToolUse::new("server_tool_use", "srvtoolu_1", "web_search", input()).into(), "server_tool_use"),
        (ServerToolResult::new("web_search_tool_result", "srvtoolu_1", input()).into(), "web_search_tool_result"),
    ];
    for (block, name) in blocks {
        assert_eq!(block.type_name(), name);
        let text = block.to_json();
        assert!(text.starts_with(&format!(r#"{{"type":"{name}","#)), "{text}");
        assert_eq!(ContentBlock::from_json(&text).unwrap(), block, "{text}");
    }
}
