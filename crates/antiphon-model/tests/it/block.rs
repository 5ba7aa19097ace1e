//! Every block of contract section 1, both sides, without loss.

use antiphon_model::{Citation, ContentBlock, ImageType, OtherBlock, RawJson, Source};

/// One of each block, with all the members the contract names, and whether it is typed.
const BLOCKS: &[(&str, bool)] = &[
    (
        r#"{"type":"text","text":"a","citations":[{"type":"char_location","cited_text":"a","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":1,"file_id":null}],"cache_control":{"type":"ephemeral","ttl":"1h"}}"#,
        true,
    ),
    (r#"{"type":"text","text":"a","citations":null}"#, true),
    (
        r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="},"transformations":{"oversized_image":"downsize"}}"#,
        true,
    ),
    (r#"{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}"#, true),
    (r#"{"type":"image","source":{"type":"file","file_id":"file_1"}}"#, true),
    (r#"{"type":"image","source":{"type":"orb","x":1}}"#, true),
    (
        r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"},"title":"t","context":"c","citations":{"enabled":true}}"#,
        true,
    ),
    (r#"{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"}]},"title":null}"#, true),
    (
        r#"{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"a"}],"citations":{"enabled":false}}"#,
        true,
    ),
    (r#"{"type":"thinking","thinking":"","signature":"c2ln"}"#, true),
    (r#"{"type":"thinking","thinking":"a"}"#, true),
    (r#"{"type":"thinking","thinking":"a","signature":null}"#, true),
    (r#"{"type":"redacted_thinking","data":"eA=="}"#, true),
    (
        r#"{"type":"tool_use","id":"toolu_1","name":"n","input":{"b":1.10,"a":[]},"caller":{"type":"direct"},"toolset_name":null}"#,
        true,
    ),
    (
        r#"{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"url","url":"u"}},{"type":"tool_reference","tool_name":"n"},{"type":"browser_state","tabs":[]}],"is_error":true}"#,
        true,
    ),
    (r#"{"type":"tool_result","tool_use_id":"toolu_1"}"#, true),
    (r#"{"type":"tool_reference","tool_name":"n"}"#, true),
    (
        r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"},"caller":{"type":"direct"}}"#,
        true,
    ),
    (r#"{"type":"mcp_tool_use","id":"mcptoolu_1","name":"n","server_name":"s","input":{}}"#, true),
    (
        r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","encrypted_content":"e","title":"t","url":"u","page_age":null}]}"#,
        true,
    ),
    (
        r#"{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"web_fetch_tool_result_error","error_code":"unavailable"}}"#,
        true,
    ),
    (
        r#"{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"code_execution_result","stdout":"","stderr":"","return_code":0,"content":[]}}"#,
        true,
    ),
    (r#"{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","content":"a","is_error":false}"#, true),
    (r#"{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1"}"#, true),
    (r#"{"type":"advisor_tool_result","tool_use_id":"srvtoolu_1","content":null}"#, true),
    (r#"{"type":"container_upload","file_id":"file_1"}"#, true),
    (r#"{"type":"compaction","content":"a","encrypted_content":"e"}"#, true),
    (r#"{"type":"compaction","content":null}"#, true),
    (r#"{"type":"fallback","from":{"model":"a"},"to":{"model":"b"}}"#, false),
    (r#"{"type":"tool_addition","tool":{"type":"tool_reference","name":"n"}}"#, false),
    (r#"{"type":"connector_text","connector_text":"a"}"#, false),
    (r#"{"type":"hologram","n":1e400}"#, false),
    (r#"{"type":"text"}"#, false),
    (r#"{"type":"text","text":7}"#, false),
    (r#"{"type":"text","text":"a","text":"b"}"#, false),
    (r#"{"type":"tool_use","id":"t","name":"n"}"#, false),
    (r#"{"type":"tool_result","content":"a"}"#, false),
    (r#"{"type":"image","source":"a.png"}"#, false),
    (r#"{"type":"search_result","source":"s","title":"t","content":"a"}"#, false),
    (r#"{"text":"a"}"#, false),
    (r#""a""#, false),
    ("null", false),
];

#[test]
fn every_block_is_typed_where_it_is_known_and_lossless_in_any_case() {
    for (text, typed) in BLOCKS {
        let block = ContentBlock::from_json(text).unwrap();
        assert_eq!(block.to_json(), *text);
        assert_eq!(!matches!(block, ContentBlock::Other(_)), *typed, "{text}");
        let raw = RawJson::parse(text).unwrap();
        assert_eq!(block.type_name(), raw.member("type").and_then(antiphon_model::RawRef::as_str).unwrap_or_default());
        assert_eq!(block.extra().is_some(), *typed);
        assert_eq!(ContentBlock::from_raw(raw.as_ref()), block);
        // The last member first: another order leaves as it came too.
        let mut members: Vec<String> = raw.members().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        members.reverse();
        if !members.is_empty() && !text.contains("\"text\":\"b\"") {
            let turned = format!("{{{}}}", members.join(","));
            let block = ContentBlock::from_json(&turned).unwrap();
            assert_eq!((block.to_json(), !matches!(block, ContentBlock::Other(_))), (turned, *typed));
        }
    }
}

#[test]
fn cache_marks() {
    let mut block = ContentBlock::text("a");
    assert!(block.cache_control().is_none() && block.set_cache_control());
    assert_eq!(block.to_json(), r#"{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}"#);
    assert_eq!(block.remove_cache_control().unwrap().get(), r#"{"type":"ephemeral"}"#);
    assert_eq!(block, ContentBlock::text("a"));
    let mut raw =
        ContentBlock::from_json(r#"{"type":"x","cache_control":{"type":"ephemeral"},"\ud800":1.0, "\u0061":2}"#)
            .unwrap();
    assert!(raw.cache_control().is_some() && !raw.set_cache_control());
    assert!(raw.remove_cache_control().is_some());
    assert_eq!(raw.to_json(), r#"{"type":"x","\ud800":1.0,"\u0061":2}"#, "the rest keeps its spelling");
    assert!(raw.remove_cache_control().is_none());
    let null = ContentBlock::from_json(r#"{"type":"text","text":"a","cache_control":null}"#).unwrap();
    assert!(null.cache_control().is_none());
}

#[test]
fn a_raw_block_loses_only_the_member_taken_out() {
    let mut block = OtherBlock::from_raw(RawJson::parse(r#"{"a":1}"#).unwrap().as_ref());
    assert_eq!(block.remove_member("b"), None);
    assert_eq!(block.remove_member("a").unwrap().get(), "1");
    assert_eq!(block.raw.get(), "{}");
    assert_eq!(OtherBlock::from_raw(RawJson::null().as_ref()).remove_member("a"), None);
}

#[test]
fn citations() {
    let mut citation =
        Citation::new(RawJson::parse(r#"{"type":"page_location","cited_text":"x","file_id":"f","n":1.0}"#).unwrap());
    assert_eq!((citation.kind(), citation.cited_text()), ("page_location".into(), Some("x".into())));
    assert!(citation.remove_file_id() && !citation.remove_file_id());
    assert_eq!(citation.raw().get(), r#"{"type":"page_location","cited_text":"x","n":1.0}"#);
}

#[test]
fn thinking_is_known_in_any_shape() {
    for text in [
        r#"{"type":"thinking","thinking":1}"#,
        r#"{"type":"redacted_thinking"}"#,
        r#"{"type":"thinking","thinking":"a"}"#,
    ] {
        assert!(ContentBlock::from_json(text).unwrap().is_thinking(), "{text}");
    }
    assert!(!ContentBlock::text("thinking").is_thinking());
}

#[test]
fn sources() {
    let source = |text: &str| match ContentBlock::from_json(&format!(r#"{{"type":"image","source":{text}}}"#)).unwrap()
    {
        ContentBlock::Image(block) => block.source,
        other => panic!("{other:?}"),
    };
    for name in ["base64", "url", "file", "text", "content", "orb", ""] {
        let text = format!(
            r#"{{"type":"{name}","media_type":"image/gif","data":"R0lGODlhAgADAA","url":"u","file_id":"f","content":"c"}}"#
        );
        assert_eq!(source(&text).type_name(), name);
    }
    let Source::Base64(gif) = source(r#"{"type":"base64","media_type":"image/png","data":"R0lGODlhAgADAAAAAA=="}"#)
    else {
        panic!()
    };
    assert_eq!(gif.sniff(), Some(ImageType::Gif), "by content, not by label");
    assert_eq!(gif.dimensions(), Some((2, 3)));
}

/// A type that the model does not know lacks nothing, whatever it looks like; a known one that is kept raw does.
#[test]
fn only_a_block_of_a_known_type_is_malformed() {
    let malformed = |kind: &str| OtherBlock { kind: kind.to_owned(), raw: RawJson::null() }.is_malformed();
    for (text, _) in BLOCKS.iter().filter(|(_, typed)| *typed) {
        let kind = ContentBlock::from_json(text).unwrap().type_name().to_owned();
        assert!(malformed(&kind), "{kind}");
    }
    assert!(malformed(""));
    for kind in ["fallback", "browser_state", "shipped_last_week", "webtool_result"] {
        assert!(!malformed(kind), "{kind}");
    }
}
