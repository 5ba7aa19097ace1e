//! The types inside others, through serde_json.

use antiphon_model::{Citation, Content, ContentBlock, Message, RawJson, Request, Text, Tool, Usage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Deserialize, Serialize, PartialEq)]
struct Record {
    uuid: String,
    message: Message,
    block: Option<ContentBlock>,
    usage: Option<Usage>,
    input: RawJson,
    by_name: BTreeMap<String, Content>,
    text: Text,
    tools: Vec<Tool>,
    citations: Vec<Citation>,
}

const LINE: &str = r#"{"uuid":"u","message":{"role":"user","content":[{"type":"text","text":"a","n":1.10}],"x":123456789012345678901234567890},"block":{"type":"odd","e":1e400},"usage":{"input_tokens":1,"x":null},"input":{"b":1.0,"a":[ ]},"by_name":{"k":["x",{"type":"text","text":"é"}]},"text":"cut \ud83d","tools":[{"name":"n","x":1.0}],"citations":[{"type":"page_location"}]}"#;

#[test]
fn inside_a_struct_nothing_is_lost() {
    let record: Record = serde_json::from_str(LINE).unwrap();
    assert_eq!(serde_json::to_string(&record).unwrap(), LINE);
    assert_eq!(serde_json::from_slice::<Record>(LINE.as_bytes()).unwrap(), record);
    assert_eq!(serde_json::from_reader::<_, Record>(LINE.as_bytes()).unwrap(), record);
    assert_eq!(serde_json::to_vec(&record).unwrap(), LINE.as_bytes());
    assert!(record.text.has_lone_surrogate());
}

#[test]
fn through_values() {
    let text = r#"{"content":[{"text":"a","type":"text"},{"n":17,"type":"odd"}],"role":"user"}"#;
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let message: Message = serde_json::from_value(value.clone()).unwrap();
    assert!(matches!(&message, Message::User(_)));
    assert_eq!(serde_json::to_value(&message).unwrap(), value);
    assert_eq!(Message::deserialize(&value).unwrap(), message);
    let request = Request::new(vec![message]).with_param("max_tokens", RawJson::from_serialize(&5).unwrap());
    let value = serde_json::to_value(&request).unwrap();
    assert_eq!(value["max_tokens"], 5);
    let again: Request = serde_json::from_value(value).unwrap();
    assert_eq!((again.max_tokens(), again.messages.len()), (Some(5), 1));
}

#[test]
fn collections_and_pretty_printing() {
    let messages = vec![Message::user("a"), Message::tool_error("t", "b")];
    let text = serde_json::to_string(&messages).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Message>>(&text).unwrap(), messages);
    let pretty = serde_json::to_string_pretty(&messages).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Message>>(&pretty).unwrap(), messages);
}

#[test]
fn what_does_not_fit_is_an_error() {
    assert!(serde_json::from_str::<Content>("7").unwrap_err().to_string().contains("neither a string nor a list"));
    assert!(serde_json::from_str::<Text>("7").unwrap_err().to_string().contains("not a string"));
    assert!(serde_json::from_str::<Usage>("[]").unwrap_err().to_string().contains("not an object"));
    assert!(serde_json::from_str::<Request>("{}").unwrap_err().to_string().contains("messages"));
    assert!(serde_json::from_str::<Message>("{").is_err());
    assert!(serde_json::from_str::<Message>("7").is_ok(), "any JSON value is a message, if need be a raw one");
}

#[test]
fn where_serde_buffers_the_answer_is_an_error_and_not_a_loss() {
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    enum Either {
        #[expect(dead_code, reason = "only to be read into")]
        Message(Message),
    }
    assert!(serde_json::from_str::<Either>(r#"{"role":"user","content":"a"}"#).is_err());
}
