//! Walking: every kind of message alike, nothing allocated.

use super::{BlockMut, BlockRef, Message};
use crate::block::{ContentBlock, Source, ToolResult, ToolUse};
use crate::content::{Content, MAX_BLOCK_DEPTH};
use crate::json::Text;

/// The blocks of one message; see [`Message::blocks`].
#[derive(Debug, Clone)]
pub struct Blocks<'a>(Inner<'a>);

#[derive(Debug, Clone)]
enum Inner<'a> {
    One(Option<BlockRef<'a>>),
    List(std::slice::Iter<'a, ContentBlock>),
}

impl<'a> Blocks<'a> {
    pub(super) const fn none() -> Self {
        Self(Inner::One(None))
    }

    pub(super) fn of_list(blocks: &'a [ContentBlock]) -> Self {
        Self(Inner::List(blocks.iter()))
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
impl std::iter::FusedIterator for Blocks<'_> {}

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
    /// What is left to walk at each level. Messages that were read nest no deeper than this.
    levels: [Blocks<'a>; MAX_BLOCK_DEPTH + 2],
    /// What is left below that, in messages made by hand.
    deeper: Vec<Blocks<'a>>,
    /// The level to go on at.
    depth: usize,
}

impl<'a> Walk<'a> {
    fn of(blocks: Blocks<'a>) -> Self {
        let mut levels = [const { Blocks::none() }; MAX_BLOCK_DEPTH + 2];
        if let Some(first) = levels.first_mut() {
            *first = blocks;
        }
        Self { levels, deeper: Vec::new(), depth: 0 }
    }

    fn enter(&mut self, inner: Blocks<'a>) {
        self.depth += 1;
        match self.levels.get_mut(self.depth) {
            Some(level) => *level = inner,
            None => self.deeper.push(inner),
        }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = WalkItem<'a>;

    fn next(&mut self) -> Option<WalkItem<'a>> {
        loop {
            let depth = self.depth;
            let level = if depth < self.levels.len() { self.levels.get_mut(depth) } else { self.deeper.last_mut() };
            if let Some(block) = level?.next() {
                let inner = block.inner();
                if inner.len() > 0 {
                    self.enter(inner);
                }
                return Some(WalkItem { block, depth });
            }
            self.deeper.pop();
            self.depth = depth.checked_sub(1)?;
        }
    }
}

impl std::iter::FusedIterator for Walk<'_> {}

/// The blocks of one message to change; see [`Message::blocks_mut`].
#[derive(Debug)]
pub struct BlocksMut<'a>(InnerMut<'a>);

#[derive(Debug)]
enum InnerMut<'a> {
    One(Option<BlockMut<'a>>),
    List(std::slice::IterMut<'a, ContentBlock>),
}

impl<'a> BlocksMut<'a> {
    const fn none() -> Self {
        Self(InnerMut::One(None))
    }

    /// The blocks of a content.
    pub fn of(content: &'a mut Content) -> Self {
        match content {
            Content::Text(text) => Self(InnerMut::One(Some(BlockMut::String(text)))),
            Content::Blocks(blocks) => Self(InnerMut::List(blocks.iter_mut())),
        }
    }
}

impl<'a> Iterator for BlocksMut<'a> {
    type Item = BlockMut<'a>;

    fn next(&mut self) -> Option<BlockMut<'a>> {
        match &mut self.0 {
            InnerMut::One(block) => block.take(),
            InnerMut::List(blocks) => blocks.next().map(BlockMut::Block),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = match &self.0 {
            InnerMut::One(block) => usize::from(block.is_some()),
            InnerMut::List(blocks) => blocks.len(),
        };
        (n, Some(n))
    }
}

impl ExactSizeIterator for BlocksMut<'_> {}
impl std::iter::FusedIterator for BlocksMut<'_> {}

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
        Walk::of(self.blocks())
    }

    /// The blocks of the message, to change in place; see also [`walk_mut`](Self::walk_mut).
    ///
    /// ```
    /// use antiphon_model::Message;
    /// let mut message = Message::user("hi");
    /// for block in message.blocks_mut() {
    ///     if let Some(text) = block.into_text() {
    ///         text.make_mut().push('!');
    ///     }
    /// }
    /// assert_eq!(message, Message::user("hi!"));
    /// ```
    pub fn blocks_mut(&mut self) -> BlocksMut<'_> {
        match self {
            Self::ToolUse(m) => BlocksMut(InnerMut::One(Some(BlockMut::ToolUse(m)))),
            Self::ToolResult(m) => BlocksMut(InnerMut::One(Some(BlockMut::ToolResult(m)))),
            _ => self.content_mut().map_or(BlocksMut::none(), BlocksMut::of),
        }
    }

    /// Calls `visit` for each block of the message, to change it in place.
    pub fn for_each_block_mut(&mut self, visit: impl FnMut(BlockMut<'_>)) {
        self.blocks_mut().for_each(visit);
    }

    /// Calls `visit` for each block, inner ones too (after the one they are in).
    ///
    /// ```
    /// use antiphon_model::{Message, ToolResult};
    /// let mut message = Message::from(ToolResult::ok("t1", "secret")?);
    /// message.walk_mut(|block| {
    ///     if let Some(text) = block.into_text() {
    ///         *text.make_mut() = text.replace("secret", "***");
    ///     }
    /// });
    /// assert_eq!(message, Message::from(ToolResult::ok("t1", "***")?));
    /// # Ok::<(), antiphon_model::JsonError>(())
    /// ```
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

    /// The calls of client tools in it, to change.
    pub fn tool_uses_mut(&mut self) -> impl Iterator<Item = &mut ToolUse> {
        self.blocks_mut().filter_map(BlockMut::into_tool_use)
    }

    /// The results of client tools in it, to change.
    pub fn tool_results_mut(&mut self) -> impl Iterator<Item = &mut ToolResult> {
        self.blocks_mut().filter_map(BlockMut::into_tool_result)
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
