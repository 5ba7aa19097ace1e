//! The automaton as one table, and the pass over a text.

use std::fmt;

use super::features::{FEATURES, features};
use super::marks::certain;
use super::states::{START, STATES, class, class_of, next};

/// Weights are in units of 1/1024 token.
pub(crate) const UNIT: i64 = 1024;

/// One step a byte: `table[row ^ column]` holds the next [row](row) in its low 16 bits, the certain pretokens in the next 2 and
/// the weight, signed, in the upper 14. Bytes that are alike share a [column](COLUMN).
pub(crate) struct Table {
    steps: Box<[u32; 1 << 16]>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

/// The column of each byte: 46 for ASCII (a letter each, then the other classes), one for each group of lead bytes, one for
/// each continuation byte.
static COLUMN: [u8; 256] = {
    let mut columns = [0; 256];
    let mut byte = 0_u8;
    loop {
        let class = class_of(byte);
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler; a byte is within 256 entries")]
        {
            columns[byte as usize] = match class {
                class::LOWER => byte - b'a',
                class::CONTINUATION => 128 + (byte & 0x3F),
                _ if class >= class::LEAD => 64 + (class - class::LEAD),
                _ => 25 + class,
            };
        }
        if byte == u8::MAX {
            break columns;
        }
        byte += 1;
    }
};

/// What a pass has seen so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pass {
    row: u16,
    pub(crate) certain: u64,
    pub(crate) weight: i64,
}

impl Default for Pass {
    fn default() -> Self {
        Pass { row: row(START), certain: 0, weight: 0 }
    }
}

impl Table {
    /// Spreads the weights of the features over the steps. `humps`: see [`certain`].
    pub(crate) fn new(weights: &[(u16, i16)], humps: bool) -> Self {
        let mut of = vec![0_i32; usize::from(FEATURES) + 1];
        for &(feature, weight) in weights {
            if let Some(slot) = of.get_mut(usize::from(feature)) {
                *slot = i32::from(weight);
            }
        }
        let mut steps = vec![0_u32; 1 << 16];
        for state in (0..=u8::MAX).filter(|&s| u16::from(s) < STATES) {
            for byte in 0..=u8::MAX {
                let weight: i32 =
                    features(state, byte).iter().map(|&f| of.get(usize::from(f)).copied().unwrap_or(0)).sum();
                if let Some(step) = steps.get_mut(index(row(state), byte)) {
                    *step = (weight.clamp(-WIDEST, WIDEST) << 18).cast_unsigned()
                        | u32::from(certain(state, byte, humps)) << 16
                        | u32::from(row(next(state, byte)));
                }
            }
        }
        #[expect(clippy::large_stack_arrays, reason = "never built: the length is 65,536 by construction")]
        let steps = steps.into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([0; 1 << 16]));
        Table { steps }
    }

    #[inline]
    fn step(&self, pass: &mut Pass, byte: u8) {
        #[expect(clippy::indexing_slicing, reason = "a u16 is always within 65,536 entries; no check is compiled")]
        let step = self.steps[index(pass.row, byte)];
        let [low, high, ..] = step.to_le_bytes();
        pass.row = u16::from_le_bytes([low, high]);
        pass.certain += u64::from(step >> 16 & 3);
        pass.weight += i64::from(step.cast_signed() >> 18);
    }

    /// Goes on by some bytes.
    pub(crate) fn run(&self, mut pass: Pass, bytes: &[u8]) -> Pass {
        for &byte in bytes {
            self.step(&mut pass, byte);
        }
        pass
    }

    /// The whole of a text. Long ones are cut in four where the automaton's state does not depend on what came before,
    /// so that four chains of steps run at once.
    pub(crate) fn text(&self, text: &[u8]) -> Pass {
        const SHORT: usize = 1024;
        let Some(parts) = (text.len() >= SHORT).then(|| quarters(text)).flatten() else {
            return self.run(Pass::default(), text);
        };
        let [first, second, third, fourth] = parts;
        let [mut p1, mut p2, mut p3, mut p4] = [Pass::default(), entry(first), entry(second), entry(third)];
        let common = parts.iter().map(|part| part.len()).min().unwrap_or(0);
        for (((&b1, &b2), &b3), &b4) in first.iter().zip(second).zip(third).zip(fourth) {
            self.step(&mut p1, b1);
            self.step(&mut p2, b2);
            self.step(&mut p3, b3);
            self.step(&mut p4, b4);
        }
        let mut total = Pass::default();
        for (pass, part) in [p1, p2, p3, p4].into_iter().zip(parts) {
            let pass = self.run(pass, part.get(common..).unwrap_or_default());
            total.row = pass.row;
            total.certain += pass.certain;
            total.weight += pass.weight;
        }
        total
    }
}

