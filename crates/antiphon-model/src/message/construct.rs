//! Constructors that read like the sentence they make.

use super::{AssistantMessage, Message, OtherMessage, Role, SystemMessage, UserMessage};
use crate::block::{ContentBlock, ImageBlock, ToolResult, ToolUse};
use crate::content::Content;
use crate::error::MediaError;
use crate::json::{JsonError, Text};
use serde::Serialize;

impl Message {
    /// What a user says.
    ///
    /// ```
    /// let message = antiphon_model::Message::user("hello");
    /// assert_eq!(message.to_json(), r#"{"role":"user","content":"hello"}"#);
    /// ```
    pub fn user(text: impl Into<Text>) -> Self {
        Self::turn(Role::User, text.into())
    }

    /// What the model says.
    pub fn assistant(text: impl Into<Text>) -> Self {
        Self::turn(Role::Assistant, text.into())
    }

    /// An instruction.
    pub fn system(text: impl Into<Text>) -> Self {
        Self::turn(Role::System, text.into())
    }

    /// A user turn of blocks.
    pub fn user_blocks(blocks: Vec<ContentBlock>) -> Self {
        Self::turn(Role::User, blocks)
    }

    /// An assistant turn of blocks.
    pub fn assistant_blocks(blocks: Vec<ContentBlock>) -> Self {
        Self::turn(Role::Assistant, blocks)
    }

    /// A text and a picture from a file: the text block first, then the image as base64. The media type
    /// is found from the content of the file, never from its name.
    ///
    /// ```no_run
    /// use antiphon_model::Message;
    /// let message = Message::user_with_image("What is this?", "photo.jpg")?;
    /// # Ok::<(), antiphon_model::MediaError>(())
    /// ```
    ///
    /// # Errors
    /// [`MediaError`]: the file cannot be read, is no JPEG, PNG, GIF or WebP, or is over the limit.
    #[cfg(feature = "fs")]
    pub fn user_with_image(text: impl Into<Text>, path: impl AsRef<std::path::Path>) -> Result<Self, MediaError> {
        Ok(Self::user_blocks(vec![ContentBlock::text(text), ImageBlock::from_path(path)?.into()]))
    }

    /// A text and a picture from bytes; see [`ImageBlock::from_bytes`].
    ///
    /// # Errors
    /// [`MediaError`]: the bytes are no JPEG, PNG, GIF or WebP, or over the limit.
    pub fn user_with_image_bytes(text: impl Into<Text>, bytes: &[u8]) -> Result<Self, MediaError> {
        Ok(Self::user_blocks(vec![ContentBlock::text(text), ImageBlock::from_bytes(bytes)?.into()]))
    }

    /// A flat call record.
    ///
    /// # Errors
    /// If the input cannot be JSON.
    pub fn tool_use<T: Serialize + ?Sized>(
        id: impl Into<String>,
        name: impl Into<String>,
        input: &T,
    ) -> Result<Self, JsonError> {
        ToolUse::new(id, name, input).map(Self::ToolUse)
    }

    /// A flat result record from any serialisable output; see [`ToolResult::ok`].
    ///
    /// # Errors
    /// If the output cannot be JSON.
    pub fn tool_result<T: Serialize + ?Sized>(tool_use_id: impl Into<String>, output: &T) -> Result<Self, JsonError> {
        ToolResult::ok(tool_use_id, output).map(Self::ToolResult)
    }

    /// A flat record of a tool that failed; see [`ToolResult::error`].
    pub fn tool_error(tool_use_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::ToolResult(ToolResult::error(tool_use_id, text))
    }
}

impl UserMessage {
    /// A user turn with any content.
    pub fn new(content: impl Into<Content>) -> Self {
        Self { content: content.into(), extra: crate::Extra::new() }
    }
}

impl AssistantMessage {
    /// An assistant turn with any content.
    pub fn new(content: impl Into<Content>) -> Self {
        Self { content: content.into(), extra: crate::Extra::new() }
    }
}

impl SystemMessage {
    /// An instruction with any content.
    pub fn new(content: impl Into<Content>) -> Self {
        Self { content: content.into(), extra: crate::Extra::new() }
    }
}

impl From<SystemMessage> for Message {
    fn from(message: SystemMessage) -> Self {
        Self::System(message)
    }
}

impl From<UserMessage> for Message {
    fn from(message: UserMessage) -> Self {
        Self::User(message)
    }
}

impl From<AssistantMessage> for Message {
    fn from(message: AssistantMessage) -> Self {
        Self::Assistant(message)
    }
}

impl From<ToolUse> for Message {
    fn from(record: ToolUse) -> Self {
        Self::ToolUse(record)
    }
}

impl From<ToolResult> for Message {
    fn from(record: ToolResult) -> Self {
        Self::ToolResult(record)
    }
}

impl From<OtherMessage> for Message {
    fn from(message: OtherMessage) -> Self {
        Self::Other(message)
    }
}
