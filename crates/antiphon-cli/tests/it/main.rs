//! The binary as a user runs it.

// Helpers of tests are tests to us, not to the lints.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod bad_input;
mod cases;
mod corpus;
mod count;
mod expect;
mod in_place;
mod json_output;
mod large_input;
mod must_hold;
mod properties;
mod stream;
mod support;
