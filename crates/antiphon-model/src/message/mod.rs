//! Messages: the five kinds, and whatever else comes.

mod assistant;
mod construct;
mod view;
mod walk;
mod wire;

pub use assistant::StopReason;
pub use view::{BlockMut, BlockRef};
pub use walk::{Blocks, BlocksMut, Walk, WalkItem};
pub use wire::{Wire, to_wire};

use crate::block::{ToolResult, ToolUse};
use crate::content::{Content, read_blocks};
use crate::extra::{Extra, Field};
use crate::json::{JsonError, Pair, RawJson, RawRef, Scanner, compact};
use crate::object::{Object, only};
use std::borrow::Cow;

/// The role a message has in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The caller's side: people, and tools giving results.
    User,
    /// The model.
    Assistant,
    /// An instruction in mid-conversation.
    System,
}

impl Role {
    /// The role by its name in JSON.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::User, Self::Assistant, Self::System].into_iter().find(|role| role.as_str() == name)
    }

    /// The role's name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One message of a conversation: a turn, or a flat record as session files have them.
///
/// ```
/// use antiphon_model::{Message, Role};
/// let message = Message::from_json(r#"{"role":"tool_use","id":"t1","name":"ls","input":{}}"#)?;
/// assert_eq!(message.wire_role(), Some(Role::Assistant));
/// assert_eq!(message.tool_uses().next().unwrap().name, "ls");
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// `{"role":"user",…}`
    User(UserMessage),
    /// `{"role":"assistant",…}`
    Assistant(AssistantMessage),
    /// A flat `{"role":"tool_use",…}`: a call that stands on a line of its own.
    ToolUse(ToolUse),
    /// A flat `{"role":"tool_result",…}`.
    ToolResult(ToolResult),
    /// `{"role":"system",…}`
    System(SystemMessage),
    /// Anything else, kept as written.
    Other(OtherMessage),
}

/// What the caller says, and what its tools gave back.
#[derive(Debug, Clone, PartialEq)]
pub struct UserMessage {
    /// A string or blocks.
    pub content: Content,
    /// Everything else.
    pub extra: Extra,
}

/// What the model says: a turn in a request, and the message that the API answers with. What only
/// answers have (`id`, `model`, `stop_reason`, `usage`) is read from [`extra`](Self::extra) by methods.
#[derive(Debug, Clone, PartialEq)]
pub struct AssistantMessage {
    /// A string or blocks.
    pub content: Content,
    /// Everything else.
    pub extra: Extra,
}

/// An instruction in mid-conversation. The first one belongs to [`Request::system`](crate::Request::system).
#[derive(Debug, Clone, PartialEq)]
pub struct SystemMessage {
    /// A string or blocks.
    pub content: Content,
    /// Everything else.
    pub extra: Extra,
}

/// A message kept as it came: of another role, or without what its role requires.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherMessage {
    /// Its role, if it has one.
    pub role: Option<String>,
    /// Its JSON as written.
    pub raw: RawJson,
}

