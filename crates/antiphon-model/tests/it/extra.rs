//! Members without a field of their own.

use antiphon_model::{ContentBlock, Extra, Message, RawJson, TextBlock, Usage};

fn text_block(json: &str) -> TextBlock {
    match ContentBlock::from_json(json).unwrap() {
        ContentBlock::Text(block) => block,
        other => panic!("{other:?}"),
    }
}

fn json(block: TextBlock) -> String {
    ContentBlock::from(block).to_json()
}

#[test]
fn order_and_spelling_of_keys_are_kept() {
    for text in [
        r#"{"x":1.10,"te\u0078t":"a","type":"text","y":[1, 2],"x":2}"#,
        r#"{"text":"a","type":"text"}"#,
        r#"{"type":"text","text":"a","citations":null,"cache_control":null}"#,
        r#"{"type":"text","text":"a","\"text":1,",\"text":2,"x\\":3}"#,
        r#"{"t\u0079pe":"text","text":"a"}"#,
        r#"{"type":"text","text":"a","\ud800":1,"\ud801":2,"":3}"#,
    ] {
        assert_eq!(json(text_block(text)), text);
    }
}

#[test]
fn a_typed_field_that_is_set_wins_over_what_stood_there() {
    let mut block = text_block(r#"{"citations":null,"type":"text","text":"a"}"#);
    assert!(block.extra.get("citations").unwrap().is_null());
    block.citations = Some(Vec::new());
    assert_eq!(json(block), r#"{"citations":[],"type":"text","text":"a"}"#);

    let mut usage =
        Usage::from_raw(RawJson::parse(r#"{"output_tokens":1.0,"x":1,"input_tokens":5}"#).unwrap().as_ref()).unwrap();
    assert_eq!(usage.output_tokens, None, "not written as a whole number");
    usage.output_tokens = Some(2);
    usage.cache_read_input_tokens = Some(3);
    usage.input_tokens = None;
    assert_eq!(usage.to_raw().get(), r#"{"output_tokens":2,"x":1,"cache_read_input_tokens":3}"#);
}

#[test]
fn a_member_with_the_name_of_a_typed_field_never_doubles_it() {
    for text in
        [r#"{"type":"text","text":"a"}"#, r#"{"text":"a","type":"text"}"#, r#"{"x":1,"text":"a","type":"text"}"#]
    {
        let mut block = text_block(text);
        block.extra.insert("text", RawJson::string("shadow"));
        assert!(block.extra.get("text").unwrap().is_str("shadow"));
        let written = RawJson::parse(&json(block)).unwrap();
        assert_eq!(written.members().filter(|(key, _)| key == "text").count(), 1, "{written}");
        assert!(written.member("text").unwrap().is_str("a"));
    }
}

#[test]
fn members_that_move_to_another_kind_of_object_do_not_double_its_fields() {
    let other = ContentBlock::from_json(r#"{"type":"thinking","text":1,"thinking":"","text":2,"type2":3}"#).unwrap();
    let ContentBlock::Thinking(thinking) = other else { panic!() };
    for extra in [thinking.extra.clone(), {
        let mut extra = thinking.extra;
        extra.insert("thinking", RawJson::null());
        extra
    }] {
        let mut block = TextBlock::new("a");
        block.extra = extra;
        let written = RawJson::parse(&json(block)).unwrap();
        for key in ["type", "text"] {
            assert_eq!(written.members().filter(|(name, _)| name == key).count(), 1, "{written}");
        }
        assert!(written.member("text").unwrap().is_str("a"));
        assert_eq!(written.member("type2").unwrap().get(), "3");
    }
}

#[test]
fn members_are_set_in_place_or_at_the_end() {
    let mut block = text_block(r#"{"x":1,"type":"text","x":2,"text":"a","y":3}"#);
    block.extra.insert("x", RawJson::null());
    block.extra.insert("new \"key\"", RawJson::object());
    assert_eq!(json(block.clone()), r#"{"x":null,"type":"text","text":"a","y":3,"new \"key\"":{}}"#);
    assert!(block.extra.get("new \"key\"").is_some());
    assert_eq!(block.extra.remove("x"), Some(RawJson::null()));
    assert_eq!(block.extra.remove("x"), None);
    assert_eq!(block.extra.remove("text"), None, "a typed field is not a member");
    block.extra.retain(|key, _| key == "y");
    assert_eq!(json(block.clone()), r#"{"type":"text","text":"a","y":3}"#);
    assert!(!block.extra.is_empty());
    block.extra.clear();
    assert!(block.extra.is_empty());
    assert_eq!(json(block), r#"{"type":"text","text":"a"}"#);
}

#[test]
fn retain_sees_each_of_the_repeated() {
    let mut block = text_block(r#"{"type":"text","text":"a","x":1,"x":2,"x":3}"#);
    block.extra.retain(|_, value| value.get() != "2");
    assert_eq!(json(block), r#"{"type":"text","text":"a","x":1,"x":3}"#);
}

#[test]
fn members_of_an_object_made_here_come_last() {
    let mut block = TextBlock::new("a");
    block.extra.insert("cache_control", RawJson::object());
    assert_eq!(json(block.clone()), r#"{"type":"text","text":"a","cache_control":{}}"#);
    block.extra.remove("cache_control");
    assert_eq!(block, TextBlock::new("a"));
}

#[test]
fn many_at_once() {
    let mut extra: Extra =
        [("a", RawJson::null()), ("b", RawJson::null()), ("a", RawJson::object())].into_iter().collect();
    assert_eq!(format!("{extra:?}"), r#"{"a": {}, "b": null}"#);
    extra.extend([("b".to_owned(), RawJson::string("x")), ("c".to_owned(), RawJson::null())]);
    assert_eq!(
        extra.iter().map(|(key, value)| format!("{key}:{value}")).collect::<Vec<_>>(),
        ["a:{}", "b:\"x\"", "c:null"]
    );
    assert!(extra.contains_key("c") && !extra.contains_key("d"));
    extra.extend(Vec::<(String, RawJson)>::new());
    assert_eq!(extra.iter().count(), 3);
    assert_eq!(Vec::<(&str, RawJson)>::new().into_iter().collect::<Extra>(), Extra::new());
}

#[test]
fn null_and_absent_are_told_apart() {
    let with =
        Message::from_json(r#"{"role":"tool_result","tool_use_id":"t","content":null,"is_error":null}"#).unwrap();
    let without = Message::from_json(r#"{"role":"tool_result","tool_use_id":"t"}"#).unwrap();
    assert_ne!(with, without);
    for message in [&with, &without] {
        let Message::ToolResult(result) = message else { panic!() };
        assert_eq!((result.content.is_none(), result.is_error), (true, None));
    }
    assert_eq!(with.to_json(), r#"{"role":"tool_result","tool_use_id":"t","content":null,"is_error":null}"#);
    assert_eq!(without.to_json(), r#"{"role":"tool_result","tool_use_id":"t"}"#);
}
