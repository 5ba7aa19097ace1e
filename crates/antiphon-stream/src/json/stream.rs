//! The push parser.

use std::sync::Arc;

use super::{JsonOptions, PartialValue, keys::Keys, path::Path};
use crate::{JsonFault, StreamError};

/// Something that became certain while text was pushed.
///
/// ```
/// use antiphon_stream::{JsonStream, JsonWhat};
///
/// let mut seen = Vec::new();
/// let mut json = JsonStream::new();
/// json.push_with(r#"{"path":"a.rs","edits":[{"te"#, |event| seen.push(format!("{} {:?}", event.path, event.what)))?;
/// json.push_with(r#"xt":"hi"#, |event| seen.push(format!("{} {:?}", event.path, event.what)))?;
/// assert_eq!(seen, [
///     " ObjectStart", "/path StringStart", "/path StringChunk(\"a.rs\")", "/path StringEnd",
///     "/edits ArrayStart", "/edits/0 ObjectStart",
///     "/edits/0/text StringStart", "/edits/0/text StringChunk(\"hi\")",
/// ]);
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonEvent<'a> {
    /// The JSON pointer (RFC 6901) of the value.
    pub path: &'a str,
    /// What is known of it now.
    pub what: JsonWhat<'a>,
}

/// What a [`JsonEvent`] says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonWhat<'a> {
    /// It is an object, its members follow.
    ObjectStart,
    /// The object is closed.
    ObjectEnd,
    /// It is an array, its elements follow.
    ArrayStart,
    /// The array is closed.
    ArrayEnd,
    /// It is a string, its text follows.
    StringStart,
    /// More text of the string, decoded.
    StringChunk(&'a str),
    /// The string is closed.
    StringEnd,
    /// It is this number, as written.
    Number(&'a str),
    /// It is this truth value.
    Bool(bool),
    /// It is null.
    Null,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A value must come.
    Value,
    /// Just behind `[`: a value or `]`.
    ElementOrEnd,
    /// Just behind `{`: a key or `}`.
    KeyOrEnd,
    /// Behind a comma in an object: a key.
    Key,
    Colon,
    /// Behind a value inside a container.
    CommaOrEnd,
    /// Inside a string; `true` for a key.
    Text(bool),
    /// Behind a backslash inside a string.
    Escape(bool),
    /// Inside `\uXXXX`: digits seen, their value.
    Unicode(bool, u8, u16),
    Number,
    Literal,
    Done,
}

/// Reads one JSON text in pieces and shows at any time what is certain so far.
///
/// - **Monotone**: nothing that was shown is taken back. No half number, literal, key or escape is ever shown, and no
///   half surrogate pair; a member appears with the first of its value. A text may grow, a container may gain
///   members, nothing else changes.
/// - **Linear**: each byte is looked at once, and a piece costs what it holds plus the depth it stands at. Nothing is
///   parsed again.
/// - **Bounded** by [`JsonOptions`].
///
/// The grammar is strict JSON, with one stated leniency: an escape that is half a surrogate pair, with no other half,
/// stands as U+FFFD and is counted ([`lone_surrogates`](Self::lone_surrogates)).
///
/// ```
/// use antiphon_stream::JsonStream;
///
/// let mut json = JsonStream::new();
/// for (piece, shown) in [("{\"n\":12", "{}"), ("3,\"s\":\"\\ud8", r#"{"n":123,"s":""}"#), ("3d\\ude00!", r#"{"n":123,"s":"😀!"}"#)] {
///     json.push(piece)?;
///     assert_eq!(json.value().unwrap().to_json(), shown);
/// }
/// json.push("\"}")?;
/// assert!(json.is_complete());
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
#[derive(Debug, Clone)]
pub struct JsonStream {
    options: JsonOptions,
    state: State,
    path: Path,
    root: Option<PartialValue>,
    /// A key, number or literal that is not whole yet.
    buffer: String,
    /// The key of the member whose value has not begun.
    key: Arc<str>,
    keys: Keys,
    /// The first half of a surrogate pair whose second half must come next.
    high: Option<u16>,
    lone_surrogates: usize,
    position: usize,
    fault: Option<(JsonFault, usize)>,
}

impl Default for JsonStream {
    fn default() -> Self {
        Self::with_options(JsonOptions::default())
    }
}

impl JsonStream {
    /// A parser with the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// A parser with limits of one's own.
    pub fn with_options(options: JsonOptions) -> Self {
        Self {
            options,
            state: State::Value,
            path: Path::default(),
            root: None,
            buffer: String::new(),
            key: Arc::default(),
            keys: Keys::default(),
            high: None,
            lone_surrogates: 0,
            position: 0,
            fault: None,
        }
    }

    /// Takes the next piece of the text.
    ///
    /// # Errors
    ///
    /// [`StreamError::Json`] at the first byte that breaks the grammar or a limit. What was shown stays; every later
    /// call gives the same error.
    pub fn push(&mut self, text: &str) -> Result<(), StreamError> {
        self.push_with(text, |_| {})
    }

    /// The same, and tells `sink` of everything that becomes certain, in the order of the text.
    ///
    /// # Errors
    ///
    /// As for [`push`](Self::push); events of what came before the fault are given.
    pub fn push_with(&mut self, text: &str, mut sink: impl FnMut(JsonEvent<'_>)) -> Result<(), StreamError> {
        if self.fault.is_none() {
            let allowed = self.options.max_bytes.saturating_sub(self.position);
            let result = if text.len() > allowed {
                Err((JsonFault::TooLong { limit: self.options.max_bytes }, self.position))
            } else {
                self.take(text, &mut sink)
            };
            self.position += text.len();
            self.fault = result.err();
        }
        match self.fault {
            None => Ok(()),
            Some((fault, offset)) => Err(StreamError::Json { fault, offset }),
        }
    }

    /// Says that the text has ended and gives the whole value.
    ///
    /// # Errors
    ///
    /// [`StreamError::Json`] when the text broke off or was broken before.
    pub fn finish(&mut self) -> Result<&PartialValue, StreamError> {
        self.push("")?;
        if self.state == State::Number && self.path.depth() == 0 {
            // A number at the top level ends only with the text.
            let position = self.position;
            self.fault = self.end_number(&mut |_| {}).err().map(|fault| (fault, position));
            self.push("")?;
        }
        match &self.root {
            Some(root) if self.state == State::Done => Ok(root),
            _ => Err(StreamError::Json { fault: JsonFault::UnexpectedEnd, offset: self.position }),
        }
    }

    /// The value so far, everything open taken as closed; `None` before its first certain part. Costs nothing.
    pub fn value(&self) -> Option<&PartialValue> {
        self.root.as_ref()
    }

    /// Whether the value is closed. A bare number at the top level is never known to be.
    pub fn is_complete(&self) -> bool {
        self.state == State::Done && self.fault.is_none()
    }

    /// Whether no fault was met.
    pub fn is_sound(&self) -> bool {
        self.fault.is_none()
    }

    /// The bytes of text taken.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many escapes were half a surrogate pair and stand as U+FFFD.
    pub fn lone_surrogates(&self) -> usize {
        self.lone_surrogates
    }

    fn take(&mut self, text: &str, sink: &mut impl FnMut(JsonEvent<'_>)) -> Result<(), (JsonFault, usize)> {
        let bytes = text.as_bytes();
        let start = self.position;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let unexpected = (JsonFault::Unexpected { found: byte }, start + at);
            match self.state {
                State::Text(is_key) => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let run = rest.iter().position(|&b| matches!(b, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
                    if run > 0 {
                        self.lose_half(is_key, sink);
                        self.text(text.get(at..at + run).unwrap_or_default(), is_key, sink);
                        at += run;
                        continue;
                    }
                    match byte {
                        b'\\' => self.state = State::Escape(is_key),
                        b'"' => {
                            self.lose_half(is_key, sink);
                            self.end_string(is_key, sink);
                        }
                        found => return Err((JsonFault::ControlCharacter { found }, start + at)),
                    }
                }
                State::Escape(is_key) => {
                    let decoded = match byte {
                        b'"' => "\"",
                        b'\\' => "\\",
                        b'/' => "/",
                        b'b' => "\u{8}",
                        b'f' => "\u{c}",
                        b'n' => "\n",
                        b'r' => "\r",
                        b't' => "\t",
                        b'u' => {
                            self.state = State::Unicode(is_key, 0, 0);
                            at += 1;
                            continue;
                        }
                        _ => return Err((JsonFault::BadEscape, start + at)),
                    };
                    self.lose_half(is_key, sink);
                    self.state = State::Text(is_key);
                    self.text(decoded, is_key, sink);
                }
                State::Unicode(is_key, seen, value) => {
                    let Some(digit) = char::from(byte).to_digit(16) else {
                        return Err((JsonFault::BadEscape, start + at));
                    };
                    // A hexadecimal digit is below 16, so nothing is cut off here.
                    let value = (value << 4) | u16::try_from(digit).unwrap_or_default();
                    if seen < 3 {
                        self.state = State::Unicode(is_key, seen + 1, value);
                    } else {
                        self.state = State::Text(is_key);
                        self.unit(value, is_key, sink);
                    }
                }
                State::Number => {
                    if matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E') {
                        self.buffer.push(char::from(byte));
                    } else {
                        self.end_number(sink).map_err(|fault| (fault, start + at))?;
                        continue; // the byte is looked at again in the state behind the number
                    }
                }
                State::Literal => {
                    self.buffer.push(char::from(byte));
                    if !["true", "false", "null"].iter().any(|word| word.starts_with(self.buffer.as_str())) {
                        return Err(unexpected);
                    }
                    self.end_literal(sink);
                }
                _ if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') => {}
                State::Value | State::ElementOrEnd => match byte {
                    b']' if self.state == State::ElementOrEnd => self.close(sink),
                    _ => self.begin_value(byte, sink).map_err(|fault| (fault, start + at))?,
                },
                State::KeyOrEnd | State::Key => match byte {
                    b'}' if self.state == State::KeyOrEnd => self.close(sink),
                    b'"' => {
                        self.buffer.clear();
                        self.state = State::Text(true);
                    }
                    _ => return Err(unexpected),
                },
                State::Colon if byte == b':' => self.state = State::Value,
                State::CommaOrEnd => match (byte, self.path.in_array()) {
                    (b',', true) => self.state = State::Value,
                    (b',', false) => self.state = State::Key,
                    (b']', true) | (b'}', false) => self.close(sink),
                    _ => return Err(unexpected),
                },
                State::Colon | State::Done => return Err(unexpected),
            }
            at += 1;
        }
        Ok(())
    }

    fn begin_value(&mut self, byte: u8, sink: &mut impl FnMut(JsonEvent<'_>)) -> Result<(), JsonFault> {
        let (value, what) = match byte {
            b'{' => (PartialValue::Object(Vec::new()), JsonWhat::ObjectStart),
            b'[' => (PartialValue::Array(Vec::new()), JsonWhat::ArrayStart),
            b'"' => (PartialValue::String(String::new()), JsonWhat::StringStart),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                self.buffer.clear();
                self.buffer.push(char::from(byte));
                self.state = if byte.is_ascii_alphabetic() { State::Literal } else { State::Number };
                return Ok(());
            }
            found => return Err(JsonFault::Unexpected { found }),
        };
        let container = byte != b'"';
        if container && self.path.depth() >= self.options.max_depth.min(1024) {
            return Err(JsonFault::TooDeep { limit: self.options.max_depth.min(1024) });
        }
        self.add(value, what, sink);
        self.state = match byte {
            b'{' => State::KeyOrEnd,
            b'[' => State::ElementOrEnd,
            _ => State::Text(false),
        };
        if container {
            self.path.open(byte == b'[');
        }
        Ok(())
    }

    /// Puts a new value where it belongs: it is the last child of the innermost open container.
    fn add(&mut self, value: PartialValue, what: JsonWhat<'_>, sink: &mut impl FnMut(JsonEvent<'_>)) {
        self.path.element();
        let key = std::mem::take(&mut self.key);
        match self.innermost(self.path.depth()) {
            Some(PartialValue::Array(elements)) => elements.push(value),
            Some(PartialValue::Object(members)) => members.push((key, value)),
            _ => self.root = Some(value),
        }
        sink(JsonEvent { path: self.path.pointer(), what });
    }

    /// The value at this depth on the way down the last children: 1 is the root.
    fn innermost(&mut self, depth: usize) -> Option<&mut PartialValue> {
        if depth == 0 {
            return None;
        }
        let mut value = self.root.as_mut()?;
        for _ in 1..depth {
            value = match value {
                PartialValue::Array(elements) => elements.last_mut()?,
                PartialValue::Object(members) => &mut members.last_mut()?.1,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Adds decoded text to the open string.
    fn text(&mut self, text: &str, is_key: bool, sink: &mut impl FnMut(JsonEvent<'_>)) {
        if is_key {
            self.buffer.push_str(text);
            return;
        }
        if let Some(PartialValue::String(open)) = self.innermost(self.path.depth() + 1) {
            open.push_str(text);
        }
        sink(JsonEvent { path: self.path.pointer(), what: JsonWhat::StringChunk(text) });
    }

    /// One UTF-16 code unit, from a `\u` escape.
    fn unit(&mut self, unit: u16, is_key: bool, sink: &mut impl FnMut(JsonEvent<'_>)) {
        if let Some(high) = self.high {
            if let Some(Ok(pair)) = char::decode_utf16([high, unit]).next() {
                self.high = None;
                self.text(pair.encode_utf8(&mut [0; 4]), is_key, sink);
                return;
            }
            self.lose_half(is_key, sink);
        }
        match char::from_u32(u32::from(unit)) {
            Some(character) => self.text(character.encode_utf8(&mut [0; 4]), is_key, sink),
            None if unit < 0xDC00 => self.high = Some(unit),
            None => {
                self.lone_surrogates += 1;
                self.text("\u{FFFD}", is_key, sink);
            }
        }
    }

    /// A first half of a pair was not followed by its second.
    fn lose_half(&mut self, is_key: bool, sink: &mut impl FnMut(JsonEvent<'_>)) {
        if self.high.take().is_some() {
            self.lone_surrogates += 1;
            self.text("\u{FFFD}", is_key, sink);
        }
    }

    fn end_string(&mut self, is_key: bool, sink: &mut impl FnMut(JsonEvent<'_>)) {
        if is_key {
            self.path.key(&self.buffer);
            self.key = self.keys.get(&self.buffer);
            self.state = State::Colon;
        } else {
            sink(JsonEvent { path: self.path.pointer(), what: JsonWhat::StringEnd });
            self.end_value();
        }
    }

    fn end_number(&mut self, sink: &mut impl FnMut(JsonEvent<'_>)) -> Result<(), JsonFault> {
        let number = std::mem::take(&mut self.buffer);
        if !is_number(number.as_bytes()) {
            return Err(JsonFault::BadNumber);
        }
        self.add(PartialValue::Number(number.as_str().into()), JsonWhat::Number(&number), sink);
        self.buffer = number;
        self.end_value();
        Ok(())
    }

    fn end_literal(&mut self, sink: &mut impl FnMut(JsonEvent<'_>)) {
        let (value, what) = match self.buffer.as_str() {
            "true" => (PartialValue::Bool(true), JsonWhat::Bool(true)),
            "false" => (PartialValue::Bool(false), JsonWhat::Bool(false)),
            "null" => (PartialValue::Null, JsonWhat::Null),
            _ => return,
        };
        self.add(value, what, sink);
        self.end_value();
    }

    fn close(&mut self, sink: &mut impl FnMut(JsonEvent<'_>)) {
        let what = if self.path.in_array() { JsonWhat::ArrayEnd } else { JsonWhat::ObjectEnd };
        self.path.close();
        sink(JsonEvent { path: self.path.pointer(), what });
        self.end_value();
    }

    fn end_value(&mut self) {
        self.state = if self.path.depth() == 0 { State::Done } else { State::CommaOrEnd };
    }
}

/// Whether this is a number by RFC 8259, section 6.
pub(super) fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest.first() == Some(&b'0')) {
        return false;
    }
    rest = rest.get(whole..).unwrap_or_default();
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = fraction.get(count..).unwrap_or_default();
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or(rest.strip_prefix(b"E")) {
        let exponent = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let count = digits(exponent);
        return count > 0 && count == exponent.len();
    }
    rest.is_empty()
}
