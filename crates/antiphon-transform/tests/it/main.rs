//! Tests of the transforms by their public API.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail like tests"
)]

mod merging;
mod repairing;
mod support;
mod table;
