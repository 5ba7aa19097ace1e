//! The decoder: a line at a time, each byte looked at once.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr2;

use super::{SseEvent, SseFrame};
use crate::StreamError;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// How much memory, in bytes, a buffer keeps between events.
const KEPT: usize = 1 << 20;

/// Limits and leniency of an [`SseDecoder`].
///
/// ```
/// use antiphon_stream::SseOptions;
///
/// let options = SseOptions::default().with_max_event_bytes(1 << 20).with_lenient_end(false);
/// assert_eq!(options.max_event_bytes, 1 << 20);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SseOptions {
    /// The most data, in bytes, that one event may hold. Default 128 MiB: four times the largest request the Messages
    /// API takes, so that no real event is refused, and yet a peer that never ends its event can not fill the memory.
    pub max_event_bytes: usize,
    /// The longest line, in bytes, that is held while its end has not come. Default 128 MiB and 1 KiB: one line can
    /// hold the largest event.
    pub max_line_bytes: usize,
    /// Hand out, marked, an event whose blank line is missing at the end of the stream. The standard drops it;
    /// clients in the field found that servers forget the line. Default true.
    pub lenient_end: bool,
}

impl Default for SseOptions {
    fn default() -> Self {
        Self { max_event_bytes: 128 << 20, max_line_bytes: (128 << 20) + 1024, lenient_end: true }
    }
}

impl SseOptions {
    /// Sets [`max_event_bytes`](Self::max_event_bytes).
    #[must_use]
    pub fn with_max_event_bytes(mut self, bytes: usize) -> Self {
        self.max_event_bytes = bytes;
        self
    }

    /// Sets [`max_line_bytes`](Self::max_line_bytes).
    #[must_use]
    pub fn with_max_line_bytes(mut self, bytes: usize) -> Self {
        self.max_line_bytes = bytes;
        self
    }

    /// Sets [`lenient_end`](Self::lenient_end).
    #[must_use]
    pub fn with_lenient_end(mut self, lenient: bool) -> Self {
        self.lenient_end = lenient;
        self
    }
}

/// Turns bytes, cut anywhere, into server-sent events.
///
/// Lines end in LF, CRLF or CR (a CRLF may be cut in two); a byte order mark at the start is skipped; comments give
/// nothing; several `data` lines are joined. Work is linear in the bytes, whatever their pieces, and memory is
/// bounded by [`SseOptions`].
///
/// The decoder does no reading: give it a slice, take the events that end in it, give it the next slice.
///
/// ```
/// use antiphon_stream::SseDecoder;
///
/// let mut decoder = SseDecoder::new();
/// let mut seen = Vec::new();
/// for mut piece in [&b"data: He"[..], b"llo\r", b"\n\r\nda", b"ta: there\n"] {
///     while let Some(frame) = decoder.next_event(&mut piece)? {
///         seen.push(frame.data().to_owned());
///     }
/// }
/// if let Some(frame) = decoder.finish()? {
///     assert!(!frame.is_terminated()); // there was no blank line
///     seen.push(frame.data().to_owned());
/// }
/// assert_eq!(seen, ["Hello", "there"]);
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, none excludes another")]
pub struct SseDecoder {
    options: SseOptions,
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    data: Vec<u8>,
    /// A `data` field was seen, even if it was empty.
    has_data: bool,
    event: String,
    id: Arc<str>,
    retry: Option<u64>,
    /// The last byte was a CR, so a LF that follows belongs to it.
    after_cr: bool,
    past_first_line: bool,
    /// The event broke a limit: nothing of it is kept until its blank line. `Some(true)` once its current line has
    /// any byte.
    skipping: Option<bool>,
    /// The frame lent out last still stands in `data` and `event`.
    lent: bool,
    /// Bytes consumed.
    position: u64,
    line_start: u64,
    event_start: Option<u64>,
    sequence: u64,
}

