//! What the decoder hands out.

use std::borrow::Cow;
use std::sync::Arc;

/// One server-sent event, borrowed from the decoder until it is asked for the next one.
///
/// ```
/// use antiphon_stream::SseDecoder;
///
/// let mut decoder = SseDecoder::new();
/// let mut input: &[u8] = b"event: ping\nid: 7\ndata: {}\n\n";
/// let frame = decoder.next_event(&mut input)?.expect("one whole event");
/// assert_eq!((frame.event(), frame.data(), frame.id()), ("ping", "{}", "7"));
/// assert_eq!((frame.offset(), frame.sequence()), (0, 0));
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SseFrame<'a> {
    pub(super) event: &'a str,
    pub(super) id: &'a Arc<str>,
    pub(super) bytes: &'a [u8],
    pub(super) data: Cow<'a, str>,
    pub(super) invalid_utf8: Option<usize>,
    pub(super) terminated: bool,
    pub(super) offset: u64,
    pub(super) sequence: u64,
}

impl SseFrame<'_> {
    /// The name of the event: the last `event` field, or `message` where there was none (as the standard has it).
    pub fn event(&self) -> &str {
        if self.event.is_empty() { "message" } else { self.event }
    }

    /// The `data` lines, joined by line feeds. Bytes that are not UTF-8 stand as U+FFFD; see
    /// [`invalid_utf8`](Self::invalid_utf8).
    pub fn data(&self) -> &str {
        &self.data
    }

    /// The data as it came, before any replacement.
    pub fn bytes(&self) -> &[u8] {
        self.bytes
    }

    /// The last event id seen in the stream, empty if none. It stays in force for later events, as the standard has it.
    pub fn id(&self) -> &str {
        self.id
    }

    /// The offset in [`bytes`](Self::bytes) of the first byte that is not UTF-8, if there is one.
    pub fn invalid_utf8(&self) -> Option<usize> {
        self.invalid_utf8
    }

    /// False when the stream ended before the blank line that ends an event; the data may be cut.
    pub fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// Where the first line of the event began, in bytes from the start of the stream.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of the event in this stream, from 0; events that break a limit are counted. Feeding the same bytes
    /// again gives the same numbers, which is what [`Accumulator::push_numbered`](crate::Accumulator::push_numbered)
    /// wants.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// A copy that owns its text.
    pub fn to_event(&self) -> SseEvent {
        SseEvent {
            event: self.event().to_owned(),
            data: self.data().to_owned(),
            id: Arc::clone(self.id),
            invalid_utf8: self.invalid_utf8,
            terminated: self.terminated,
            offset: self.offset,
            sequence: self.sequence,
        }
    }
}

/// One server-sent event that owns its text; the fields are those of [`SseFrame`].
///
/// ```
/// use antiphon_stream::SseDecoder;
///
/// let events = SseDecoder::new().decode(b"data: one\n\ndata: two\r\rdata: half");
/// let data: Vec<_> = events.iter().map(|event| event.as_ref().unwrap().data.as_str()).collect();
/// assert_eq!(data, ["one", "two"]); // the third has not ended yet
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SseEvent {
    /// The name of the event, `message` where none was given.
    pub event: String,
    /// The data lines, joined by line feeds; U+FFFD for what is not UTF-8.
    pub data: String,
    /// The last event id seen, empty if none. Shared: it stays in force for many events.
    pub id: Arc<str>,
    /// The offset of the first byte of the data that was not UTF-8.
    pub invalid_utf8: Option<usize>,
    /// False when the stream ended before the blank line.
    pub terminated: bool,
    /// Where the event began, in bytes from the start of the stream.
    pub offset: u64,
    /// The number of the event in this stream, from 0.
    pub sequence: u64,
}
