//! From events to a message, block by block.

mod anomaly;
mod apply;
mod block;
mod build;
mod finish;
mod fit;
mod options;
mod salvage;
mod update;

use std::collections::BTreeMap;

use antiphon_model::{RawJson, StopReason, Usage};
use serde::{Deserialize, Serialize};

pub use anomaly::{Anomaly, AnomalyKind, Carried, CarriedWhat};
pub use build::{ToolCall, UnfinishedReason, UnfinishedToolUse};
pub use finish::{Finished, Interrupted, Interruption};
pub use options::{AccumulatorOptions, ToolInputDetail};
pub use salvage::{LeftOut, LeftOutReason, Salvage, SalvageOptions};
pub use update::{InputChange, Update};

use crate::members::Members;
use crate::{ApiError, PartialValue, StreamEvent};
use block::Block;

/// Puts the events of one stream together to one message, and tells what each of them changed.
///
/// Pushing never fails and never panics. What does not fit is listed ([`anomalies`](Self::anomalies)) and, where it
/// holds content, kept ([`carried`](Self::carried)); whether the message can be relied on is told at the end by
/// [`finish`](Self::finish).
///
/// | what comes | what is done |
/// | --- | --- |
/// | an unknown event or delta, unknown members | kept in [`carried`](Self::carried), told as [`Update::Unknown`]; the message goes on |
/// | no `message_start` first | content is taken; the outcome is [`Interruption::NoStart`] |
/// | a second `message_start` before any block | replaces the first (gateways send one of their own before the provider's) |
/// | a second `message_start` later | what follows is another message or the same again, which can not be told: nothing more is taken, the outcome is [`Interruption::SecondMessage`] |
/// | a block index that is used again | after its stop: another block, kept in the order of arrival; before: the open block is closed as if cut |
/// | block starts out of order | sorted by index in the message |
/// | a text or thinking delta without its start | opens its block |
/// | another delta without its start, behind its stop, or of another kind than its block | not applied, carried |
/// | a stop without a start, or a second one | nothing |
/// | no stop, but the message ended | the block is closed; a tool call is complete if its JSON is an object that is closed |
/// | no stop, and the stream broke off | the block is closed and marked; a tool call is unfinished |
/// | no `message_stop`, but a stop reason | complete |
/// | anything after `message_stop` or an error | nothing; carried if it is more than a ping |
/// | data that is no JSON, an event lost to a limit | open tool calls can no longer be trusted and stay unfinished; the outcome is [`Interruption::Damaged`] |
///
/// Every oddity in that table is listed as an anomaly. Memory grows with the bytes that came and is bounded by
/// [`AccumulatorOptions`], whatever indices the peer sends.
///
/// `serde` saves and restores the state between two events. Feed a restored accumulator by
/// [`push_numbered`](Self::push_numbered), and events it has already seen do nothing.
///
/// ```
/// use antiphon_stream::{Accumulator, StreamEvent, Update};
///
/// let mut accumulator = Accumulator::new();
/// let mut text = String::new();
/// for data in [
///     r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[]}}"#,
///     r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
///     r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi "}}"#,
///     r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"there"}}"#,
///     r#"{"type":"content_block_stop","index":0}"#,
///     r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}"#,
///     r#"{"type":"message_stop"}"#,
/// ] {
///     for update in accumulator.push(StreamEvent::parse(data)?) {
///         if let Update::TextChunk { text: chunk, .. } = update {
///             text.push_str(&chunk);
///         }
///     }
/// }
/// let finished = accumulator.finish().expect("a whole message");
/// assert_eq!(text, "Hi there");
/// assert_eq!(finished.message.stop_reason().unwrap().as_str(), "end_turn");
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "State", into = "State")]
pub struct Accumulator {
    state: State,
    /// The latest block of each index, as a place in `state.blocks`. A map: the peer chooses the index, so nothing is
    /// sized by it.
    places: BTreeMap<u64, usize>,
}

/// What is saved.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, none excludes another")]
struct State {
    options: AccumulatorOptions,
    /// The message's own members; what it holds as content is in `blocks`, its usage in `usage`.
    message: Members,
    usage: Members,
    /// A `message_start` came, and was first.
    has_start: bool,
    stop_reason: Option<String>,
    blocks: Vec<Block>,
    /// An index was used twice, so order is that of arrival.
    reused: bool,
    /// Anything but a ping or an unknown event came.
    begun: bool,
    /// `message_stop` came.
    stopped: bool,
    /// The caller said that the stream is over.
    over: bool,
    error: Option<ApiError>,
    /// A second message began.
    second: bool,
    damaged: bool,
    limit: bool,
    anomalies: Vec<Anomaly>,
    anomalies_dropped: u64,
    carried: Vec<Carried>,
    /// Bytes kept: text, input, carried things.
    bytes: usize,
    last_sequence: Option<u64>,
    repeated: u64,
}

impl Default for Accumulator {
    fn default() -> Self {
        Self::with_options(AccumulatorOptions::default())
    }
}

impl From<State> for Accumulator {
    fn from(mut state: State) -> Self {
        let mut places = BTreeMap::new();
        for (place, block) in state.blocks.iter_mut().enumerate() {
            block.restore(&state.options);
            places.insert(block.index, place);
        }
        Self { state, places }
    }
}

