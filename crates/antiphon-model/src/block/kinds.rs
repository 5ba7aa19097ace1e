use super::{Citation, Source};
use crate::content::read_blocks;
use crate::extra::{Extra, Field};
use crate::json::{JsonKind, Pair, RawJson, RawRef, Scanner, Text};
use crate::object::Object;

/// Writes one object: its fields in order, what [`Extra`] holds in between.
pub(super) fn write_object(extra: &Extra, fields: &[(&'static str, Option<Field<'_>>)], out: &mut String) {
    out.push('{');
    extra.write_members(fields, out);
    out.push('}');
}

/// `text`: what is said, with the citations it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct TextBlock {
    /// The text. Requests refuse an empty one.
    pub text: Text,
    /// Citations, if the key is there and holds a list.
    pub citations: Option<Vec<Citation>>,
    /// Everything else, the cache mark among it.
    pub extra: Extra,
}

impl TextBlock {
    /// A text without citations.
    pub fn new(text: impl Into<Text>) -> Self {
        Self { text: text.into(), citations: None, extra: Extra::new() }
    }

    pub(super) fn build(pairs: &[Pair<'_>]) -> Option<Self> {
        let mut object = Object::new(pairs, &["type", "text", "citations"])?;
        let text = object.text("text")?;
        let citations = object.optional("citations", |raw| {
            (raw.kind() == JsonKind::Array).then(|| raw.elements().map(|c| Citation::new(c.to_owned())).collect())
        });
        Some(Self { text, citations, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[
                ("type", Some(Field::Str("text"))),
                ("text", Some(Field::Value(&self.text))),
                ("citations", self.citations.as_ref().map(|c| Field::Value(c))),
            ],
            out,
        );
    }
}

/// `thinking`: the model's reasoning, signed by the provider. Goes back byte for byte or not at all.
#[derive(Debug, Clone, PartialEq)]
pub struct ThinkingBlock {
    /// The reasoning; empty when the display was omitted.
    pub thinking: Text,
    /// The provider's signature; the API refuses a block without one.
    pub signature: Option<String>,
    /// Everything else.
    pub extra: Extra,
}

impl ThinkingBlock {
    /// A signed thinking block.
    pub fn new(thinking: impl Into<Text>, signature: impl Into<String>) -> Self {
        Self { thinking: thinking.into(), signature: Some(signature.into()), extra: Extra::new() }
    }

    pub(super) fn build(pairs: &[Pair<'_>]) -> Option<Self> {
        let mut object = Object::new(pairs, &["type", "thinking", "signature"])?;
        let thinking = object.text("thinking")?;
        let signature = object
            .optional("signature", |raw| raw.as_text().filter(|t| !t.has_lone_surrogate()).map(Text::into_string));
        Some(Self { thinking, signature, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[
                ("type", Some(Field::Str("thinking"))),
                ("thinking", Some(Field::Value(&self.thinking))),
                ("signature", self.signature.as_deref().map(Field::Str)),
            ],
            out,
        );
    }
}

/// `redacted_thinking`: reasoning that only the provider can read.
#[derive(Debug, Clone, PartialEq)]
pub struct RedactedThinkingBlock {
    /// The encrypted reasoning.
    pub data: String,
    /// Everything else.
    pub extra: Extra,
}

impl RedactedThinkingBlock {
    pub(super) fn build(pairs: &[Pair<'_>]) -> Option<Self> {
        let object = Object::new(pairs, &["type", "data"])?;
        Some(Self { data: object.string("data")?, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[("type", Some(Field::Str("redacted_thinking"))), ("data", Some(Field::Str(&self.data)))],
            out,
        );
    }
}

/// `image`: a picture in a user turn or a tool result.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageBlock {
    /// Where its bytes are.
    pub source: Source,
    /// Everything else.
    pub extra: Extra,
}

impl ImageBlock {
    /// A picture from any source; see also [`ImageBlock::from_bytes`].
    pub fn new(source: Source) -> Self {
        Self { source, extra: Extra::new() }
    }

    pub(super) fn build(pairs: &[Pair<'_>], depth: usize) -> Option<Self> {
        let object = Object::new(pairs, &["type", "source"])?;
        let source = Source::from_raw_at(object.raw("source")?, depth)?;
        Some(Self { source, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[("type", Some(Field::Str("image"))), ("source", Some(Field::Value(&self.source)))],
            out,
        );
    }
}

/// `document`: a PDF, a text or blocks to read and cite.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentBlock {
    /// Where its content is.
    pub source: Source,
    /// Its title.
    pub title: Option<Text>,
    /// What it is, said to the model but not citable.
    pub context: Option<Text>,
    /// Everything else; `citations` (`{"enabled":true}`) among it.
    pub extra: Extra,
}

impl DocumentBlock {
    pub(super) fn build(pairs: &[Pair<'_>], depth: usize) -> Option<Self> {
        let mut object = Object::new(pairs, &["type", "source", "title", "context"])?;
        let source = Source::from_raw_at(object.raw("source")?, depth)?;
        let title = object.optional_text("title");
        let context = object.optional_text("context");
        Some(Self { source, title, context, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[
                ("type", Some(Field::Str("document"))),
                ("source", Some(Field::Value(&self.source))),
                ("title", self.title.as_ref().map(|t| Field::Value(t))),
                ("context", self.context.as_ref().map(|t| Field::Value(t))),
            ],
            out,
        );
    }
}

/// `search_result`: a citable finding of a search that the caller ran.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResultBlock {
    /// Where it was found.
    pub source: Text,
    /// Its title.
    pub title: Text,
    /// Its text blocks.
    pub content: Vec<super::ContentBlock>,
    /// Everything else.
    pub extra: Extra,
}

impl SearchResultBlock {
    pub(super) fn build(pairs: &[Pair<'_>], depth: usize) -> Option<Self> {
        let object = Object::new(pairs, &["type", "source", "title", "content"])?;
        let content = object.raw("content").filter(|raw| raw.kind() == JsonKind::Array)?;
        let content = read_blocks(&mut Scanner::new(content.get()), &mut Vec::new(), depth + 1).ok()?;
        Some(Self { source: object.text("source")?, title: object.text("title")?, content, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[
                ("type", Some(Field::Str("search_result"))),
                ("source", Some(Field::Value(&self.source))),
                ("title", Some(Field::Value(&self.title))),
                ("content", Some(Field::Value(&self.content))),
            ],
            out,
        );
    }
}

/// `tool_reference`: a tool that a search found, inside a tool result.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolReferenceBlock {
    /// The name of a declared tool.
    pub tool_name: String,
    /// Everything else.
    pub extra: Extra,
}

impl ToolReferenceBlock {
    pub(super) fn build(pairs: &[Pair<'_>]) -> Option<Self> {
        let object = Object::new(pairs, &["type", "tool_name"])?;
        Some(Self { tool_name: object.string("tool_name")?, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[("type", Some(Field::Str("tool_reference"))), ("tool_name", Some(Field::Str(&self.tool_name)))],
            out,
        );
    }
}

/// `container_upload`: a file for the code execution container. The API may return it in an assistant
/// turn, yet refuses it there in a request.
#[derive(Debug, Clone, PartialEq)]
pub struct ContainerUploadBlock {
    /// The file.
    pub file_id: String,
    /// Everything else.
    pub extra: Extra,
}

impl ContainerUploadBlock {
    pub(super) fn build(pairs: &[Pair<'_>]) -> Option<Self> {
        let object = Object::new(pairs, &["type", "file_id"])?;
        Some(Self { file_id: object.string("file_id")?, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[("type", Some(Field::Str("container_upload"))), ("file_id", Some(Field::Str(&self.file_id)))],
            out,
        );
    }
}

/// `compaction`: the provider's summary of everything before it.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionBlock {
    /// The summary; `None` for a failed compaction (`null`) or when the key is absent.
    pub content: Option<Text>,
    /// Everything else; `encrypted_content` among it.
    pub extra: Extra,
}

impl CompactionBlock {
    pub(super) fn build(pairs: &[Pair<'_>]) -> Option<Self> {
        let mut object = Object::new(pairs, &["type", "content"])?;
        let content = object.optional_text("content");
        Some(Self { content, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[("type", Some(Field::Str("compaction"))), ("content", self.content.as_ref().map(|t| Field::Value(t)))],
            out,
        );
    }
}

/// A block kept as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherBlock {
    /// Its `type`; empty if it has none.
    pub kind: String,
    /// Its JSON as written.
    pub raw: RawJson,
}

impl OtherBlock {
    /// Any JSON value as a block.
    pub fn from_raw(raw: RawRef<'_>) -> Self {
        let kind = raw.member("type").and_then(RawRef::as_str).map(std::borrow::Cow::into_owned).unwrap_or_default();
        Self { kind, raw: raw.to_owned() }
    }

    /// Whether its type is one that the model has a form for, or it has none: then it is raw because something in it is missing
    /// or of another type (or, inside other blocks, because it stands too deep). A block of a type that is not known is not malformed.
    ///
    /// ```
    /// use antiphon_model::ContentBlock;
    ///
    /// let malformed = |json: &str| match ContentBlock::from_json(json)? {
    ///     ContentBlock::Other(block) => Ok::<_, antiphon_model::json::JsonError>(block.is_malformed()),
    ///     _ => Ok(false),
    /// };
    /// assert!(malformed(r#"{"type":"thinking"}"#)?);
    /// assert!(!malformed(r#"{"type":"shipped_last_week"}"#)?);
    /// # Ok::<(), antiphon_model::json::JsonError>(())
    /// ```
    pub fn is_malformed(&self) -> bool {
        self.kind.is_empty() || super::builder(&self.kind).is_some()
    }

    /// Takes a member out of the raw object and gives it back; the rest keeps its spelling.
    pub fn remove_member(&mut self, key: &str) -> Option<RawJson> {
        let (removed, rest) = self.raw.as_ref().without_member(key)?;
        self.raw = rest;
        Some(removed)
    }
}
