//! The content of a message or of a tool result: one string, or blocks.

use crate::block::ContentBlock;
use crate::extra::WriteJson;
use crate::json::{JsonError, JsonKind, Pair, RawRef, Scanner, Text};
use crate::message::{BlockRef, Blocks};

/// How deep typed blocks may nest (a tool result in a tool result in …). What lies deeper is kept as
/// [`ContentBlock::Other`]. The API allows two levels.
pub(crate) const MAX_BLOCK_DEPTH: usize = 8;

/// Content in the form it came in, which is the form it leaves in: a string, or a list of blocks.
///
/// The API takes a string as one text block; [`Message::blocks`](crate::Message::blocks) walks both
/// alike.
///
/// ```
/// use antiphon_model::Content;
/// let mut content = Content::from("one");
/// assert_eq!(content.to_json(), "\"one\"");
/// content.make_blocks().push("two".into());
/// assert_eq!(content.to_json(), r#"[{"type":"text","text":"one"},{"type":"text","text":"two"}]"#);
/// assert_eq!(content.text(), "onetwo");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A plain string.
    Text(Text),
    /// A list of blocks.
    Blocks(Vec<ContentBlock>),
}

impl Content {
    /// Whether it is an empty string or an empty list.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Blocks(blocks) => blocks.is_empty(),
        }
    }

    /// The blocks to change; a string becomes one text block first (none if it is empty).
    pub fn make_blocks(&mut self) -> &mut Vec<ContentBlock> {
        loop {
            match self {
                Self::Blocks(blocks) => return blocks,
                Self::Text(text) => {
                    let text = std::mem::take(text);
                    let blocks = if text.is_empty() { Vec::new() } else { vec![ContentBlock::from(text)] };
                    *self = Self::Blocks(blocks);
                }
            }
        }
    }

    /// The content as blocks; see [`make_blocks`](Self::make_blocks).
    pub fn into_blocks(mut self) -> Vec<ContentBlock> {
        std::mem::take(self.make_blocks())
    }

    /// Its blocks; a string is one text block.
    ///
    /// ```
    /// use antiphon_model::Content;
    /// assert_eq!(Content::from("hi").blocks().count(), 1);
    /// ```
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks::of(self)
    }

    /// The text of its text blocks, joined by nothing.
    pub fn text(&self) -> String {
        self.blocks().filter_map(BlockRef::as_text).map(Text::as_str).collect()
    }

    /// The string, if it is one.
    pub fn as_string(&self) -> Option<&Text> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The content as JSON.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.size_hint());
        self.write_json(&mut out);
        out
    }

    /// Reads content from JSON; `None` if it is neither a string nor an array.
    pub fn from_raw(raw: RawRef<'_>) -> Option<Self> {
        Self::from_raw_at(raw, 0)
    }

    pub(crate) fn from_raw_at(raw: RawRef<'_>, depth: usize) -> Option<Self> {
        match raw.kind() {
            JsonKind::String => raw.as_text().map(Self::Text),
            JsonKind::Array => {
                let mut scanner = Scanner::new(raw.get());
                read_blocks(&mut scanner, &mut Vec::new(), depth).ok().map(Self::Blocks)
            }
            _ => None,
        }
    }

    /// Appends the content to `out` as JSON.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::Text(text) => text.write_json(out),
            Self::Blocks(blocks) => blocks.write(out),
        }
    }
}

impl Content {
    pub(crate) fn size_hint(&self) -> usize {
        match self {
            Self::Text(text) => text.size_hint(),
            Self::Blocks(blocks) => 2 + blocks.iter().map(|block| 1 + block.size_hint()).sum::<usize>(),
        }
    }
}

/// Reads an array of blocks from its `[`; for `pairs` see [`Message::read`](crate::Message).
pub(crate) fn read_blocks<'a>(
    scanner: &mut Scanner<'a>,
    pairs: &mut Vec<Pair<'a>>,
    depth: usize,
) -> Result<Vec<ContentBlock>, JsonError> {
    let mut blocks = Vec::new();
    scanner.eat(b'[');
    let mut first = true;
    while scanner.next_element(first)? {
        let block = ContentBlock::read(scanner, pairs, depth)?;
        if first {
            // Most lists hold one block; the first push would make room for four.
            blocks.reserve_exact(1);
            first = false;
        }
        blocks.push(block);
    }
    Ok(blocks)
}

impl WriteJson for Content {
    fn write(&self, out: &mut String) {
        self.write_json(out);
    }
}

impl WriteJson for Vec<ContentBlock> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (i, block) in self.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            block.write_json(out);
        }
        out.push(']');
    }
}

impl Default for Content {
    /// No blocks.
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Text> for Content {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<ContentBlock>> for Content {
    fn from(blocks: Vec<ContentBlock>) -> Self {
        Self::Blocks(blocks)
    }
}

impl From<ContentBlock> for Content {
    fn from(block: ContentBlock) -> Self {
        Self::Blocks(vec![block])
    }
}

impl<const N: usize> From<[ContentBlock; N]> for Content {
    fn from(blocks: [ContentBlock; N]) -> Self {
        Self::Blocks(blocks.into())
    }
}

impl FromIterator<ContentBlock> for Content {
    fn from_iter<T: IntoIterator<Item = ContentBlock>>(blocks: T) -> Self {
        Self::Blocks(blocks.into_iter().collect())
    }
}
