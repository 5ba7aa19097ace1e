//! Token usage as the API reports it.

use crate::extra::{Extra, Field};
use crate::json::{JsonKind, RawJson, RawRef, Scanner};
use crate::object::{Object, scan_members};

/// What an answer cost, in tokens. Unknown and nested members stay in [`extra`](Self::extra).
///
/// The whole prompt is `input_tokens + cache_creation_input_tokens + cache_read_input_tokens`
/// (contract 2.4): [`total_input`](Self::total_input).
///
/// ```
/// use antiphon_model::{RawJson, Usage};
/// let raw = RawJson::parse(r#"{"input_tokens":3,"cache_read_input_tokens":40,"output_tokens":7,"speed":null}"#)?;
/// let usage = Usage::from_raw(raw.as_ref()).unwrap();
/// assert_eq!((usage.total_input(), usage.output_tokens), (43, Some(7)));
/// assert_eq!(usage.to_raw(), raw);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// Prompt tokens that were neither read from nor written to the cache.
    pub input_tokens: Option<u64>,
    /// Tokens of the answer, thinking included.
    pub output_tokens: Option<u64>,
    /// Prompt tokens written to the cache.
    pub cache_creation_input_tokens: Option<u64>,
    /// Prompt tokens read from the cache.
    pub cache_read_input_tokens: Option<u64>,
    /// Everything else, nulls among it.
    pub extra: Extra,
}

const FIELDS: &[&str] = &["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];

impl Usage {
    /// Reads usage; `None` if it is no object, or names a count twice.
    pub fn from_raw(raw: RawRef<'_>) -> Option<Self> {
        if raw.kind() != JsonKind::Object {
            return None;
        }
        let mut pairs = Vec::new();
        let mut scanner = Scanner::new(raw.get());
        scanner.eat(b'{');
        scan_members(&mut scanner, &mut pairs).ok()?;
        let mut object = Object::new(&pairs, FIELDS)?;
        let input_tokens = object.optional("input_tokens", RawRef::as_u64);
        let cache_creation_input_tokens = object.optional("cache_creation_input_tokens", RawRef::as_u64);
        let cache_read_input_tokens = object.optional("cache_read_input_tokens", RawRef::as_u64);
        let output_tokens = object.optional("output_tokens", RawRef::as_u64);
        Some(Self {
            input_tokens,
            output_tokens,
            cache_creation_input_tokens,
            cache_read_input_tokens,
            extra: object.extra(),
        })
    }

    /// The size of the whole prompt in tokens. When a back end reports cache writes only in the nested
    /// `cache_creation` (contract 2.4), those are taken. Saturates.
    pub fn total_input(&self) -> u64 {
        let nested = || {
            let creation = self.extra.get("cache_creation")?;
            Some(creation.members().filter_map(|(_, v)| v.as_u64()).fold(0, u64::saturating_add))
        };
        let written = match self.cache_creation_input_tokens {
            Some(n) if n > 0 => n,
            _ => nested().unwrap_or(0),
        };
        self.input_tokens.unwrap_or(0).saturating_add(written).saturating_add(self.cache_read_input_tokens.unwrap_or(0))
    }

    /// The usage as JSON.
    pub fn to_raw(&self) -> RawJson {
        let numbers =
            [self.input_tokens, self.cache_creation_input_tokens, self.cache_read_input_tokens, self.output_tokens]
                .map(|n| n.map(|n| n.to_string()));
        let mut fields = Vec::with_capacity(FIELDS.len());
        for (name, number) in FIELDS.iter().zip(&numbers) {
            fields.push((*name, number.as_deref().map(Field::Raw)));
        }
        let mut out = String::from("{");
        self.extra.write_members(&fields, &mut out);
        out.push('}');
        RawJson::trusted(out)
    }
}
