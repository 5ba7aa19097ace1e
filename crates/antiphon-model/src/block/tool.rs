use super::kinds::write_object;
use crate::content::Content;
use crate::extra::{Extra, Field};
use crate::json::{JsonError, Pair, RawJson, RawRef};
use crate::object::{Object, read_bool};
use serde::Serialize;

/// A call that the model asks the caller to run: a `tool_use` block, or a flat record
/// `{"role":"tool_use",…}` in a session file.
///
/// ```
/// use antiphon_model::ToolUse;
/// let call = ToolUse::new("toolu_1", "read", &serde_json::json!({"path": "a.txt"}))?;
/// assert_eq!(call.input.get(), r#"{"path":"a.txt"}"#);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse {
    /// Pairs the call with its result. The API wants `^[a-zA-Z0-9_-]+$`.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them. The API wants an object.
    pub input: RawJson,
    /// Everything else: `caller`, `toolset_name`, the cache mark.
    pub extra: Extra,
}

impl ToolUse {
    /// A call with any serialisable input.
    ///
    /// # Errors
    /// If the input cannot be JSON.
    pub fn new<T: Serialize + ?Sized>(
        id: impl Into<String>,
        name: impl Into<String>,
        input: &T,
    ) -> Result<Self, JsonError> {
        Ok(Self { id: id.into(), name: name.into(), input: RawJson::from_serialize(input)?, extra: Extra::new() })
    }

    /// A flat record as a block of a request, without the members that only a stored record has.
    pub(crate) fn to_wire_block(&self) -> Self {
        let extra = self.extra.without_order(|key| matches!(key, "caller" | "toolset_name" | "cache_control"));
        Self { id: self.id.clone(), name: self.name.clone(), input: self.input.clone(), extra }
    }

    pub(crate) fn build(pairs: &[Pair<'_>], tag: &'static str) -> Option<Self> {
        let fields: &'static [&'static str] =
            if tag == "role" { &["role", "id", "name", "input"] } else { &["type", "id", "name", "input"] };
        let object = Object::new(pairs, fields)?;
        Some(Self {
            id: object.string("id")?,
            name: object.string("name")?,
            input: object.raw("input")?.to_owned(),
            extra: object.extra(),
        })
    }

    pub(crate) fn size_hint(&self) -> usize {
        16 + self.id.len() + self.name.len() + self.input.get().len() + self.extra.size_hint()
    }

    pub(crate) fn write_tagged(&self, tag: &'static str, out: &mut String) {
        write_object(
            &self.extra,
            &[
                (tag, Some(Field::Str("tool_use"))),
                ("id", Some(Field::Str(&self.id))),
                ("name", Some(Field::Str(&self.name))),
                ("input", Some(Field::Raw(self.input.get()))),
            ],
            out,
        );
    }
}

/// What a tool gave back: a `tool_result` block, or a flat record `{"role":"tool_result",…}`.
///
/// ```
/// use antiphon_model::{ContentBlock, ToolResult};
/// let result = ToolResult::error("toolu_1", "no such file");
/// assert!(result.failed());
/// assert_eq!(
///     ContentBlock::from(result).to_json(),
///     r#"{"type":"tool_result","tool_use_id":"toolu_1","content":"no such file","is_error":true}"#
/// );
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The call it answers.
    pub tool_use_id: String,
    /// A string or blocks; may be absent.
    pub content: Option<Content>,
    /// Whether the tool failed. Absent means no.
    pub is_error: Option<bool>,
    /// Everything else.
    pub extra: Extra,
}

impl ToolResult {
    /// A result from any serialisable output: a string stays a string, anything else becomes its JSON.
    ///
    /// ```
    /// use antiphon_model::ToolResult;
    /// assert_eq!(ToolResult::ok("t1", "done")?.to_flat_json(), r#"{"role":"tool_result","tool_use_id":"t1","content":"done","is_error":false}"#);
    /// assert!(ToolResult::ok("t1", &[1, 2])?.to_flat_json().contains(r#""content":"[1,2]""#));
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// If the output cannot be JSON.
    pub fn ok<T: Serialize + ?Sized>(tool_use_id: impl Into<String>, output: &T) -> Result<Self, JsonError> {
        let raw = RawJson::from_serialize(output)?;
        let text = raw.as_text().unwrap_or_else(|| raw.get().into());
        Ok(Self::with_content(tool_use_id, text, false))
    }

    /// A result that is always the output's JSON text: a string comes out in quotes.
    ///
    /// # Errors
    /// If the output cannot be JSON.
    pub fn json<T: Serialize + ?Sized>(tool_use_id: impl Into<String>, output: &T) -> Result<Self, JsonError> {
        Ok(Self::with_content(tool_use_id, RawJson::from_serialize(output)?.get(), false))
    }

    /// A result that says the tool failed, and how. An empty text would be refused by the API, so it
    /// becomes `error`.
    pub fn error(tool_use_id: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::with_content(tool_use_id, if text.trim().is_empty() { "error".to_owned() } else { text }, true)
    }

