use crate::extra::WriteJson;
use crate::json::{RawJson, RawRef};
use std::borrow::Cow;

/// What a stretch of text rests on. Five kinds of place exist (`char_location`, `page_location`,
/// `content_block_location`, `search_result_location`, `web_search_result_location`); their members
/// are read by name, and the whole is kept as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Citation(RawJson);

impl Citation {
    /// Any JSON value as a citation.
    pub fn new(raw: RawJson) -> Self {
        Self(raw)
    }

    /// The JSON as it came.
    pub fn raw(&self) -> RawRef<'_> {
        self.0.as_ref()
    }

    /// Its `type`; empty if it has none.
    pub fn kind(&self) -> Cow<'_, str> {
        self.0.member("type").and_then(RawRef::as_str).unwrap_or_default()
    }

    /// The words cited.
    pub fn cited_text(&self) -> Option<Cow<'_, str>> {
        self.0.member("cited_text").and_then(RawRef::as_str)
    }

    /// Any other member.
    pub fn member(&self, key: &str) -> Option<RawRef<'_>> {
        self.0.member(key)
    }

    /// Takes out `file_id`, which the API gives and does not take back
    /// (contract 1.2); tells whether it was there.
    pub fn remove_file_id(&mut self) -> bool {
        let Some((_, rest)) = self.0.as_ref().without_member("file_id") else { return false };
        self.0 = rest;
        true
    }
}

impl WriteJson for Vec<Citation> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (i, citation) in self.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            out.push_str(citation.0.get());
        }
        out.push(']');
    }
}
