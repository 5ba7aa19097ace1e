//! White space between tokens, taken out.

use super::find::find_special;
use std::borrow::Cow;

/// `json`, which is valid, without white space between its tokens; borrowed if there is none.
pub(crate) fn compact(json: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    let bytes = json.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at),
            b' ' | b'\n' | b'\t' | b'\r' => {
                out.push_str(json.get(done..at).unwrap_or_default());
                at += 1;
                done = at;
            }
            _ => at += 1,
        }
    }
    if done == 0 {
        return Cow::Borrowed(json);
    }
    out.push_str(json.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// The end of the string that opens at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        at += find_special(bytes.get(at..).unwrap_or_default());
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') => return at + 1,
            // Valid JSON has neither an end nor a control character here.
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}
