//! Blocks made here rather than read.

use super::{
    Base64Source, CompactionBlock, ContainerUploadBlock, ContentBlock, ContentSource, DocumentBlock, FileSource,
    ImageBlock, OtherBlock, RedactedThinkingBlock, SearchResultBlock, ServerToolResult, ServerToolUse, Source,
    TextBlock, TextSource, ThinkingBlock, ToolReferenceBlock, ToolResult, ToolUse, UrlSource,
};
use crate::content::Content;
use crate::extra::Extra;
use crate::json::{RawJson, Text};

impl ContentBlock {
    /// A text block.
    ///
    /// ```
    /// use antiphon_model::ContentBlock;
    /// assert_eq!(ContentBlock::text("hi").to_json(), r#"{"type":"text","text":"hi"}"#);
    /// ```
    pub fn text(text: impl Into<Text>) -> Self {
        Self::Text(TextBlock::new(text))
    }
}

impl Source {
    /// Bytes in base64 with their media type.
    pub fn base64(media_type: impl Into<String>, data: impl Into<String>) -> Self {
        Self::Base64(Base64Source { media_type: media_type.into(), data: data.into(), extra: Extra::new() })
    }

    /// A URL.
    pub fn url(url: impl Into<String>) -> Self {
        Self::Url(UrlSource { url: url.into(), extra: Extra::new() })
    }

    /// A file of the Files API, by its id.
    pub fn file(file_id: impl Into<String>) -> Self {
        Self::File(FileSource { file_id: file_id.into(), extra: Extra::new() })
    }

    /// Plain text as a document.
    ///
    /// ```
    /// use antiphon_model::{ContentBlock, DocumentBlock, Source};
    /// let block = ContentBlock::from(DocumentBlock::new(Source::text("a note")));
    /// assert_eq!(
    ///     block.to_json(),
    ///     r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a note"}}"#
    /// );
    /// ```
    pub fn text(data: impl Into<Text>) -> Self {
        Self::Text(TextSource { media_type: "text/plain".to_owned(), data: data.into(), extra: Extra::new() })
    }

    /// A string or blocks as a document.
    pub fn content(content: impl Into<Content>) -> Self {
        Self::Content(ContentSource { content: content.into(), extra: Extra::new() })
    }
}

impl DocumentBlock {
    /// A document from any source.
    pub fn new(source: Source) -> Self {
        Self { source, title: None, context: None, extra: Extra::new() }
    }

    /// Sets the title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<Text>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets what the model is told about the document.
    #[must_use]
    pub fn with_context(mut self, context: impl Into<Text>) -> Self {
        self.context = Some(context.into());
        self
    }
}

impl SearchResultBlock {
    /// A finding; the API wants at least one text block in `content`.
    pub fn new(source: impl Into<Text>, title: impl Into<Text>, content: Vec<ContentBlock>) -> Self {
        Self { source: source.into(), title: title.into(), content, extra: Extra::new() }
    }
}

impl RedactedThinkingBlock {
    /// Encrypted reasoning as the provider gave it.
    pub fn new(data: impl Into<String>) -> Self {
        Self { data: data.into(), extra: Extra::new() }
    }
}

impl ToolReferenceBlock {
    /// A reference to a declared tool.
    pub fn new(tool_name: impl Into<String>) -> Self {
        Self { tool_name: tool_name.into(), extra: Extra::new() }
    }
}

impl ContainerUploadBlock {
    /// An uploaded file for the container.
    pub fn new(file_id: impl Into<String>) -> Self {
        Self { file_id: file_id.into(), extra: Extra::new() }
    }
}

impl CompactionBlock {
    /// A summary.
    pub fn new(content: impl Into<Text>) -> Self {
        Self { content: Some(content.into()), extra: Extra::new() }
    }
}

impl ServerToolUse {
    /// A call that the provider ran: `kind` is `server_tool_use` or `mcp_tool_use`.
    pub fn new(kind: impl Into<String>, id: impl Into<String>, name: impl Into<String>, input: RawJson) -> Self {
        Self { kind: kind.into(), id: id.into(), name: name.into(), input, extra: Extra::new() }
    }
}

impl ServerToolResult {
    /// What the provider's tool gave: `kind` is `web_search_tool_result` or one of its siblings.
    pub fn new(kind: impl Into<String>, tool_use_id: impl Into<String>, content: RawJson) -> Self {
        Self { kind: kind.into(), tool_use_id: tool_use_id.into(), content: Some(content), extra: Extra::new() }
    }
}

macro_rules! from_block {
    ($($block:ident: $variant:ident $($boxed:ident)?;)*) => {$(
        impl From<$block> for ContentBlock {
            fn from(block: $block) -> Self {
                Self::$variant($($boxed::new)?(block))
            }
        }
    )*};
}

from_block! {
    TextBlock: Text;
    ImageBlock: Image;
    DocumentBlock: Document Box;
    SearchResultBlock: SearchResult Box;
    ThinkingBlock: Thinking;
    RedactedThinkingBlock: RedactedThinking;
    ToolUse: ToolUse;
    ToolResult: ToolResult;
    ToolReferenceBlock: ToolReference;
    ServerToolUse: ServerToolUse Box;
    ServerToolResult: ServerToolResult Box;
    ContainerUploadBlock: ContainerUpload;
    CompactionBlock: Compaction;
    OtherBlock: Other;
}

impl From<Text> for ContentBlock {
    fn from(text: Text) -> Self {
        Self::text(text)
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
