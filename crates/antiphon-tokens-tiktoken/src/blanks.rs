//! Long runs of blanks, counted without the regular expression that cannot stand them.
//!
//! In all three encodings a run of white space that ends in blanks (no line break among them) is split the same way: the blanks
//! after its last line break are a pretoken of their own, but for the last one if a character follows. Cutting right before the
//! blanks, and right before that last one, is therefore safe; the one exception is cl100k at the end of the text, where
//! `\s++$` takes the whole run, and there the engine does not backtrack. What is left is to merge the blanks as byte-pair
//! encoding does: over and over the pair whose joint token has the lowest rank, the leftmost of equals.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use tiktoken_rs::CoreBPE;

/// A run of blanks from this many bytes on is taken out of the text.
pub(crate) const LONG: usize = 2048;

/// The first long run of blanks that no line break ends: its start and end.
pub(crate) fn long_run(text: &str) -> Option<(usize, usize)> {
    if text.len() < LONG {
        return None;
    }
    let mut start = None;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() && c != '\n' && c != '\r' {
            start.get_or_insert(at);
        } else if matches!(c, '\n' | '\r') {
            // `\s*[\r\n]+` takes what came before it, and needs no backtracking for that.
            start = None;
        } else if let Some(from) = start.take()
            && at - from >= LONG
        {
            return Some((from, at));
        }
    }
    start.filter(|from| text.len() - from >= LONG).map(|from| (from, text.len()))
}

/// The tokens that white space can become, and how pairs of them merge. A token's id is its rank.
#[derive(Debug)]
pub(crate) struct Blanks {
    singles: [Option<u32>; 256],
    pairs: HashMap<(u32, u32), u32>,
}

impl Blanks {
    /// Reads them out of a vocabulary of at most `size` tokens.
    pub(crate) fn new(bpe: &CoreBPE, size: u32) -> Self {
        // Every byte of every white space character.
        let alphabet: Vec<u8> =
            ('\0'..='\u{3000}').filter(|c| c.is_whitespace()).flat_map(|c| c.to_string().into_bytes()).collect();
        let tokens: HashMap<Vec<u8>, u32> = (0..size)
            .filter_map(|rank| Some((bpe.decode_bytes(&[rank]).ok()?, rank)))
            .filter(|(bytes, _)| bytes.iter().all(|b| alphabet.contains(b)))
            .collect();
        let mut singles = [None; 256];
        let mut pairs = HashMap::new();
        for (bytes, &rank) in &tokens {
            if let [byte] = bytes.as_slice()
                && let Some(single) = singles.get_mut(usize::from(*byte))
            {
                *single = Some(rank);
            }
            for middle in 1..bytes.len() {
                let (left, right) = bytes.split_at(middle);
                if let (Some(&left), Some(&right)) = (tokens.get(left), tokens.get(right)) {
                    pairs.insert((left, right), rank);
                }
            }
        }
        Self { singles, pairs }
    }

    /// Tokens of one pretoken of blanks.
    pub(crate) fn count(&self, piece: &str) -> u64 {
        // A linked list of tokens; a merged one lives on in its left part.
        let mut ids: Vec<Option<u32>> =
            piece.bytes().map(|b| self.singles.get(usize::from(b)).copied().flatten()).collect();
        let n = ids.len();
        let mut next: Vec<usize> = (1..=n).collect();
        let mut previous: Vec<usize> = (0..n).map(|i| i.wrapping_sub(1)).collect();
        let id = |ids: &[Option<u32>], i: usize| ids.get(i).copied().flatten();
        let merge =
            |ids: &[Option<u32>], left: usize, right: usize| Some(*self.pairs.get(&(id(ids, left)?, id(ids, right)?))?);
        let mut heap: BinaryHeap<Reverse<(u32, usize, usize)>> =
            (1..n).filter_map(|i| Some(Reverse((merge(&ids, i - 1, i)?, i - 1, i)))).collect();
        let mut count = n as u64;
        while let Some(Reverse((rank, left, right))) = heap.pop() {
            // Stale if either side has merged since.
            if next.get(left) != Some(&right) || merge(&ids, left, right) != Some(rank) {
                continue;
            }
            let after = next.get(right).copied().unwrap_or(n);
            if let Some(slot) = ids.get_mut(left) {
                *slot = Some(rank);
            }
            if let Some(slot) = ids.get_mut(right) {
                *slot = None;
            }
            if let Some(slot) = next.get_mut(left) {
                *slot = after;
            }
            if let Some(slot) = previous.get_mut(after) {
                *slot = left;
            }
            count -= 1;
            let before = previous.get(left).copied().unwrap_or(usize::MAX);
            for (left, right) in [(before, left), (left, after)] {
                if let Some(rank) = merge(&ids, left, right) {
                    heap.push(Reverse((rank, left, right)));
                }
            }
        }
        count
    }
}