impl SseDecoder {
    /// A decoder with the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder with limits of one's own.
    pub fn with_options(options: SseOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The next event that ends within `input`, which is moved past what was used. `None` once `input` is used up.
    ///
    /// # Errors
    ///
    /// [`StreamError::EventTooLarge`] or [`StreamError::LineTooLong`], once for each event that breaks a limit. The
    /// decoder has then moved on: call it again with the same `input` to get the events behind the refused one.
    pub fn next_event<'s>(&'s mut self, input: &mut &[u8]) -> Result<Option<SseFrame<'s>>, StreamError> {
        self.take_back();
        loop {
            if self.after_cr && !input.is_empty() {
                self.after_cr = false;
                if let Some(rest) = input.strip_prefix(b"\n") {
                    self.advance(1);
                    self.line_start = self.position;
                    *input = rest;
                }
            }
            let bytes = *input;
            let end = memchr2(b'\n', b'\r', bytes);
            let Some((line, rest)) = end.and_then(|end| bytes.split_at_checked(end)) else {
                self.advance(bytes.len());
                *input = &[];
                self.hold(bytes)?;
                return Ok(None);
            };
            self.advance(line.len() + 1);
            self.after_cr = rest.first() == Some(&b'\r');
            *input = rest.get(1..).unwrap_or_default();
            let dispatch = self.end_line(line);
            self.line_start = self.position;
            if dispatch? {
                return Ok(Some(self.lend(true)));
            }
        }
    }

    /// All events that end within `bytes`, as values. What broke a limit stands as an error between its neighbours.
    ///
    /// For long streams [`next_event`](Self::next_event) saves the copies.
    pub fn decode(&mut self, bytes: &[u8]) -> Vec<Result<SseEvent, StreamError>> {
        let mut input = bytes;
        let mut events = Vec::new();
        loop {
            match self.next_event(&mut input) {
                Ok(Some(frame)) => events.push(Ok(frame.to_event())),
                Ok(None) => return events,
                Err(error) => events.push(Err(error)),
            }
        }
    }

    /// Says that the stream has ended. An event whose blank line is missing is handed out, marked as not terminated,
    /// unless [`SseOptions::lenient_end`] is false. The decoder is then ready for another stream.
    ///
    /// # Errors
    ///
    /// [`StreamError::EventTooLarge`] when the last line breaks the limit.
    pub fn finish(&mut self) -> Result<Option<SseFrame<'_>>, StreamError> {
        self.take_back();
        let last = if self.line.is_empty() || self.skipping.is_some() { Ok(false) } else { self.end_line(&[]) };
        let pending = self.has_data && self.skipping.is_none() && self.options.lenient_end;
        self.line.clear();
        self.skipping = None;
        self.after_cr = false;
        self.past_first_line = false;
        self.position = 0;
        self.line_start = 0;
        if pending {
            return Ok(Some(self.lend(false)));
        }
        self.event.clear();
        self.data.clear();
        self.has_data = false;
        self.event_start = None;
        self.sequence = 0;
        last.map(|_| None)
    }

    /// The last `retry` field, in milliseconds: how long the server asks a client to wait before it connects again.
    pub fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// The last event id seen, empty if none: what a client sends as `Last-Event-ID` when it connects again.
    pub fn last_event_id(&self) -> &str {
        &self.id
    }

    /// The bytes taken so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Bytes held for an event that has not ended.
    pub fn buffered(&self) -> usize {
        self.line.len() + if self.lent { 0 } else { self.data.len() }
    }

    /// The number of the event that was refused last.
    pub(crate) fn refused(&self) -> u64 {
        self.sequence.saturating_sub(1)
    }

    fn advance(&mut self, bytes: usize) {
        self.position = self.position.saturating_add(bytes as u64);
    }

    /// Clears what the last frame was lent from.
    fn take_back(&mut self) {
        if self.lent {
            self.lent = false;
            self.event.clear();
            self.data.clear();
            if self.data.capacity() > KEPT {
                // The memory of one huge event is not kept for the small ones that follow.
                self.data = Vec::new();
            }
            self.has_data = false;
        }
    }

    /// Keeps a piece of a line whose end has not come.
    fn hold(&mut self, piece: &[u8]) -> Result<(), StreamError> {
        if let Some(line_has_bytes) = &mut self.skipping {
            *line_has_bytes |= !piece.is_empty();
            return Ok(());
        }
        if self.line.len() + piece.len() > self.options.max_line_bytes {
            let error = StreamError::LineTooLong { limit: self.options.max_line_bytes, offset: self.line_start };
            self.skip(true);
            return Err(error);
        }
        self.line.extend_from_slice(piece);
        Ok(())
    }

    /// Gives up the current event.
    fn skip(&mut self, line_has_bytes: bool) {
        self.skipping = Some(line_has_bytes);
        self.sequence += 1;
        self.event_start = None;
        self.line = Vec::new();
        self.data = Vec::new();
        self.has_data = false;
        self.event.clear();
    }

    /// A line has ended; `tail` is what of it is not in `self.line`. True when an event is to be handed out.
    fn end_line(&mut self, tail: &[u8]) -> Result<bool, StreamError> {
        if let Some(line_has_bytes) = self.skipping {
            self.skipping = (line_has_bytes || !tail.is_empty()).then_some(false);
            return Ok(false);
        }
        if self.line.len() + tail.len() > self.options.max_line_bytes {
            let error = StreamError::LineTooLong { limit: self.options.max_line_bytes, offset: self.line_start };
            self.skip(false);
            return Err(error);
        }
        if self.line.is_empty() {
            return self.take_line(tail);
        }
        self.line.extend_from_slice(tail);
        // The line leaves `self` for the call, so that its fields can be filled from it; its memory comes back
        // afterwards.
        let mut line = std::mem::take(&mut self.line);
        let taken = if self.takes_whole(&line) { self.move_data(&mut line) } else { self.take_line(&line) };
        line.clear();
        if self.skipping.is_none() && line.capacity() <= KEPT {
            self.line = line;
        }
        taken
    }

    /// A long first `data` line is moved, not copied: this is what keeps one huge event at one copy of it.
    fn takes_whole(&self, line: &[u8]) -> bool {
        line.len() > 4096 && !self.has_data && self.past_first_line && line.starts_with(b"data:")
    }

    fn move_data(&mut self, line: &mut Vec<u8>) -> Result<bool, StreamError> {
        let prefix = if line.starts_with(b"data: ") { 6 } else { 5 };
        self.begin_event();
        self.check_size(line.len() - prefix)?;
        line.drain(..prefix);
        std::mem::swap(&mut self.data, line);
        self.has_data = true;
        Ok(false)
    }

    fn take_line(&mut self, mut line: &[u8]) -> Result<bool, StreamError> {
        if !self.past_first_line {
            self.past_first_line = true;
            line = line.strip_prefix(BOM).unwrap_or(line);
        }
        if line.is_empty() {
            if self.has_data {
                return Ok(true);
            }
            self.event.clear();
            self.event_start = None;
            return Ok(false);
        }
        let (name, value) = match memchr::memchr(b':', line).and_then(|colon| line.split_at_checked(colon)) {
            Some((b"", _)) => return Ok(false), // a comment
            Some((name, rest)) => {
                let value = rest.get(1..).unwrap_or_default();
                (name, value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &b""[..]),
        };
        match name {
            b"data" => {
                self.begin_event();
                self.check_size(value.len())?;
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => {
                self.begin_event();
                replace(&mut self.event, value);
            }
            b"id" if !value.contains(&0) => self.id = String::from_utf8_lossy(value).into(),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                // A number too large for u64 is as good as no number.
                self.retry = std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok()).or(self.retry);
            }
            _ => {}
        }
        Ok(false)
    }

    fn begin_event(&mut self) {
        self.event_start.get_or_insert(self.line_start);
    }

    fn check_size(&mut self, more: usize) -> Result<(), StreamError> {
        if self.data.len() + usize::from(self.has_data) + more <= self.options.max_event_bytes {
            return Ok(());
        }
        let offset = self.event_start.unwrap_or(self.line_start);
        self.skip(false);
        Err(StreamError::EventTooLarge { limit: self.options.max_event_bytes, offset })
    }

    fn lend(&mut self, terminated: bool) -> SseFrame<'_> {
        let sequence = self.sequence;
        self.sequence = if terminated { sequence + 1 } else { 0 };
        self.lent = true;
        let offset = self.event_start.take().unwrap_or(0);
        let (data, invalid_utf8) = match std::str::from_utf8(&self.data) {
            Ok(data) => (Cow::Borrowed(data), None),
            Err(error) => (String::from_utf8_lossy(&self.data), Some(error.valid_up_to())),
        };
        SseFrame {
            event: &self.event,
            id: &self.id,
            bytes: &self.data,
            data,
            invalid_utf8,
            terminated,
            offset,
            sequence,
        }
    }
}

/// Sets a field in the memory it has.
fn replace(field: &mut String, value: &[u8]) {
    field.clear();
    match std::str::from_utf8(value) {
        Ok(value) => field.push_str(value),
        Err(_) => field.push_str(&String::from_utf8_lossy(value)),
    }
}
