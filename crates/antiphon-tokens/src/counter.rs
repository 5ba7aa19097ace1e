//! The trait every counter has, and the two numbers everybody starts from.

use std::fmt;

use crate::cuts::{ceil, floor};

/// How sure a [`Bounds`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Certainty {
    /// Between `low` and `high` by calibration: wrong now and then, at a stated rate.
    Calibrated,
    /// Between `low` and `high` by proof.
    Proven,
    /// `low`, `likely` and `high` are the count.
    Exact,
}

/// A number of tokens: at least `low`, most likely `likely`, at most `high`.
///
/// ```
/// use antiphon_tokens::{Bounds, Certainty};
/// let a = Bounds::exact(10);
/// let b = Bounds { low: 1, likely: 4, high: 16, certainty: Certainty::Proven };
/// assert_eq!(a + b, Bounds { low: 11, likely: 14, high: 26, certainty: Certainty::Proven });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Not fewer.
    pub low: u64,
    /// The best single figure.
    pub likely: u64,
    /// Not more.
    pub high: u64,
    /// What `low` and `high` rest on.
    pub certainty: Certainty,
}

impl Bounds {
    /// A count.
    pub const fn exact(tokens: u64) -> Self {
        Self { low: tokens, likely: tokens, high: tokens, certainty: Certainty::Exact }
    }

    /// Nothing.
    pub const ZERO: Self = Self::exact(0);

    /// An estimate with a band; put in order if need be.
    pub fn calibrated(low: u64, likely: u64, high: u64) -> Self {
        Self { low: low.min(likely), likely, high: high.max(likely), certainty: Certainty::Calibrated }
    }

    /// Multiplied, rounded outwards. The result is calibrated: a ratio between tokenizers is nothing proven.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "float to integer saturates, and counts are far below 2^53"
    )]
    pub fn scaled(self, factor: f64) -> Self {
        Self::calibrated(
            (self.low as f64 * factor).floor() as u64,
            (self.likely as f64 * factor).round() as u64,
            (self.high as f64 * factor).ceil() as u64,
        )
    }
}

impl Default for Bounds {
    /// [`Bounds::ZERO`].
    fn default() -> Self {
        Self::ZERO
    }
}

impl std::ops::Add for Bounds {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            low: self.low.saturating_add(other.low),
            likely: self.likely.saturating_add(other.likely),
            high: self.high.saturating_add(other.high),
            certainty: self.certainty.min(other.certainty),
        }
    }
}

impl std::ops::AddAssign for Bounds {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Bounds {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Self::ZERO, std::ops::Add::add)
    }
}

impl fmt::Display for Bounds {
    /// `1200` if exact, else `1200 (950 to 1500)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.certainty == Certainty::Exact {
            write!(f, "{}", self.likely)
        } else {
            write!(f, "{} ({} to {})", self.likely, self.low, self.high)
        }
    }
}

/// Counts the tokens of a text.
///
/// Implement [`count`](Self::count), and [`is_exact`](Self::is_exact) if the count is the tokenizer's own; the rest follows, and
/// a backend overrides what it can do faster. All methods are total: any text, no panic.
///
/// ```
/// use antiphon_tokens::{Quick, TokenCounter};
/// struct Words;
/// impl TokenCounter for Words {
///     fn count(&self, text: &str) -> u64 {
///         text.split_whitespace().count() as u64
///     }
/// }
/// let counters: [&dyn TokenCounter; 2] = [&Quick, &Words];
/// assert_eq!(counters.map(|c| c.count("to be or not")), [3, 4]);
/// assert_eq!(Words.prefix("to be or not", 2), "to be ");
/// ```
pub trait TokenCounter: Send + Sync {
    /// Tokens of the text.
    fn count(&self, text: &str) -> u64;

    /// Whether [`count`](Self::count) is the tokenizer's own count.
    fn is_exact(&self) -> bool {
        false
    }

    /// The count if it is at most `limit`, else `None`; a backend may stop as soon as it knows.
    fn count_up_to(&self, text: &str, limit: u64) -> Option<u64> {
        // An inexact counter's proof is cheaper than its count at most; an exact one's bounds are the count.
        if !self.is_exact() {
            let bounds = self.bounds(text);
            if bounds.low > limit && bounds.certainty != Certainty::Calibrated {
                return None;
            }
        }
        let count = self.count(text);
        (count <= limit).then_some(count)
    }

    /// What can be said at once. By default the count if it is exact; else any byte-level tokenizer's limits: a token is at least
    /// one byte and in the known vocabularies at most 128.
    fn bounds(&self, text: &str) -> Bounds {
        let count = self.count(text);
        if self.is_exact() {
            return Bounds::exact(count);
        }
        let bytes = text.len() as u64;
        let (low, high) = (bytes.div_ceil(128), bytes);
        Bounds { low, likely: count.clamp(low, high), high, certainty: Certainty::Proven }
    }

    /// The longest start of the text, cut between characters, that has at most `limit` tokens. Counts need not grow with every
    /// character (`quic` is two tokens, `quick` is one), so the end is looked for by halving and then some way on.
    fn prefix<'a>(&self, text: &'a str, limit: u64) -> &'a str {
        let within = |end: usize| text.get(..end).is_some_and(|part| self.count_up_to(part, limit).is_some());
        text.get(..longest(text.len(), limit, |n| floor(text, n), within)).unwrap_or_default()
    }

    /// The longest end of the text, likewise.
    fn suffix<'a>(&self, text: &'a str, limit: u64) -> &'a str {
        let start = |n: usize| ceil(text, text.len() - n);
        let within = |n: usize| text.get(start(n)..).is_some_and(|part| self.count_up_to(part, limit).is_some());
        let n = longest(text.len(), limit, |n| text.len() - start(n), within);
        text.get(start(n)..).unwrap_or_default()
    }
}

