use std::borrow::Cow;

/// Bytes read as UTF-8, with what had to be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossyUtf8<'a> {
    /// The text: borrowed when the bytes were UTF-8, else with U+FFFD for each broken run.
    pub text: Cow<'a, str>,
    /// Byte offsets (into the bytes) of the runs that were not UTF-8.
    pub replaced: Vec<usize>,
}

/// Reads bytes as UTF-8; a broken run becomes one U+FFFD and its offset is reported.
///
/// ```
/// let read = antiphon_model::json::decode_utf8(b"caf\xff!");
/// assert_eq!(read.text, "caf\u{fffd}!");
/// assert_eq!(read.replaced, [3]);
/// ```
pub fn decode_utf8(bytes: &[u8]) -> LossyUtf8<'_> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return LossyUtf8 { text: Cow::Borrowed(text), replaced: Vec::new() };
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    let mut replaced = Vec::new();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            replaced.push(at);
            text.push(char::REPLACEMENT_CHARACTER);
            at += chunk.invalid().len();
        }
    }
    LossyUtf8 { text: Cow::Owned(text), replaced }
}
