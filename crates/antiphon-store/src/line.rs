//! What of an entry is stored.

use antiphon_log::Entry;

/// The entry as one line, without a line end: what every store keeps and gives back byte for byte.
///
/// A line feed between tokens becomes a space, and U+2028 and U+2029 in a string an escape, so that a line stays one line for every
/// reader. White space around the record is no part of it, and neither are bytes that are not UTF-8: each broken run is U+FFFD, as
/// [`Entry::text`] has it.
///
/// ```
/// let log = antiphon_log::read(b"  {\"role\":\"user\", \"content\":\"hi\",\"n\":1.0} \n");
/// assert_eq!(antiphon_store::to_line(&log.entries[0]), r#"{"role":"user", "content":"hi","n":1.0}"#);
/// ```
pub fn to_line(entry: &Entry) -> String {
    let mut line = Vec::with_capacity(entry.text().len() + 1);
    antiphon_log::write_record(entry.raw(), &mut line);
    line.pop();
    // `write_record` copies UTF-8 and puts ASCII in place of whole characters.
    String::from_utf8(line).unwrap_or_else(|_| entry.text().to_owned())
}

/// Whether these entries are the ones that are stored as these lines.
pub fn same_records<'l>(entries: &[Entry], stored: impl ExactSizeIterator<Item = &'l str>) -> bool {
    entries.len() == stored.len() && entries.iter().zip(stored).all(|(entry, line)| to_line(entry) == line)
}
