//! Walking and changing.

use antiphon_model::{BlockMut, BlockRef, ContentBlock, DocumentBlock, Message, Source, ToolResult, ToolUse};

fn names(message: &Message) -> Vec<(&str, usize)> {
    message.walk().map(|item| (item.block.type_name(), item.depth)).collect()
}

fn all() -> Message {
    Message::user_blocks(vec![
        ToolResult::with_content("t", vec!["a".into(), DocumentBlock::new(Source::content("b")).into()], false).into(),
        ToolResult::with_content("u", "c", false).into(),
        ContentBlock::from_json(
            r#"{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"d"}]}"#,
        )
        .unwrap(),
        "e".into(),
    ])
}

#[test]
fn every_kind_alike() {
    assert_eq!(names(&Message::user("a")), [("text", 0)]);
    assert_eq!(names(&Message::user("")), [("text", 0)], "an empty string is one text block");
    assert_eq!(names(&Message::user_blocks(vec![])), []);
    assert_eq!(names(&Message::from(ToolUse::new("t", "n", &()).unwrap())), [("tool_use", 0)]);
    assert_eq!(names(&Message::tool_result("t", "x").unwrap()), [("tool_result", 0), ("text", 1)]);
    assert_eq!(
        names(&all()),
        [
            ("tool_result", 0),
            ("text", 1),
            ("document", 1),
            ("text", 2),
            ("tool_result", 0),
            ("text", 1),
            ("search_result", 0),
            ("text", 1),
            ("text", 0)
        ]
    );
    assert_eq!(all().blocks().len(), 4);
    assert_eq!(all().text(), "e");
}

#[test]
fn everything_inside_can_be_changed() {
    let mut message = all();
    message.walk_mut(|block| {
        if let Some(text) = block.into_text() {
            text.make_mut().push('!');
        }
    });
    let texts: Vec<String> = message.walk().filter_map(|item| item.block.as_text()).map(ToString::to_string).collect();
    assert_eq!(texts, ["a!", "b!", "c!", "d!", "e!"]);
    let mut seen = 0;
    message.for_each_block_mut(|block| {
        seen += 1;
        if let Some(result) = block.into_tool_result() {
            result.is_error = Some(true);
        }
    });
    assert_eq!(seen, 4);
    assert!(message.tool_results().all(ToolResult::failed));
    message.tool_results_mut().for_each(|result| result.tool_use_id.push('x'));
    assert_eq!(message.tool_results().map(|r| &*r.tool_use_id).collect::<Vec<_>>(), ["tx", "ux"]);
}

#[test]
fn flat_records_can_be_changed() {
    let mut call = Message::from(ToolUse::new("t", "n", &()).unwrap());
    call.tool_uses_mut().for_each(|call| call.name = "m".to_owned());
    assert_eq!(call.tool_uses().next().unwrap().name, "m");
    let mut result = Message::tool_result("t", "x").unwrap();
    let mut kinds = Vec::new();
    result.walk_mut(|block| kinds.push(block.as_block_ref().type_name().to_owned()));
    assert_eq!(kinds, ["tool_result", "text"]);
    let mut other = Message::from_json("7").unwrap();
    assert_eq!(other.blocks_mut().count(), 0);
    other.walk_mut(|_| panic!("nothing to walk"));
    let mut text = Message::user("a");
    for block in text.blocks_mut() {
        assert!(matches!(block, BlockMut::String(_)));
    }
}

#[test]
fn views_see_members_of_any_block() {
    let message = Message::from_json(
        r#"{"role":"assistant","content":[{"type":"text","text":"a","x":1},{"type":"odd","x":2},{"type":"tool_use","id":"t","name":"n","input":{},"x":3}]}"#,
    )
    .unwrap();
    let found: Vec<_> = message.blocks().map(|block| block.member("x").unwrap().get()).collect();
    assert_eq!(found, ["1", "2", "3"]);
    assert_eq!(message.tool_uses().count(), 1);
    assert!(Message::user("a").blocks().next().unwrap().member("x").is_none());
    let thinking = ContentBlock::from_json(r#"{"type":"redacted_thinking","data":"x"}"#).unwrap();
    assert!(BlockRef::from(&thinking).is_thinking());
}
