//! The counter on tiktoken-rs.

use std::sync::LazyLock;

use antiphon_tokens::{Bounds, Heuristic, TokenCounter, last_safe_cut, safe_pieces};
use tiktoken_rs::CoreBPE;

use crate::blanks::{Blanks, long_run};
use crate::encoding::Encoding;

/// Pieces of about this many bytes go to tiktoken-rs: small enough to stop early, large enough to cost nothing.
const PIECE: usize = 4096;

static O200K_BLANKS: LazyLock<Blanks> = LazyLock::new(|| Blanks::new(tiktoken_rs::o200k_base_singleton(), 199_998));
static CL100K_BLANKS: LazyLock<Blanks> = LazyLock::new(|| Blanks::new(tiktoken_rs::cl100k_base_singleton(), 100_256));

/// Counts as tiktoken does. Cheap to make and to copy; all share one vocabulary an encoding.
///
/// ```
/// use antiphon_tokens::TokenCounter;
/// use antiphon_tokens_tiktoken::{Encoding, Tiktoken};
/// let counter = Tiktoken::new(Encoding::O200kBase);
/// assert_eq!(counter.count(&" ".repeat(1_000_000)), 7813);
/// assert_eq!(counter.count_up_to("one two three four five", 3), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiktoken {
    encoding: Encoding,
    special: bool,
}

impl Tiktoken {
    /// A counter that takes special tokens (`<|endoftext|>`) as the text they are.
    pub const fn new(encoding: Encoding) -> Self {
        Self { encoding, special: false }
    }

    /// A counter for a model; `None` if its encoding is not known.
    pub fn for_model(model: &str) -> Option<Self> {
        Encoding::of_model(model).map(Self::new)
    }

    /// With `true`, special tokens in the text count as one token each. Only for text that nobody else could write into.
    #[must_use]
    pub const fn with_special_tokens(mut self, special: bool) -> Self {
        self.special = special;
        self
    }

    /// The encoding.
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    fn bpe(self) -> &'static CoreBPE {
        match self.encoding {
            // Harmony differs in its special tokens only, so it shares the vocabulary.
            Encoding::O200kBase | Encoding::O200kHarmony => tiktoken_rs::o200k_base_singleton(),
            Encoding::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        }
    }

    fn specials(self) -> impl Iterator<Item = &'static str> {
        let bpe = match self.encoding {
            Encoding::O200kHarmony => tiktoken_rs::o200k_harmony_singleton(),
            _ => self.bpe(),
        };
        bpe.special_tokens().into_iter()
    }

    /// Adds up the counts of safe pieces until they pass `limit`.
    fn total(self, text: &str, limit: u64) -> Option<u64> {
        if !self.special {
            return self.ordinary(text, limit);
        }
        let mut total = 0_u64;
        for (part, special) in split_specials(text, &self.specials().collect::<Vec<_>>()) {
            total = total.saturating_add(if special { 1 } else { self.ordinary(part, limit.saturating_sub(total))? });
            if total > limit {
                return None;
            }
        }
        Some(total)
    }

    fn ordinary(self, text: &str, limit: u64) -> Option<u64> {
        let mut total = 0_u64;
        for piece in safe_pieces(text, PIECE) {
            total = total.saturating_add(self.piece(piece));
            if total > limit {
                return None;
            }
        }
        (total <= limit).then_some(total)
    }

    /// One piece, its long runs of blanks taken out; see the module `blanks`.
    fn piece(self, piece: &str) -> u64 {
        let (mut rest, mut total) = (piece, 0_u64);
        while let Some((start, end)) = long_run(rest) {
            let at_end = end == rest.len();
            if at_end && self.encoding == Encoding::Cl100kBase {
                break;
            }
            // The last blank stays with what follows.
            let last = if at_end { end } else { last_char(rest, end) };
            let (Some(before), Some(blanks), Some(after)) =
                (rest.get(..start), rest.get(start..last), rest.get(last..))
            else {
                break;
            };
            let blank_tokens = match self.encoding {
                Encoding::Cl100kBase => CL100K_BLANKS.count(blanks),
                _ => O200K_BLANKS.count(blanks),
            };
            total = total.saturating_add(self.plain(before)).saturating_add(blank_tokens);
            rest = after;
        }
        total.saturating_add(self.plain(rest))
    }

    fn plain(self, text: &str) -> u64 {
        if text.is_empty() { 0 } else { self.bpe().count_ordinary(text) as u64 }
    }
}

