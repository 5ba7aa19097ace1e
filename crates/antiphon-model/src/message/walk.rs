//! Walking: every kind of message alike, nothing allocated but the stack of a deep walk.

use super::{Message, SystemMessage};
use crate::block::{
    CompactionBlock, ContainerUploadBlock, ContentBlock, DocumentBlock, ImageBlock, OtherBlock, RedactedThinkingBlock,
    SearchResultBlock, ServerToolResult, ServerToolUse, Source, TextBlock, ThinkingBlock, ToolReferenceBlock,
    ToolResult, ToolUse,
};
use crate::content::Content;
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

    /// A member without a field of its own, also of a block that is kept raw.
    pub fn member(self, key: &str) -> Option<RawRef<'a>> {
        let extra = match self {
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
            Self::Other(b) => return b.raw.member(key),
        };
        extra.get(key)
    }

    /// The blocks inside: of a tool result, a document, a search result.
    fn inner(self) -> Blocks<'a> {
        match self {
            Self::ToolResult(b) => b.content.as_ref().map_or(Blocks::none(), Blocks::of),
            Self::SearchResult(b) => Blocks(Inner::List(b.content.iter())),
            Self::Document(b) => match &b.source {
                Source::Content(s) => Blocks::of(&s.content),
                _ => Blocks::none(),
            },
            _ => Blocks::none(),
        }
    }
}

/// The blocks of one message; see [`Message::blocks`].
#[derive(Debug, Clone)]
pub struct Blocks<'a>(Inner<'a>);

#[derive(Debug, Clone)]
enum Inner<'a> {
    One(Option<BlockRef<'a>>),
    List(std::slice::Iter<'a, ContentBlock>),
}

impl<'a> Blocks<'a> {
    const fn none() -> Self {
        Self(Inner::One(None))
    }

    /// The blocks of a content.
    pub fn of(content: &'a Content) -> Self {
        match content {
            Content::Text(text) => Self(Inner::One(Some(BlockRef::Text { text, block: None }))),
            Content::Blocks(blocks) => Self(Inner::List(blocks.iter())),
        }
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = BlockRef<'a>;

    fn next(&mut self) -> Option<BlockRef<'a>> {
        match &mut self.0 {
            Inner::One(block) => block.take(),
            Inner::List(blocks) => blocks.next().map(BlockRef::from),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = match &self.0 {
            Inner::One(block) => usize::from(block.is_some()),
            Inner::List(blocks) => blocks.len(),
        };
        (n, Some(n))
    }
}

impl ExactSizeIterator for Blocks<'_> {}

/// A block met on a deep walk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkItem<'a> {
    /// The block.
    pub block: BlockRef<'a>,
    /// How deep it lies: 0 for a block of the message, 1 for one inside a tool result, …
    pub depth: usize,
}

/// All blocks of a message, outer before inner; see [`Message::walk`].
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    stack: Vec<Blocks<'a>>,
}

impl<'a> Iterator for Walk<'a> {
    type Item = WalkItem<'a>;

    fn next(&mut self) -> Option<WalkItem<'a>> {
        loop {
            let depth = self.stack.len().checked_sub(1)?;
            if let Some(block) = self.stack.last_mut()?.next() {
                let inner = block.inner();
                if inner.len() > 0 {
                    self.stack.push(inner);
                }
                return Some(WalkItem { block, depth });
            }
            self.stack.pop();
        }
    }
}

impl Message {
    /// The blocks of the message: a string content is one text block, a flat record its own block.
    ///
    /// ```
    /// use antiphon_model::Message;
    /// assert_eq!(Message::user("hi").blocks().count(), 1);
    /// ```
    pub fn blocks(&self) -> Blocks<'_> {
        match self {
            Self::ToolUse(m) => Blocks(Inner::One(Some(BlockRef::ToolUse(m)))),
            Self::ToolResult(m) => Blocks(Inner::One(Some(BlockRef::ToolResult(m)))),
            _ => self.content().map_or(Blocks::none(), Blocks::of),
        }
    }

    /// All blocks, those inside tool results, documents and search results too.
    ///
    /// ```
    /// use antiphon_model::{Message, ToolResult};
    /// let message = Message::from(ToolResult::ok("t1", "fine")?);
    /// let found: Vec<_> = message.walk().map(|w| (w.block.type_name(), w.depth)).collect();
    /// assert_eq!(found, [("tool_result", 0), ("text", 1)]);
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
    pub fn walk(&self) -> Walk<'_> {
        Walk { stack: vec![self.blocks()] }
    }

    /// Calls `visit` for each block of the message, to change it in place.
    pub fn for_each_block_mut(&mut self, mut visit: impl FnMut(BlockMut<'_>)) {
        match self {
            Self::ToolUse(m) => visit(BlockMut::ToolUse(m)),
            Self::ToolResult(m) => visit(BlockMut::ToolResult(m)),
            _ => {
                if let Some(content) = self.content_mut() {
                    visit_content(content, &mut visit, false);
                }
            }
        }
    }

    /// Calls `visit` for each block, inner ones too (after the one they are in).
    pub fn walk_mut(&mut self, mut visit: impl FnMut(BlockMut<'_>)) {
        match self {
            Self::ToolUse(m) => visit(BlockMut::ToolUse(m)),
            Self::ToolResult(m) => {
                visit(BlockMut::ToolResult(m));
                if let Some(content) = &mut m.content {
                    visit_content(content, &mut visit, true);
                }
            }
            _ => {
                if let Some(content) = self.content_mut() {
                    visit_content(content, &mut visit, true);
                }
            }
        }
    }

    /// The calls of client tools in it.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.blocks().filter_map(BlockRef::as_tool_use)
    }

    /// The results of client tools in it.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.blocks().filter_map(BlockRef::as_tool_result)
    }

    /// The text of its text blocks, joined by nothing. Text inside tool results is not in it.
    pub fn text(&self) -> String {
        self.blocks().filter_map(BlockRef::as_text).map(Text::as_str).collect()
    }
}

// Recursion is bounded: typed blocks nest at most MAX_BLOCK_DEPTH deep when read.
fn visit_content(content: &mut Content, visit: &mut impl FnMut(BlockMut<'_>), deep: bool) {
    match content {
        Content::Text(text) => visit(BlockMut::String(text)),
        Content::Blocks(blocks) => visit_blocks(blocks, visit, deep),
    }
}

fn visit_blocks(blocks: &mut [ContentBlock], visit: &mut impl FnMut(BlockMut<'_>), deep: bool) {
    for block in blocks {
        visit(BlockMut::Block(block));
        if !deep {
            continue;
        }
        match block {
            ContentBlock::ToolResult(b) => {
                if let Some(content) = &mut b.content {
                    visit_content(content, visit, true);
                }
            }
            ContentBlock::SearchResult(b) => visit_blocks(&mut b.content, visit, true),
            ContentBlock::Document(b) => {
                if let Source::Content(source) = &mut b.source {
                    visit_content(&mut source.content, visit, true);
                }
            }
            _ => {}
        }
    }
}

impl From<SystemMessage> for Message {
    fn from(message: SystemMessage) -> Self {
        Self::System(message)
    }
}
