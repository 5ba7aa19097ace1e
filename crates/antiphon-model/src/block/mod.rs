//! Content blocks: every block of the Messages API, typed where an agent works with it.

mod citation;
mod construct;
mod kinds;
mod source;
mod tool;

pub use citation::Citation;
pub use kinds::{
    CompactionBlock, ContainerUploadBlock, DocumentBlock, ImageBlock, OtherBlock, RedactedThinkingBlock,
    SearchResultBlock, TextBlock, ThinkingBlock, ToolReferenceBlock,
};
pub use source::{Base64Source, ContentSource, FileSource, Source, TextSource, UrlSource};
pub use tool::{ServerToolResult, ServerToolUse, ToolResult, ToolUse};

use crate::content::MAX_BLOCK_DEPTH;
use crate::extra::Extra;
use crate::json::{JsonError, Pair, RawJson, RawRef, Scanner};
use crate::message::BlockRef;
use crate::object::{only, scan_members};

/// One block of content.
///
/// A block whose `type` is not known here, or that lacks what its type requires, is
/// [`Other`](Self::Other) and keeps its JSON as written; unknown members of known blocks stay in
/// their [`Extra`]. So every block leaves as it came.
///
/// ```
/// use antiphon_model::ContentBlock;
/// let block = ContentBlock::from_json(r#"{"type":"text","text":"hi","later":1e2}"#)?;
/// assert!(matches!(&block, ContentBlock::Text(b) if b.text == "hi"));
/// assert_eq!(block.to_json(), r#"{"type":"text","text":"hi","later":1e2}"#);
/// let block = ContentBlock::from_json(r#"{"type":"hologram","w":3}"#)?;
/// assert_eq!(block.type_name(), "hologram");
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// `text`
    Text(TextBlock),
    /// `image`
    Image(ImageBlock),
    /// `document`
    Document(Box<DocumentBlock>),
    /// `search_result`
    SearchResult(Box<SearchResultBlock>),
    /// `thinking`
    Thinking(ThinkingBlock),
    /// `redacted_thinking`
    RedactedThinking(RedactedThinkingBlock),
    /// `tool_use`
    ToolUse(ToolUse),
    /// `tool_result`
    ToolResult(ToolResult),
    /// `tool_reference`
    ToolReference(ToolReferenceBlock),
    /// `server_tool_use` and `mcp_tool_use`: a call that the provider runs itself.
    ServerToolUse(Box<ServerToolUse>),
    /// `web_search_tool_result` and its siblings: what the provider's own tool gave.
    ServerToolResult(Box<ServerToolResult>),
    /// `container_upload`
    ContainerUpload(ContainerUploadBlock),
    /// `compaction`
    Compaction(CompactionBlock),
    /// A block kept raw: of a type not known here, or one without what its type requires.
    Other(OtherBlock),
}

