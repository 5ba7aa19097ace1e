use super::error::{JsonError, JsonErrorKind};
use super::raw::RawRef;
use std::borrow::Cow;

/// How deep arrays and objects may nest. Deeper text is refused with its place: no agent writes it,
/// and what reads it next (the API, other tools) would fail on it. Well above serde_json's 128.
pub const MAX_DEPTH: usize = 1024;

/// A pull scanner over JSON text.
///
/// It validates as it goes (RFC 8259, nothing looser), allocates nothing and does not recurse.
///
/// ```
/// use antiphon_model::json::Scanner;
/// let mut scanner = Scanner::new(r#" {"a": [1, 2.50]} rest"#);
/// let value = scanner.skip_value()?;
/// assert_eq!(value.get(), r#"{"a": [1, 2.50]}"#);
/// assert_eq!(scanner.offset(), 17);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
}

/// One member of an object as it was found: the key as written (without quotes) and the value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) raw_key: &'a str,
    pub(crate) key_escaped: bool,
    pub(crate) value: RawRef<'a>,
}

impl<'a> Pair<'a> {
    pub(crate) fn key(&self) -> Cow<'a, str> {
        if self.key_escaped { Cow::Owned(super::text::decode(self.raw_key).0) } else { Cow::Borrowed(self.raw_key) }
    }

    pub(crate) fn key_is(&self, name: &str) -> bool {
        if self.key_escaped { super::text::decode(self.raw_key).0 == name } else { self.raw_key == name }
    }
}

/// One bit a level: is it an object? On the stack, so that scanning allocates nothing.
struct Levels {
    bits: [u64; MAX_DEPTH / 64],
    depth: usize,
}

impl Levels {
    const fn new() -> Self {
        Self { bits: [0; MAX_DEPTH / 64], depth: 0 }
    }

    fn push(&mut self, object: bool) -> bool {
        let Some(word) = self.bits.get_mut(self.depth / 64) else { return false };
        let bit = 1u64 << (self.depth % 64);
        if object {
            *word |= bit;
        } else {
            *word &= !bit;
        }
        self.depth += 1;
        true
    }

