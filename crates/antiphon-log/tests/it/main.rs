//! The reader against arbitrary bytes, injected damage, and the shared cases.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic)] // a test may fail

mod cases;
mod properties;
