//! Finding the bytes that matter inside a JSON string, many at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Whether a byte ends a plain stretch of a JSON string: a quote, a backslash or a control character.
#[expect(clippy::needless_bitwise_bool, reason = "a branch keeps the loop over a chunk from becoming vector code")]
#[inline]
const fn is_special(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < 0x20)
}

/// Non-zero where a byte of `w` is special; the lowest set bit is exact (borrows only ever disturb
/// bytes above a true hit).
const fn special(w: u64) -> u64 {
    let quote = w ^ (ONES * 0x22);
    let slash = w ^ (ONES * 0x5c);
    let hit =
        (quote.wrapping_sub(ONES) & !quote) | (slash.wrapping_sub(ONES) & !slash) | (w.wrapping_sub(ONES * 0x20) & !w);
    hit & HIGHS
}

/// Where the first quote, backslash or control character is; the length if there is none.
///
/// Keys and other short strings end within the first two words, so these go first; longer text takes
/// steps of 32 bytes, which the compiler turns into vector instructions.
#[inline]
pub(super) fn find_special(bytes: &[u8]) -> usize {
    if let Some((word, rest)) = bytes.split_first_chunk::<8>() {
        let hit = special(u64::from_le_bytes(*word));
        if hit != 0 {
            return hit.trailing_zeros() as usize / 8;
        }
        return 8 + find_further(rest);
    }
    find_in_words(bytes)
}

fn find_further(bytes: &[u8]) -> usize {
    if let Some((word, rest)) = bytes.split_first_chunk::<8>() {
        let hit = special(u64::from_le_bytes(*word));
        if hit != 0 {
            return hit.trailing_zeros() as usize / 8;
        }
        return 8 + find_in_long(rest);
    }
    find_in_words(bytes)
}

fn find_in_words(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let hit = special(u64::from_le_bytes(*word));
        if hit != 0 {
            return at + hit.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len())
}

fn find_in_long(bytes: &[u8]) -> usize {
    let mut at = 0;
    for chunk in bytes.as_chunks::<32>().0 {
        if chunk.iter().fold(false, |found, &byte| found | is_special(byte)) {
            break;
        }
        at += 32;
    }
    at + find_in_words(bytes.get(at..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_looking_at_each_byte() {
        // Every byte value at every place around the steps of 8, 16 and 32, before another special one.
        for length in 0..100 {
            let mut bytes = vec![b'a'; length];
            assert_eq!(find_special(&bytes), length);
            for at in 0..length {
                for byte in 0..=u8::MAX {
                    bytes[at] = byte;
                    assert_eq!(find_special(&bytes), if is_special(byte) { at } else { length }, "{byte:#x} at {at}");
                }
                bytes[at] = 0xff;
            }
        }
    }

    #[test]
    fn the_first_of_several_wins() {
        for at in 0..64 {
            for second in at..64 {
                let mut bytes = [b'!'; 64];
                bytes[at] = b'"';
                bytes[second] = b'\\';
                assert_eq!(find_special(&bytes), at);
            }
        }
    }
}