    fn top(&self) -> Option<bool> {
        let at = self.depth.checked_sub(1)?;
        self.bits.get(at / 64).map(|word| word >> (at % 64) & 1 == 1)
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Non-zero where a byte of `w` is a quote, a backslash or a control character; the lowest set bit
/// is exact (borrows only ever disturb bytes above a true hit).
const fn special(w: u64) -> u64 {
    let quote = w ^ (ONES * 0x22);
    let slash = w ^ (ONES * 0x5c);
    let hit =
        (quote.wrapping_sub(ONES) & !quote) | (slash.wrapping_sub(ONES) & !slash) | (w.wrapping_sub(ONES * 0x20) & !w);
    hit & HIGHS
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), pos: 0 }
    }

    /// Where the scanner stands, in bytes from the start.
    pub fn offset(&self) -> usize {
        self.pos
    }

    /// The next byte, if any. White space counts: call [`skip_ws`](Self::skip_ws) first.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// Moves over JSON white space (space, tab, LF, CR).
    pub fn skip_ws(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.pos += 1;
        }
    }

    /// Takes `byte` if it comes next (after white space).
    pub fn eat(&mut self, byte: u8) -> bool {
        self.skip_ws();
        let found = self.peek() == Some(byte);
        if found {
            self.pos += 1;
        }
        found
    }

    /// Fails unless only white space is left.
    ///
    /// # Errors
    /// [`JsonErrorKind::TrailingCharacters`] with the place of the first such character.
    pub fn end(&mut self) -> Result<(), JsonError> {
        self.skip_ws();
        if self.pos < self.bytes.len() { Err(self.error(JsonErrorKind::TrailingCharacters)) } else { Ok(()) }
    }

    pub(crate) fn error(&self, kind: JsonErrorKind) -> JsonError {
        JsonError::new(kind, self.text, self.pos)
    }

    fn expected(&self, what: &'static str) -> JsonError {
        if self.pos >= self.bytes.len() {
            self.error(JsonErrorKind::UnexpectedEnd)
        } else {
            self.error(JsonErrorKind::Expected(what))
        }
    }

    fn slice(&self, from: usize, to: usize) -> Result<&'a str, JsonError> {
        // Both ends stand on ASCII bytes, so this cannot fail; it is checked all the same.
        self.text.get(from..to).ok_or_else(|| self.error(JsonErrorKind::Expected("a character boundary")))
    }

    /// Takes one whole value, validated, whatever it is.
    ///
    /// # Errors
    /// A [`JsonError`] with the place of the first byte that is not JSON.
    pub fn skip_value(&mut self) -> Result<RawRef<'a>, JsonError> {
        self.skip_ws();
        let start = self.pos;
        let mut levels = Levels::new();
        'value: loop {
            self.skip_ws();
            match self.peek() {
                Some(b'{') => {
                    self.pos += 1;
                    self.skip_ws();
                    if self.peek() == Some(b'}') {
                        self.pos += 1;
                    } else {
                        if !levels.push(true) {
                            return Err(self.error(JsonErrorKind::TooDeep));
                        }
                        self.key()?;
                        continue 'value;
                    }
                }
                Some(b'[') => {
                    self.pos += 1;
                    self.skip_ws();
                    if self.peek() == Some(b']') {
                        self.pos += 1;
                    } else {
                        if !levels.push(false) {
                            return Err(self.error(JsonErrorKind::TooDeep));
                        }
                        continue 'value;
                    }
                }
                Some(b'"') => {
                    self.skip_string()?;
                }
                Some(b'-' | b'0'..=b'9') => self.skip_number()?,
                Some(b't') => self.skip_word("true")?,
                Some(b'f') => self.skip_word("false")?,
                Some(b'n') => self.skip_word("null")?,
                _ => return Err(self.expected("a JSON value")),
            }
            loop {
                let Some(object) = levels.top() else {
                    return Ok(RawRef::trusted(self.slice(start, self.pos)?));
                };
                self.skip_ws();
                match (self.peek(), object) {
                    (Some(b','), true) => {
                        self.pos += 1;
                        self.skip_ws();
                        self.key()?;
                        continue 'value;
                    }
                    (Some(b','), false) => {
                        self.pos += 1;
                        continue 'value;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.pos += 1;
                        levels.pop();
                    }
                    (_, true) => return Err(self.expected("`,` or `}`")),
                    (_, false) => return Err(self.expected("`,` or `]`")),
                }
            }
        }
    }

    /// A key and its colon; gives the key as written and whether it holds escapes.
    fn key(&mut self) -> Result<(&'a str, bool), JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in quotes"));
        }
        let key = self.skip_string()?;
        self.skip_ws();
        if self.peek() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.pos += 1;
        Ok(key)
    }

    /// The next member of an object whose `{` was taken; `None` at its end. `first` tells whether a
    /// comma must stand before it.
    pub(crate) fn next_pair(&mut self, first: bool) -> Result<Option<Pair<'a>>, JsonError> {
        let Some((raw_key, key_escaped)) = self.next_key(first)? else { return Ok(None) };
        Ok(Some(Pair { raw_key, key_escaped, value: self.skip_value()? }))
    }

    /// The key part of [`next_pair`](Self::next_pair); the value comes next.
    pub(crate) fn next_key(&mut self, first: bool) -> Result<Option<(&'a str, bool)>, JsonError> {
        self.skip_ws();
        if self.peek() == Some(b'}') {
            self.pos += 1;
            return Ok(None);
        }
        if !first {
            if self.peek() != Some(b',') {
                return Err(self.expected("`,` or `}`"));
            }
            self.pos += 1;
            self.skip_ws();
        }
        self.key().map(Some)
    }

    /// Whether another element of an array whose `[` was taken comes next.
    pub(crate) fn next_element(&mut self, first: bool) -> Result<bool, JsonError> {
        self.skip_ws();
        match self.peek() {
            Some(b']') => {
                self.pos += 1;
                Ok(false)
            }
            _ if first => Ok(true),
            Some(b',') => {
                self.pos += 1;
                Ok(true)
            }
            _ => Err(self.expected("`,` or `]`")),
        }
    }

    /// Takes a string at the opening quote: its text between the quotes as written, and whether it
    /// holds escapes.
    fn skip_string(&mut self) -> Result<(&'a str, bool), JsonError> {
        self.pos += 1;
        let start = self.pos;
        let mut escaped = false;
        loop {
            self.skip_plain();
            match self.peek() {
                Some(b'"') => {
                    let raw = self.slice(start, self.pos)?;
                    self.pos += 1;
                    return Ok((raw, escaped));
                }
                Some(b'\\') => {
                    escaped = true;
                    self.skip_escape()?;
                }
                Some(_) => return Err(self.error(JsonErrorKind::ControlCharacter)),
                None => return Err(self.error(JsonErrorKind::UnexpectedEnd)),
            }
        }
    }

    /// Moves to the next quote, backslash or control character, eight bytes a step.
    fn skip_plain(&mut self) {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        let (words, tail) = rest.as_chunks::<8>();
        for word in words {
            let hit = special(u64::from_le_bytes(*word));
            if hit != 0 {
                self.pos += hit.trailing_zeros() as usize / 8;
                return;
            }
            self.pos += 8;
        }
        for &byte in tail {
            if byte == b'"' || byte == b'\\' || byte < 0x20 {
                return;
            }
            self.pos += 1;
        }
    }

    fn skip_escape(&mut self) -> Result<(), JsonError> {
        match self.bytes.get(self.pos + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.pos += 2;
                Ok(())
            }
            Some(b'u') => {
                let Some(digits) = self.bytes.get(self.pos + 2..self.pos + 6) else {
                    return Err(self.error(if self.pos + 6 > self.bytes.len() {
                        JsonErrorKind::UnexpectedEnd
                    } else {
                        JsonErrorKind::InvalidEscape
                    }));
                };
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(self.error(JsonErrorKind::InvalidEscape));
                }
                self.pos += 6;
                Ok(())
            }
            Some(_) => Err(self.error(JsonErrorKind::InvalidEscape)),
            None => Err(self.error(JsonErrorKind::UnexpectedEnd)),
        }
    }

    fn skip_digits(&mut self) -> usize {
        let from = self.pos;
        while let Some(b'0'..=b'9') = self.peek() {
            self.pos += 1;
        }
        self.pos - from
    }

    fn skip_number(&mut self) -> Result<(), JsonError> {
        if self.peek() == Some(b'-') {
            self.pos += 1;
        }
        if self.peek() == Some(b'0') {
            self.pos += 1;
        } else if self.skip_digits() == 0 {
            return Err(self.expected("a digit"));
        }
        if self.peek() == Some(b'.') {
            self.pos += 1;
            if self.skip_digits() == 0 {
                return Err(self.expected("a digit"));
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.pos += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.pos += 1;
            }
            if self.skip_digits() == 0 {
                return Err(self.expected("a digit"));
            }
        }
        Ok(())
    }

    fn skip_word(&mut self, word: &'static str) -> Result<(), JsonError> {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) {
            self.pos += word.len();
            Ok(())
        } else if word.as_bytes().starts_with(rest) {
            self.pos = self.bytes.len();
            Err(self.error(JsonErrorKind::UnexpectedEnd))
        } else {
            Err(self.expected("a JSON value"))
        }
    }
}

impl<'a> Scanner<'a> {
    /// The text from `start` to where the scanner stands: one value that was just taken.
    pub(crate) fn taken_since(&self, start: usize) -> Result<RawRef<'a>, JsonError> {
        self.slice(start, self.pos).map(RawRef::trusted)
    }
}
