//! When two JSON texts are the same value.

use super::raw::{JsonKind, RawRef};
use super::text::code_points;
use std::borrow::Cow;
use std::collections::BTreeMap;

impl RawRef<'_> {
    /// Whether both are the same JSON value: order of keys, white space and escapes aside; numbers
    /// by their spelling. Repeated keys count as the last one.
    ///
    /// ```
    /// use antiphon_model::RawJson;
    /// let a = RawJson::parse(r#"{"x":"\u00e9","y":1.0}"#)?;
    /// let b = RawJson::parse(r#"{ "y": 1.0, "x": "é" }"#)?;
    /// assert!(a.as_ref().equivalent(b.as_ref()));
    /// let c = RawJson::parse(r#"{"x":"é","y":1}"#)?;
    /// assert!(!a.as_ref().equivalent(c.as_ref()));
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    pub fn equivalent(self, other: RawRef<'_>) -> bool {
        // Depth is bounded by MAX_DEPTH for every validated text, so recursion is too.
        if self.get() == other.get() {
            return true;
        }
        match (self.kind(), other.kind()) {
            (JsonKind::String, JsonKind::String) => {
                matches!((self.inner(), other.inner()), (Some(a), Some(b)) if code_points(a).eq(code_points(b)))
            }
            (JsonKind::Array, JsonKind::Array) => {
                let (mut left, mut right) = (self.elements(), other.elements());
                loop {
                    match (left.next(), right.next()) {
                        (None, None) => return true,
                        (Some(a), Some(b)) if a.equivalent(b) => {}
                        _ => return false,
                    }
                }
            }
            (JsonKind::Object, JsonKind::Object) => {
                let (left, right) = (self.by_key(), other.by_key());
                left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| a.0 == b.0 && a.1.equivalent(*b.1))
            }
            _ => false,
        }
    }

    /// The members by key. Keys with half a surrogate pair would look alike when decoded, so these have
    /// their code points beside them.
    fn by_key(&self) -> BTreeMap<(Cow<'_, str>, Vec<u32>), RawRef<'_>> {
        let mut members = self.members();
        std::iter::from_fn(move || members.next_pair())
            .map(|pair| {
                let key = pair.key();
                let doubtful = pair.key_escaped && key.contains(char::REPLACEMENT_CHARACTER);
                let code_points: Vec<u32> = if doubtful { code_points(pair.raw_key).collect() } else { Vec::new() };
                let halves = code_points.iter().any(|code| (0xd800..0xe000).contains(code));
                let code_points = if halves { code_points } else { Vec::new() };
                ((key, code_points), pair.value)
            })
            .collect()
    }
}
