use super::error::{JsonError, JsonErrorKind};
use super::find::find_special;
use super::raw::RawRef;
use super::text::Text;
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
    /// Arrays and objects that were entered by their bracket and not left yet.
    open: usize,
}

/// One member of an object as it was found: the key as written (without quotes) and the value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) raw_key: &'a str,
    pub(crate) key_escaped: bool,
    pub(crate) value: RawRef<'a>,
    /// Whether the value is a string with escapes, so that nobody has to look again.
    pub(crate) value_escaped: bool,
}

impl<'a> Pair<'a> {
    pub(crate) fn key(&self) -> Cow<'a, str> {
        decode_key(self.raw_key, self.key_escaped)
    }

    #[inline]
    pub(crate) fn key_is(&self, name: &str) -> bool {
        if self.key_escaped { self.key() == name } else { self.raw_key == name }
    }

    /// The string value; `None` if it is no string.
    pub(crate) fn text(&self) -> Option<Text> {
        if self.value_escaped { self.value.as_text() } else { Some(Text::new(self.plain()?)) }
    }

    /// The string value unless it holds half a surrogate pair; `None` if it is no string.
    pub(crate) fn string(&self) -> Option<String> {
        if self.value_escaped {
            self.value.as_text().filter(|text| !text.has_lone_surrogate()).map(Text::into_string)
        } else {
            self.plain().map(str::to_owned)
        }
    }

    /// The string value, decoded; `None` if it is no string.
    pub(crate) fn str(&self) -> Option<Cow<'a, str>> {
        if self.value_escaped { self.value.as_str() } else { self.plain().map(Cow::Borrowed) }
    }

    fn plain(&self) -> Option<&'a str> {
        self.value.get().strip_prefix('"')?.strip_suffix('"')
    }
}

/// A key as written, decoded.
pub(crate) fn decode_key(raw_key: &str, escaped: bool) -> Cow<'_, str> {
    if escaped { Cow::Owned(super::text::decode(raw_key).0) } else { Cow::Borrowed(raw_key) }
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

