//! Tests of the public interface: one binary, a module for each subject.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "helpers of tests fail like tests"
)]

mod block;
mod cases;
mod construct;
mod corpus;
mod extra;
mod generate;
mod hostile;
mod json;
mod media;
mod message;
mod property;
mod request;
mod serde;
mod walk;
mod wire;
