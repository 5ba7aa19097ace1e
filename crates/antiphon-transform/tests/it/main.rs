//! Tests of the transforms by their public API.

mod merging;
mod repairing;
mod support;
mod table;
