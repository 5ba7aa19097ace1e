//! The estimate: one pass over the bytes, with a table fitted to exact counts.

pub(crate) mod features;
mod marks;
pub(crate) mod states;
mod table;
mod weights;

use std::sync::LazyLock;

use crate::counter::{Bounds, Certainty, TokenCounter};
use crate::family::Family;
use table::{Pass, Table, UNIT};

static O200K: LazyLock<Table> = LazyLock::new(|| Table::new(weights::O200K, true));
static CL100K: LazyLock<Table> = LazyLock::new(|| Table::new(weights::CL100K, false));

/// Estimates tokens from the classes of the bytes, for one tokenizer [`Family`].
///
/// One table step a byte, integer weights, no allocation; the table (256 KB) is laid out at the first use. What the estimate is
/// off by on texts that it was not fitted to stands in the crate's documentation.
///
/// ```
/// use antiphon_tokens::{Family, Heuristic, TokenCounter};
/// let o200k = Heuristic::new(Family::O200k);
/// let bounds = o200k.bounds("The quick brown fox jumps over the lazy dog. 0123456789");
/// assert!(bounds.low <= 15 && 15 <= bounds.high); // its true count
/// assert!((13..=17).contains(&bounds.likely));
/// // Claude's tokenizer is not public: its figures are o200k's times a ratio that was fitted to recorded usage.
/// assert!(Heuristic::new(Family::Claude4_7).count("fn main() {}") >= o200k.count("fn main() {}"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heuristic {
    family: Family,
    proven: bool,
}

impl Default for Heuristic {
    /// For [`Family::O200k`].
    fn default() -> Self {
        Self::new(Family::O200k)
    }
}

impl Heuristic {
    /// An estimate for one family of tokenizers, its [bounds](TokenCounter::bounds) narrowed by calibration.
    pub const fn new(family: Family) -> Self {
        Self { family, proven: false }
    }

    /// The same estimate with bounds that are proofs only: certain pretokens below, bytes above. For a family whose tokenizer is
    /// not public there is no proof; its bounds stay calibrated.
    pub const fn proven(family: Family) -> Self {
        Self { family, proven: true }
    }

    /// The family.
    pub const fn family(&self) -> Family {
        self.family
    }

    /// A count in pieces: the same as the count of the whole, whatever the pieces.
    ///
    /// ```
    /// use antiphon_tokens::{Heuristic, TokenCounter};
    /// let heuristic = Heuristic::default();
    /// let mut stream = heuristic.stream();
    /// stream.push("Hello, w".as_bytes());
    /// stream.push("orld. Höhe".as_bytes());
    /// assert_eq!(stream.bounds(), heuristic.bounds("Hello, world. Höhe"));
    /// ```
    pub fn stream(&self) -> HeuristicStream {
        HeuristicStream { heuristic: *self, pass: Pass::default(), bytes: 0 }
    }

    fn table(self) -> &'static Table {
        match self.family {
            Family::Cl100k => &CL100K,
            _ => &O200K,
        }
    }

    fn likely(pass: Pass, bytes: u64) -> u64 {
        let (low, high) = proof(pass, bytes);
        // Rounded to the nearest; `likely` of a text that is not empty is at least 1 by the lower bound.
        let estimate = (pass.weight.saturating_add(UNIT / 2) / UNIT).max(0).cast_unsigned();
        estimate.clamp(low, high)
    }

    fn finish(self, pass: Pass, bytes: u64) -> Bounds {
        let (low, high) = proof(pass, bytes);
        let likely = Self::likely(pass, bytes);
        let Some(ratio) = self.family.ratio() else {
            let proven = Bounds { low, likely, high, certainty: Certainty::Proven };
            if self.proven {
                return proven;
            }
            let (below, above) = band(likely);
            let narrowed = Bounds::calibrated(below.max(low), likely, above.min(high));
            // Where calibration adds nothing the proof stays one.
            return if (narrowed.low, narrowed.high) == (low, high) { proven } else { narrowed };
        };
        let (below, above) = band(likely);
        let (narrow, wide) = self.family.ratio_band();
        Bounds::calibrated(
            Bounds::exact(below.max(low)).scaled(ratio * narrow).low,
            Bounds::exact(likely).scaled(ratio).likely.max(u64::from(bytes > 0)),
            Bounds::exact(above.min(high)).scaled(ratio * wide).high,
        )
    }
}

/// Certain pretokens below, bytes above; at least 1 and at least a token every 128 bytes, the longest in the vocabularies.
fn proof(pass: Pass, bytes: u64) -> (u64, u64) {
    (pass.certain.max(bytes.div_ceil(128)).min(bytes), bytes)
}

/// Where the true count lies, calibrated on texts that were not fitted to: a share that falls with the size, and a few tokens.
fn band(likely: u64) -> (u64, u64) {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let n = likely as f64;
    let spread = BAND_SHARE * n + BAND_ROOT * n.sqrt() + BAND_TOKENS;
    let round = |x: f64| Bounds::exact(1).scaled(x.max(0.0));
    (round((n - spread * 0.85).max(n / 4.0)).low, round(n + spread * 1.15).high)
}

const BAND_SHARE: f64 = 0.28;
const BAND_ROOT: f64 = 1.5;
const BAND_TOKENS: f64 = 2.0;

impl TokenCounter for Heuristic {
    fn count(&self, text: &str) -> u64 {
        let likely = Self::likely(self.table().text(text.as_bytes()), text.len() as u64);
        match self.family.ratio() {
            None => likely,
            Some(ratio) => Bounds::exact(likely).scaled(ratio).likely.max(u64::from(!text.is_empty())),
        }
    }

    fn bounds(&self, text: &str) -> Bounds {
        self.finish(self.table().text(text.as_bytes()), text.len() as u64)
    }

    fn count_up_to(&self, text: &str, limit: u64) -> Option<u64> {
        // An estimate is at least a token for 128 bytes (no ratio is below 1), so the pass is bounded by the limit.
        if text.len() as u64 / 128 > limit {
            return None;
        }
        let count = self.count(text);
        (count <= limit).then_some(count)
    }
}

/// A [`Heuristic`] at work on a text that comes in pieces; a piece may end inside a character.
#[derive(Debug, Clone)]
pub struct HeuristicStream {
    heuristic: Heuristic,
    pass: Pass,
    bytes: u64,
}

impl HeuristicStream {
    /// Goes on.
    pub fn push(&mut self, bytes: &[u8]) {
        self.pass = self.heuristic.table().run(self.pass, bytes);
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
    }

    /// The count so far.
    pub fn count(&self) -> u64 {
        self.bounds().likely
    }

    /// The bounds so far.
    pub fn bounds(&self) -> Bounds {
        self.heuristic.finish(self.pass, self.bytes)
    }
}

const _: () = assert!(states::STATES <= 256, "a state is one byte");