/// Where the last character before `end` begins.
fn last_char(text: &str, end: usize) -> usize {
    text.get(..end).and_then(|t| t.char_indices().next_back()).map_or(0, |(at, _)| at)
}

/// The text cut at its special tokens; `true` marks one.
fn split_specials<'a>(text: &'a str, specials: &[&str]) -> Vec<(&'a str, bool)> {
    let mut parts = Vec::new();
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest.get(from..).and_then(|t| t.find("<|")).map(|at| from + at) {
        let found = specials.iter().find(|s| rest.get(at..).is_some_and(|t| t.starts_with(**s)));
        let Some(special) = found else {
            from = at + 2;
            continue;
        };
        let (before, token) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let (token, after) = token.split_at_checked(special.len()).unwrap_or((token, ""));
        parts.push((before, false));
        parts.push((token, true));
        (rest, from) = (after, 0);
    }
    parts.push((rest, false));
    parts
}

impl TokenCounter for Tiktoken {
    fn count(&self, text: &str) -> u64 {
        self.total(text, u64::MAX).unwrap_or(u64::MAX)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn count_up_to(&self, text: &str, limit: u64) -> Option<u64> {
        // A lower bound is 50 times cheaper than the count, and the longest token has 128 bytes.
        if !self.special && (text.len() as u64 / 128 > limit || self.certain(text) > limit) {
            return None;
        }
        self.total(text, limit)
    }

    fn bounds(&self, text: &str) -> Bounds {
        Bounds::exact(self.count(text))
    }

    fn prefix<'a>(&self, text: &'a str, limit: u64) -> &'a str {
        if self.special {
            let parts = split_specials(text, &self.specials().collect::<Vec<_>>());
            return text.get(..self.kept(parts.into_iter(), limit, Self::prefix)).unwrap_or(text);
        }
        // Counts add up at the cuts, so the end lies in the first piece that is too much: by pages, then by words.
        let (mut taken, mut left) = (0, limit);
        for size in [PIECE, 1] {
            for piece in safe_pieces(text.get(taken..).unwrap_or_default(), size) {
                let Some(count) = self.count_up_to(piece, left) else {
                    if size == 1 {
                        taken += Simple(*self).prefix(piece, left).len();
                    }
                    break;
                };
                taken += piece.len();
                left -= count;
            }
        }
        text.get(..taken).unwrap_or(text)
    }

    fn suffix<'a>(&self, text: &'a str, limit: u64) -> &'a str {
        if self.special {
            let parts = split_specials(text, &self.specials().collect::<Vec<_>>());
            let kept = self.kept(parts.into_iter().rev(), limit, Self::suffix);
            return text.get(text.len() - kept..).unwrap_or(text);
        }
        let (mut start, mut left) = (text.len(), limit);
        for size in [PIECE, 1] {
            while start > 0 {
                let rest = text.get(..start).unwrap_or_default();
                let from = last_safe_cut(rest, start.saturating_sub(size)).unwrap_or(0);
                let piece = rest.get(from..).unwrap_or_default();
                let Some(count) = self.count_up_to(piece, left) else {
                    if size == 1 {
                        start -= Simple(*self).suffix(piece, left).len();
                    }
                    break;
                };
                start = from;
                left -= count;
            }
        }
        text.get(start..).unwrap_or(text)
    }
}

impl Tiktoken {
    /// How many bytes of the parts are kept within the limit; a special token is kept whole or not at all.
    fn kept<'a>(
        self,
        parts: impl Iterator<Item = (&'a str, bool)>,
        mut left: u64,
        cut: impl Fn(&Self, &'a str, u64) -> &'a str,
    ) -> usize {
        let plain = self.with_special_tokens(false);
        let mut kept = 0;
        for (part, special) in parts {
            let count = if special { (left > 0).then_some(1) } else { plain.count_up_to(part, left) };
            match count {
                Some(count) => {
                    kept += part.len();
                    left -= count;
                }
                None if special => break,
                None => return kept + cut(&plain, part, left).len(),
            }
        }
        kept
    }

    fn certain(self, text: &str) -> u64 {
        Heuristic::proven(self.encoding.family()).bounds(text).low
    }
}

/// The trait's own `prefix` and `suffix` over the same counts.
struct Simple(Tiktoken);

impl TokenCounter for Simple {
    fn count(&self, text: &str) -> u64 {
        self.0.count(text)
    }
    fn is_exact(&self) -> bool {
        true
    }
    fn count_up_to(&self, text: &str, limit: u64) -> Option<u64> {
        self.0.total(text, limit)
    }
}
