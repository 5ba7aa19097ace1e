//! Mending broken JSON text: opt-in, reported, and never mistaken for what was sent.

use antiphon_model::RawJson;

use super::stream::is_number;
use crate::{JsonFault, StreamError};

/// JSON made from broken text by [`mend_json`]: good for showing, not for running.
///
/// It is a type of its own so that it can not slip into a tool call. What was really meant is not known, and running
/// a guess is how an agent deletes the wrong file. Whoever looked at it and at [`changes`](Self::changes) can take it
/// out by name.
///
/// ```
/// let mended = antiphon_stream::mend_json(r#"{"path":"a.rs","text":"fn ma"#)?;
/// assert_eq!(mended.display().get(), r#"{"path":"a.rs","text":"fn ma"}"#);
/// assert_eq!(mended.changes().len(), 2); // a string and an object were closed
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MendedJson {
    json: RawJson,
    changes: Vec<Mending>,
}

impl MendedJson {
    /// The mended text, for showing.
    pub fn display(&self) -> &RawJson {
        &self.json
    }

    /// What was changed, in the order of the text; empty if the text was whole.
    pub fn changes(&self) -> &[Mending] {
        &self.changes
    }

    /// Takes the JSON out, on the word of whoever has compared it with what was sent.
    pub fn into_reviewed(self) -> RawJson {
        self.json
    }
}

/// One change made by [`mend_json`].
///
/// ```
/// use antiphon_stream::{MendingKind, mend_json};
///
/// let mended = mend_json("[1,]")?;
/// assert_eq!((mended.changes()[0].offset, mended.changes()[0].kind), (2, MendingKind::DroppedComma));
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Mending {
    /// Where in the broken text, in bytes.
    pub offset: usize,
    /// What was done.
    pub kind: MendingKind,
}

/// The kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MendingKind {
    /// The text ended inside a string: its quote was added.
    ClosedString,
    /// The text ended inside an array: its bracket was added.
    ClosedArray,
    /// The text ended inside an object: its brace was added.
    ClosedObject,
    /// The text ended inside an escape, or between the halves of a surrogate pair: the piece was dropped.
    DroppedEscape,
    /// A key without a value was dropped.
    DroppedKey,
    /// A comma with nothing behind it was dropped.
    DroppedComma,
    /// A number or literal at the end may be half of one: dropped.
    DroppedScalar,
    /// A bare control character in a string was escaped.
    EscapedControl,
    /// A backslash that begins no escape was escaped itself.
    EscapedBackslash,
    /// From here on nothing can be read: dropped.
    DroppedRest,
}

/// Makes JSON of a text that broke off or is broken, and tells what it did. Never called by the crate itself.
///
/// It closes what is open, drops what may be half (a key, number, literal, escape), mends control characters, stray
/// backslashes and trailing commas in place, and stops at anything else. It never adds a value. Linear in the text.
///
/// # Errors
///
/// [`StreamError::Unrepairable`] when there is no value to begin with, [`StreamError::Json`] when it nests deeper
/// than the model allows.
///
/// ```
/// use antiphon_stream::{MendingKind::*, mend_json};
///
/// let mended = mend_json("{\"a\":[tru")?;
/// assert_eq!(mended.display().get(), "{\"a\":[]}");
/// let kinds: Vec<_> = mended.changes().iter().map(|change| change.kind).collect();
/// assert_eq!(kinds, [DroppedScalar, ClosedArray, ClosedObject]);
/// assert!(mend_json("I can not do that").is_err());
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
pub fn mend_json(text: &str) -> Result<MendedJson, StreamError> {
    let mut mender = Mender {
        text,
        at: 0,
        out: String::with_capacity(text.len() + 16),
        good: 0,
        open: Vec::new(),
        changes: Vec::new(),
    };
    mender.run();
    if mender.good == 0 {
        return Err(StreamError::Unrepairable { length: text.len() });
    }
    let json = RawJson::parse(&mender.out)
        .map_err(|error| StreamError::Json { fault: JsonFault::TooDeep { limit: 1024 }, offset: error.offset() })?;
    Ok(MendedJson { json, changes: mender.changes })
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

struct Mender<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// The length of `out` up to which all is whole but for closing brackets; 0 before the first value.
    good: usize,
    /// The brackets that would close what is open, innermost last.
    open: Vec<u8>,
    changes: Vec<Mending>,
}

