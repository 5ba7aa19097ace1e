//! One record of a log.

use std::sync::OnceLock;

use antiphon_model::{Message, RawJson, RawRef};

use crate::{LogError, write_record};

/// How a line ended in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnding {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
    /// The end of the file.
    None,
}

/// A record: its line as it came, and its message, parsed when it is first asked for.
///
/// An entry that was not edited is written back byte for byte; an edited one is written by [`write_record`].
///
/// ```
/// let log = antiphon_log::read(b"{\"role\":\"user\", \"content\":\"hi\",\"n\":1.0}\r\n");
/// let entry = &log.entries[0];
/// assert_eq!((entry.line(), entry.offset()), (1, 0));
/// assert_eq!(entry.message().unwrap().to_json(), r#"{"role":"user","content":"hi","n":1.0}"#);
/// let mut out = Vec::new();
/// entry.write_to(&mut out);
/// assert_eq!(out, b"{\"role\":\"user\", \"content\":\"hi\",\"n\":1.0}\r\n");
/// ```
#[derive(Debug, Clone)]
pub struct Entry {
    json: RawJson,
    /// The line as it came, where that is not just `json`: white space around it, or bytes that are not UTF-8.
    bytes: Option<Box<[u8]>>,
    line: u64,
    offset: u64,
    ending: LineEnding,
    state: State,
    inner: Inner,
    message: OnceLock<Option<Box<Message>>>,
}

/// Where the message stands in a record, as far as the reader saw it on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inner {
    /// Not looked for yet.
    Unknown,
    /// The record is the message, or holds none.
    Record,
    /// It is the member `message`, in these bytes of the record's text.
    Member(std::ops::Range<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A line of its own.
    Line,
    /// Got out of a damaged line.
    Salvaged,
    /// Made or changed here.
    Edited,
}

