//! The record format: one JSON object, one line, one line feed.

use antiphon_model::{Message, RawRef};

/// Appends `record` to `out` as one line that ends in a line feed.
///
/// JSON strings cannot hold a raw line feed, so one can only stand between tokens, where a space does as well. U+2028 and U+2029
/// are written as escapes: JSON allows them raw, but readers exist that end a line there. Every other byte stays.
///
/// ```
/// use antiphon_model::RawJson;
/// let record = RawJson::parse("{\"text\":\"one\u{2028}two\",\n \"n\": 1.0}")?;
/// let mut out = Vec::new();
/// antiphon_log::write_record(record.as_ref(), &mut out);
/// assert_eq!(out, b"{\"text\":\"one\\u2028two\",  \"n\": 1.0}\n");
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
pub fn write_record(record: RawRef<'_>, out: &mut Vec<u8>) {
    let mut rest = record.get().as_bytes();
    out.reserve(rest.len() + 1);
    while let Some(found) = memchr::memchr3(b'\n', b'\r', 0xe2, rest) {
        let (before, from) = rest.split_at(found);
        out.extend_from_slice(before);
        rest = match from {
            [0xe2, 0x80, 0xa8, after @ ..] => {
                out.extend_from_slice(br"\u2028");
                after
            }
            [0xe2, 0x80, 0xa9, after @ ..] => {
                out.extend_from_slice(br"\u2029");
                after
            }
            [0xe2, after @ ..] => {
                out.push(0xe2);
                after
            }
            [_, after @ ..] => {
                out.push(b' ');
                after
            }
            [] => from,
        };
    }
    out.extend_from_slice(rest);
    out.push(b'\n');
}

/// Appends a message as a plain record; see [`write_record`].
///
/// ```
/// use antiphon_model::Message;
/// let message = Message::from_json(r#"{"role":"user","content":"hi"}"#)?;
/// let mut out = Vec::new();
/// antiphon_log::write_message(&message, &mut out);
/// assert_eq!(out, b"{\"role\":\"user\",\"content\":\"hi\"}\n");
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
pub fn write_message(message: &Message, out: &mut Vec<u8>) {
    let text = message.to_json();
    if let Ok(raw) = RawRef::parse(&text) {
        write_record(raw, out);
    }
}

/// Whether a line feed must be written before the next record: a file that does not end in one ends in a torn record, and a
/// record appended to that would be lost with it. `last` is the file's last byte, `None` for an empty file.
///
/// ```
/// use antiphon_log::needs_line_end;
/// assert!(needs_line_end(Some(b'}')));
/// assert!(!needs_line_end(Some(b'\n')));
/// assert!(!needs_line_end(None));
/// ```
pub fn needs_line_end(last: Option<u8>) -> bool {
    last.is_some_and(|byte| byte != b'\n')
}