/// Builds a block of one type, or says that a member it requires is not there.
type Builder = fn(&[Pair<'_>], usize) -> Option<ContentBlock>;

/// The builder for blocks of a type; `None` for a type that has no form here.
fn builder(kind: &str) -> Option<Builder> {
    use ContentBlock as Block;
    Some(match kind {
        "text" => |pairs, _| TextBlock::build(pairs).map(Block::Text),
        "tool_use" => |pairs, _| ToolUse::build(pairs, "type").map(Block::ToolUse),
        "tool_result" => |pairs, depth| ToolResult::build(pairs, "type", depth).map(Block::ToolResult),
        "thinking" => |pairs, _| ThinkingBlock::build(pairs).map(Block::Thinking),
        "redacted_thinking" => |pairs, _| RedactedThinkingBlock::build(pairs).map(Block::RedactedThinking),
        "image" => |pairs, depth| ImageBlock::build(pairs, depth).map(Block::Image),
        "document" => |pairs, depth| DocumentBlock::build(pairs, depth).map(Box::new).map(Block::Document),
        "search_result" => |pairs, depth| SearchResultBlock::build(pairs, depth).map(Box::new).map(Block::SearchResult),
        "tool_reference" => |pairs, _| ToolReferenceBlock::build(pairs).map(Block::ToolReference),
        "server_tool_use" | "mcp_tool_use" => {
            |pairs, _| ServerToolUse::build(pairs).map(Box::new).map(Block::ServerToolUse)
        }
        "container_upload" => |pairs, _| ContainerUploadBlock::build(pairs).map(Block::ContainerUpload),
        "compaction" => |pairs, _| CompactionBlock::build(pairs).map(Block::Compaction),
        // Every result of a server tool has this ending, those that do not exist yet too.
        _ if kind.ends_with("_tool_result") => {
            |pairs, _| ServerToolResult::build(pairs).map(Box::new).map(Block::ServerToolResult)
        }
        _ => return None,
    })
}

impl ContentBlock {
    /// Reads one block.
    ///
    /// # Errors
    /// If the text is not JSON. Any JSON value is taken: what is no block becomes [`Self::Other`].
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        let mut scanner = Scanner::new(text);
        let block = Self::read(&mut scanner, &mut Vec::with_capacity(8), 0)?;
        scanner.end()?;
        Ok(block)
    }

    /// Reads one block from validated JSON.
    pub fn from_raw(raw: RawRef<'_>) -> Self {
        Self::read(&mut Scanner::new(raw.get()), &mut Vec::new(), 0)
            .unwrap_or_else(|_| Self::Other(OtherBlock::from_raw(raw)))
    }

    /// Reads the block that comes next. What it pushes on `pairs` it takes off again.
    pub(crate) fn read<'a>(
        scanner: &mut Scanner<'a>,
        pairs: &mut Vec<Pair<'a>>,
        depth: usize,
    ) -> Result<Self, JsonError> {
        scanner.skip_ws();
        if scanner.peek() != Some(b'{') || depth >= MAX_BLOCK_DEPTH {
            return scanner.skip_value().map(|raw| Self::Other(OtherBlock::from_raw(raw)));
        }
        let start = scanner.offset();
        scanner.eat(b'{');
        let base = pairs.len();
        scan_members(scanner, pairs)?;
        let block = Self::build(pairs.get(base..).unwrap_or_default(), depth);
        pairs.truncate(base);
        match block {
            Some(block) => Ok(block),
            None => scanner.taken_since(start).map(|raw| Self::Other(OtherBlock::from_raw(raw))),
        }
    }

    fn build(pairs: &[Pair<'_>], depth: usize) -> Option<Self> {
        let kind = only(pairs, "type")?.str()?;
        builder(&kind)?(pairs, depth)
    }

    /// The block's `type`; empty if it has none.
    pub fn type_name(&self) -> &str {
        BlockRef::from(self).type_name()
    }

    /// The members without a field of their own; `None` for a block that is kept raw as a whole.
    pub fn extra(&self) -> Option<&Extra> {
        BlockRef::from(self).extra()
    }

    /// The members without a field of their own, to change.
    pub fn extra_mut(&mut self) -> Option<&mut Extra> {
        Some(match self {
            Self::Text(b) => &mut b.extra,
            Self::Image(b) => &mut b.extra,
            Self::Document(b) => &mut b.extra,
            Self::SearchResult(b) => &mut b.extra,
            Self::Thinking(b) => &mut b.extra,
            Self::RedactedThinking(b) => &mut b.extra,
            Self::ToolUse(b) => &mut b.extra,
            Self::ToolResult(b) => &mut b.extra,
            Self::ToolReference(b) => &mut b.extra,
            Self::ServerToolUse(b) => &mut b.extra,
            Self::ServerToolResult(b) => &mut b.extra,
            Self::ContainerUpload(b) => &mut b.extra,
            Self::Compaction(b) => &mut b.extra,
            Self::Other(_) => return None,
        })
    }

    /// A member by name that has no field of its own, also of a block that is kept raw.
    pub fn member(&self, key: &str) -> Option<RawRef<'_>> {
        match self {
            Self::Other(block) => block.raw.member(key),
            _ => self.extra()?.get(key),
        }
    }

    /// The block's cache mark (`cache_control`), if it has one that is not null.
    pub fn cache_control(&self) -> Option<RawRef<'_>> {
        self.member("cache_control").filter(|mark| !mark.is_null())
    }

    /// Sets the cache mark: `{"type":"ephemeral"}`, which the provider keeps for five minutes. A block kept raw
    /// is left alone; `false` then.
    pub fn set_cache_control(&mut self) -> bool {
        let extra = self.extra_mut();
        let marked = extra.is_some();
        if let Some(extra) = extra {
            extra.insert("cache_control", RawJson::trusted(r#"{"type":"ephemeral"}"#));
        }
        marked
    }

    /// Takes the cache mark away and gives it back.
    pub fn remove_cache_control(&mut self) -> Option<RawJson> {
        match self {
            Self::Other(block) => block.remove_member("cache_control"),
            _ => self.extra_mut()?.remove("cache_control"),
        }
    }

    /// Whether this is `thinking` or `redacted_thinking`: blocks bound by signature to what stands
    /// around them, which must go back unchanged.
    pub fn is_thinking(&self) -> bool {
        BlockRef::from(self).is_thinking()
    }

    /// Appends the block to `out` as JSON.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::Text(b) => b.write_json(out),
            Self::Image(b) => b.write_json(out),
            Self::Document(b) => b.write_json(out),
            Self::SearchResult(b) => b.write_json(out),
            Self::Thinking(b) => b.write_json(out),
            Self::RedactedThinking(b) => b.write_json(out),
            Self::ToolUse(b) => b.write_tagged("type", out),
            Self::ToolResult(b) => b.write_tagged("type", out),
            Self::ToolReference(b) => b.write_json(out),
            Self::ServerToolUse(b) => b.write_json(out),
            Self::ServerToolResult(b) => b.write_json(out),
            Self::ContainerUpload(b) => b.write_json(out),
            Self::Compaction(b) => b.write_json(out),
            Self::Other(b) => out.push_str(b.raw.get()),
        }
    }

    /// About how long the JSON is.
    pub(crate) fn size_hint(&self) -> usize {
        let source = |source: &Source| if let Source::Base64(s) = source { s.data.len() + 64 } else { 128 };
        self.extra().map_or(0, Extra::size_hint)
            + match self {
                Self::Text(b) => b.text.size_hint(),
                Self::Thinking(b) => b.thinking.size_hint() + b.signature.as_deref().map_or(0, str::len),
                Self::ToolUse(b) => b.size_hint(),
                Self::ToolResult(b) => b.size_hint(),
                Self::Image(b) => source(&b.source),
                Self::Document(b) => source(&b.source),
                Self::RedactedThinking(b) => b.data.len(),
                Self::ServerToolUse(b) => b.input.get().len() + 128,
                Self::ServerToolResult(b) => b.content.as_ref().map_or(0, |raw| raw.get().len()) + 128,
                Self::Other(b) => b.raw.get().len(),
                _ => 256,
            }
    }

    /// The block as JSON.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.size_hint());
        self.write_json(&mut out);
        out
    }
}
