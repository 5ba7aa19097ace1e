//! The automaton under the heuristic: what it remembers after each byte.
//!
//! A state is one byte. It holds what a byte-pair tokenizer's cost of the *next* byte depends on most: inside a word,
//! the last letter (in groups) and how deep in the word it stands; in a run of digits, its place in the group of
//! three; in white space, how many blanks and whether a line was broken; in punctuation, the last mark and whether it
//! was the first; inside a character of several bytes, which script it belongs to. The same states carry the proof of
//! the lower bound (see `marks`), so a few of them exist only to remember that something is *not* known.

/// How many groups the letters fall into when they are remembered.
pub(crate) const LETTER_GROUPS: u8 = 14;
/// Depths in a word that are told apart: 1, 2, … 7 and more.
pub(crate) const DEPTHS: u8 = 7;
const WORD_STATES: u8 = LETTER_GROUPS * DEPTHS;

/// Before the first byte.
pub(crate) const START: u8 = 0;
const WORD: u8 = 1;
/// First lower-case letter after an apostrophe.
pub(crate) const CONTRACTION: u8 = WORD + WORD_STATES;
/// Upper-case letters: the first to third of a run, and further ones.
pub(crate) const UPPER: u8 = CONTRACTION + 1;
/// Upper case straight after lower case, and lower case straight after that.
pub(crate) const HUMP: u8 = UPPER + 4;
pub(crate) const AFTER_HUMP: u8 = HUMP + 1;
/// Letters in a run that has digits: `a` to `f`, others, upper case; each first and further; then its digits.
pub(crate) const MIXED_HEX: u8 = AFTER_HUMP + 1;
pub(crate) const MIXED_LOWER: u8 = MIXED_HEX + 2;
pub(crate) const MIXED_UPPER: u8 = MIXED_LOWER + 2;
pub(crate) const MIXED_DIGIT: u8 = MIXED_UPPER + 2;
/// Digits: first, second and third of a group.
pub(crate) const DIGIT: u8 = MIXED_DIGIT + 3;
/// Digits whose place in the group is not known (a digit of another script may stand before them).
pub(crate) const DIGIT_UNKNOWN: u8 = DIGIT + 3;
/// One blank; two or more ending in a space; one tab; two or more ending in a tab.
pub(crate) const SPACE: u8 = DIGIT_UNKNOWN + 1;
pub(crate) const SPACES: u8 = SPACE + 1;
pub(crate) const TAB: u8 = SPACE + 2;
pub(crate) const TABS: u8 = SPACE + 3;
/// Line breaks: the first, further ones, and one that a punctuation mark may have taken in.
pub(crate) const BREAK: u8 = SPACE + 4;
pub(crate) const BREAKS: u8 = SPACE + 5;
pub(crate) const BREAK_TAKEN: u8 = SPACE + 6;
/// Blanks after a line break, as above.
pub(crate) const INDENT: u8 = SPACE + 7;
pub(crate) const INDENTS: u8 = SPACE + 8;
pub(crate) const INDENT_TAB: u8 = SPACE + 9;
pub(crate) const INDENT_TABS: u8 = SPACE + 10;
/// Vertical tab and form feed.
pub(crate) const OTHER_WHITE: u8 = SPACE + 11;
/// The first mark of a run of punctuation, by mark; later ones, by mark.
pub(crate) const MARK: u8 = OTHER_WHITE + 1;
pub(crate) const MARK_KINDS: u8 = 12;
pub(crate) const MARKS: u8 = MARK + MARK_KINDS;
/// An apostrophe straight after a letter.
pub(crate) const APOSTROPHE: u8 = MARKS + MARK_KINDS;
/// Marks of which it is not known where the pretoken began; the second form ends in an apostrophe.
pub(crate) const MARK_UNKNOWN: u8 = APOSTROPHE + 1;
pub(crate) const APOSTROPHE_UNKNOWN: u8 = APOSTROPHE + 2;

/// After a lead byte, by the groups of [`lead`].
pub(crate) const LEAD: u8 = APOSTROPHE_UNKNOWN + 1;
pub(crate) const LEADS: u8 = 33;
/// After the second of three bytes (or second and third of four), by block.
pub(crate) const BLOCK: u8 = LEAD + LEADS;
pub(crate) const BLOCKS: u8 = 36;
/// After a whole character beyond ASCII, by script.
pub(crate) const AFTER: u8 = BLOCK + BLOCKS;
const SCRIPTS: u8 = 22;
/// How many states there are.
pub(crate) const STATES: u16 = AFTER as u16 + SCRIPTS as u16;

