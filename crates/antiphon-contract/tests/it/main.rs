//! Tests of the contract by its public API.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail like tests"
)]

mod corpus;
mod diagnosis;
mod exchanges;
mod findings;
mod table;