impl Message {
    /// Reads one message.
    ///
    /// # Errors
    /// If the text is not JSON. Any JSON value is taken: what is no message becomes [`Self::Other`].
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        let mut scanner = Scanner::new(text);
        let message = Self::read(&mut scanner, &mut Vec::with_capacity(16))?;
        scanner.end()?;
        Ok(message)
    }

    /// Reads one message from validated JSON.
    pub fn from_raw(raw: RawRef<'_>) -> Self {
        Self::read(&mut Scanner::new(raw.get()), &mut Vec::new()).unwrap_or_else(|_| Self::other(raw))
    }

    /// Validates a record of a session file and reads the message in it in the same pass: the member
    /// `message`, if it is an object and the record has no `role` of its own, else the record itself, if that
    /// has one. `None` for a record of another kind.
    ///
    /// ```
    /// use antiphon_model::Message;
    /// let line = r#"{"type":"user","message":{"role":"user","content":"hi"}}"#;
    /// let (record, message) = Message::from_record(line)?;
    /// assert_eq!(record.get(), line);
    /// assert_eq!(message, Some(Message::user("hi")));
    /// assert_eq!(Message::from_record(r#"{"type":"summary"}"#)?.1, None);
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not exactly one JSON value.
    pub fn from_record(text: &str) -> Result<(RawRef<'_>, Option<Self>), JsonError> {
        let mut scanner = Scanner::new(text);
        scanner.skip_ws();
        let start = scanner.offset();
        if scanner.peek() != Some(b'{') {
            let value = scanner.skip_value()?;
            scanner.end()?;
            return Ok((value, None));
        }
        scanner.eat(b'{');
        let mut pairs = Vec::with_capacity(16);
        let (mut inner, mut role, mut first) = (None, false, true);
        while let Some((raw_key, escaped)) = scanner.next_key(first)? {
            first = false;
            scanner.skip_ws();
            let is = |name: &str| raw_key == name || escaped && crate::json::decode_key(raw_key, true) == name;
            role |= is("role");
            if is("message") {
                inner = if scanner.peek() == Some(b'{') {
                    Some(Self::read(&mut scanner, &mut pairs)?)
                } else {
                    scanner.skip_value()?;
                    None
                };
            } else {
                scanner.skip_value()?;
            }
        }
        let record = scanner.taken_since(start)?;
        scanner.end()?;
        let message = match inner {
            Some(message) if !role => Some(message),
            _ => Some(Self::from_raw(record)).filter(|m| !matches!(m, Self::Other(other) if other.role.is_none())),
        };
        Ok((record, message))
    }

    fn other(raw: RawRef<'_>) -> Self {
        let role = raw.member("role").and_then(RawRef::as_str).map(Cow::into_owned);
        Self::Other(OtherMessage { role, raw: raw.to_owned() })
    }

    /// Reads the message that comes next. `pairs` is a stack for the members of what is being read: what is
    /// pushed on it is taken off again.
    pub(crate) fn read<'a>(scanner: &mut Scanner<'a>, pairs: &mut Vec<Pair<'a>>) -> Result<Self, JsonError> {
        scanner.skip_ws();
        if scanner.peek() != Some(b'{') {
            return scanner.skip_value().map(Self::other);
        }
        let start = scanner.offset();
        scanner.eat(b'{');
        let base = pairs.len();
        // A list of blocks is read as it is passed over, whatever the role turns out to be: most of a
        // session is in there, and this way it is scanned once.
        let mut content = None;
        let mut first = true;
        while let Some((raw_key, escaped)) = scanner.next_key(first)? {
            first = false;
            scanner.skip_ws();
            let from = scanner.offset();
            if raw_key == "content" && scanner.peek() == Some(b'[') {
                content = Some(Content::Blocks(read_blocks(scanner, pairs, 0)?));
                let value = scanner.taken_since(from)?;
                pairs.push(Pair { raw_key, key_escaped: escaped, value, value_escaped: false });
            } else {
                pairs.push(scanner.pair(raw_key, escaped)?);
            }
        }
        let message = Self::build(pairs.get(base..).unwrap_or_default(), content);
        pairs.truncate(base);
        match message {
            Some(message) => Ok(message),
            None => scanner.taken_since(start).map(Self::other),
        }
    }

    fn build(pairs: &[Pair<'_>], content: Option<Content>) -> Option<Self> {
        let role = only(pairs, "role")?.str()?;
        match &*role {
            "user" | "assistant" | "system" => {
                let object = Object::new(pairs, &["role", "content"])?;
                let content = match content {
                    Some(content) => content,
                    None => match object.text("content") {
                        Some(text) => Content::Text(text),
                        None => Content::from_raw(object.raw("content")?)?,
                    },
                };
                let extra = object.extra();
                Some(match &*role {
                    "user" => Self::User(UserMessage { content, extra }),
                    "assistant" => Self::Assistant(AssistantMessage { content, extra }),
                    _ => Self::System(SystemMessage { content, extra }),
                })
            }
            "tool_use" => ToolUse::build(pairs, "role").map(Self::ToolUse),
            "tool_result" => ToolResult::build(pairs, "role", 0).map(Self::ToolResult),
            _ => None,
        }
    }

    /// The role in JSON: `user`, `assistant`, `tool_use`, `tool_result`, `system` or another.
    pub fn role_name(&self) -> &str {
        match self {
            Self::User(_) => "user",
            Self::Assistant(_) => "assistant",
            Self::ToolUse(_) => "tool_use",
            Self::ToolResult(_) => "tool_result",
            Self::System(_) => "system",
            Self::Other(other) => other.role.as_deref().unwrap_or_default(),
        }
    }

    /// The role in a request: a flat call is the assistant's, a flat result the user's. `None` for
    /// [`Self::Other`].
    pub fn wire_role(&self) -> Option<Role> {
        match self {
            Self::User(_) | Self::ToolResult(_) => Some(Role::User),
            Self::Assistant(_) | Self::ToolUse(_) => Some(Role::Assistant),
            Self::System(_) => Some(Role::System),
            Self::Other(_) => None,
        }
    }

    /// Whether it is a flat record.
    pub fn is_flat(&self) -> bool {
        matches!(self, Self::ToolUse(_) | Self::ToolResult(_))
    }

    /// The content of a user, assistant or system message.
    pub fn content(&self) -> Option<&Content> {
        match self {
            Self::User(m) => Some(&m.content),
            Self::Assistant(m) => Some(&m.content),
            Self::System(m) => Some(&m.content),
            Self::ToolUse(_) | Self::ToolResult(_) | Self::Other(_) => None,
        }
    }

    /// The content of a user, assistant or system message, to change.
    pub fn content_mut(&mut self) -> Option<&mut Content> {
        match self {
            Self::User(m) => Some(&mut m.content),
            Self::Assistant(m) => Some(&mut m.content),
            Self::System(m) => Some(&mut m.content),
            Self::ToolUse(_) | Self::ToolResult(_) | Self::Other(_) => None,
        }
    }

    /// The members without a field of their own; `None` for a message kept raw as a whole.
    pub fn extra(&self) -> Option<&Extra> {
        match self {
            Self::User(m) => Some(&m.extra),
            Self::Assistant(m) => Some(&m.extra),
            Self::System(m) => Some(&m.extra),
            Self::ToolUse(m) => Some(&m.extra),
            Self::ToolResult(m) => Some(&m.extra),
            Self::Other(_) => None,
        }
    }

    /// The members without a field of their own, to change.
    pub fn extra_mut(&mut self) -> Option<&mut Extra> {
        match self {
            Self::User(m) => Some(&mut m.extra),
            Self::Assistant(m) => Some(&mut m.extra),
            Self::System(m) => Some(&mut m.extra),
            Self::ToolUse(m) => Some(&mut m.extra),
            Self::ToolResult(m) => Some(&mut m.extra),
            Self::Other(_) => None,
        }
    }

    /// Appends the message to `out` as JSON.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::User(m) => write_turn("user", &m.content, &m.extra, out),
            Self::Assistant(m) => write_turn("assistant", &m.content, &m.extra, out),
            Self::System(m) => write_turn("system", &m.content, &m.extra, out),
            Self::ToolUse(m) => m.write_tagged("role", out),
            Self::ToolResult(m) => m.write_tagged("role", out),
            Self::Other(m) => out.push_str(m.raw.get()),
        }
    }

    /// The message as JSON, on one line unless a raw part was written over several; see
    /// [`to_json_line`](Self::to_json_line).
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.size_hint());
        self.write_json(&mut out);
        out
    }

    /// The message as JSON on one line, as a session file has it: like [`to_json`](Self::to_json), without
    /// the white space of raw parts that were written over several.
    ///
    /// ```
    /// use antiphon_model::Message;
    /// let message = Message::from_json("{\"role\":\"tool_use\",\"id\":\"t\",\"name\":\"n\",\"input\":{\n  \"a\": 1\n}}")?;
    /// assert_eq!(message.to_json_line(), r#"{"role":"tool_use","id":"t","name":"n","input":{"a":1}}"#);
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    pub fn to_json_line(&self) -> String {
        let json = self.to_json();
        match compact(&json) {
            Cow::Borrowed(_) => json,
            Cow::Owned(line) => line,
        }
    }

    /// About how long the JSON is, a little more than less: a wrong guess costs an allocation.
    pub(crate) fn size_hint(&self) -> usize {
        match self {
            Self::User(UserMessage { content, extra })
            | Self::Assistant(AssistantMessage { content, extra })
            | Self::System(SystemMessage { content, extra }) => content.size_hint() + extra.size_hint(),
            Self::ToolUse(m) => m.size_hint(),
            Self::ToolResult(m) => m.size_hint(),
            Self::Other(m) => m.raw.get().len(),
        }
    }
}

fn write_turn(role: &str, content: &Content, extra: &Extra, out: &mut String) {
    out.push('{');
    extra.write_members(&[("role", Some(Field::Str(role))), ("content", Some(Field::Value(content)))], out);
    out.push('}');
}
