//! From the grown block to the block of a message.

use antiphon_model::{Citation, ContentBlock, RawJson, Text, ToolUse};
use serde::{Deserialize, Serialize};

use super::block::{Block, Kind};
use crate::members::Members;
use crate::{JsonStream, MendedJson, PartialValue, StreamError, mend_json};

/// A call of a tool, as a stream left it: only one of the two can be run.
///
/// ```
/// use antiphon_stream::{MessageDecoder, ToolCall};
///
/// let mut decoder = MessageDecoder::new();
/// decoder.push(b"data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"rm\",\"input\":{}}}\n\n");
/// decoder.push(b"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"path\\\":\\\"/tmp\"}}\n\n");
/// let interrupted = decoder.finish().unwrap_err();
/// match &interrupted.tool_calls()[0] {
///     ToolCall::Complete(_) => panic!("half a path must never be run"),
///     ToolCall::Unfinished(call) => assert_eq!(call.raw, "{\"path\":\"/tmp"),
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum ToolCall {
    /// Whole: it may be run.
    Complete(ToolUse),
    /// Not whole: it must not be run.
    Unfinished(UnfinishedToolUse),
}

/// A tool call whose input did not come whole. Nothing makes a [`ToolUse`] of it but a caller who writes one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UnfinishedToolUse {
    /// The index of its block.
    pub index: u64,
    /// The id of the call.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// Whether it is a call that the provider runs itself.
    pub server: bool,
    /// The JSON text of its input, as far as it came.
    pub raw: String,
    /// What is wrong with it.
    pub reason: UnfinishedReason,
}

/// Why a tool call may not be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnfinishedReason {
    /// Its input ends before it is whole, or nobody said that it ended.
    #[error("its input was cut")]
    Cut,
    /// Its input is not JSON.
    #[error("its input is not JSON")]
    Invalid,
    /// Its input is JSON but no object.
    #[error("its input is not an object")]
    NotAnObject,
    /// It has no id, or names no tool.
    #[error("it has no id or no name")]
    Unnamed,
    /// A part of it may have been lost or changed on the way.
    #[error("a part of its input was lost")]
    Damaged,
}

impl UnfinishedToolUse {
    /// The value of the input as far as it is certain, for showing.
    pub fn so_far(&self) -> Option<PartialValue> {
        let mut json = JsonStream::new();
        // A fault leaves what came before it, which is what is asked for.
        let _ = json.push(&self.raw);
        json.value().cloned()
    }

    /// The input, mended by guess and marked as such.
    ///
    /// # Errors
    ///
    /// As for [`mend_json`].
    pub fn mend(&self) -> Result<MendedJson, StreamError> {
        mend_json(&self.raw)
    }
}

/// A block as the stream left it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Built {
    pub(super) index: u64,
    /// Its stop came.
    pub(super) stopped: bool,
    pub(super) damaged: bool,
    pub(super) content: Result<ContentBlock, UnfinishedToolUse>,
}

impl Block {
    pub(super) fn build(&self) -> Built {
        let content = match (&self.input, self.is_tool()) {
            (Some(Ok(input)), true) => Ok(self.with_input(input)),
            (_, false) => Ok(self.content()),
            (unfinished, true) => Err(UnfinishedToolUse {
                index: self.index,
                id: self.id.clone(),
                name: self.name.clone(),
                server: self.kind == Kind::ServerToolUse,
                raw: self.text.clone(),
                reason: match unfinished {
                    Some(Err(reason)) => *reason,
                    _ => UnfinishedReason::Cut,
                },
            }),
        };
        Built { index: self.index, stopped: self.stopped, damaged: self.damaged, content }
    }

    fn with_input(&self, input: &RawJson) -> ContentBlock {
        let mut block = ContentBlock::from_raw(self.start.as_ref());
        match &mut block {
            ContentBlock::ToolUse(tool) => tool.input = input.clone(),
            ContentBlock::ServerToolUse(tool) => tool.input = input.clone(),
            _ => {}
        }
        block
    }

    fn content(&self) -> ContentBlock {
        let mut block = ContentBlock::from_raw(self.start.as_ref());
        match &mut block {
            ContentBlock::Text(text) => {
                grow(&mut text.text, &self.text);
                if !self.citations.is_empty() {
                    // A null in the start event stands raw among the other members.
                    text.extra.remove("citations");
                    text.citations.get_or_insert_default().extend(self.citations.iter().cloned().map(Citation::new));
                }
            }
            ContentBlock::Thinking(thinking) => {
                grow(&mut thinking.thinking, &self.text);
                if self.signature.is_some() {
                    thinking.extra.remove("signature");
                    thinking.signature.clone_from(&self.signature);
                }
            }
            ContentBlock::Compaction(_) => {
                let mut members = Members::of(self.start.as_ref());
                if self.has_content {
                    members.set("content", RawJson::string(&self.text));
                }
                for (key, value) in self.fields.iter() {
                    members.update(key, value.as_ref());
                }
                return members.to_raw().map_or(block, |raw| ContentBlock::from_raw(raw.as_ref()));
            }
            _ => {}
        }
        block
    }
}

/// Sets the text, unless it is what the start event had: that keeps its spelling.
fn grow(text: &mut Text, grown: &str) {
    if text.as_str() != grown {
        *text = Text::from(grown.to_owned());
    }
}
