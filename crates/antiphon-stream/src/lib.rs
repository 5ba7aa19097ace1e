//! From the bytes of an LLM's answer to a message: server-sent events, the events of the Messages API, accumulation,
//! and JSON that is still being written.
//!
//! For anyone who reads a streamed answer and wants to show it while it comes, run its tools when they are whole, and
//! keep what is left when the connection breaks. It does no I/O, starts no thread and knows no runtime: bytes go in,
//! updates and a message come out. It sends no request, and it does not judge the message (`antiphon-contract` does)
//! or put it back into a conversation (`antiphon-transform`).
//!
//! ```text
//! bytes ─ SseDecoder ─ StreamEvent ─ Accumulator ─ Update …
//!                                        └──────── Finished or Interrupted
//! ```
//!
//! [`MessageDecoder`] is the whole way in one; [`collect`] the same for a body at hand; `UpdateReader` (feature
//! `read`) and `UpdateStream` (feature `futures`) put a source of bytes before it. [`JsonStream`] and [`SseDecoder`]
//! are useful alone.
//!
//! ```
//! use antiphon_stream::{MessageDecoder, Update};
//!
//! let body = concat!(
//!     "data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n\n",
//!     "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"ls\",\"input\":{}}}\n\n",
//!     "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"path\\\":\\\".\\\"}\"}}\n\n",
//!     "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
//!     "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":9}}\n\n",
//!     "data: {\"type\":\"message_stop\"}\n\n",
//! );
//! let mut decoder = MessageDecoder::new();
//! for piece in body.as_bytes().chunks(16) {
//!     for update in decoder.push(piece) {
//!         if let Update::ToolUseComplete { name, input, .. } = update {
//!             assert_eq!((name.as_str(), input.get()), ("ls", r#"{"path":"."}"#)); // and only now it may run
//!         }
//!     }
//! }
//! let finished = decoder.finish().expect("a whole message");
//! assert_eq!(finished.tool_uses().count(), 1);
//! ```
//!
//! # What holds
//!
//! - **Linear**: time per byte does not depend on the size of the stream, of an event, of a tool's input, or of the
//!   pieces.
//! - **Monotone**: what was shown of a tool's input is never taken back.
//! - **Nothing invented**: a tool call whose input did not come whole is an [`UnfinishedToolUse`], which is no
//!   `ToolUse`; mended JSON ([`mend_json`]) is a [`MendedJson`], which is no input.
//! - **Nothing lost**: unknown events, deltas and members are carried and reported.
//! - **Bounded**: no index, length or depth that a peer sends sizes anything; every limit has a name ([`SseOptions`],
//!   [`AccumulatorOptions`], [`JsonOptions`]).
//! - **Total**: no bytes make it panic.
//!
//! # Features
//!
//! | feature | gives |
//! | --- | --- |
//! | `read` | `UpdateReader`: updates out of a [`std::io::Read`] |
//! | `futures` | `UpdateStream`: updates out of a `futures_core::Stream` of bytes |
//! | `testkit` | the bodies of the fuzz targets |
#![cfg_attr(docsrs, feature(doc_cfg))]

mod accumulate;
mod collect;
mod decoder;
mod error;
mod event;
#[cfg(feature = "futures")]
mod futures;
mod json;
mod members;
#[cfg(feature = "read")]
mod read;
mod sse;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use accumulate::{
    Accumulator, AccumulatorOptions, Anomaly, AnomalyKind, Carried, CarriedWhat, Finished, InputChange, Interrupted,
    Interruption, LeftOut, LeftOutReason, Salvage, SalvageOptions, ToolCall, ToolInputDetail, UnfinishedReason,
    UnfinishedToolUse, Update,
};
pub use collect::{Collected, CollectedCall, StreamFinding, StreamRule, collect};
pub use decoder::MessageDecoder;
pub use error::{JsonFault, StreamError};
pub use event::{ApiError, Delta, EventBody, MessageDelta, StreamEvent, TextFault};
#[cfg(feature = "futures")]
pub use futures::UpdateStream;
pub use json::{
    JsonEvent, JsonOptions, JsonStream, JsonWhat, MendedJson, Mending, MendingKind, PartialValue, mend_json,
};
#[cfg(feature = "read")]
pub use read::UpdateReader;
pub use sse::{SseDecoder, SseEvent, SseFrame, SseOptions};
