//! What a `content_block_delta` adds to its block.

use std::borrow::Cow;

use antiphon_model::RawJson;

use super::owned;
use crate::members;

/// The kinds of delta (contract, section 3.2).
///
/// ```
/// use antiphon_stream::Delta;
///
/// assert_eq!(Delta::InputJson("{\"a".into()).type_name(), "input_json_delta");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Delta<'a> {
    /// `text_delta`: more text.
    Text(Cow<'a, str>),
    /// `input_json_delta`: more of the JSON text of a tool's input.
    InputJson(Cow<'a, str>),
    /// `thinking_delta`: more thinking.
    Thinking(Cow<'a, str>),
    /// `signature_delta`: the signature of the thinking, set rather than added to.
    Signature(Cow<'a, str>),
    /// `citations_delta`: one citation.
    Citation(RawJson),
    /// `compaction_delta`: the summary. The whole delta, for `content` and `encrypted_content` may each be null.
    Compaction(RawJson),
    /// A delta that is not known, or lacks what its type needs.
    Unknown {
        /// Its `type` member, or nothing.
        kind: String,
        /// The whole delta.
        raw: RawJson,
    },
}

impl Delta<'_> {
    /// The type of the delta, as the wire has it.
    pub fn type_name(&self) -> &str {
        match self {
            Self::Text(_) => "text_delta",
            Self::InputJson(_) => "input_json_delta",
            Self::Thinking(_) => "thinking_delta",
            Self::Signature(_) => "signature_delta",
            Self::Citation(_) => "citations_delta",
            Self::Compaction(_) => "compaction_delta",
            Self::Unknown { kind, .. } => kind,
        }
    }

    /// The same delta, on its own feet.
    pub fn into_owned(self) -> Delta<'static> {
        match self {
            Self::Text(text) => Delta::Text(owned(text)),
            Self::InputJson(text) => Delta::InputJson(owned(text)),
            Self::Thinking(text) => Delta::Thinking(owned(text)),
            Self::Signature(text) => Delta::Signature(owned(text)),
            Self::Citation(raw) => Delta::Citation(raw),
            Self::Compaction(raw) => Delta::Compaction(raw),
            Self::Unknown { kind, raw } => Delta::Unknown { kind, raw },
        }
    }

    /// The delta object as JSON, with the members given besides.
    pub(crate) fn to_json(&self, extra: &[(String, RawJson)], fault: TextFault) -> String {
        let (key, value) = match self {
            Self::Compaction(raw) | Self::Unknown { raw, .. } => return raw.get().to_owned(),
            Self::Text(text) => ("text", fault.spell(text)),
            Self::InputJson(text) => ("partial_json", fault.spell(text)),
            Self::Thinking(text) => ("thinking", fault.spell(text)),
            Self::Signature(text) => ("signature", RawJson::string(text)),
            Self::Citation(raw) => ("citation", raw.clone()),
        };
        let mut out = String::from("{\"type\":");
        out.push_str(RawJson::string(self.type_name()).get());
        members::write_member(key, value.get(), &mut out);
        for (key, value) in extra {
            members::write_member(key, value.get(), &mut out);
        }
        out.push('}');
        out
    }
}

/// What of a delta's text can not stand in a Rust string.
///
/// A gateway that cuts its text between UTF-16 code units sends the halves of one character in two deltas, each as an
/// escape (`"\\ud83d"`, then `"\\ude00"`). The halves at the edges are kept here, outside the text, and the
/// [`Accumulator`](crate::Accumulator) joins them again.
///
/// ```
/// use antiphon_stream::{Accumulator, StreamEvent};
///
/// let mut accumulator = Accumulator::new();
/// for data in [
///     r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi \ud83d"}}"#,
///     r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ude00!"}}"#,
/// ] {
///     accumulator.push(StreamEvent::parse(data)?);
/// }
/// assert_eq!(accumulator.text(0), Some("Hi 😀!"));
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextFault {
    /// The second half of a surrogate pair, before the text.
    pub low: Option<u16>,
    /// The first half of a surrogate pair, behind the text.
    pub high: Option<u16>,
    /// The text is not what was sent: bytes that are not UTF-8, or half a surrogate pair within it, stand as U+FFFD.
    pub lossy: bool,
}

impl TextFault {
    /// The text as a JSON string, with the halves at its edges.
    fn spell(self, text: &str) -> RawJson {
        let string = RawJson::string(text);
        if self.low.is_none() && self.high.is_none() {
            return string;
        }
        let escape = |half: Option<u16>| half.map_or_else(String::new, |half| format!("\\u{half:04x}"));
        let inner = string.get().strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
        let spelled = format!("\"{}{inner}{}\"", escape(self.low), escape(self.high));
        RawJson::parse(&spelled).unwrap_or(string)
    }
}
