//! Certain pretokens: the proof of the lower bound.
//!
//! o200k_base and cl100k_base first cut a text into *pretokens* with a regular expression and then spend at least one
//! token on each. So any set of places of which no two can lie in the same pretoken bounds the count from below. The
//! expressions, with the names used here:
//!
//! ```text
//! W  [^\r\n\p{L}\p{N}]? letters contraction?     o200k; letters: capitals and uncased, then small and uncased
//!    [^\r\n\p{L}\p{N}]?\p{L}+                    cl100k, which has the contraction 's 't 're 've 'm 'll 'd apart
//! N  \p{N}{1,3}
//! P   ?[^\s\p{L}\p{N}]+[\r\n/]*                  cl100k: [\r\n]*
//! S  \s*[\r\n]+  |  \s+(?!\S)  |  \s+
//! ```
//!
//! The places, every one of them after an ASCII byte or at the start of the text, so that what stands before is known:
//!
//! 1. *An ASCII letter after anything but a letter and an apostrophe.* A W has one run of letters; only its first
//!    character and the apostrophe of its contraction are none. So a W holds at most one such place.
//! 2. *o200k: an upper-case ASCII letter after a lower-case one*, but not after the first letter of a possible
//!    contraction (`'vE`). In a W no capital follows a small letter, so a W begins here, and it holds no place of kind
//!    1, which would need a character that is no letter before it.
//! 3. *The first digit of a run and every third further one.* N is greedy, holds digits only, and nothing else takes a
//!    digit; so a run of n is cut into ⌈n/3⌉ from its start.
//! 4. *The second mark of a run of punctuation*, if the first is known to begin its pretoken (a slash after a line
//!    break may belong to a P before it). The first mark is followed by a mark, so it begins no W and no contraction;
//!    a P takes it and all that follow. That P holds one second mark.
//! 5. *A blank, a line break or a digit after a run of one mark*, with the same condition: no letter follows, so the
//!    mark is a P, which has no second mark, so nothing of kind 4. It stands for the P before the place.
//! 6. *A printable ASCII character after two or more blanks:* `\s+(?!\S)` takes all but the last of them (those after
//!    the last line break); that S is the one meant. If a letter follows, or a mark after a space, the last blank goes
//!    to a W or P.
//! 7. *A line break after an ASCII letter or digit, or after a blank, the first of its run of white space:* `\s*[\r\n]+`
//!    takes the run up to its last line break; the S of kinds 6 and 8 lie behind that.
//! 8. *A digit after a blank, a mark after a tab:* the last blank can join neither an N nor a P (which takes in a space,
//!    no tab), so it is an S by itself, beside the one of kind 6.
//!
//! Above, every byte is a token of its own in both vocabularies, and merging only lowers the count: tokens ≤ bytes.

use super::states::{
    APOSTROPHE, APOSTROPHE_UNKNOWN, CONTRACTION, INDENT, INDENT_TAB, INDENT_TABS, INDENTS, MARK, MARKS, SPACE, SPACES,
    TAB, TABS, class, class_of, is_digit, is_foreign, is_letter, is_lower, next,
};
use super::states::{DIGIT, MARK_KINDS, MIXED_DIGIT};

/// How many certain pretokens the step from `state` by `byte` adds: 0 to 3. `humps`: kind 2 counts (o200k).
pub(crate) const fn certain(state: u8, byte: u8, humps: bool) -> u8 {
    if is_foreign(state) || byte >= 0x80 {
        return 0;
    }
    let mut n = 0;
    let class = class_of(byte);
    let letter = class < class::DIGIT;
    let digit = class == class::DIGIT;
    let mark = class >= class::MARK;
    let blank = matches!(class, class::SPACE | class::TAB);
    let line_break = class == class::BREAK;

    // 1 and 2.
    let apostrophe = matches!(state, APOSTROPHE | APOSTROPHE_UNKNOWN | MARK | MARKS);
    n += (letter && !is_letter(state) && !apostrophe) as u8;
    n += (humps && letter && class != class::LOWER && is_lower(state) && state != CONTRACTION) as u8;
    // 3.
    if digit {
        let to = next(state, byte);
        n += (!is_digit(state) || to == DIGIT || to == MIXED_DIGIT) as u8;
    }
    // 4 and 5.
    let single = state == APOSTROPHE || (state >= MARK && state < MARK + MARK_KINDS);
    n += (single && (mark || blank || line_break || digit)) as u8;
    // 6.
    let many = matches!(state, SPACES | TABS | INDENTS | INDENT_TABS);
    n += (many && (letter || digit || mark)) as u8;
    // 7.
    n += (line_break && (is_letter(state) || is_digit(state) || matches!(state, SPACE | SPACES | TAB | TABS))) as u8;
    // 8.
    let tab = matches!(state, TAB | TABS | INDENT_TAB | INDENT_TABS);
    let any = tab || matches!(state, SPACE | SPACES | INDENT | INDENTS);
    n += ((any && digit) || (tab && mark)) as u8;
    n
}
