//! What a caller is told while the stream comes.

use antiphon_model::{ContentBlock, RawJson, Usage};
use serde::Serialize;

use super::{Anomaly, Interruption, UnfinishedReason};
use crate::ApiError;

/// One thing that changed. Serialised, its `type` is the name in snake case: `text_chunk`, `tool_use_complete`.
///
/// `index` is the place of the block in the message, as the peer counts.
///
/// ```
/// let update = antiphon_stream::Update::TextChunk { index: 0, text: "Hi".into() };
/// assert_eq!(serde_json::to_string(&update)?, r#"{"type":"text_chunk","index":0,"text":"Hi"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Update {
    /// The message has begun.
    MessageStart {
        /// Its id, empty if none was given.
        id: String,
        /// The model that answers, empty if none was given.
        model: String,
    },
    /// More of the answer's text.
    TextChunk {
        /// The block.
        index: u64,
        /// What is added.
        text: String,
    },
    /// More of the model's thinking.
    ThinkingChunk {
        /// The block.
        index: u64,
        /// What is added.
        text: String,
    },
    /// The thinking is signed.
    ThinkingSignature {
        /// The block.
        index: u64,
        /// It; a second piece is to be joined to the first.
        signature: String,
    },
    /// A citation for the text.
    Citation {
        /// The block.
        index: u64,
        /// The citation.
        citation: RawJson,
    },
    /// The summary of a compaction.
    CompactionChunk {
        /// The block.
        index: u64,
        /// What is added.
        text: String,
    },
    /// A tool call has begun.
    ToolUseStart {
        /// The block.
        index: u64,
        /// The id of the call.
        id: String,
        /// The name of the tool.
        name: String,
        /// The provider runs this one itself: it is not for the caller to run.
        server: bool,
    },
    /// More of a tool's input. For showing: only [`ToolUseComplete`](Self::ToolUseComplete) is for running.
    ToolInput {
        /// The block.
        index: u64,
        /// More of its JSON text.
        partial_json: String,
        /// What became certain of its value, with [`ToolInputDetail::Changes`](super::ToolInputDetail::Changes).
        #[serde(skip_serializing_if = "Vec::is_empty")]
        changes: Vec<InputChange>,
    },
    /// A tool call is whole and may be run.
    ToolUseComplete {
        /// The block.
        index: u64,
        /// The id of the call.
        id: String,
        /// The name of the tool.
        name: String,
        /// Its input: an object, byte for byte as it came.
        input: RawJson,
    },
    /// A tool call has ended without being whole. It must not be run.
    ToolUseIncomplete {
        /// The block.
        index: u64,
        /// The id of the call.
        id: String,
        /// The name of the tool.
        name: String,
        /// The JSON text of its input, as far as it came.
        raw: String,
        /// What is wrong with it.
        reason: UnfinishedReason,
    },
    /// A block that came whole: the result of a server tool, redacted thinking, a call of a server tool (at its
    /// stop), a block not known.
    Block {
        /// The block.
        index: u64,
        /// It.
        block: ContentBlock,
    },
    /// A block has ended.
    BlockStop {
        /// The block.
        index: u64,
    },
    /// Tokens used so far: running totals.
    Usage {
        /// The whole of it.
        usage: Usage,
    },
    /// The model has stopped.
    StopReason {
        /// Why.
        stop_reason: String,
    },
    /// The provider is alive.
    Ping,
    /// Something not known came: an event or a delta, whole.
    Unknown {
        /// The block it is for.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<u64>,
        /// It.
        raw: RawJson,
    },
    /// Something was odd.
    Anomaly {
        /// What.
        anomaly: Anomaly,
    },
    /// The provider sent an error: the message ends here, unfinished.
    Error {
        /// It.
        error: ApiError,
    },
    /// The message is complete.
    Done {
        /// Why the model stopped.
        stop_reason: Option<String>,
    },
    /// The stream has ended and the message is not complete.
    Interrupted {
        /// Why.
        reason: Interruption,
    },
}

/// What became certain of a tool's input. Paths are JSON pointers (RFC 6901) into the input.
///
/// ```
/// use antiphon_stream::InputChange;
///
/// let change = InputChange::Text { path: "/content".into(), text: "fn main".into(), closed: false };
/// assert_eq!(serde_json::to_string(&change)?, r#"{"change":"text","path":"/content","text":"fn main"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
#[non_exhaustive]
pub enum InputChange {
    /// There is an object here, empty as yet.
    Object {
        /// Where.
        path: String,
    },
    /// There is an array here, empty as yet.
    Array {
        /// Where.
        path: String,
    },
    /// There is a string here and it grew by this text.
    Text {
        /// Where.
        path: String,
        /// What is added, decoded; may be empty when the string has only begun, or ended.
        text: String,
        /// The string ends here.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        closed: bool,
    },
    /// There is a number, truth value or null here.
    Value {
        /// Where.
        path: String,
        /// It, as written.
        value: RawJson,
    },
    /// The object or array here is closed.
    Closed {
        /// Where.
        path: String,
    },
}
