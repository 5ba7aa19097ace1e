//! The counter against scripted answers, and against a server on the loopback interface.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

#[cfg(feature = "reqwest")]
mod loopback;
mod scripted;
