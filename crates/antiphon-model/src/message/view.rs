//! A block seen apart from where it stands.

use super::Blocks;
use crate::block::{
    CompactionBlock, ContainerUploadBlock, ContentBlock, DocumentBlock, ImageBlock, OtherBlock, RedactedThinkingBlock,
    SearchResultBlock, ServerToolResult, ServerToolUse, Source, TextBlock, ThinkingBlock, ToolReferenceBlock,
    ToolResult, ToolUse,
};
use crate::extra::Extra;
use crate::json::{RawRef, Text};

/// A block of any message: a string content stands as a text block, a flat record as its block.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BlockRef<'a> {
    /// Text: of a block (then `block` is there) or the string content of a message.
    Text {
        /// The text.
        text: &'a Text,
        /// The block it is in, unless the content is a string.
        block: Option<&'a TextBlock>,
    },
    /// `image`
    Image(&'a ImageBlock),
    /// `document`
    Document(&'a DocumentBlock),
    /// `search_result`
    SearchResult(&'a SearchResultBlock),
    /// `thinking`
    Thinking(&'a ThinkingBlock),
    /// `redacted_thinking`
    RedactedThinking(&'a RedactedThinkingBlock),
    /// `tool_use`, a block or a flat record.
    ToolUse(&'a ToolUse),
    /// `tool_result`, a block or a flat record.
    ToolResult(&'a ToolResult),
    /// `tool_reference`
    ToolReference(&'a ToolReferenceBlock),
    /// `server_tool_use`, `mcp_tool_use`
    ServerToolUse(&'a ServerToolUse),
    /// The result of a server tool.
    ServerToolResult(&'a ServerToolResult),
    /// `container_upload`
    ContainerUpload(&'a ContainerUploadBlock),
    /// `compaction`
    Compaction(&'a CompactionBlock),
    /// A block kept raw.
    Other(&'a OtherBlock),
}

/// A block of any message, to change in place.
#[derive(Debug, PartialEq)]
pub enum BlockMut<'a> {
    /// The string content of a message.
    String(&'a mut Text),
    /// A block of a list.
    Block(&'a mut ContentBlock),
    /// A flat call.
    ToolUse(&'a mut ToolUse),
    /// A flat result.
    ToolResult(&'a mut ToolResult),
}

impl<'a> From<&'a ContentBlock> for BlockRef<'a> {
    fn from(block: &'a ContentBlock) -> Self {
        match block {
            ContentBlock::Text(b) => Self::Text { text: &b.text, block: Some(b) },
            ContentBlock::Image(b) => Self::Image(b),
            ContentBlock::Document(b) => Self::Document(b),
            ContentBlock::SearchResult(b) => Self::SearchResult(b),
            ContentBlock::Thinking(b) => Self::Thinking(b),
            ContentBlock::RedactedThinking(b) => Self::RedactedThinking(b),
            ContentBlock::ToolUse(b) => Self::ToolUse(b),
            ContentBlock::ToolResult(b) => Self::ToolResult(b),
            ContentBlock::ToolReference(b) => Self::ToolReference(b),
            ContentBlock::ServerToolUse(b) => Self::ServerToolUse(b),
            ContentBlock::ServerToolResult(b) => Self::ServerToolResult(b),
            ContentBlock::ContainerUpload(b) => Self::ContainerUpload(b),
            ContentBlock::Compaction(b) => Self::Compaction(b),
            ContentBlock::Other(b) => Self::Other(b),
        }
    }
}

impl<'a> BlockRef<'a> {
    /// The block's `type`; empty if it has none.
    pub fn type_name(self) -> &'a str {
        match self {
            Self::Text { .. } => "text",
            Self::Image(_) => "image",
            Self::Document(_) => "document",
            Self::SearchResult(_) => "search_result",
            Self::Thinking(_) => "thinking",
            Self::RedactedThinking(_) => "redacted_thinking",
            Self::ToolUse(_) => "tool_use",
            Self::ToolResult(_) => "tool_result",
            Self::ToolReference(_) => "tool_reference",
            Self::ServerToolUse(b) => &b.kind,
            Self::ServerToolResult(b) => &b.kind,
            Self::ContainerUpload(_) => "container_upload",
            Self::Compaction(_) => "compaction",
            Self::Other(b) => &b.kind,
        }
    }

    /// The text, if it is a text block.
    pub fn as_text(self) -> Option<&'a Text> {
        if let Self::Text { text, .. } = self { Some(text) } else { None }
    }

    /// The call, if it is one of a client tool.
    pub fn as_tool_use(self) -> Option<&'a ToolUse> {
        if let Self::ToolUse(block) = self { Some(block) } else { None }
    }

    /// The result, if it is one of a client tool.
    pub fn as_tool_result(self) -> Option<&'a ToolResult> {
        if let Self::ToolResult(block) = self { Some(block) } else { None }
    }

    /// Whether it is `thinking` or `redacted_thinking`.
    pub fn is_thinking(self) -> bool {
        matches!(self.type_name(), "thinking" | "redacted_thinking")
    }

    /// The members without a field of their own; `None` for a block that is kept raw as a whole and for a string content.
    pub(crate) fn extra(self) -> Option<&'a Extra> {
        Some(match self {
            Self::Text { block, .. } => &block?.extra,
            Self::Image(b) => &b.extra,
            Self::Document(b) => &b.extra,
            Self::SearchResult(b) => &b.extra,
            Self::Thinking(b) => &b.extra,
            Self::RedactedThinking(b) => &b.extra,
            Self::ToolUse(b) => &b.extra,
            Self::ToolResult(b) => &b.extra,
            Self::ToolReference(b) => &b.extra,
            Self::ServerToolUse(b) => &b.extra,
            Self::ServerToolResult(b) => &b.extra,
            Self::ContainerUpload(b) => &b.extra,
            Self::Compaction(b) => &b.extra,
            Self::Other(_) => return None,
        })
    }

    /// A member without a field of its own, also of a block that is kept raw.
    pub fn member(self, key: &str) -> Option<RawRef<'a>> {
        if let Self::Other(block) = self { block.raw.member(key) } else { self.extra()?.get(key) }
    }

    /// The blocks inside: of a tool result, a document, a search result.
    pub(super) fn inner(self) -> Blocks<'a> {
        match self {
            Self::ToolResult(b) => b.content.as_ref().map_or(Blocks::none(), Blocks::of),
            Self::SearchResult(b) => Blocks::of_list(&b.content),
            Self::Document(b) => match &b.source {
                Source::Content(s) => Blocks::of(&s.content),
                _ => Blocks::none(),
            },
            _ => Blocks::none(),
        }
    }
}

impl<'a> BlockMut<'a> {
    /// The same block to read.
    pub fn as_block_ref(&self) -> BlockRef<'_> {
        match self {
            Self::String(text) => BlockRef::Text { text, block: None },
            Self::Block(block) => BlockRef::from(&**block),
            Self::ToolUse(record) => BlockRef::ToolUse(record),
            Self::ToolResult(record) => BlockRef::ToolResult(record),
        }
    }

    /// The text, if it is a string or a text block.
    pub fn into_text(self) -> Option<&'a mut Text> {
        match self {
            Self::String(text) => Some(text),
            Self::Block(ContentBlock::Text(block)) => Some(&mut block.text),
            _ => None,
        }
    }

    /// The call, if it is one of a client tool.
    pub fn into_tool_use(self) -> Option<&'a mut ToolUse> {
        match self {
            Self::ToolUse(record) | Self::Block(ContentBlock::ToolUse(record)) => Some(record),
            _ => None,
        }
    }

    /// The result, if it is one of a client tool.
    pub fn into_tool_result(self) -> Option<&'a mut ToolResult> {
        match self {
            Self::ToolResult(record) | Self::Block(ContentBlock::ToolResult(record)) => Some(record),
            _ => None,
        }
    }
}
