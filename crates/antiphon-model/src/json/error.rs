use std::fmt;

/// Why a text is not JSON, and where.
///
/// ```
/// let error = antiphon_model::RawJson::parse("{\"a\":tru}").unwrap_err();
/// assert_eq!(error.offset(), 5);
/// assert_eq!(error.to_string(), "expected a JSON value at line 1 column 6");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct JsonError(Box<Fault>);

// Boxed, so that the results of the scanner's many small steps travel in registers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fault {
    kind: JsonErrorKind,
    offset: usize,
    line: usize,
    column: usize,
}

/// The kinds of fault a [`JsonError`] tells apart.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The text ends before the value does.
    UnexpectedEnd,
    /// Something else was expected here; the word says what.
    Expected(&'static str),
    /// A string holds a raw control character (below U+0020).
    ControlCharacter,
    /// An escape sequence that JSON does not know.
    InvalidEscape,
    /// Arrays and objects nest deeper than [`MAX_DEPTH`](crate::json::MAX_DEPTH).
    TooDeep,
    /// Something follows where the text should end.
    TrailingCharacters,
    /// The value is well formed but of another shape than the caller asked for.
    Shape(String),
}

impl JsonError {
    #[cold]
    pub(crate) fn new(kind: JsonErrorKind, text: &str, offset: usize) -> Self {
        let offset = offset.min(text.len());
        let before = text.as_bytes().get(..offset).unwrap_or_default();
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        Self(Box::new(Fault { kind, offset, line, column: offset - line_start + 1 }))
    }

    pub(crate) fn shape(message: impl Into<String>) -> Self {
        Self(Box::new(Fault { kind: JsonErrorKind::Shape(message.into()), offset: 0, line: 1, column: 1 }))
    }

    /// What is wrong.
    pub fn kind(&self) -> &JsonErrorKind {
        &self.0.kind
    }

    /// Byte offset of the fault from the start of the text.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// Line of the fault, counted from 1.
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// Column of the fault in bytes, counted from 1.
    pub fn column(&self) -> usize {
        self.0.column
    }
}

impl fmt::Debug for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kind, offset, line, column } = &*self.0;
        let mut out = f.debug_struct("JsonError");
        out.field("kind", kind).field("offset", offset).field("line", line).field("column", column).finish()
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            JsonErrorKind::UnexpectedEnd => write!(f, "the JSON text ends too early")?,
            JsonErrorKind::Expected(what) => write!(f, "expected {what}")?,
            JsonErrorKind::ControlCharacter => write!(f, "raw control character in a string")?,
            JsonErrorKind::InvalidEscape => write!(f, "invalid escape sequence in a string")?,
            JsonErrorKind::TooDeep => write!(f, "nested deeper than {} levels", super::MAX_DEPTH)?,
            JsonErrorKind::TrailingCharacters => write!(f, "characters after the end of the JSON value")?,
            JsonErrorKind::Shape(message) => return f.write_str(message),
        }
        write!(f, " at line {} column {}", self.0.line, self.0.column)
    }
}

impl std::error::Error for JsonError {}