impl From<Accumulator> for State {
    fn from(accumulator: Accumulator) -> Self {
        accumulator.state
    }
}

impl Accumulator {
    /// An accumulator with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// An accumulator with options of one's own.
    pub fn with_options(options: AccumulatorOptions) -> Self {
        Self { state: State { options, ..State::default() }, places: BTreeMap::new() }
    }

    /// Takes the next event and tells what it changed.
    pub fn push(&mut self, event: StreamEvent<'_>) -> Vec<Update> {
        let mut updates = Vec::new();
        self.push_into(event, &mut updates);
        updates
    }

    /// The same into a list that is kept, which saves an allocation for each event.
    pub fn push_into(&mut self, event: StreamEvent<'_>, updates: &mut Vec<Update>) {
        self.apply(event, updates);
    }

    /// Takes the event with this number in its stream. Numbers must rise; an event whose number is not above the last
    /// one was seen before and does nothing. This is how a stream is resumed: give what is replayed with its old
    /// numbers ([`SseFrame::sequence`](crate::SseFrame::sequence), say).
    ///
    /// ```
    /// use antiphon_stream::{Accumulator, StreamEvent};
    ///
    /// let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
    /// let delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"once"}}"#;
    /// let mut accumulator = Accumulator::new();
    /// for (sequence, data) in [(0, start), (1, delta), (0, start), (1, delta)] {
    ///     accumulator.push_numbered(sequence, StreamEvent::parse(data)?);
    /// }
    /// assert_eq!((accumulator.text(0), accumulator.repeated()), (Some("once"), 2));
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    pub fn push_numbered(&mut self, sequence: u64, event: StreamEvent<'_>) -> Vec<Update> {
        let mut updates = Vec::new();
        self.push_numbered_into(sequence, event, &mut updates);
        updates
    }

    /// [`push_numbered`](Self::push_numbered) into a list that is kept.
    pub fn push_numbered_into(&mut self, sequence: u64, event: StreamEvent<'_>, updates: &mut Vec<Update>) {
        if self.seen(sequence) {
            return;
        }
        self.apply(event, updates);
    }

    /// Says that an event was lost or could not be read: content may be missing from here on, and tool calls that are
    /// open can not be trusted any more.
    pub fn push_damage(&mut self, kind: AnomalyKind, detail: impl Into<String>) -> Vec<Update> {
        let mut updates = Vec::new();
        self.damage(kind, detail.into(), &mut updates);
        updates
    }

    /// The number of the last event taken by [`push_numbered`](Self::push_numbered).
    pub fn last_sequence(&self) -> Option<u64> {
        self.state.last_sequence
    }

    /// How many events did nothing because their number had been seen.
    pub fn repeated(&self) -> u64 {
        self.state.repeated
    }

    /// The text of a text or thinking block so far.
    pub fn text(&self, index: u64) -> Option<&str> {
        self.block(index).and_then(Block::text)
    }

    /// The JSON text of a tool's input so far, as it came.
    pub fn tool_input_text(&self, index: u64) -> Option<&str> {
        self.block(index).and_then(Block::input_text)
    }

    /// The value of a tool's input as far as it is certain. Costs nothing; it is for showing, and only a
    /// [finished call](Update::ToolUseComplete) is for running. `None` before its first certain part, and with
    /// [`ToolInputDetail::Raw`].
    pub fn tool_input(&self, index: u64) -> Option<&PartialValue> {
        self.block(index).and_then(Block::input_value)
    }

    /// The usage so far: running totals, null and absent taken as "nothing new".
    pub fn usage(&self) -> Option<Usage> {
        self.usage_raw().and_then(|raw| Usage::from_raw(raw.as_ref()))
    }

    /// Why the model stopped, once that is known.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.state.stop_reason.as_deref().map(StopReason::from)
    }

    /// The error the provider sent in the stream.
    pub fn error(&self) -> Option<&ApiError> {
        self.state.error.as_ref()
    }

    /// Whether `message_stop` or an error has come: nothing more is taken.
    pub fn is_ended(&self) -> bool {
        self.state.stopped || self.state.error.is_some() || self.state.second
    }

    /// Every oddity met so far, in order, up to [`AccumulatorOptions::max_anomalies`].
    pub fn anomalies(&self) -> &[Anomaly] {
        &self.state.anomalies
    }

    /// What came and has no place in the message.
    pub fn carried(&self) -> &[Carried] {
        &self.state.carried
    }

    fn block(&self, index: u64) -> Option<&Block> {
        self.state.blocks.get(*self.places.get(&index)?)
    }

    fn usage_raw(&self) -> Option<RawJson> {
        if self.state.usage.is_empty() { None } else { self.state.usage.to_raw() }
    }

    /// Whether the event of this number was seen; if not, it is from now on.
    pub(crate) fn seen(&mut self, sequence: u64) -> bool {
        if self.state.last_sequence.is_some_and(|last| sequence <= last) {
            self.state.repeated += 1;
            return true;
        }
        self.state.last_sequence = Some(sequence);
        false
    }
}