impl<'a> Scanner<'a> {
    /// A scanner at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), pos: 0, open: 0 }
    }

    /// Where the scanner stands, in bytes from the start.
    pub fn offset(&self) -> usize {
        self.pos
    }

    /// The next byte, if any. White space counts: call [`skip_ws`](Self::skip_ws) first.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// Moves over JSON white space (space, tab, LF, CR).
    #[inline]
    pub fn skip_ws(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.pos += 1;
        }
    }

    /// Takes `byte` if it comes next (after white space). Brackets count for [`MAX_DEPTH`]: what is
    /// taken after an opening one lies a level deeper, until the closing one is taken.
    pub fn eat(&mut self, byte: u8) -> bool {
        self.skip_ws();
        let found = self.peek() == Some(byte);
        if found {
            self.pos += 1;
            match byte {
                b'{' | b'[' => self.open += 1,
                b'}' | b']' => self.leave(),
                _ => {}
            }
        }
        found
    }

    /// All of the text, what was taken included.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    fn leave(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    /// Fails unless only white space is left.
    ///
    /// # Errors
    /// [`JsonErrorKind::TrailingCharacters`] with the place of the first such character.
    pub fn end(&mut self) -> Result<(), JsonError> {
        self.skip_ws();
        if self.pos < self.bytes.len() { Err(self.error(JsonErrorKind::TrailingCharacters)) } else { Ok(()) }
    }

    #[cold]
    pub(crate) fn error(&self, kind: JsonErrorKind) -> JsonError {
        JsonError::new(kind, self.text, self.pos)
    }

    #[cold]
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
        self.take_value().map(|(value, _)| value)
    }

    /// Takes one whole value; tells whether it is a string with escapes.
    fn take_value(&mut self) -> Result<(RawRef<'a>, bool), JsonError> {
        self.skip_ws();
        let start = self.pos;
        let escaped = match self.peek() {
            Some(b'{' | b'[') => {
                self.skip_nested()?;
                false
            }
            _ => self.skip_scalar()?,
        };
        Ok((RawRef::trusted(self.slice(start, self.pos)?), escaped))
    }

    /// Takes one whole object, validated, and shows its members in the same pass: the key as it is written
    /// between its quotes, and the value. Any other value is taken as [`skip_value`](Self::skip_value) does.
    ///
    /// ```
    /// use antiphon_model::json::Scanner;
    /// let mut message = None;
    /// let record = Scanner::new(r#"{"n":1,"message":{"role":"user"}}"#).skip_object(|key, value| {
    ///     if key == "message" {
    ///         message = Some(value);
    ///     }
    /// })?;
    /// assert_eq!(message.unwrap().get(), r#"{"role":"user"}"#);
    /// assert_eq!(record.get().len(), 33);
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// A [`JsonError`] with the place of the first byte that is not JSON.
    pub fn skip_object(&mut self, mut member: impl FnMut(&'a str, RawRef<'a>)) -> Result<RawRef<'a>, JsonError> {
        self.skip_ws();
        if self.peek() != Some(b'{') {
            return self.skip_value();
        }
        let start = self.pos;
        self.eat(b'{');
        let mut first = true;
        while let Some(pair) = self.next_pair(first)? {
            first = false;
            member(pair.raw_key, pair.value);
        }
        self.taken_since(start)
    }

    /// Takes a value that is neither an array nor an object; tells whether it is a string with escapes.
    fn skip_scalar(&mut self) -> Result<bool, JsonError> {
        match self.peek() {
            Some(b'"') => return self.skip_string(),
            Some(b'-' | b'0'..=b'9') => self.skip_number()?,
            Some(b't') => self.skip_word("true")?,
            Some(b'f') => self.skip_word("false")?,
            Some(b'n') => self.skip_word("null")?,
            _ => return Err(self.expected("a JSON value")),
        }
        Ok(false)
    }

    /// Takes an array or an object, with a stack of its own instead of recursion.
    fn skip_nested(&mut self) -> Result<(), JsonError> {
        let mut levels = Levels::new();
        'value: loop {
            self.skip_ws();
            match self.peek() {
                Some(open @ (b'{' | b'[')) => {
                    let object = open == b'{';
                    self.pos += 1;
                    self.skip_ws();
                    if self.peek() == Some(if object { b'}' } else { b']' }) {
                        self.pos += 1;
                    } else {
                        if self.open + levels.depth >= MAX_DEPTH || !levels.push(object) {
                            return Err(self.error(JsonErrorKind::TooDeep));
                        }
                        if object {
                            self.skip_key()?;
                        }
                        continue 'value;
                    }
                }
                _ => {
                    self.skip_scalar()?;
                }
            }
            loop {
                let Some(object) = levels.top() else { return Ok(()) };
                self.skip_ws();
                match (self.peek(), object) {
                    (Some(b','), true) => {
                        self.pos += 1;
                        self.skip_ws();
                        self.skip_key()?;
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

    /// Takes a key and its colon; tells where the key ends (its quote included) and whether it holds
    /// escapes.
    #[inline]
    fn skip_key(&mut self) -> Result<(usize, bool), JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in quotes"));
        }
        let escaped = self.skip_string()?;
        let end = self.pos;
        self.skip_ws();
        if self.peek() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.pos += 1;
        Ok((end, escaped))
    }

    /// A key and its colon; gives the key as written, without quotes, and whether it holds escapes.
    fn key(&mut self) -> Result<(&'a str, bool), JsonError> {
        let start = self.pos + 1;
        let (end, escaped) = self.skip_key()?;
        Ok((self.slice(start, end - 1)?, escaped))
    }

    /// The next member of an object whose `{` was taken; `None` at its end. `first` tells whether a
    /// comma must stand before it.
    pub(crate) fn next_pair(&mut self, first: bool) -> Result<Option<Pair<'a>>, JsonError> {
        let Some((raw_key, key_escaped)) = self.next_key(first)? else { return Ok(None) };
        self.pair(raw_key, key_escaped).map(Some)
    }

    /// The member whose key was taken.
    pub(crate) fn pair(&mut self, raw_key: &'a str, key_escaped: bool) -> Result<Pair<'a>, JsonError> {
        let (value, value_escaped) = self.take_value()?;
        Ok(Pair { raw_key, key_escaped, value, value_escaped })
    }

    /// The key part of [`next_pair`](Self::next_pair); the value comes next.
    pub(crate) fn next_key(&mut self, first: bool) -> Result<Option<(&'a str, bool)>, JsonError> {
        self.skip_ws();
        if self.peek() == Some(b'}') {
            self.pos += 1;
            self.leave();
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
                self.leave();
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

    /// Takes a string at the opening quote; tells whether it holds escapes.
    #[inline]
    fn skip_string(&mut self) -> Result<bool, JsonError> {
        self.pos += 1;
        self.skip_plain();
        if self.peek() == Some(b'"') {
            self.pos += 1;
            return Ok(false);
        }
        self.skip_escaped_string()
    }

    /// Goes on in a string from what is not plain.
    fn skip_escaped_string(&mut self) -> Result<bool, JsonError> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(true);
                }
                Some(b'\\') => self.skip_escape()?,
                Some(_) => return Err(self.error(JsonErrorKind::ControlCharacter)),
                None => return Err(self.error(JsonErrorKind::UnexpectedEnd)),
            }
            self.skip_plain();
        }
    }

    #[inline]
    fn skip_plain(&mut self) {
        self.pos += find_special(self.bytes.get(self.pos..).unwrap_or_default());
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

    /// The text from `start` to where the scanner stands: one value that was just taken.
    pub(crate) fn taken_since(&self, start: usize) -> Result<RawRef<'a>, JsonError> {
        self.slice(start, self.pos).map(RawRef::trusted)
    }
}
