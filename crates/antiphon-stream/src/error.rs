//! The one error type of the crate.

/// What can go wrong between the bytes and the message.
///
/// Positions are byte offsets: of the stream for [`EventTooLarge`](Self::EventTooLarge) and
/// [`LineTooLong`](Self::LineTooLong), of the JSON text fed so far for [`Json`](Self::Json). Content that is merely
/// odd is no error: the decoder marks it on the event, the accumulator lists it as an anomaly.
///
/// ```
/// use antiphon_stream::{SseDecoder, SseOptions, StreamError};
///
/// let mut decoder = SseDecoder::with_options(SseOptions::default().with_max_event_bytes(8));
/// let mut input: &[u8] = b"data: far too long\n\n";
/// let error = decoder.next_event(&mut input).unwrap_err();
/// assert!(matches!(error, StreamError::EventTooLarge { limit: 8, offset: 0 }));
/// assert_eq!(error.to_string(), "event at byte 0 holds more than max_event_bytes = 8 bytes of data");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The data of one event grew beyond `SseOptions::max_event_bytes`. The event is dropped, decoding goes on after
    /// it.
    #[error("event at byte {offset} holds more than max_event_bytes = {limit} bytes of data")]
    EventTooLarge {
        /// The limit that was passed.
        limit: usize,
        /// Where the event began, in bytes from the start of the stream.
        offset: u64,
    },
    /// One unfinished line grew beyond `SseOptions::max_line_bytes`. Its event is dropped, decoding goes on after it.
    #[error("line at byte {offset} is longer than max_line_bytes = {limit} bytes")]
    LineTooLong {
        /// The limit that was passed.
        limit: usize,
        /// Where the line began, in bytes from the start of the stream.
        offset: u64,
    },
    /// The JSON text fed to an incremental parser is broken at this byte.
    #[error("{fault} at byte {offset} of the JSON text")]
    Json {
        /// What is wrong.
        fault: JsonFault,
        /// Where, in bytes from the start of the text fed.
        offset: usize,
    },
    /// A JSON text can not be mended: there is no value in it at all.
    #[error("no JSON value to mend in {length} bytes of text")]
    Unrepairable {
        /// The length of the text.
        length: usize,
    },
    /// Reading the source of bytes failed.
    #[error("reading the stream failed")]
    Source(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Why a JSON text is refused by [`JsonStream`](crate::JsonStream).
///
/// ```
/// assert_eq!(antiphon_stream::JsonFault::TooDeep { limit: 4 }.to_string(), "nesting deeper than max_depth = 4");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonFault {
    /// A byte that can not stand here.
    #[error("unexpected {}", show_byte(*.found))]
    Unexpected {
        /// The byte found.
        found: u8,
    },
    /// A control character (below U+0020) stands bare in a string.
    #[error("bare control character {:#04x} in a string", .found)]
    ControlCharacter {
        /// The byte found.
        found: u8,
    },
    /// A backslash is followed by something that is no escape.
    #[error("unknown escape")]
    BadEscape,
    /// A number that breaks the grammar, such as `01` or `1.`.
    #[error("malformed number")]
    BadNumber,
    /// Containers are nested deeper than `JsonOptions::max_depth`.
    #[error("nesting deeper than max_depth = {limit}")]
    TooDeep {
        /// The limit that was passed.
        limit: usize,
    },
    /// More text than `JsonOptions::max_bytes`.
    #[error("more than max_bytes = {limit} bytes of text")]
    TooLong {
        /// The limit that was passed.
        limit: usize,
    },
    /// The text ends before its value does.
    #[error("unexpected end")]
    UnexpectedEnd,
}

fn show_byte(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("`{}`", char::from(byte)) } else { format!("byte {byte:#04x}") }
}