    /// A result with content of one's own: a string, blocks, one block.
    pub fn with_content(tool_use_id: impl Into<String>, content: impl Into<Content>, is_error: bool) -> Self {
        Self {
            tool_use_id: tool_use_id.into(),
            content: Some(content.into()),
            is_error: Some(is_error),
            extra: Extra::new(),
        }
    }

    /// Whether the tool failed.
    pub fn failed(&self) -> bool {
        self.is_error == Some(true)
    }

    /// The record as a flat line of a session file.
    pub fn to_flat_json(&self) -> String {
        let mut out = String::new();
        self.write_tagged("role", &mut out);
        out
    }

    /// A flat record as a block of a request, without the members that only a stored record has.
    pub(crate) fn to_wire_block(&self) -> Self {
        Self {
            tool_use_id: self.tool_use_id.clone(),
            content: self.content.clone(),
            is_error: self.is_error,
            extra: self.extra.without_order(|key| matches!(key, "toolset_name" | "cache_control")),
        }
    }

    pub(crate) fn build(pairs: &[Pair<'_>], tag: &'static str, depth: usize) -> Option<Self> {
        let fields: &'static [&'static str] = if tag == "role" {
            &["role", "tool_use_id", "content", "is_error"]
        } else {
            &["type", "tool_use_id", "content", "is_error"]
        };
        let mut object = Object::new(pairs, fields)?;
        let tool_use_id = object.string("tool_use_id")?;
        let mut misshapen = false;
        let content = match object.text("content") {
            Some(text) => Some(Content::Text(text)),
            None => object.optional("content", |raw| {
                let content = Content::from_raw_at(raw, depth + 1);
                misshapen = content.is_none() && !raw.is_null();
                content
            }),
        };
        if misshapen {
            return None;
        }
        let is_error = object.optional("is_error", read_bool);
        Some(Self { tool_use_id, content, is_error, extra: object.extra() })
    }

    pub(crate) fn size_hint(&self) -> usize {
        let content = self.content.as_ref().map_or(0, Content::size_hint);
        24 + self.tool_use_id.len() + content + self.extra.size_hint()
    }

    pub(crate) fn write_tagged(&self, tag: &'static str, out: &mut String) {
        write_object(
            &self.extra,
            &[
                (tag, Some(Field::Str("tool_result"))),
                ("tool_use_id", Some(Field::Str(&self.tool_use_id))),
                ("content", self.content.as_ref().map(|c| Field::Value(c))),
                ("is_error", self.is_error.map(Field::Bool)),
            ],
            out,
        );
    }
}

/// A call that the provider runs itself: `server_tool_use` or `mcp_tool_use`. Its result comes from
/// the provider too; a `tool_result` must never be made for it.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerToolUse {
    /// `server_tool_use` or `mcp_tool_use`.
    pub kind: String,
    /// Pairs the call with its result.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub input: RawJson,
    /// Everything else; `server_name` and `caller` among it.
    pub extra: Extra,
}

impl ServerToolUse {
    pub(super) fn build(pairs: &[Pair<'_>]) -> Option<Self> {
        let object = Object::new(pairs, &["type", "id", "name", "input"])?;
        Some(Self {
            kind: object.string("type")?,
            id: object.string("id")?,
            name: object.string("name")?,
            input: object.raw("input")?.to_owned(),
            extra: object.extra(),
        })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[
                ("type", Some(Field::Str(&self.kind))),
                ("id", Some(Field::Str(&self.id))),
                ("name", Some(Field::Str(&self.name))),
                ("input", Some(Field::Raw(self.input.get()))),
            ],
            out,
        );
    }
}

/// What a provider's own tool gave. The content is kept raw: parts of it are encrypted or validated
/// by the provider.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerToolResult {
    /// `web_search_tool_result`, `mcp_tool_result`, …
    pub kind: String,
    /// The server tool call it answers.
    pub tool_use_id: String,
    /// The result or the error object; `None` if the key is absent.
    pub content: Option<RawJson>,
    /// Everything else.
    pub extra: Extra,
}

impl ServerToolResult {
    pub(super) fn build(pairs: &[Pair<'_>]) -> Option<Self> {
        let mut object = Object::new(pairs, &["type", "tool_use_id", "content"])?;
        let kind = object.string("type")?;
        let tool_use_id = object.string("tool_use_id")?;
        let content = object.optional("content", |raw: RawRef<'_>| Some(raw.to_owned()));
        Some(Self { kind, tool_use_id, content, extra: object.extra() })
    }

    pub(super) fn write_json(&self, out: &mut String) {
        write_object(
            &self.extra,
            &[
                ("type", Some(Field::Str(&self.kind))),
                ("tool_use_id", Some(Field::Str(&self.tool_use_id))),
                ("content", self.content.as_ref().map(|c| Field::Raw(c.get()))),
            ],
            out,
        );
    }
}