// Scripts, as offsets from `AFTER`.
const LATIN: u8 = 0;
const SYMBOL_LATIN: u8 = 1;
const COMBINING: u8 = 2;
const GREEK: u8 = 3;
const CYRILLIC: u8 = 4;
const ARMENIAN: u8 = 5;
const HEBREW: u8 = 6;
const ARABIC: u8 = 7;
const INDIC: u8 = 8;
const THAI: u8 = 9;
const MYANMAR: u8 = 10;
const GEORGIAN: u8 = 11;
const ETHIOPIC: u8 = 12;
const SYMBOL: u8 = 13;
const CJK_MARK: u8 = 14;
const HIRAGANA: u8 = 15;
const KATAKANA: u8 = 16;
const HAN: u8 = 17;
const HANGUL: u8 = 18;
const FULL_WIDTH: u8 = 19;
const EMOJI: u8 = 20;
const OTHER: u8 = 21;

/// What a byte is, coarsely: the columns that share a weight.
pub(crate) mod class {
    pub(crate) const LOWER: u8 = 0;
    pub(crate) const VOWEL: u8 = 1; // upper case
    pub(crate) const RARE: u8 = 2; // Q X Z J K W
    pub(crate) const UPPER: u8 = 3;
    pub(crate) const DIGIT: u8 = 4;
    pub(crate) const SPACE: u8 = 5;
    pub(crate) const TAB: u8 = 6;
    pub(crate) const BREAK: u8 = 7;
    pub(crate) const WHITE: u8 = 8;
    pub(crate) const MARK: u8 = 9;
    pub(crate) const LEAD: u8 = MARK + super::MARK_KINDS;
    pub(crate) const CONTINUATION: u8 = LEAD + super::LEADS;
    pub(crate) const COUNT: u8 = CONTINUATION + 1;
}

/// The kind of a punctuation mark or control character, 0 to 11; 0 is the apostrophe and 1 the slash.
const fn mark(byte: u8) -> u8 {
    match byte {
        b'\'' => 0,
        b'/' => 1,
        b'_' => 2,
        b'-' => 3,
        b'.' => 4,
        b',' | b';' | b':' => 5,
        b'"' => 6,
        b'(' | b'[' | b'{' | b'<' => 7,
        b')' | b']' | b'}' | b'>' => 8,
        b'=' | b'+' | b'*' | b'#' | b'|' | b'~' => 9,
        b'!' | b'?' | b'@' | b'$' | b'%' | b'^' | b'&' | b'\\' | b'`' => 10,
        _ => 11,
    }
}

/// The group of a byte from 0xC0 on.
const fn lead(byte: u8) -> u8 {
    match byte {
        0xC0..=0xC2 => 0,
        0xC3 => 1,
        0xC4..=0xC5 => 2,
        0xC6..=0xC8 => 3,
        0xC9..=0xCB => 4,
        0xCC..=0xCD => 5,
        0xCE => 6,
        0xCF => 7,
        0xD0 => 8,
        0xD1 => 9,
        0xD2..=0xD3 => 10,
        0xD4..=0xD5 => 11,
        0xD6..=0xD7 => 12,
        0xD8 => 13,
        0xD9 => 14,
        0xDA..=0xDB => 15,
        0xDC..=0xDF => 16,
        0xE0..=0xEF => 17 + (byte - 0xE0) - (byte > 0xEA) as u8 - (byte > 0xEB) as u8 - (byte > 0xEC) as u8,
        0xF0 => 30,
        _ => 31,
    }
}
const LEAD_F0_9F: u8 = 32;

/// The coarse class of a byte; see [`class`].
pub(crate) const fn class_of(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => class::LOWER,
        b'A' | b'E' | b'I' | b'O' | b'U' => class::VOWEL,
        b'Q' | b'X' | b'Z' | b'J' | b'K' | b'W' => class::RARE,
        b'A'..=b'Z' => class::UPPER,
        b'0'..=b'9' => class::DIGIT,
        b' ' => class::SPACE,
        b'\t' => class::TAB,
        b'\n' | b'\r' => class::BREAK,
        0x0B | 0x0C => class::WHITE,
        0x80..=0xBF => class::CONTINUATION,
        0xC0..=0xFF => class::LEAD + lead(byte),
        _ => class::MARK + mark(byte),
    }
}

const fn letter_group(byte: u8) -> u8 {
    match byte {
        b'a' => 0,
        b'e' => 1,
        b'i' => 2,
        b'o' => 3,
        b'u' | b'y' => 4,
        b't' => 5,
        b'n' => 6,
        b's' => 7,
        b'r' => 8,
        b'l' => 9,
        b'h' | b'w' => 10,
        b'c' | b'd' | b'g' | b'k' => 11,
        b'b' | b'f' | b'm' | b'p' | b'v' => 12,
        _ => 13,
    }
}

