//! A whole stream body in one call, with its faults named by rule.

use antiphon_model::{AssistantMessage, ContentBlock, Message, RawJson};
use serde::Serialize;

use crate::accumulate::{Finished, Interrupted, Interruption, SalvageOptions, ToolCall};
use crate::{ApiError, MessageDecoder};

/// What a stream body holds.
///
/// Serialised it is `{"message","complete","error","tool_calls","findings"}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Collected {
    /// The message: whole if [`complete`](Self::complete), else what can be [salvaged](Interrupted::salvage),
    /// if anything, with what is known of its usage.
    pub message: Option<Message>,
    /// Whether the message is whole.
    pub complete: bool,
    /// The error the provider sent.
    pub error: Option<ApiError>,
    /// The calls of client tools in order, also those that are not whole.
    pub tool_calls: Vec<CollectedCall>,
    /// What is wrong.
    pub findings: Vec<StreamFinding>,
}

/// A tool call in a stream body.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CollectedCall {
    /// The id of the call.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// Its input, if it is whole; only then may the call be run.
    pub input: Option<RawJson>,
    /// Whether it is whole.
    pub complete: bool,
    /// The JSON text of the input, as far as it came.
    pub raw: String,
}

/// A rule of streams that is broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StreamFinding {
    /// The rule.
    pub rule: StreamRule,
    /// What is wrong, in words.
    pub message: String,
    /// The index of the block it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
}

/// The rules of streams, by the ids that every part of antiphon uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StreamRule {
    /// The stream holds no whole message.
    StreamIncomplete,
    /// The provider sent an error in the stream.
    StreamError,
    /// A tool call is not whole.
    ToolInputIncomplete,
}

impl StreamRule {
    /// The id, such as `stream-incomplete`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StreamIncomplete => "stream-incomplete",
            Self::StreamError => "stream-error",
            Self::ToolInputIncomplete => "tool-input-incomplete",
        }
    }
}

/// Reads a whole stream body.
///
/// ```
/// use antiphon_stream::{StreamRule, collect};
///
/// let body = b"data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n\n\
///     data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n";
/// let collected = collect(body);
/// assert!(!collected.complete);
/// assert_eq!(collected.findings[0].rule, StreamRule::StreamIncomplete);
/// assert_eq!(collected.message.unwrap().to_json(), r#"{"role":"assistant","content":[{"type":"text","text":"Hi"}]}"#);
/// ```
pub fn collect(bytes: &[u8]) -> Collected {
    let mut decoder = MessageDecoder::new();
    let mut updates = Vec::new();
    // In pieces, so that the updates that nobody asked for do not pile up.
    for piece in bytes.chunks(1 << 16) {
        decoder.push_into(piece, &mut updates);
        updates.clear();
    }
    Collected::from_outcome(decoder.finish())
}

impl Collected {
    /// The same from an outcome, for those who fed the stream themselves.
    pub fn from_outcome(outcome: Result<Finished, Box<Interrupted>>) -> Self {
        match outcome {
            Ok(finished) => Self::finished(finished.message),
            Err(interrupted) => Self::interrupted(&interrupted),
        }
    }

    fn finished(message: AssistantMessage) -> Self {
        let message = Message::Assistant(message);
        let tool_calls = message.tool_uses().map(|tool| whole(&tool.id, &tool.name, &tool.input)).collect();
        Self { message: Some(message), complete: true, error: None, tool_calls, findings: Vec::new() }
    }

    fn interrupted(interrupted: &Interrupted) -> Self {
        let calls = interrupted.tool_calls();
        let tool_calls = calls.iter().map(|call| match call {
            ToolCall::Complete(tool) => whole(&tool.id, &tool.name, &tool.input),
            ToolCall::Unfinished(call) => CollectedCall {
                id: call.id.clone(),
                name: call.name.clone(),
                input: None,
                complete: false,
                raw: call.raw.clone(),
            },
        });
        let mut findings = Vec::new();
        let stream = match interrupted.reason {
            Interruption::Error => Some(StreamRule::StreamError),
            Interruption::ToolInput => None,
            _ => Some(StreamRule::StreamIncomplete),
        };
        findings.extend(stream.map(|rule| StreamFinding { rule, message: interrupted.to_string(), index: None }));
        findings.extend(interrupted.unfinished().map(|call| StreamFinding {
            rule: StreamRule::ToolInputIncomplete,
            message: format!("tool call {} ({}) can not be run: {}", call.id, call.name, call.reason),
            index: Some(call.index),
        }));
        Self {
            message: interrupted.salvage(&SalvageOptions::default()).message.map(|message| {
                // Usage and stop reason are worth knowing here too; they are not for the next request.
                Message::Assistant(AssistantMessage { extra: interrupted.head().extra.clone(), ..message })
            }),
            complete: false,
            error: interrupted.error.clone(),
            tool_calls: tool_calls.collect(),
            findings,
        }
    }

    /// The ids of the broken rules, each once.
    pub fn rules(&self) -> Vec<StreamRule> {
        let mut rules = Vec::new();
        for finding in &self.findings {
            if !rules.contains(&finding.rule) {
                rules.push(finding.rule);
            }
        }
        rules
    }

    /// The text of the message, its text blocks joined.
    pub fn text(&self) -> String {
        let Some(Message::Assistant(message)) = &self.message else { return String::new() };
        let antiphon_model::Content::Blocks(blocks) = &message.content else { return String::new() };
        let texts = blocks.iter().filter_map(|block| match block {
            ContentBlock::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        texts.collect()
    }
}

fn whole(id: &str, name: &str, input: &RawJson) -> CollectedCall {
    CollectedCall {
        id: id.to_owned(),
        name: name.to_owned(),
        input: Some(input.clone()),
        complete: true,
        raw: input.get().to_owned(),
    }
}
