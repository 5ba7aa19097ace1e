//! A request as it goes to the API.

use crate::block::{ToolResult, ToolUse};
use crate::content::Content;
use crate::extra::{Extra, Field, WriteJson};
use crate::json::{JsonError, JsonErrorKind, JsonKind, Pair, RawJson, RawRef, Scanner, Text, decode_key};
use crate::message::{Message, WalkItem};
use crate::object::{MAX_MEMBERS, Object};
use std::borrow::Cow;

/// A Messages API request: system prompt, messages, tools, and every other parameter kept raw.
///
/// ```
/// use antiphon_model::{Message, Request};
/// let request = Request::from_json(r#"{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}"#)?;
/// assert_eq!(request.model().as_deref(), Some("m"));
/// assert_eq!(request.messages.len(), 1);
/// let request = Request::new(vec![Message::user("hi")]).with_system("Be brief.");
/// assert_eq!(request.to_json(), r#"{"system":"Be brief.","messages":[{"role":"user","content":"hi"}]}"#);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The system prompt: a string or text blocks.
    pub system: Option<Content>,
    /// The conversation.
    pub messages: Vec<Message>,
    /// Tool definitions, if the key is there and holds a list.
    pub tools: Option<Vec<Tool>>,
    /// Everything else: `model`, `max_tokens`, `thinking`, …
    pub extra: Extra,
}

impl Request {
    /// A request of messages alone; the rest is set by the `with_…` methods or in [`extra`](Self::extra).
    pub fn new(messages: Vec<Message>) -> Self {
        Self { system: None, messages, tools: None, extra: Extra::new() }
    }

    /// Sets the system prompt.
    #[must_use]
    pub fn with_system(mut self, system: impl Into<Content>) -> Self {
        self.system = Some(system.into());
        self
    }

    /// Sets the tool definitions.
    #[must_use]
    pub fn with_tools(mut self, tools: Vec<Tool>) -> Self {
        self.tools = Some(tools);
        self
    }

    /// Sets any other parameter.
    #[must_use]
    pub fn with_param(mut self, key: &str, value: RawJson) -> Self {
        self.extra.insert(key, value);
        self
    }

    /// Reads a request: an object with a list of `messages`.
    ///
    /// # Errors
    /// With the place, if the text is not JSON; if it is no object or has no list of messages.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        let mut scanner = Scanner::new(text);
        let request = Self::read(&mut scanner)?;
        scanner.end()?;
        Ok(request)
    }

    /// Reads a bare array of messages.
    ///
    /// # Errors
    /// With the place, if the text is not JSON or no array.
    pub fn from_messages_json(text: &str) -> Result<Self, JsonError> {
        let mut scanner = Scanner::new(text);
        scanner.skip_ws();
        if scanner.peek() != Some(b'[') {
            return Err(scanner.error(JsonErrorKind::Expected("an array of messages")));
        }
        let messages = read_messages(&mut scanner)?;
        scanner.end()?;
        Ok(Self::new(messages))
    }

    fn read(scanner: &mut Scanner<'_>) -> Result<Self, JsonError> {
        scanner.skip_ws();
        let start = scanner.offset();
        if !scanner.eat(b'{') {
            return Err(scanner.error(JsonErrorKind::Expected("a request object")));
        }
        let mut pairs: Vec<Pair<'_>> = Vec::new();
        let mut messages = None;
        let mut first = true;
        while let Some((raw_key, key_escaped)) = scanner.next_key(first)? {
            first = false;
            scanner.skip_ws();
            let from = scanner.offset();
            if decode_key(raw_key, key_escaped) == "messages" && scanner.peek() == Some(b'[') {
                messages = Some(read_messages(scanner)?);
                pairs.push(Pair { raw_key, key_escaped, value: scanner.taken_since(from)?, value_escaped: false });
            } else {
                pairs.push(scanner.pair(raw_key, key_escaped)?);
            }
        }
        let fault = |what| Err(JsonError::new(JsonErrorKind::Expected(what), scanner.text(), start));
        let Some(mut object) = Object::new(&pairs, &["system", "messages", "tools"]) else {
            return fault(if pairs.len() > MAX_MEMBERS {
                "a request with at most 250 parameters"
            } else {
                "each of `system`, `messages` and `tools` once"
            });
        };
        let Some(messages) = messages else { return fault("a list of `messages` in the object") };
        let system = object.optional("system", Content::from_raw);
        let tools = object.optional("tools", |raw| {
            (raw.kind() == JsonKind::Array).then(|| raw.elements().map(|t| Tool::from_raw(t.to_owned())).collect())
        });
        Ok(Self { system, messages, tools, extra: object.extra() })
    }

    /// A parameter other than system, messages and tools.
    pub fn param(&self, key: &str) -> Option<RawRef<'_>> {
        self.extra.get(key)
    }

    /// `model`
    pub fn model(&self) -> Option<Cow<'_, str>> {
        self.param("model").and_then(RawRef::as_str)
    }

    /// `max_tokens`
    pub fn max_tokens(&self) -> Option<u64> {
        self.param("max_tokens").and_then(RawRef::as_u64)
    }

    /// The calls of client tools in all messages, in order.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.messages.iter().flat_map(Message::tool_uses)
    }

    /// The results of client tools in all messages, in order.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.messages.iter().flat_map(Message::tool_results)
    }

    /// Every block of every message with the index of its message, those inside others too; see
    /// [`Message::walk`].
    ///
    /// ```
    /// use antiphon_model::{Message, Request};
    /// let request = Request::new(vec![Message::user("hi"), Message::assistant("hello")]);
    /// assert_eq!(request.walk().map(|(message, _)| message).collect::<Vec<_>>(), [0, 1]);
    /// ```
    pub fn walk(&self) -> impl Iterator<Item = (usize, WalkItem<'_>)> {
        self.messages.iter().enumerate().flat_map(|(at, message)| message.walk().map(move |item| (at, item)))
    }

    /// The definition of the tool `name`, if it is declared.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().flatten().find(|tool| tool.member("name").is_some_and(|raw| raw.is_str(name)))
    }

    /// Sets a parameter other than system, messages and tools.
    pub fn set_param(&mut self, key: &str, value: RawJson) {
        self.extra.insert(key, value);
    }

    /// Appends the request to `out` as JSON.
    pub fn write_json(&self, out: &mut String) {
        out.push('{');
        self.extra.write_members(
            &[
                ("system", self.system.as_ref().map(|s| Field::Value(s))),
                ("messages", Some(Field::Value(&self.messages))),
                ("tools", self.tools.as_ref().map(|t| Field::Value(t))),
            ],
            out,
        );
        out.push('}');
    }

    /// The request as JSON.
    pub fn to_json(&self) -> String {
        let messages: usize = self.messages.iter().map(|message| 1 + message.size_hint()).sum();
        let tools: usize = self.tools.iter().flatten().map(|tool| 1 + tool.0.get().len()).sum();
        let system = self.system.as_ref().map_or(0, Content::size_hint);
        let mut out = String::with_capacity(messages + tools + system + self.extra.size_hint() + 32);
        self.write_json(&mut out);
        out
    }
}