/// In a word: the group of its last letter and its depth from 0.
pub(crate) const fn word(state: u8) -> Option<(u8, u8)> {
    if state >= WORD && state < CONTRACTION {
        let i = state - WORD;
        Some((i % LETTER_GROUPS, i / LETTER_GROUPS))
    } else {
        None
    }
}

const fn in_word(byte: u8, depth: u8) -> u8 {
    let depth = if depth < DEPTHS { depth } else { DEPTHS - 1 };
    WORD + depth * LETTER_GROUPS + letter_group(byte)
}

const fn is(state: u8, first: u8, count: u8) -> bool {
    state >= first && state < first + count
}

pub(crate) const fn is_digit(state: u8) -> bool {
    is(state, MIXED_DIGIT, 7)
}

pub(crate) const fn is_upper(state: u8) -> bool {
    is(state, UPPER, 5) || is(state, MIXED_UPPER, 2)
}

/// An ASCII lower-case letter came last.
pub(crate) const fn is_lower(state: u8) -> bool {
    is(state, WORD, WORD_STATES) || state == CONTRACTION || state == AFTER_HUMP || is(state, MIXED_HEX, 4)
}

/// An ASCII letter came last.
pub(crate) const fn is_letter(state: u8) -> bool {
    is_lower(state) || is_upper(state)
}

/// An ASCII mark came last.
pub(crate) const fn is_mark(state: u8) -> bool {
    state >= MARK && state < LEAD
}

/// A byte beyond ASCII came last.
pub(crate) const fn is_foreign(state: u8) -> bool {
    state >= LEAD
}

const fn is_mixed(state: u8) -> bool {
    is(state, MIXED_HEX, 9)
}

/// The state after one more byte.
pub(crate) const fn next(state: u8, byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => {
            if let Some((_, depth)) = word(state) {
                in_word(byte, depth + 1)
            } else if is_mixed(state) || is_digit(state) {
                let hex = byte <= b'f';
                if hex {
                    MIXED_HEX + (state == MIXED_HEX || state == MIXED_HEX + 1) as u8
                } else {
                    MIXED_LOWER + is(state, MIXED_HEX, 4) as u8
                }
            } else if state == CONTRACTION || state == UPPER {
                in_word(byte, 1)
            } else if state == HUMP {
                AFTER_HUMP
            } else if is_upper(state) || state == AFTER_HUMP {
                in_word(byte, 2)
            } else if state == APOSTROPHE || state == APOSTROPHE_UNKNOWN || state == MARK || state == MARKS {
                CONTRACTION
            } else if state == AFTER + LATIN || state == AFTER + COMBINING {
                in_word(byte, 3)
            } else {
                in_word(byte, 0)
            }
        }
        b'A'..=b'Z' => {
            if is_mixed(state) || is_digit(state) {
                MIXED_UPPER + is(state, MIXED_UPPER, 2) as u8
            } else if is_lower(state) {
                HUMP
            } else if state == HUMP {
                UPPER + 1
            } else if is(state, UPPER, 3) {
                state + 1
            } else if state == UPPER + 3 {
                state
            } else {
                UPPER
            }
        }
        b'0'..=b'9' => match state {
            _ if is(state, DIGIT, 2) || is(state, MIXED_DIGIT, 2) => state + 1,
            _ if state == DIGIT + 2 => DIGIT,
            _ if state == MIXED_DIGIT + 2 => MIXED_DIGIT,
            _ if state == DIGIT_UNKNOWN || is_foreign(state) => DIGIT_UNKNOWN,
            _ if is_letter(state) => MIXED_DIGIT,
            _ => DIGIT,
        },
        b' ' => match state {
            SPACE | SPACES | TAB | TABS => SPACES,
            BREAK | BREAKS | BREAK_TAKEN => INDENT,
            INDENT | INDENTS | INDENT_TAB | INDENT_TABS | OTHER_WHITE => INDENTS,
            _ => SPACE,
        },
        b'\t' => match state {
            SPACE | SPACES | TAB | TABS => TABS,
            BREAK | BREAKS | BREAK_TAKEN => INDENT_TAB,
            INDENT | INDENTS | INDENT_TAB | INDENT_TABS | OTHER_WHITE => INDENT_TABS,
            _ => TAB,
        },
        b'\n' | b'\r' => match state {
            BREAK | BREAKS | INDENT | INDENTS | INDENT_TAB | INDENT_TABS | OTHER_WHITE => BREAKS,
            _ if is_mark(state) || state == BREAK_TAKEN || is_foreign(state) => BREAK_TAKEN,
            _ => BREAK,
        },
        0x0B | 0x0C => OTHER_WHITE,
        0x80..=0xBF => continuation(state, byte),
        0xC0..=0xFF => LEAD + lead(byte),
        b'\'' if is_letter(state) => APOSTROPHE,
        _ => {
            let kind = mark(byte);
            let unknown = is_foreign(state)
                || state == MARK_UNKNOWN
                || state == APOSTROPHE_UNKNOWN
                || (kind == 1 && state == BREAK_TAKEN);
            if unknown {
                if kind == 0 { APOSTROPHE_UNKNOWN } else { MARK_UNKNOWN }
            } else if is_mark(state) {
                MARKS + kind
            } else {
                MARK + kind
            }
        }
    }
}

