//! The yardstick: the message types as one writes them with serde's derive.
//!
//! They lose data (unknown fields are dropped, numbers and key order of tool input change, an unknown block is only known
//! to have been there), and are what most programs have.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message, tagged by its role.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields of the Messages API")]
pub enum Message {
    User { content: Content },
    Assistant { content: Content },
    System { content: Content },
    ToolUse { id: String, name: String, input: Value },
    ToolResult { tool_use_id: String, content: Option<Content>, is_error: Option<bool> },
}

/// A string or blocks.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the two forms of the Messages API")]
pub enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

/// A content block, tagged by its type.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields of the Messages API")]
pub enum Block {
    Text {
        text: String,
    },
    Thinking {
        thinking: String,
        signature: Option<String>,
    },
    RedactedThinking {
        data: String,
    },
    Image {
        source: Value,
    },
    Document {
        source: Value,
    },
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    ToolResult {
        tool_use_id: String,
        content: Option<Content>,
        is_error: Option<bool>,
    },
    #[serde(other)]
    Other,
}

/// A line of a Claude Code log.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields of the log")]
pub struct Record {
    pub r#type: String,
    pub uuid: Option<String>,
    pub parent_uuid: Option<String>,
    #[serde(default)]
    pub is_sidechain: bool,
    pub timestamp: Option<String>,
    pub message: Option<Message>,
}

/// The same types with what they do not know gathered in a map by `flatten`: loses less, and takes longer.
pub mod flattened {
    use serde::{Deserialize, Serialize};
    use serde_json::{Map, Value};

    /// What a type does not know.
    type Extra = Map<String, Value>;

    /// A message of any role.
    #[derive(Clone, Debug, Deserialize, Serialize)]
    #[expect(missing_docs, reason = "the fields of the Messages API")]
    pub struct Message {
        pub role: String,
        pub content: Content,
        #[serde(flatten)]
        pub extra: Extra,
    }

    /// A string or blocks.
    #[derive(Clone, Debug, Deserialize, Serialize)]
    #[serde(untagged)]
    #[expect(missing_docs, reason = "the two forms of the Messages API")]
    pub enum Content {
        Text(String),
        Blocks(Vec<Block>),
    }

    /// A content block, tagged by its type.
    #[derive(Clone, Debug, Deserialize, Serialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    #[expect(missing_docs, reason = "the fields of the Messages API")]
    pub enum Block {
        Text {
            text: String,
            #[serde(flatten)]
            extra: Extra,
        },
        Thinking {
            thinking: String,
            signature: Option<String>,
            #[serde(flatten)]
            extra: Extra,
        },
        Image {
            source: Value,
            #[serde(flatten)]
            extra: Extra,
        },
        ToolUse {
            id: String,
            name: String,
            input: Value,
            #[serde(flatten)]
            extra: Extra,
        },
        ToolResult {
            tool_use_id: String,
            content: Option<Content>,
            is_error: Option<bool>,
            #[serde(flatten)]
            extra: Extra,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Shape, claude_code_log, message_array};

    #[test]
    fn the_yardstick_reads_what_it_is_timed_on() {
        for shape in [Shape::Whole, Shape::Broken, Shape::Runs] {
            let messages: Vec<Message> = serde_json::from_str(&message_array(100, shape)).unwrap();
            let others = messages.iter().filter(|message| match message {
                Message::User { content: Content::Blocks(blocks) }
                | Message::Assistant { content: Content::Blocks(blocks) } => {
                    blocks.iter().any(|block| matches!(block, Block::Other))
                }
                _ => false,
            });
            assert_eq!(others.count(), 0, "a block that the yardstick skips would flatter it");
            let messages: Vec<flattened::Message> = serde_json::from_str(&message_array(100, shape)).unwrap();
            assert_eq!(messages.len(), 100);
            for line in claude_code_log(100, shape).lines() {
                assert!(serde_json::from_str::<Record>(line).unwrap().message.is_some());
            }
        }
    }
}