fn read_messages<'a>(scanner: &mut Scanner<'a>) -> Result<Vec<Message>, JsonError> {
    let mut messages = Vec::new();
    let mut scratch = Vec::new();
    scanner.eat(b'[');
    let mut first = true;
    while scanner.next_element(first)? {
        first = false;
        messages.push(Message::read(scanner, &mut scratch)?);
    }
    Ok(messages)
}

impl WriteJson for Vec<Message> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (i, message) in self.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            message.write_json(out);
        }
        out.push(']');
    }
}

/// A tool definition, kept as written and read by name: client tools (`name`, `input_schema`) and the
/// provider's own (`type`).
///
/// ```
/// use antiphon_model::{RawJson, Tool};
/// let schema = RawJson::parse(r#"{"type":"object","properties":{"path":{"type":"string"}}}"#)?;
/// let tool = Tool::new("read", "Reads a file.", &schema);
/// assert_eq!(tool.name().as_deref(), Some("read"));
/// assert!(tool.is_custom());
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool(RawJson);

impl Tool {
    /// A client tool.
    pub fn new(name: &str, description: &str, input_schema: &RawJson) -> Self {
        let mut out = String::from("{\"name\":");
        Text::from(name).write_json(&mut out);
        out.push_str(",\"description\":");
        Text::from(description).write_json(&mut out);
        out.push_str(",\"input_schema\":");
        out.push_str(input_schema.get());
        out.push('}');
        Self(RawJson::trusted(out))
    }

    /// Any JSON value as a definition.
    pub fn from_raw(raw: RawJson) -> Self {
        Self(raw)
    }

    /// The JSON as it came.
    pub fn raw(&self) -> RawRef<'_> {
        self.0.as_ref()
    }

    /// Any member.
    pub fn member(&self, key: &str) -> Option<RawRef<'_>> {
        self.0.member(key)
    }

    /// `name`
    pub fn name(&self) -> Option<Cow<'_, str>> {
        self.member("name").and_then(RawRef::as_str)
    }

    /// `type`; absent or `custom` for a client tool.
    pub fn kind(&self) -> Option<Cow<'_, str>> {
        self.member("type").and_then(RawRef::as_str)
    }

    /// Whether it is a tool that the caller describes and runs.
    pub fn is_custom(&self) -> bool {
        self.kind().is_none_or(|kind| kind == "custom")
    }

    /// `description`
    pub fn description(&self) -> Option<Cow<'_, str>> {
        self.member("description").and_then(RawRef::as_str)
    }

    /// `input_schema`
    pub fn input_schema(&self) -> Option<RawRef<'_>> {
        self.member("input_schema")
    }

    /// Takes the cache mark away and gives it back.
    pub fn remove_cache_control(&mut self) -> Option<RawJson> {
        let (removed, rest) = self.0.as_ref().without_member("cache_control")?;
        self.0 = rest;
        Some(removed)
    }
}

impl WriteJson for Vec<Tool> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (i, tool) in self.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            out.push_str(tool.0.get());
        }
        out.push(']');
    }
}