impl Entry {
    /// A new entry of a JSON object, not from any file.
    ///
    /// # Errors
    /// [`LogError::NotAnObject`] for any other JSON value.
    ///
    /// ```
    /// use antiphon_log::Entry;
    /// use antiphon_model::RawJson;
    /// let entry = Entry::new(RawJson::parse(r#"{"type":"summary"}"#)?)?;
    /// assert_eq!(entry.line(), 0);
    /// assert!(Entry::new(RawJson::null()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(json: RawJson) -> Result<Self, LogError> {
        let kind = json.kind();
        if kind != antiphon_model::json::JsonKind::Object {
            return Err(LogError::NotAnObject { kind });
        }
        Ok(Self::made(json, None, 0, 0, LineEnding::Lf, State::Edited))
    }

    /// A new entry that holds a message as a plain record.
    ///
    /// # Errors
    /// [`LogError`] if the message is one that was kept raw and is no JSON object.
    pub fn from_message(message: &Message) -> Result<Self, LogError> {
        Self::new(RawJson::parse(&message.to_json())?)
    }

    pub(crate) fn read(
        json: RawJson,
        inner: Inner,
        bytes: Option<Box<[u8]>>,
        line: u64,
        offset: u64,
        ending: LineEnding,
    ) -> Self {
        Self { inner, ..Self::made(json, bytes, line, offset, ending, State::Line) }
    }

    /// The message was read with the line.
    pub(crate) fn with_message(mut self, message: Option<Message>) -> Self {
        self.message = OnceLock::from(message.map(Box::new));
        self
    }

    pub(crate) fn salvaged(json: RawJson, bytes: Option<Box<[u8]>>, line: u64, offset: u64) -> Self {
        Self::made(json, bytes, line, offset, LineEnding::Lf, State::Salvaged)
    }

    fn made(json: RawJson, bytes: Option<Box<[u8]>>, line: u64, offset: u64, ending: LineEnding, state: State) -> Self {
        Self { json, bytes, line, offset, ending, state, inner: Inner::Unknown, message: OnceLock::new() }
    }

    /// The record: a JSON object, without white space around it.
    pub fn raw(&self) -> RawRef<'_> {
        self.json.as_ref()
    }

    /// The record's text. Where the line is not UTF-8 each broken run reads as U+FFFD.
    pub fn text(&self) -> &str {
        self.json.get()
    }

    /// The line as it came, without its end. Of a salvaged entry the bytes of the record, of an edited one its text.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.json.get().as_bytes())
    }

    /// The line it stands in, counted from 1; 0 if it comes from no file.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Where its line starts (for a salvaged entry: where the record starts), in bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How its line ended.
    pub fn ending(&self) -> LineEnding {
        self.ending
    }

    /// Whether it was got out of a damaged line.
    pub fn is_salvaged(&self) -> bool {
        self.state == State::Salvaged
    }

    /// Whether it was made or changed after reading.
    pub fn is_edited(&self) -> bool {
        self.state == State::Edited
    }

    /// The message that the record holds: the record itself, if it is one (`{"role":…}`, flat `tool_use` and `tool_result` records too), or
    /// its member `message`. `None` for other records. Parsed once, when first asked for.
    pub fn message(&self) -> Option<&Message> {
        self.message.get_or_init(|| self.read_message().map(Box::new)).as_deref()
    }

    fn read_message(&self) -> Option<Message> {
        let raw = self.raw();
        let whole = match &self.inner {
            Inner::Member(range) => {
                let text = raw.get().get(range.clone())?;
                return Message::from_json(text).ok();
            }
            Inner::Record => raw,
            Inner::Unknown => match envelope(raw) {
                Some(inner) => return Some(Message::from_raw(inner)),
                None => raw,
            },
        };
        match Message::from_raw(whole) {
            Message::Other(other) if other.role.is_none() => None,
            message => Some(message),
        }
    }

    /// Exchanges the record.
    ///
    /// # Errors
    /// [`LogError::NotAnObject`] if `json` is no object; the entry is then unchanged.
    pub fn replace(&mut self, json: RawJson) -> Result<(), LogError> {
        let Self { line, offset, ending, .. } = *self;
        *self = Self { line, offset, ending, ..Self::new(json)? };
        Ok(())
    }

    /// Exchanges the message: in its envelope if it stands in one, else the record. All the rest of an envelope stays as written.
    ///
    /// # Errors
    /// [`LogError`] if the message was kept raw and is no JSON object; the entry is then unchanged.
    ///
    /// ```
    /// use antiphon_model::Message;
    /// let mut log = antiphon_log::read(br#"{"n":1.0,"message":{"role":"user","content":"a"},"x":2}"#);
    /// let entry = &mut log.entries[0];
    /// entry.set_message(&Message::from_json(r#"{"role":"user","content":"b"}"#)?)?;
    /// assert_eq!(entry.text(), r#"{"n":1.0,"message":{"role":"user","content":"b"},"x":2}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_message(&mut self, message: &Message) -> Result<(), LogError> {
        let json = RawJson::parse(&message.to_json())?;
        if envelope(self.raw()).is_some() {
            self.replace(crate::set_member(self.raw(), "message", json.as_ref()))
        } else {
            self.replace(json)
        }
    }

    /// Appends the line with its end: byte for byte as it came, or by [`write_record`] if it was edited or salvaged. A last line
    /// without an end gets one.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        if self.state != State::Line {
            return write_record(self.raw(), out);
        }
        out.extend_from_slice(self.bytes());
        out.extend_from_slice(match self.ending {
            LineEnding::CrLf => b"\r\n",
            LineEnding::Lf | LineEnding::None => b"\n",
        });
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        let place = |entry: &Self| (entry.line, entry.offset, entry.ending, entry.state);
        self.json == other.json && self.bytes == other.bytes && place(self) == place(other)
    }
}
impl Eq for Entry {}

/// The member `message` of an envelope: an object, in a record that has no role of its own.
fn envelope(raw: RawRef<'_>) -> Option<RawRef<'_>> {
    let mut message = None;
    for (key, value) in raw.members() {
        match &*key {
            "role" => return None,
            "message" => message = Some(value),
            _ => {}
        }
    }
    message.filter(|value| value.kind() == antiphon_model::json::JsonKind::Object)
}
