//! Transforms of agent conversations that keep their promises or refuse.
//!
//! - [`Repair`]: afterwards [`check`](antiphon_contract::check()) finds no error, or the refusal says
//!   what is left. Nothing is lost that can be kept, thinking is never altered, and every change is in
//!   the [`Report`].
//! - [`Merge`]: afterwards user and assistant alternate, and all text is there.
//! - [`Transform`] and [`Pipeline`]: the shape of them all, and how they are composed.
//!
//! Everything is deterministic (no clock, no random id), linear, and idempotent: a second run changes
//! nothing. What it does not do: count tokens, read files, or talk to anybody.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod conversation;
mod error;
mod merge;
mod pipeline;
mod repair;
mod report;

pub use conversation::Conversation;
pub use error::Error;
pub use merge::Merge;
pub use pipeline::{Pipeline, Transform};
pub use repair::{MissingResult, OrphanResult, Repair, UnsignedThinking};
pub use report::{Change, ChangeKind, Report};
