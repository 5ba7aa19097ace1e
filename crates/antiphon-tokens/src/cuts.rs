//! Safe cuts: places at which counts add up exactly.
//!
//! o200k_base, o200k_harmony and cl100k_base first split a text into pretokens with a regular expression that looks only forward
//! (`heuristic`'s source has it in full). If a pretoken always ends between two characters, whatever stands around them, and the
//! part before would be split the same way if the text ended there, then
//! `count(whole) = count(before) + count(after)`. That holds
//!
//! 1. between an ASCII letter or digit and an ASCII character that is neither, nor an apostrophe: letters end a word pretoken and
//!    digits a number, neither goes on with such a character, and no look-ahead is involved;
//! 2. between an ASCII letter and an ASCII digit, either way round: numbers hold digits only, words none;
//! 3. between a Han, kana or Hangul character and ASCII white space, an ASCII digit, or one of `、。，！？：；）（`: these characters
//!    are letters without case, and what follows is none and begins no contraction.
//!
//! Text without such a place (a million letters in a row) has no safe cut.

/// The last character boundary at or before `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..4).map(|back| at.saturating_sub(back)).find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// The first character boundary at or after `at`.
pub(crate) fn ceil(text: &str, at: usize) -> usize {
    (at..at.saturating_add(4)).find(|&i| text.is_char_boundary(i)).unwrap_or(text.len())
}

/// Whether counts add up exactly if the text is cut between these two characters.
///
/// ```
/// use antiphon_tokens::is_safe_cut;
/// assert!(is_safe_cut('d', ' '));
/// assert!(!is_safe_cut(' ', 'd')); // the space belongs to the word
/// assert!(!is_safe_cut('t', '\'')); // it's
/// ```
pub const fn is_safe_cut(before: char, after: char) -> bool {
    if before.is_ascii_digit() {
        return after.is_ascii() && !after.is_ascii_digit() && after != '\'';
    }
    if before.is_ascii_alphabetic() {
        return after.is_ascii() && !after.is_ascii_alphabetic() && after != '\'';
    }
    let uncased = matches!(before, '\u{4E00}'..='\u{9FA5}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{AC00}'..='\u{D7A3}');
    uncased
        && (after.is_ascii_digit()
            || matches!(after, ' ' | '\t' | '\n' | '\r')
            || matches!(after, '、' | '。' | '，' | '！' | '？' | '：' | '；' | '（' | '）'))
}

/// The first safe cut at or after `from` bytes, or `None` up to the end of the text.
///
/// ```
/// use antiphon_tokens::next_safe_cut;
/// assert_eq!(next_safe_cut("some words here", 5), Some(10));
/// assert_eq!(next_safe_cut("some words here", 11), None);
/// ```
pub fn next_safe_cut(text: &str, from: usize) -> Option<usize> {
    let from = floor(text, from);
    // One character back, so that the pair around `from` is seen.
    let start = floor(text, from.saturating_sub(1));
    let mut before = None;
    for (at, after) in text.get(start..)?.char_indices() {
        let at = start + at;
        if at >= from && before.is_some_and(|before| is_safe_cut(before, after)) {
            return Some(at);
        }
        before = Some(after);
    }
    None
}

/// The last safe cut at or before `to` bytes, or `None` down to the start of the text.
///
/// ```
/// use antiphon_tokens::last_safe_cut;
/// assert_eq!(last_safe_cut("some words here", 9), Some(4));
/// ```
pub fn last_safe_cut(text: &str, to: usize) -> Option<usize> {
    let to = ceil(text, to);
    let mut after = text.get(to..)?.chars().next();
    let mut at = to;
    for (i, before) in text.get(..to)?.char_indices().rev() {
        if after.is_some_and(|after| is_safe_cut(before, after)) {
            return Some(at);
        }
        (after, at) = (Some(before), i);
    }
    None
}

/// The text in pieces of about `size` bytes, cut at safe places only: counts of the pieces add up to the count of the text. A
/// piece is longer where there is no safe place.
///
/// ```
/// use antiphon_tokens::safe_pieces;
/// let text = "The quick brown fox jumps over the lazy dog.";
/// let pieces: Vec<_> = safe_pieces(text, 12).collect();
/// assert_eq!(pieces.concat(), text);
/// assert_eq!(pieces, ["The quick brown", " fox jumps over", " the lazy dog", "."]);
/// ```
pub fn safe_pieces(text: &str, size: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let cut = next_safe_cut(rest, size.max(1)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at_checked(cut)?;
        rest = after;
        Some(piece)
    })
}
