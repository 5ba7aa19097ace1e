//! Which weights the step from one state by one byte adds up.
//!
//! A step has a coarse feature (kind of state × class of byte) and, where it pays, a fine one that the fit is held to
//! keep near nought unless the data speak: pairs of letters, the letter a word begins with, the bytes inside a
//! character. What was never seen in the fit therefore falls back on the coarse weight.

use super::states::{self, AFTER, BLOCK, DEPTHS, LEAD, LETTER_GROUPS, STATES, class, class_of, word};

const KINDS: u16 = STATES - LETTER_GROUPS as u16 * DEPTHS as u16 + DEPTHS as u16;
/// Features below this are coarse ones.
pub(crate) const COARSE: u16 = KINDS * class::COUNT as u16;
const PAIRS_AT: u16 = COARSE;
const PAIR_COLUMNS: u16 = 26 + class::COUNT as u16;
const STARTS_AT: u16 = PAIRS_AT + LETTER_GROUPS as u16 * PAIR_COLUMNS;
const START_KINDS: u16 = 6;
const INSIDE_AT: u16 = STARTS_AT + 26 * START_KINDS;
const INSIDE: u16 = (AFTER - LEAD) as u16;
const DEEP_AT: u16 = INSIDE_AT + INSIDE * 64;
/// How many features there are.
pub(crate) const FEATURES: u16 = DEEP_AT + 26 * DEPTHS as u16;

/// The features of one step: `[coarse, fine, finer]`, `FEATURES` for none.
pub(crate) const fn features(state: u8, byte: u8) -> [u16; 3] {
    let class = class_of(byte);
    let mut of = [FEATURES; 3];
    let kind = match word(state) {
        Some((_, depth)) => depth as u16,
        None if state == states::START => DEPTHS as u16,
        None => state as u16 - LETTER_GROUPS as u16 * DEPTHS as u16 + DEPTHS as u16,
    };
    of[0] = kind * class::COUNT as u16 + class as u16;
    if let Some((group, depth)) = word(state) {
        let column = if class == class::LOWER { (byte - b'a') as u16 } else { 26 + class as u16 };
        of[1] = PAIRS_AT + group as u16 * PAIR_COLUMNS + column;
        if class == class::LOWER {
            of[2] = DEEP_AT + depth as u16 * 26 + (byte - b'a') as u16;
        }
    } else if class == class::LOWER {
        let start = match state {
            states::SPACE | states::SPACES => 0,
            states::START | states::TAB..states::MARK => 1,
            states::MARK..states::LEAD => 2,
            states::UPPER..=states::AFTER_HUMP => 3,
            states::MIXED_HEX..=states::DIGIT_UNKNOWN => 4,
            _ => 5,
        };
        of[1] = STARTS_AT + start * 26 + (byte - b'a') as u16;
    } else if class == class::CONTINUATION && state >= LEAD && state < AFTER {
        let inside = (state - LEAD) as u16;
        // Han, Hangul and symbols: pairs of bytes; the rest one by one.
        let column = if state >= BLOCK || state < LEAD + 17 { byte & 0x3F } else { (byte & 0x3F) >> 1 };
        of[1] = INSIDE_AT + inside * 64 + column as u16;
    }
    of
}
