use super::AssistantMessage;
use crate::json::{RawJson, RawRef};
use crate::usage::Usage;
use std::borrow::Cow;

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The turn is complete.
    EndTurn,
    /// `max_tokens` was reached: the last block may be cut.
    MaxTokens,
    /// A stop sequence came.
    StopSequence,
    /// The model waits for tool results.
    ToolUse,
    /// A server tool is still at work: send the turn back as it is.
    PauseTurn,
    /// The model refused; partial output is to be discarded.
    Refusal,
    /// The context window is full.
    ModelContextWindowExceeded,
    /// The provider compacted the conversation.
    Compaction,
    /// A reason not known here.
    Other(String),
}

impl StopReason {
    /// The reason's name in JSON.
    pub fn as_str(&self) -> &str {
        match self {
            Self::EndTurn => "end_turn",
            Self::MaxTokens => "max_tokens",
            Self::StopSequence => "stop_sequence",
            Self::ToolUse => "tool_use",
            Self::PauseTurn => "pause_turn",
            Self::Refusal => "refusal",
            Self::ModelContextWindowExceeded => "model_context_window_exceeded",
            Self::Compaction => "compaction",
            Self::Other(name) => name,
        }
    }
}

impl From<&str> for StopReason {
    fn from(name: &str) -> Self {
        match name {
            "end_turn" => Self::EndTurn,
            "max_tokens" => Self::MaxTokens,
            "stop_sequence" => Self::StopSequence,
            "tool_use" => Self::ToolUse,
            "pause_turn" => Self::PauseTurn,
            "refusal" => Self::Refusal,
            "model_context_window_exceeded" => Self::ModelContextWindowExceeded,
            "compaction" => Self::Compaction,
            other => Self::Other(other.to_owned()),
        }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What only answers of the API have.
///
/// ```
/// use antiphon_model::{Message, StopReason};
/// let answer = Message::from_json(
///     r#"{"id":"msg_1","role":"assistant","content":[],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":2}}"#,
/// )?;
/// let Message::Assistant(answer) = answer else { panic!() };
/// assert_eq!(answer.stop_reason(), Some(StopReason::EndTurn));
/// assert_eq!(answer.usage().unwrap().output_tokens, Some(2));
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
impl AssistantMessage {
    fn string(&self, key: &str) -> Option<Cow<'_, str>> {
        self.extra.get(key).and_then(RawRef::as_str)
    }

    /// `id`: one answer of the API, also when session files spread it over several lines.
    pub fn id(&self) -> Option<Cow<'_, str>> {
        self.string("id")
    }

    /// `model`: which model answered.
    pub fn model(&self) -> Option<Cow<'_, str>> {
        self.string("model")
    }

    /// `stop_reason`, unless absent or null.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.string("stop_reason").map(|name| StopReason::from(&*name))
    }

    /// `stop_sequence`, unless absent or null.
    pub fn stop_sequence(&self) -> Option<Cow<'_, str>> {
        self.string("stop_sequence")
    }

    /// `usage`, if it is an object.
    pub fn usage(&self) -> Option<Usage> {
        self.extra.get("usage").and_then(Usage::from_raw)
    }

    /// Sets `id`.
    pub fn set_id(&mut self, id: &str) {
        self.extra.insert("id", RawJson::string(id));
    }

    /// Sets `model`.
    pub fn set_model(&mut self, model: &str) {
        self.extra.insert("model", RawJson::string(model));
    }

    /// Sets `stop_reason`; `None` writes null.
    pub fn set_stop_reason(&mut self, reason: Option<&StopReason>) {
        self.extra.insert("stop_reason", reason.map_or_else(RawJson::null, |r| RawJson::string(r.as_str())));
    }

    /// Sets `usage`.
    pub fn set_usage(&mut self, usage: &Usage) {
        self.extra.insert("usage", usage.to_raw());
    }
}