// Blocks, as offsets from `BLOCK`, each with the script it ends in.
const fn block_script(block: u8) -> u8 {
    match block {
        0..=9 | 12 => INDIC,
        10 | 11 => THAI,
        13 | 16 => MYANMAR,
        14 => GEORGIAN,
        15 => ETHIOPIC,
        17 => LATIN,
        18 => GREEK,
        20..=25 => SYMBOL,
        26 => CJK_MARK,
        27 | 28 => HIRAGANA,
        29 => KATAKANA,
        31 => HAN,
        32 => HANGUL,
        33 => FULL_WIDTH,
        35 => EMOJI,
        _ => OTHER,
    }
}

const fn continuation(state: u8, byte: u8) -> u8 {
    if state >= BLOCK && state < AFTER {
        // A third byte; of four, the fourth follows in the same state.
        return AFTER + block_script(state - BLOCK);
    }
    if !is(state, LEAD, LEADS) {
        // Stray: cannot happen in valid UTF-8 but for the last byte of four.
        return state;
    }
    match state - LEAD {
        0 => AFTER + SYMBOL_LATIN,
        1..=3 => AFTER + LATIN,
        4 | 5 => AFTER + COMBINING,
        6 | 7 => AFTER + GREEK,
        8..=10 => AFTER + CYRILLIC,
        11 => AFTER + ARMENIAN,
        // D6 80 to D6 8F are Armenian, the rest Hebrew.
        12 if byte < 0x90 => AFTER + ARMENIAN,
        12 => AFTER + HEBREW,
        13..=15 => AFTER + ARABIC,
        16 => AFTER + OTHER,
        // E0: the Indic blocks, Thai, Lao, Tibetan.
        17 => match byte {
            0xA4..=0xA5 => BLOCK,
            0xA6..=0xA7 => BLOCK + 1,
            0xA8..=0xA9 => BLOCK + 2,
            0xAA..=0xAB => BLOCK + 3,
            0xAC..=0xAD => BLOCK + 4,
            0xAE..=0xAF => BLOCK + 5,
            0xB0..=0xB1 => BLOCK + 6,
            0xB2..=0xB3 => BLOCK + 7,
            0xB4..=0xB5 => BLOCK + 8,
            0xB6..=0xB7 => BLOCK + 9,
            0xB8..=0xB9 => BLOCK + 10,
            0xBA..=0xBB => BLOCK + 11,
            _ => BLOCK + 12,
        },
        // E1: Myanmar, Georgian, Ethiopic, Khmer, more Latin, more Greek.
        18 => match byte {
            0x80..=0x81 => BLOCK + 13,
            0x82..=0x83 => BLOCK + 14,
            0x88..=0x8E => BLOCK + 15,
            0x9E..=0x9F => BLOCK + 16,
            0xB8..=0xBB => BLOCK + 17,
            0xBC..=0xBF => BLOCK + 18,
            _ => BLOCK + 19,
        },
        // E2: punctuation, arrows, mathematics, boxes, pictographs, other.
        19 => match byte {
            0x80..=0x81 => BLOCK + 20,
            0x82..=0x87 => BLOCK + 21,
            0x88..=0x93 => BLOCK + 22,
            0x94..=0x97 => BLOCK + 23,
            0x98..=0x9F => BLOCK + 24,
            _ => BLOCK + 25,
        },
        // E3: CJK marks, kana.
        20 => match byte {
            0x80 => BLOCK + 26,
            0x81 => BLOCK + 27,
            0x82 => BLOCK + 28,
            0x83 => BLOCK + 29,
            _ => BLOCK + 30,
        },
        // E4 to E9: Han.
        21..=26 => BLOCK + 31,
        // EA to ED: Hangul for the most part.
        27 => BLOCK + 32,
        // EE, EF: private use, presentation forms, full width.
        29 if byte == 0xBC || byte == 0xBD => BLOCK + 33,
        28 | 29 => BLOCK + 34,
        // F0 9F: pictographs.
        30 if byte == 0x9F => LEAD + LEAD_F0_9F,
        LEAD_F0_9F => BLOCK + 35,
        _ => BLOCK + 30,
    }
}
