//! A push checker for JSON text that can stop at the end of one line and go on in the next.
//!
//! The fast path of the reader uses the model's scanner. This one runs only on lines that the scanner refused: it says how far a
//! line is good JSON, which token it broke in, and which object closed last. That is what finding whole records
//! inside a damaged line needs. It works on bytes, since a damaged line need not be UTF-8, and it never recurses.

/// Deeper than this is refused, as the model's scanner does.
pub(crate) const MAX_DEPTH: usize = antiphon_model::json::MAX_DEPTH;

/// What the machine may meet next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// A value: at the start, after a colon, or after a comma in an array.
    Value,
    /// The first key of an object, or its end.
    FirstKey,
    /// A key, after a comma.
    Key,
    /// The colon after a key.
    Colon,
    /// The first element of an array, or its end.
    FirstElement,
    /// A comma, or the end of the container.
    Next,
}

/// A container that is still open, and where it began.
#[derive(Debug, Clone, Copy)]
struct Frame {
    object: bool,
    start: usize,
}

/// How a piece of text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The value is whole; it ends before this offset.
    Done(usize),
    /// The text ran out in good order, but inside a token (a string without its quote, half a word).
    InToken,
    /// The text ran out between two tokens, with containers open.
    More,
    /// The text is not JSON at this offset.
    Fail(usize),
    /// Containers are nested deeper than [`MAX_DEPTH`].
    TooDeep,
}

/// The checker. Offsets count from the first byte of the first piece.
#[derive(Debug)]
pub(crate) struct Machine {
    expect: Expect,
    open: Vec<Frame>,
    /// The last string token, from its opening quote to behind its closing quote.
    string: (usize, usize),
    /// The object inside the value that closed last, from `{` to behind `}`.
    object: Option<(usize, usize)>,
    /// Bytes fed before the present piece.
    base: usize,
}

/// How a token ended.
pub(crate) enum Token {
    /// Before this offset.
    End(usize),
    /// Not within the piece.
    Cut,
    /// It is broken at this offset.
    Bad(usize),
}

impl Token {
    pub(crate) fn end(self) -> Option<usize> {
        if let Self::End(end) = self { Some(end) } else { None }
    }
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self { expect: Expect::Value, open: Vec::new(), string: (0, 0), object: None, base: 0 }
    }

    /// The last string token that was read to its end.
    pub(crate) fn last_string(&self) -> (usize, usize) {
        self.string
    }

    /// The last nested object that was read to its end.
    pub(crate) fn last_object(&self) -> Option<(usize, usize)> {
        self.object
    }

    /// Reads one piece. After [`Step::More`] the next piece may follow; white space is assumed between the two.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Step {
        let base = self.base;
        let mut at = 0;
        while let Some(&byte) = piece.get(at) {
            if is_space(byte) {
                at += 1;
                continue;
            }
            match (self.expect, byte) {
                (Expect::Value | Expect::FirstElement, b'{' | b'[') => {
                    if self.open.len() >= MAX_DEPTH {
                        return Step::TooDeep;
                    }
                    let object = byte == b'{';
                    self.open.push(Frame { object, start: base + at });
                    self.expect = if object { Expect::FirstKey } else { Expect::FirstElement };
                    at += 1;
                }
                (Expect::Value | Expect::FirstElement | Expect::FirstKey | Expect::Key, b'"') => {
                    match string_end(piece, at) {
                        Token::End(end) => {
                            self.string = (base + at, base + end);
                            at = end;
                        }
                        Token::Cut => return Step::InToken,
                        Token::Bad(bad) => return Step::Fail(base + bad),
                    }
                    let key = matches!(self.expect, Expect::FirstKey | Expect::Key);
                    if key {
                        self.expect = Expect::Colon;
                    } else if self.value_ended() {
                        return Step::Done(base + at);
                    }
                }
                (Expect::Value | Expect::FirstElement, b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                    match word_end(piece, at) {
                        Token::End(end) => at = end,
                        Token::Cut => return Step::InToken,
                        Token::Bad(bad) => return Step::Fail(base + bad),
                    }
                    if self.value_ended() {
                        return Step::Done(base + at);
                    }
                }
                (Expect::Colon, b':') => {
                    self.expect = Expect::Value;
                    at += 1;
                }
                (Expect::Next, b',') => {
                    let object = self.open.last().is_some_and(|frame| frame.object);
                    self.expect = if object { Expect::Key } else { Expect::Value };
                    at += 1;
                }
                (Expect::Next | Expect::FirstKey, b'}') | (Expect::Next | Expect::FirstElement, b']') => {
                    match self.open.last() {
                        Some(frame) if frame.object == (byte == b'}') => {
                            if frame.object {
                                self.object = Some((frame.start, base + at + 1));
                            }
                        }
                        _ => return Step::Fail(base + at),
                    }
                    self.open.pop();
                    at += 1;
                    if self.value_ended() {
                        return Step::Done(base + at);
                    }
                }
                _ => return Step::Fail(base + at),
            }
        }
        self.base = base + piece.len();
        Step::More
    }

    /// A value ended: true if it was the outermost one.
    fn value_ended(&mut self) -> bool {
        self.expect = Expect::Next;
        self.open.is_empty()
    }
}

/// JSON's white space.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The end of the string that opens at `from`.
pub(crate) fn string_end(piece: &[u8], from: usize) -> Token {
    let mut at = from + 1;
    loop {
        match piece.get(at) {
            None => return Token::Cut,
            Some(b'"') => return Token::End(at + 1),
            Some(b'\\') => match piece.get(at + 1) {
                None => return Token::Cut,
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                Some(b'u') => {
                    for digit in at + 2..at + 6 {
                        match piece.get(digit) {
                            None => return Token::Cut,
                            Some(byte) if byte.is_ascii_hexdigit() => {}
                            Some(_) => return Token::Bad(digit),
                        }
                    }
                    at += 6;
                }
                Some(_) => return Token::Bad(at + 1),
            },
            Some(byte) if *byte < 0x20 => return Token::Bad(at),
            Some(_) => at += 1,
        }
    }
}

/// The end of the number or literal that starts at `from`.
fn word_end(piece: &[u8], from: usize) -> Token {
    let rest = piece.get(from..).unwrap_or_default();
    for word in [&b"true"[..], b"false", b"null"] {
        if rest.first() == word.first() {
            for (index, expected) in word.iter().enumerate() {
                match rest.get(index) {
                    None => return Token::Cut,
                    Some(byte) if byte == expected => {}
                    Some(_) => return Token::Bad(from + index),
                }
            }
            return Token::End(from + word.len());
        }
    }
    number_end(piece, from)
}

/// The end of the number that starts at `from`, by JSON's grammar.
fn number_end(piece: &[u8], from: usize) -> Token {
    let digits = |mut at: usize| {
        let start = at;
        while piece.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        (at, at > start)
    };
    let missing = |at: usize| if at < piece.len() { Token::Bad(at) } else { Token::Cut };
    let mut at = from;
    if piece.get(at) == Some(&b'-') {
        at += 1;
    }
    if piece.get(at) == Some(&b'0') {
        at += 1;
    } else {
        let (end, some) = digits(at);
        if !some {
            return missing(end);
        }
        at = end;
    }
    if piece.get(at) == Some(&b'.') {
        let (end, some) = digits(at + 1);
        if !some {
            return missing(end);
        }
        at = end;
    }
    if matches!(piece.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(piece.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        let (end, some) = digits(at);
        if !some {
            return missing(end);
        }
        at = end;
    }
    Token::End(at)
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
