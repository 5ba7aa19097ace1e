//! A lossless model of the messages of an LLM agent.
//!
//! What it is for: reading messages of the Messages API and of session files, building them, walking
//! them, and writing them back as they came. What it does not do: judge them (`antiphon-contract`),
//! change them for a purpose (`antiphon-transform`), read files (but for pictures, behind the feature
//! `fs`), or talk to anybody.
//!
//! - [`Message`]: the five kinds (user, assistant, tool use, tool result, system), flat or as blocks,
//!   and whatever else comes.
//! - [`ContentBlock`]: every block of the API, typed where an agent works with it.
//! - [`Request`]: system prompt, messages, tools, and every other parameter.
//! - [`RawJson`], [`Text`]: JSON kept as written, half surrogate pairs included.
//!
//! Everything is read without loss: unknown members, blocks and roles, spelling of numbers, order of
//! keys, `null` against absent. Nothing panics, whatever the input, and nesting is bounded
//! ([`json::MAX_DEPTH`]).
//!
//! ```
//! use antiphon_model::{Message, ToolResult};
//! let line = r#"{"role":"user","content":[{"type":"text","text":"go"},{"type":"new_thing","n":1.10}]}"#;
//! let message = Message::from_json(line)?;
//! assert_eq!(message.blocks().count(), 2);
//! assert_eq!(message.to_json(), line);
//!
//! let result = ToolResult::error("toolu_1", "no such file");
//! assert!(result.failed());
//! # Ok::<(), antiphon_model::JsonError>(())
//! ```
//!
//! All these types implement serde's traits through serde_json's `RawValue`, so that nothing is lost inside types of
//! one's own: with serde_json only. Where serde buffers (`flatten`, `untagged`, internally tagged enums) they cannot be
//! read: the answer is an error, never a loss. `serde_json::to_value` and `from_value` carry what a `Value` can hold,
//! which is no half surrogate pair, no number beyond its own, and 128 levels of nesting.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod block;
pub mod json;
pub mod message;

mod content;
mod error;
mod extra;
mod media;
mod object;
mod request;
mod serde_impl;
mod usage;

pub use block::{
    Base64Source, Citation, CompactionBlock, ContainerUploadBlock, ContentBlock, DocumentBlock, ImageBlock, OtherBlock,
    RedactedThinkingBlock, SearchResultBlock, ServerToolResult, ServerToolUse, Source, TextBlock, ThinkingBlock,
    ToolReferenceBlock, ToolResult, ToolUse,
};
pub use content::Content;
pub use error::MediaError;
pub use extra::Extra;
pub use json::{JsonError, JsonErrorKind, JsonKind, RawJson, RawRef, Text};
pub use media::{ImageType, SAFE_IMAGE_LIMIT, image_dimensions};
pub use message::{
    AssistantMessage, BlockMut, BlockRef, Blocks, BlocksMut, Message, OtherMessage, Role, StopReason, SystemMessage,
    UserMessage, Walk, WalkItem, Wire, to_wire,
};
pub use request::{Request, Tool};
pub use usage::Usage;
