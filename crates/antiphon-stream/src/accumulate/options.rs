//! Options of the accumulator.

use serde::{Deserialize, Serialize};

/// Limits of an [`Accumulator`](crate::Accumulator), and how much it tells of tool input.
///
/// ```
/// use antiphon_stream::{AccumulatorOptions, ToolInputDetail};
///
/// let options = AccumulatorOptions::default().with_tool_input(ToolInputDetail::Raw).with_max_bytes(1 << 20);
/// assert_eq!(options.max_blocks, 10_000);
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct AccumulatorOptions {
    /// What is known of tool input before it is finished. Default [`ToolInputDetail::Changes`].
    pub tool_input: ToolInputDetail,
    /// How deep tool input may nest to be shown while it comes; deeper input, and more than 32 MiB of it, is still
    /// complete at its end. Default 128.
    pub max_input_depth: usize,
    /// How many blocks are taken. Default 10,000: answers have tens.
    pub max_blocks: usize,
    /// How many bytes are kept: text, thinking, tool input, blocks that come whole, things carried. Default 256 MiB,
    /// eight times the largest request the Messages API takes.
    pub max_bytes: usize,
    /// How many anomalies are listed; more are counted. Default 1,000.
    pub max_anomalies: usize,
}

impl Default for AccumulatorOptions {
    fn default() -> Self {
        Self {
            tool_input: ToolInputDetail::Changes,
            max_input_depth: 128,
            max_blocks: 10_000,
            max_bytes: 256 << 20,
            max_anomalies: 1000,
        }
    }
}

impl AccumulatorOptions {
    /// Sets [`tool_input`](Self::tool_input).
    #[must_use]
    pub fn with_tool_input(mut self, detail: ToolInputDetail) -> Self {
        self.tool_input = detail;
        self
    }

    /// Sets [`max_input_depth`](Self::max_input_depth).
    #[must_use]
    pub fn with_max_input_depth(mut self, depth: usize) -> Self {
        self.max_input_depth = depth;
        self
    }

    /// Sets [`max_blocks`](Self::max_blocks).
    #[must_use]
    pub fn with_max_blocks(mut self, blocks: usize) -> Self {
        self.max_blocks = blocks;
        self
    }

    /// Sets [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets [`max_anomalies`](Self::max_anomalies).
    #[must_use]
    pub fn with_max_anomalies(mut self, anomalies: usize) -> Self {
        self.max_anomalies = anomalies;
        self
    }
}

/// What is known of tool input before it is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolInputDetail {
    /// The JSON text as it comes.
    Raw,
    /// And its value so far, by [`Accumulator::tool_input`](crate::Accumulator::tool_input).
    Values,
    /// And, in each [`Update::ToolInput`](crate::Update::ToolInput), which field grew by which text.
    Changes,
}
