//! Session files against the shared cases, the corpus, and edits of all kinds.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic)] // a test may fail

mod cases;
mod corpus;
mod rewrite;
mod shapes;
mod support;