/// The largest number of bytes up to `len` that is `within`, by doubling and then halving: the work depends on the answer, not
/// on `len`. `round` brings a number down to a character boundary.
fn longest(len: usize, limit: u64, round: impl Fn(usize) -> usize, within: impl Fn(usize) -> bool) -> usize {
    let mut good = 0;
    let mut try_next = usize::try_from(limit).unwrap_or(len).saturating_mul(4).clamp(1, len.max(1));
    let mut bad = loop {
        if try_next >= len {
            if within(len) {
                return len;
            }
            break len;
        }
        let n = round(try_next);
        if n > good && !within(n) {
            break n;
        }
        good = n.max(good);
        try_next = try_next.saturating_mul(2);
    };
    while bad - good > 1 {
        let middle = round(good + (bad - good) / 2);
        if middle <= good {
            // `good` is the last boundary below the middle: step to the next one up.
            let next = ((good + 1)..bad).find(|&n| round(n) == n);
            match next {
                Some(n) if within(n) => good = n,
                _ => break,
            }
        } else if within(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    // A longer one may fit again, if its end completes a token.
    while let Some(longer) = ((good + 1)..=len.min(good + AHEAD)).rev().find(|&n| round(n) == n && within(n)) {
        good = longer;
    }
    good
}

/// How far a token may reach beyond a cut that already is too much: nearly all tokens are shorter.
const AHEAD: usize = 24;

impl<C: TokenCounter + ?Sized> TokenCounter for &C {
    fn count(&self, text: &str) -> u64 {
        (**self).count(text)
    }
    fn is_exact(&self) -> bool {
        (**self).is_exact()
    }
    fn count_up_to(&self, text: &str, limit: u64) -> Option<u64> {
        (**self).count_up_to(text, limit)
    }
    fn bounds(&self, text: &str) -> Bounds {
        (**self).bounds(text)
    }
    fn prefix<'a>(&self, text: &'a str, limit: u64) -> &'a str {
        (**self).prefix(text, limit)
    }
    fn suffix<'a>(&self, text: &'a str, limit: u64) -> &'a str {
        (**self).suffix(text, limit)
    }
}

/// `ceil(length / 4)`, the length in UTF-16 code units: the rule of thumb by name.
///
/// On agents' texts it is off by a factor of 0.36 (base64) to 3.3 (white space); prefer [`Heuristic`](crate::Heuristic).
///
/// ```
/// use antiphon_tokens::{Quick, TokenCounter};
/// assert_eq!(Quick.count(""), 0);
/// assert_eq!(Quick.count("hello"), 2);
/// assert_eq!(Quick.count("😀😀"), 1); // two code units each
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quick;

impl TokenCounter for Quick {
    fn count(&self, text: &str) -> u64 {
        // A code unit for every character, a second one beyond the basic plane (lead bytes from 0xF0 on).
        let units: usize =
            text.as_bytes().iter().map(|&b| usize::from((b & 0xC0) != 0x80) + usize::from(b >= 0xF0)).sum();
        (units as u64).div_ceil(4)
    }
}

/// Another counter's figures times a factor: how Claude's counts follow from o200k's.
///
/// ```
/// use antiphon_tokens::{Quick, Scaled, TokenCounter};
/// assert_eq!(Scaled::new(Quick, 1.5).count("hello"), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled<C> {
    inner: C,
    factor: f64,
    band: f64,
}

impl<C: TokenCounter> Scaled<C> {
    /// `factor` times the counts of `inner`. A factor that is not a positive number counts as 1.
    pub fn new(inner: C, factor: f64) -> Self {
        let factor = if factor.is_finite() && factor > 0.0 { factor } else { 1.0 };
        Self { inner, factor, band: 0.15 }
    }

    /// How far the ratio between the tokenizers strays, as a share (0.15 unless set): widens the bounds.
    #[must_use]
    pub fn with_band(mut self, band: f64) -> Self {
        self.band = if band.is_finite() { band.clamp(0.0, 1.0) } else { self.band };
        self
    }

    /// The factor.
    pub fn factor(&self) -> f64 {
        self.factor
    }
}

impl<C: TokenCounter> TokenCounter for Scaled<C> {
    fn count(&self, text: &str) -> u64 {
        Bounds::exact(self.inner.count(text)).scaled(self.factor).likely
    }

    fn bounds(&self, text: &str) -> Bounds {
        let inner = self.inner.bounds(text);
        let at = |factor: f64| inner.scaled(self.factor * factor);
        Bounds::calibrated(at(1.0 - self.band).low, at(1.0).likely, at(1.0 + self.band).high)
    }

    fn count_up_to(&self, text: &str, limit: u64) -> Option<u64> {
        // The inner counter may stop early at the least count that scales to more than the limit.
        let inner = Bounds::exact(limit.saturating_add(1)).scaled(1.0 / self.factor).high.saturating_add(1);
        let count = Bounds::exact(self.inner.count_up_to(text, inner)?).scaled(self.factor).likely;
        (count <= limit).then_some(count)
    }
}
