//! What records of a log look like at their start, to tell a record from a part of one.
//!
//! A writer can die right where a value would come: `{"message":`. The record that is appended behind it then reads as that value.
//! The same bytes come about when a record breaks off behind a nested object. Records of one program start with the same keys,
//! and not with those of the objects inside them: that tells the two apart.

use crate::machine::{is_space, string_end};

/// The starts of records seen so far. Few kinds exist; a hostile file cannot make the list grow.
#[derive(Debug, Default)]
pub(crate) struct Shapes(Vec<u64>);

const MOST: usize = 64;
/// The second key is looked for only this far into a record.
const NEAR: usize = 256;

impl Shapes {
    /// Remembers how a whole record starts.
    pub(crate) fn note(&mut self, record: &[u8]) {
        if let Some(shape) = shape(record)
            && !self.0.contains(&shape)
            && self.0.len() < MOST
        {
            self.0.push(shape);
        }
    }

    /// Whether `object` starts as a record does, or as `stub`, which was one.
    pub(crate) fn knows(&self, object: &[u8], stub: &[u8]) -> bool {
        let own = shape(object);
        own.is_some_and(|shape| self.0.contains(&shape)) || own.is_some() && own == shape(stub)
    }
}

/// The first two keys, as a number. The second one counts as missing if it stands far away.
fn shape(record: &[u8]) -> Option<u64> {
    let record = record.get(..record.len().min(NEAR)).unwrap_or_default();
    let (first, after) = key(record, skip(record, 0, b'{')?)?;
    let mut hash = mix(0xcbf2_9ce4_8422_2325, first);
    let value = skip(record, after, b':')?;
    let after = match record.get(value) {
        Some(b'"') => string_end(record, value).end(),
        Some(b'{' | b'[') | None => None,
        Some(_) => record.get(value..)?.iter().position(|byte| matches!(byte, b',' | b'}')).map(|at| value + at),
    };
    if let Some(at) = after.and_then(|after| skip(record, after, b','))
        && let Some((second, _)) = key(record, at)
    {
        hash = mix(mix(hash, b"\0"), second);
    }
    Some(hash)
}

/// Where the next token starts behind `byte`, which must come next.
fn skip(record: &[u8], from: usize, byte: u8) -> Option<usize> {
    let at = from + record.get(from..)?.iter().position(|byte| !is_space(*byte))?;
    if record.get(at) != Some(&byte) {
        return None;
    }
    Some(at + 1 + record.get(at + 1..)?.iter().position(|byte| !is_space(*byte))?)
}

fn key(record: &[u8], from: usize) -> Option<(&[u8], usize)> {
    if record.get(from) != Some(&b'"') {
        return None;
    }
    let end = string_end(record, from).end()?;
    Some((record.get(from..end)?, end))
}

/// FNV-1a: stable and without a seed, as everything here is.
fn mix(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::Shapes;

    #[test]
    fn records_are_told_from_their_parts() {
        let mut shapes = Shapes::default();
        shapes.note(br#"{"type":"user","uuid":"1","message":{"role":"user"}}"#);
        shapes.note(br#" { "n" : 1, "m": 2}"#);
        assert!(shapes.knows(br#"{"type" : "assistant", "uuid":null}"#, b""));
        assert!(shapes.knows(br#"{"n":[],"x":1}"#, br#"{"n":{"#));
        assert!(!shapes.knows(br#"{"type":"text","text":"x"}"#, br#"{"type":"user","uuid":"#));
        assert!(!shapes.knows(br#"{"role":"user","content":"x"}"#, br#"{"type":"user","#));
        assert!(!shapes.knows(b"{}", b"{}"));
    }

    #[test]
    fn the_list_is_bounded() {
        let mut shapes = Shapes::default();
        for n in 0..1000 {
            shapes.note(format!("{{\"k{n}\":1}}").as_bytes());
        }
        assert_eq!(shapes.0.len(), super::MOST);
    }
}
