//! The tests of antiphon-stream, in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)] // the helpers of tests, too

mod accumulate;
mod adapters;
mod cases;
mod corpus;
mod fuzz_replay;
mod hostile;
mod json;
mod json_oracles;
mod mend;
mod prefixes;
mod salvage;
mod sse;
mod sse_oracles;
mod state;
mod support;
