//! Text worth a look: blank, NUL, escape sequences, base64.

/// Whether there is nothing but white space in it.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// What a text holds that a lint warns of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Oddities {
    pub(super) nul: bool,
    pub(super) escape: bool,
    pub(super) base64: bool,
}

/// The least run of base64 characters that is reported, in bytes. Hashes, tokens and paths are shorter.
const BASE64_RUN: usize = 200;
/// The least line of base64 that is wrapped over several lines, in bytes.
const WRAPPED_LINE: usize = 60;
/// The least run behind `;base64,` that is reported.
const DATA_URL_RUN: usize = 32;

pub(super) fn oddities(text: &str) -> Oddities {
    let bytes = text.as_bytes();
    // No branch in the inner loop, so that it runs on whole vectors.
    let mut nul = false;
    let mut escape = false;
    for chunk in bytes.chunks(256) {
        let (mut zero, mut esc) = (0u8, 0u8);
        for &byte in chunk {
            zero |= u8::from(byte == 0);
            esc |= u8::from(byte == 0x1b);
        }
        nul |= zero != 0;
        escape |= esc != 0;
    }
    Oddities { nul, escape, base64: has_base64(bytes) || has_data_url(text) }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

fn has_base64(bytes: &[u8]) -> bool {
    // A run of at least BASE64_RUN covers one of these samples and the bytes around it: look only there.
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if !is_base64(byte) {
            at += BASE64_RUN / 2;
            continue;
        }
        let before = bytes.get(..at).unwrap_or_default().iter().rev().take_while(|b| is_base64(**b)).take(BASE64_RUN);
        let start = at - before.count();
        let run = bytes.get(start..).unwrap_or_default().iter().take_while(|b| is_base64(**b)).count();
        let run_bytes = bytes.get(start..start + run).unwrap_or_default();
        if (run >= BASE64_RUN || run >= WRAPPED_LINE && wrapped(bytes, start + run, run)) && looks_random(run_bytes) {
            return true;
        }
        at = (start + run).max(at) + 1 + BASE64_RUN / 2;
    }
    false
}

/// Whether a line of base64 is one of several: as mail and PEM files wrap it, at 64 or 76 characters.
fn wrapped(bytes: &[u8], end: usize, width: usize) -> bool {
    let rest = bytes.get(end..).unwrap_or_default();
    let more = rest.split(|b| *b == b'\n').skip(1).map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let same =
        more.take(BASE64_RUN / width).take_while(|line| line.len() == width && line.iter().all(|b| is_base64(*b)));
    let ends_here = matches!(rest.first(), Some(b'\n' | b'\r'));
    ends_here && (same.count() + 1) * width >= BASE64_RUN
}

/// Base64 mixes cases and digits all along; words, paths and hexadecimal do not.
fn looks_random(run: &[u8]) -> bool {
    let upper = run.iter().filter(|b| b.is_ascii_uppercase()).count();
    let lower = run.iter().filter(|b| b.is_ascii_lowercase()).count();
    let digit = run.iter().filter(|b| b.is_ascii_digit()).count();
    let part = run.len() / 20;
    upper > part && lower > part && digit > part / 4
}

fn has_data_url(text: &str) -> bool {
    // `contains` of a short needle runs on whole vectors, and nearly no text has one.
    const MARK: &str = ";base64,";
    if !text.contains(MARK) {
        return false;
    }
    text.split(MARK)
        .skip(1)
        .any(|data| data.bytes().take(DATA_URL_RUN).filter(|b| is_base64(*b)).count() == DATA_URL_RUN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_told_from_words_hashes_and_paths() {
        let random: String = (0..600u32)
            .map(|i| char::from(b"ABCdef019ghiJKL+"[(i.wrapping_mul(2_654_435_761) >> 13) as usize % 16]))
            .collect();
        assert!(oddities(&format!("out: {random} end")).base64);
        assert!(!oddities(&"a1b2c3d4".repeat(60)).base64, "hexadecimal");
        assert!(!oddities(&"some/long/path-with_parts/".repeat(30)).base64);
        assert!(!oddities(&"word ".repeat(500)).base64);
        let lines: Vec<&str> = (0..7).map(|i| random.get(i * 76..(i + 1) * 76).unwrap()).collect();
        assert!(oddities(&format!("-----BEGIN-----\n{}\nend", lines.join("\n"))).base64, "wrapped as mail does");
        assert!(oddities(&lines.join("\r\n")).base64);
        assert!(!oddities(&lines.join(" and ")).base64);
        assert!(!oddities(random.get(..150).unwrap()).base64);
        assert!(oddities(&format!("url(data:image/png;base64,{}", random.get(..64).unwrap())).base64);
    }

    #[test]
    fn control_characters_are_seen_anywhere() {
        assert_eq!(oddities("a\0b"), Oddities { nul: true, ..Oddities::default() });
        assert_eq!(oddities("\u{1b}[0m"), Oddities { escape: true, ..Oddities::default() });
        assert_eq!(oddities("tab\tline\n"), Oddities::default());
    }
}