impl Mender<'_> {
    fn run(&mut self) {
        let mut want = Want::Value;
        let mut comma = None;
        let mut key = None;
        while let Some(byte) = self.text.as_bytes().get(self.at).copied() {
            if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                self.copy(1);
                continue;
            }
            let start = self.at;
            let next = match (byte, want) {
                (b'{' | b'[', Want::Value | Want::ValueOrEnd) => {
                    self.copy(1);
                    self.open.push(if byte == b'{' { b'}' } else { b']' });
                    Some(if byte == b'{' { Want::KeyOrEnd } else { Want::ValueOrEnd })
                }
                (b'"', Want::Value | Want::ValueOrEnd) => self.string(false).then(|| self.after_value()),
                (b'"', Want::Key | Want::KeyOrEnd) => {
                    key = Some(start);
                    // A key that is cut is dropped below, by going back to `good`.
                    self.string(true).then_some(Want::Colon)
                }
                (b':', Want::Colon) => {
                    self.copy(1);
                    Some(Want::Value)
                }
                (b',', Want::CommaOrEnd) => {
                    comma = Some(start);
                    self.copy(1);
                    Some(if self.open.last() == Some(&b'}') { Want::Key } else { Want::Value })
                }
                (b'}' | b']', _) if self.open.last() == Some(&byte) && self.may_close(want, comma.is_some()) => {
                    if let Some(offset) = comma.take() {
                        self.out.truncate(self.good);
                        self.changed(offset, MendingKind::DroppedComma);
                    }
                    self.copy(1);
                    self.open.pop();
                    Some(self.after_value())
                }
                (b'-' | b'0'..=b'9' | b'a'..=b'z', Want::Value | Want::ValueOrEnd) => {
                    self.scalar().then(|| self.after_value())
                }
                _ => None,
            };
            let Some(next) = next else {
                if self.at == start {
                    self.changed(start, MendingKind::DroppedRest);
                }
                break;
            };
            want = next;
            if !matches!(want, Want::Colon | Want::Value | Want::Key) {
                self.good = self.out.len();
                (comma, key) = (None, None);
            }
        }
        self.close(comma, key);
    }

    /// A bracket may close what is open behind a value, behind the opening, and (mending) behind a comma.
    fn may_close(&self, want: Want, comma: bool) -> bool {
        match want {
            Want::CommaOrEnd | Want::ValueOrEnd | Want::KeyOrEnd => true,
            Want::Key => true,
            Want::Value => comma && self.open.last() == Some(&b']'),
            Want::Colon | Want::Nothing => false,
        }
    }

    fn after_value(&self) -> Want {
        if self.open.is_empty() { Want::Nothing } else { Want::CommaOrEnd }
    }

    fn changed(&mut self, offset: usize, kind: MendingKind) {
        self.changes.push(Mending { offset, kind });
    }

    fn copy(&mut self, length: usize) {
        self.out.push_str(self.text.get(self.at..self.at + length).unwrap_or_default());
        self.at += length;
    }

    /// Copies a string. False if it is a key and the text ended in it; a value is closed instead.
    fn string(&mut self, is_key: bool) -> bool {
        self.copy(1);
        // A first half of a surrogate pair: where it stands in `out` and in the text.
        let mut half = None;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let run = rest.iter().position(|&b| matches!(b, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
            if run > 0 {
                half = None;
                self.copy(run);
            }
            let start = self.at;
            match rest.get(run) {
                Some(b'"') => {
                    self.copy(1);
                    return true;
                }
                Some(b'\\') => match rest.get(run + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                        half = None;
                        self.copy(2);
                    }
                    Some(b'u') => {
                        let digits = rest.iter().skip(run + 2).take(4).take_while(|b| b.is_ascii_hexdigit()).count();
                        if digits == 4 {
                            let high = matches!(rest.get(run + 2), Some(b'd' | b'D'))
                                && matches!(rest.get(run + 3), Some(b'8'..=b'9' | b'a' | b'b' | b'A' | b'B'));
                            half = high.then_some((self.out.len(), start));
                            self.copy(6);
                        } else if run + 2 + digits == rest.len() {
                            return self.cut_string(half.unwrap_or((self.out.len(), start)), true, is_key);
                        } else {
                            half = None;
                            self.escape_backslash();
                        }
                    }
                    None => return self.cut_string(half.unwrap_or((self.out.len(), start)), true, is_key),
                    Some(_) => {
                        half = None;
                        self.escape_backslash();
                    }
                },
                Some(&control) => {
                    half = None;
                    self.changed(start, MendingKind::EscapedControl);
                    self.out.push_str("\\u00");
                    for nibble in [control >> 4, control & 15] {
                        self.out.extend(char::from_digit(u32::from(nibble), 16));
                    }
                    self.at += 1;
                }
                None => return self.cut_string(half.unwrap_or((self.out.len(), start)), half.is_some(), is_key),
            }
        }
    }

    /// The text ended in a string; what stands behind `end` (in `out` and in the text) is half an escape.
    fn cut_string(&mut self, end: (usize, usize), dropped: bool, is_key: bool) -> bool {
        self.at = self.text.len();
        if is_key {
            return false;
        }
        if dropped {
            self.out.truncate(end.0);
            self.changed(end.1, MendingKind::DroppedEscape);
        }
        self.out.push('"');
        self.changed(self.text.len(), MendingKind::ClosedString);
        true
    }

    fn escape_backslash(&mut self) {
        self.changed(self.at, MendingKind::EscapedBackslash);
        self.out.push('\\');
        self.copy(1);
    }

    /// Copies a number or literal that is whole and surely so: something stands behind it.
    fn scalar(&mut self) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')).count();
        let word = rest.get(..length).unwrap_or_default();
        let literal = matches!(word, b"true" | b"false" | b"null");
        if literal || (is_number(word) && length < rest.len()) {
            self.copy(length);
            return true;
        }
        let may_be_half = length == rest.len()
            && (matches!(word.first(), Some(b'-' | b'0'..=b'9'))
                || [&b"true"[..], b"false", b"null"].iter().any(|whole| whole.starts_with(word)));
        if may_be_half {
            self.changed(self.at, MendingKind::DroppedScalar);
            self.at = self.text.len();
        }
        false
    }

    /// Goes back to what is whole and closes it.
    fn close(&mut self, comma: Option<usize>, key: Option<usize>) {
        if let Some(offset) = key {
            self.changed(offset, MendingKind::DroppedKey);
        } else if let Some(offset) = comma {
            self.changed(offset, MendingKind::DroppedComma);
        }
        self.out.truncate(self.good);
        while let Some(bracket) = self.open.pop() {
            self.out.push(char::from(bracket));
            let kind = if bracket == b'}' { MendingKind::ClosedObject } else { MendingKind::ClosedArray };
            self.changed(self.text.len(), kind);
        }
    }
}