/// The heaviest step: just under eight tokens. None in the fit comes near.
const WIDEST: i32 = (1 << 13) - 1;

/// Where the row of a state begins: 256 columns each, and the blocks of 64 in it rotated by the state, so that the ASCII blocks
/// of neighbouring rows do not fall into the same few lines of the cache.
const fn row(state: u8) -> u16 {
    (state as u16) << 8 | (state as u16 & 3) << 6
}

#[inline]
fn index(row: u16, byte: u8) -> usize {
    #[expect(clippy::indexing_slicing, reason = "a byte is always within 256 entries; no check is compiled")]
    let column = COLUMN[usize::from(byte)];
    usize::from(row ^ u16::from(column))
}

/// The state after a part that ends in a synchronizing place: that of its last two bytes alone.
fn entry(before: &[u8]) -> Pass {
    let state = match before {
        [.., first, second] => next(next(START, *first), *second),
        _ => START,
    };
    Pass { row: row(state), ..Pass::default() }
}

/// Whether the state after these two bytes is the same whatever stood before: an ASCII letter or digit and then an ASCII
/// character of another kind, but the apostrophe; or a lead byte.
fn synchronizes(first: u8, second: u8) -> bool {
    let other = if first.is_ascii_digit() { !second.is_ascii_digit() } else { !second.is_ascii_alphabetic() };
    first.is_ascii_alphanumeric() && other && second.is_ascii() && second != b'\'' || second >= 0xC0
}

fn quarters(text: &[u8]) -> Option<[&[u8]; 4]> {
    let (front, back) = text.split_at_checked(cut(text, text.len() / 2)?)?;
    let (first, second) = front.split_at_checked(cut(front, front.len() / 2)?)?;
    let (third, fourth) = back.split_at_checked(cut(back, back.len() / 2)?)?;
    Some([first, second, third, fourth])
}

/// The first synchronizing place within a window after `from`.
fn cut(text: &[u8], from: usize) -> Option<usize> {
    const WINDOW: usize = 256;
    let window = text.get(from..)?;
    let at = window.windows(2).take(WINDOW).position(|pair| matches!(pair, [a, b] if synchronizes(*a, *b)))?;
    Some(from + at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_do_not_depend_on_the_past_after_a_synchronizing_pair() {
        for first in 0..=u8::MAX {
            for second in (0..=u8::MAX).filter(|&b| synchronizes(first, b)) {
                let expected = next(next(START, first), second);
                for state in 0..=u8::MAX {
                    if u16::from(state) < STATES {
                        assert_eq!(next(next(state, first), second), expected, "{state} {first} {second}");
                    }
                }
            }
        }
    }

    #[test]
    fn bytes_of_a_column_are_alike() {
        for a in 0..=u8::MAX {
            for b in (0..=u8::MAX).filter(|&b| COLUMN[usize::from(b)] == COLUMN[usize::from(a)]) {
                for state in (0..=u8::MAX).filter(|&s| u16::from(s) < STATES) {
                    assert_eq!(next(state, a), next(state, b), "{state} {a} {b}");
                    assert_eq!(features(state, a), features(state, b), "{state} {a} {b}");
                    assert_eq!(certain(state, a, true), certain(state, b, true), "{state} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn no_fitted_step_is_cut_off() {
        for weights in [crate::heuristic::weights::O200K, crate::heuristic::weights::CL100K] {
            let of = |f: u16| weights.iter().find(|w| w.0 == f).map_or(0, |w| i32::from(w.1));
            let mut spread = vec![0; usize::from(FEATURES) + 1];
            for f in 0..FEATURES {
                spread[usize::from(f)] = of(f);
            }
            for state in (0..=u8::MAX).filter(|&s| u16::from(s) < STATES) {
                for byte in 0..=u8::MAX {
                    let weight: i32 = features(state, byte).iter().map(|&f| spread[usize::from(f)]).sum();
                    assert!(weight.abs() <= WIDEST, "{state} {byte} {weight}");
                }
            }
        }
    }

    #[test]
    fn every_next_state_exists() {
        for state in (0..=u8::MAX).filter(|&s| u16::from(s) < STATES) {
            for byte in 0..=u8::MAX {
                assert!(u16::from(next(state, byte)) < STATES, "{state} {byte}");
                assert!(certain(state, byte, true) <= 3);
            }
        }
    }
}
