//! What several tests need: reading, and conversations to try.

use antiphon_contract::{Finding, Profile, check};
use antiphon_model::{Message, RawJson, Request};
use antiphon_transform::{Conversation, Error, Repair, Report, Transform};
use proptest::prelude::*;

pub(crate) fn read(example: &str) -> Request {
    if example.trim_start().starts_with('[') {
        Request::from_messages_json(example).unwrap_or_else(|e| panic!("{e}: {example}"))
    } else {
        Request::from_json(example).unwrap_or_else(|e| panic!("{e}: {example}"))
    }
}

pub(crate) fn repaired(text: &str) -> (Vec<String>, Report) {
    let mut conversation = Conversation::new(read(text));
    let report = Repair::default().apply(&mut conversation).unwrap();
    (conversation.messages().iter().map(Message::to_json).collect(), report)
}

pub(crate) fn errors(request: &Request, profile: &Profile) -> Vec<Finding> {
    check(request, profile).into_iter().filter(Finding::is_error).collect()
}

/// What must hold after any repair: no error or a refusal that names one, and a second run that does
/// nothing.
pub(crate) fn assert_repairs(
    request: Request,
    repair: &Repair,
    profile: &Profile,
) -> (Conversation, Result<Report, Error>) {
    let before = request.to_json();
    let mut conversation = Conversation::new(request);
    let result = repair.apply(&mut conversation);
    let left = errors(conversation.request(), profile);
    match &result {
        Ok(_) => assert!(left.is_empty(), "left {left:?}\nof {before}\nin {}", conversation.request().to_json()),
        Err(Error::Unrepaired { remaining, .. }) => assert_eq!(&left, remaining, "of {before}"),
        Err(other) => panic!("{other}"),
    }
    let once = conversation.request().to_json();
    let again = repair.apply(&mut conversation);
    let report = match &again {
        Ok(report) => report,
        Err(error) => error.report(),
    };
    assert!(report.is_empty(), "a second run did {:?}\nto {once}\nfrom {before}", report.changes);
    assert_eq!(conversation.request().to_json(), once);
    assert_eq!(
        conversation.messages().len(),
        (0..conversation.messages().len()).filter(|i| conversation.origin(*i).len() < 1000).count()
    );
    (conversation, result)
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["hello", "Wörter 🟢", " ", "", "line\n", "trailing ", "\\ud83d half", "x"])
        .prop_map(str::to_owned)
}

fn id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["t1", "t2", "t3", "bad id", "bad:id", "srvtoolu_1", "t1_2"])
}

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => text().prop_map(|t| format!(r#"{{"type":"text","text":"{t}"}}"#).replace('\n', "\\n")),
        4 => id().prop_map(|id| format!(r#"{{"type":"tool_use","id":"{id}","name":"f","input":{{"a":1.10}}}}"#)),
        4 => (id(), text(), any::<bool>()).prop_map(|(id, t, e)| format!(
            r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{t}","is_error":{e}}}"#).replace('\n', "\\n")),
        2 => Just(r#"{"type":"thinking","thinking":"hm","signature":"c2ln"}"#.to_owned()),
        1 => Just(r#"{"type":"thinking","thinking":"hm","signature":""}"#.to_owned()),
        1 => Just(r#"{"type":"redacted_thinking","data":"xx"}"#.to_owned()),
        1 => Just(r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#.to_owned()),
        1 => Just(r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#.to_owned()),
        1 => Just(r#"{"type":"image","source":{"type":"url","url":"https://e.x/i.png"}}"#.to_owned()),
        1 => Just(r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}"#.to_owned()),
        1 => Just(r#"{"type":"text","text":"marked","cache_control":{"type":"ephemeral"}}"#.to_owned()),
        1 => Just(r#"{"type":"input_text","text":"foreign"}"#.to_owned()),
        1 => Just(r#"{"type":"tool_use","id":"t9"}"#.to_owned()),
        1 => Just(r#"{"type":"container_upload","file_id":"f"}"#.to_owned()),
        1 => Just(r#"{"type":"tool_result","tool_use_id":"t1","content":[{"type":"image","source":{"type":"url","url":"u"}}],"is_error":true}"#.to_owned()),
        1 => Just(r#"{"type":"hologram","w":1}"#.to_owned()),
    ]
}

fn message() -> impl Strategy<Value = String> {
    let role = prop::sample::select(vec!["user", "user", "user", "assistant", "assistant", "assistant", "system"]);
    prop_oneof![
        8 => (role.clone(), prop::collection::vec(block(), 0..5))
            .prop_map(|(role, blocks)| format!(r#"{{"role":"{role}","content":[{}]}}"#, blocks.join(","))),
        3 => (role, text()).prop_map(|(role, t)| format!(r#"{{"role":"{role}","content":"{t}"}}"#).replace('\n', "\\n")),
        2 => id().prop_map(|id| format!(r#"{{"role":"tool_use","id":"{id}","name":"f","input":{{}}}}"#)),
        2 => (id(), text()).prop_map(|(id, t)| format!(r#"{{"role":"tool_result","tool_use_id":"{id}","content":"{t}"}}"#).replace('\n', "\\n")),
        1 => Just(r#"{"role":"user","content":"named","name":"bob"}"#.to_owned()),
        1 => Just(r#"{"role":"assistant","content":{"type":"text","text":"one"}}"#.to_owned()),
        1 => Just(r#"{"role":"user"}"#.to_owned()),
    ]
}

/// Conversations with every kind of fault.
pub(crate) fn conversation() -> impl Strategy<Value = Request> {
    prop::collection::vec(message(), 1..10).prop_map(|messages| {
        let text = format!("[{}]", messages.join(","));
        Request::from_messages_json(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
    })
}

/// The thinking blocks of a conversation, as JSON.
pub(crate) fn thinking(request: &Request) -> Vec<String> {
    let mut found = Vec::new();
    for message in &request.messages {
        let Some(antiphon_model::Content::Blocks(blocks)) = message.content() else { continue };
        found.extend(blocks.iter().filter(|b| b.is_thinking()).map(antiphon_model::ContentBlock::to_json));
    }
    found
}

/// All text that a person would miss: what users, the assistant and the system say, in order of messages.
pub(crate) fn words(request: &Request) -> Vec<String> {
    let system = request.system.iter().flat_map(|content| {
        antiphon_model::message::Blocks::of(content).filter_map(antiphon_model::BlockRef::as_text).collect::<Vec<_>>()
    });
    let said = request.messages.iter().flat_map(Message::blocks).filter_map(antiphon_model::BlockRef::as_text);
    system.chain(said).map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()).collect()
}

pub(crate) fn equivalent(a: &str, b: &str) -> bool {
    RawJson::parse(a).unwrap().as_ref().equivalent(RawJson::parse(b).unwrap().as_ref())
}
