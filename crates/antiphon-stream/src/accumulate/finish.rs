//! The end: a message, or why there is none.

use std::fmt;

use antiphon_model::{AssistantMessage, Content, ContentBlock, Message, RawJson, ToolUse, Usage};
use serde::{Deserialize, Serialize};

use super::build::{Built, ToolCall, UnfinishedToolUse};
use super::{Accumulator, Anomaly, Carried, Salvage, SalvageOptions, salvage};
use crate::ApiError;

/// A stream that gave a whole message. Whole does not mean wanted: the provider asks that what came before a stop for
/// `refusal` be discarded, and a stop at `max_tokens` may end in mid-sentence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finished {
    /// The message, with all that its answer has: `id`, `model`, `stop_reason`, `usage`, and what is not known.
    pub message: AssistantMessage,
    /// Oddities of the stream, which did not keep it from being whole.
    pub anomalies: Vec<Anomaly>,
    /// What came and has no place in the message.
    pub carried: Vec<Carried>,
}

impl Finished {
    /// The calls in the message, all of them whole, for the caller to run.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        blocks(&self.message).iter().filter_map(|block| match block {
            ContentBlock::ToolUse(tool) => Some(tool),
            _ => None,
        })
    }

    /// The message in the form that may stand in the next request; see [`Interrupted::salvage`]. A whole message may
    /// need it too: a stop at `max_tokens` can leave it ending in thinking, say.
    pub fn salvage(&self, options: &SalvageOptions) -> Salvage {
        let blocks = blocks(&self.message)
            .iter()
            .zip(0..)
            .map(|(block, index)| Built { index, stopped: true, damaged: false, content: Ok(block.clone()) })
            .collect();
        salvage::salvage(&self.message, blocks, true, options)
    }
}

fn blocks(message: &AssistantMessage) -> &[ContentBlock] {
    match &message.content {
        Content::Blocks(blocks) => blocks,
        Content::Text(_) => &[],
    }
}

/// Why a stream gave no whole message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Interruption {
    /// The provider sent an error.
    Error,
    /// There was no message at all.
    Empty,
    /// The stream broke off before the model was done.
    Cut,
    /// Events were lost or could not be read: content may be missing.
    Damaged,
    /// A second message began before the first was done.
    SecondMessage,
    /// The stream was larger than [`AccumulatorOptions`](super::AccumulatorOptions) allows.
    Limit,
    /// The message did not begin with `message_start`.
    NoStart,
    /// The message ended, but a tool call in it is not whole (a stop at `max_tokens` does that).
    ToolInput,
}

impl Interruption {
    fn as_str(self) -> &'static str {
        match self {
            Self::Error => "the provider sent an error",
            Self::Empty => "the stream holds no message",
            Self::Cut => "the stream broke off before the message was complete",
            Self::Damaged => "events of the stream were lost",
            Self::SecondMessage => "a second message began before the first was complete",
            Self::Limit => "the message is larger than allowed",
            Self::NoStart => "the stream does not begin with message_start",
            Self::ToolInput => "the message ended with an unfinished tool call",
        }
    }
}

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A stream that gave no whole message, and what can be had of it.
///
/// It is an error, and holds all that came: the [partial message](Self::partial), the [tool calls](Self::tool_calls),
/// and what can go on in a conversation ([`salvage`](Self::salvage)). It must not be stored as a finished answer.
///
/// ```
/// use antiphon_stream::{Interruption, MessageDecoder, SalvageOptions};
///
/// let mut decoder = MessageDecoder::new();
/// decoder.push(b"data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n\n");
/// decoder.push(b"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"The first \"}}\n\n");
/// decoder.push(b"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n");
/// let interrupted = decoder.finish().unwrap_err();
/// assert_eq!(interrupted.reason, Interruption::Error);
/// assert_eq!(interrupted.to_string(), "the provider sent an error: overloaded_error: Overloaded");
/// let salvaged = interrupted.salvage(&SalvageOptions::default()).message.unwrap();
/// assert_eq!(salvaged.content.into_blocks()[0].to_json(), r#"{"type":"text","text":"The first"}"#);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Interrupted {
    /// Why.
    pub reason: Interruption,
    /// The provider's error, if that is why.
    pub error: Option<ApiError>,
    /// Oddities of the stream.
    pub anomalies: Vec<Anomaly>,
    /// What came and has no place in the message.
    pub carried: Vec<Carried>,
    /// The message without content.
    head: AssistantMessage,
    blocks: Vec<Built>,
}

impl Interrupted {
    /// The message as far as it came: every block but unfinished tool calls, the last one perhaps cut. For showing
    /// and for keeping; what may stand in the next request is [`salvage`](Self::salvage)'s to say.
    pub fn partial(&self) -> AssistantMessage {
        let blocks = self.blocks.iter().filter_map(|block| block.content.clone().ok()).collect();
        AssistantMessage { content: Content::Blocks(blocks), extra: self.head.extra.clone() }
    }

