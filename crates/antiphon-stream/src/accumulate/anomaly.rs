//! What was odd about a stream, and what of it has no place in the message.

use antiphon_model::RawJson;
use serde::{Deserialize, Serialize};

/// Something in the stream that should not be, and what it was about. The table at
/// [`Accumulator`](crate::Accumulator) says what is done.
///
/// ```
/// use antiphon_stream::{Accumulator, AnomalyKind, StreamEvent};
///
/// let mut accumulator = Accumulator::new();
/// accumulator.push(StreamEvent::parse(r#"{"type":"content_block_stop","index":9}"#)?);
/// let kinds: Vec<_> = accumulator.anomalies().iter().map(|anomaly| anomaly.kind).collect();
/// assert_eq!(kinds, [AnomalyKind::MissingMessageStart, AnomalyKind::StopWithoutStart]);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Anomaly {
    /// What is odd.
    pub kind: AnomalyKind,
    /// The index of the block it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<u64>,
    /// More, in words; may be empty.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub detail: String,
}

/// The kinds of oddity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnomalyKind {
    /// The stream does not begin with `message_start`.
    MissingMessageStart,
    /// A second `message_start` came before any block and replaced the first.
    MessageStartReplaced,
    /// A second `message_start` came after content.
    SecondMessageStart,
    /// The message says that its role is not `assistant`.
    ForeignRole,
    /// A block began whose index is below that of an earlier one.
    BlockOutOfOrder,
    /// A block began with the index of an earlier one.
    IndexReused,
    /// A block began with the index of one that was still open.
    BlockNotStopped,
    /// A delta opened its block, since no start had come.
    BlockOpenedByDelta,
    /// A delta for a block that has not begun.
    DeltaWithoutStart,
    /// A delta for a block that has stopped.
    DeltaAfterStop,
    /// A delta of another kind than its block.
    DeltaDoesNotFit,
    /// A delta of an unknown type.
    UnknownDelta,
    /// An event of an unknown type.
    UnknownEvent,
    /// An event of a known type that lacks what it needs.
    MalformedEvent,
    /// Data that is not JSON.
    NotJson,
    /// The last event was cut by the end of the stream.
    CutEvent,
    /// An event was dropped because it broke a limit of the decoder.
    EventDropped,
    /// Bytes that are not UTF-8, or half a surrogate pair, stand as U+FFFD.
    TextReplaced,
    /// More than one signature for one block of thinking; they were joined.
    SignatureInPieces,
    /// A stop for a block that has not begun.
    StopWithoutStart,
    /// A second stop for a block.
    RepeatedStop,
    /// A block had no stop when the message ended.
    MissingBlockStop,
    /// The message had a stop reason, but no `message_stop`.
    MissingMessageStop,
    /// Something came after the end.
    AfterEnd,
    /// The input of a tool call is not JSON; the detail says where it breaks.
    ToolInputInvalid,
    /// The input of a tool call is too large or too deep to be shown while it comes. It may be sound all the same.
    ToolInputNotShown,
    /// More blocks than allowed.
    TooManyBlocks,
    /// More bytes than allowed.
    TooManyBytes,
}

/// Something that came and has no place in the message: nothing is lost, but somebody must look.
///
/// ```
/// use antiphon_stream::{Accumulator, CarriedWhat, StreamEvent};
///
/// let mut accumulator = Accumulator::new();
/// accumulator.push(StreamEvent::parse(r#"{"type":"weather_report","note":"new"}"#)?);
/// let carried = &accumulator.carried()[0];
/// assert_eq!((carried.what, carried.raw.member("note").unwrap().get()), (CarriedWhat::Event, "\"new\""));
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Carried {
    /// What it is.
    pub what: CarriedWhat,
    /// The index of the block it was for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<u64>,
    /// It, as JSON.
    pub raw: RawJson,
}

/// The kinds of things carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CarriedWhat {
    /// A whole event.
    Event,
    /// A delta that was not applied.
    Delta,
    /// Members of an event that are not known, as an object.
    EventMembers,
    /// Members of a delta that are not known, as an object.
    DeltaMembers,
}