    /// The message without its content.
    pub(crate) fn head(&self) -> &AssistantMessage {
        &self.head
    }

    /// The calls of client tools in order, whole ones and others.
    pub fn tool_calls(&self) -> Vec<ToolCall> {
        let call = |block: &Built| match &block.content {
            Ok(ContentBlock::ToolUse(tool)) => Some(ToolCall::Complete(tool.clone())),
            Err(unfinished) if !unfinished.server => Some(ToolCall::Unfinished(unfinished.clone())),
            _ => None,
        };
        self.blocks.iter().filter_map(call).collect()
    }

    /// The calls that are not whole, those of server tools too.
    pub fn unfinished(&self) -> impl Iterator<Item = &UnfinishedToolUse> {
        self.blocks.iter().filter_map(|block| block.content.as_ref().err())
    }

    /// Usage as far as it is known: what was produced has been paid for.
    pub fn usage(&self) -> Option<Usage> {
        self.head.usage()
    }

    /// What of the message may stand in a conversation, and what was left out for which reason: unfinished calls,
    /// unsigned thinking, empty text, and so on, see [`LeftOutReason`](super::LeftOutReason). Whole tool calls stay
    /// unless [`SalvageOptions::tool_calls`] says otherwise; each then needs its result, as ever.
    pub fn salvage(&self, options: &SalvageOptions) -> Salvage {
        salvage::salvage(&self.head, self.blocks.clone(), false, options)
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            Some(error) => write!(f, "{}: {error}", self.reason),
            None => write!(f, "{}", self.reason),
        }
    }
}

impl std::error::Error for Interrupted {}

impl Accumulator {
    /// The stream is over: the message, or why there is none.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the message is not whole. It holds all that came. (In a box, for it is large and seldom.)
    pub fn finish(mut self) -> Result<Finished, Box<Interrupted>> {
        self.end();
        let reason = self.interruption();
        let head = self.head();
        let blocks = self.built();
        let state = self.state;
        match reason {
            None => {
                let blocks = blocks.into_iter().filter_map(|block| block.content.ok()).collect();
                let message = AssistantMessage { content: Content::Blocks(blocks), extra: head.extra };
                Ok(Finished { message, anomalies: state.anomalies, carried: state.carried })
            }
            Some(reason) => Err(Box::new(Interrupted {
                reason,
                error: state.error,
                anomalies: state.anomalies,
                carried: state.carried,
                head,
                blocks,
            })),
        }
    }

    /// The message as it stands now, without tool calls that are not whole. This copies it: for a look now and then,
    /// not for every event.
    pub fn message(&self) -> AssistantMessage {
        let blocks = self.built().into_iter().filter_map(|block| block.content.ok()).collect();
        AssistantMessage { content: Content::Blocks(blocks), extra: self.head().extra }
    }

    /// Why this would be no whole message if nothing more came.
    pub(super) fn interruption(&self) -> Option<Interruption> {
        let state = &self.state;
        if state.error.is_some() {
            Some(Interruption::Error)
        } else if !state.begun {
            Some(Interruption::Empty)
        } else if state.second {
            Some(Interruption::SecondMessage)
        } else if !self.message_ended() {
            Some(Interruption::Cut)
        } else if state.limit {
            Some(Interruption::Limit)
        } else if state.damaged {
            Some(Interruption::Damaged)
        } else if !state.has_start {
            Some(Interruption::NoStart)
        } else if state.blocks.iter().any(|block| block.is_tool() && !matches!(block.input, Some(Ok(_)))) {
            Some(Interruption::ToolInput)
        } else {
            None
        }
    }

    /// The blocks in the order of the message.
    fn built(&self) -> Vec<Built> {
        let mut built: Vec<_> = self.state.blocks.iter().map(super::block::Block::build).collect();
        if !self.state.reused {
            built.sort_by_key(|block| block.index);
        }
        built
    }

    /// The message without content.
    fn head(&self) -> AssistantMessage {
        let mut members = self.state.message.clone();
        members.set("role", RawJson::string("assistant"));
        // `content` keeps its place among the members; its value is replaced.
        members.set("content", RawJson::parse("[]").unwrap_or_else(|_| RawJson::null()));
        if let Some(usage) = self.usage_raw() {
            members.set("usage", usage);
        }
        match members.to_raw().map(|raw| Message::from_raw(raw.as_ref())) {
            Some(Message::Assistant(message)) => message,
            // More members than the model types: what it says of itself goes, the content stays.
            _ => AssistantMessage::new(Content::Blocks(Vec::new())),
        }
    }
}
