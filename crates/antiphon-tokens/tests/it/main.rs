//! Requests, budgets and anchors, without an exact counter.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

mod anchor;
mod budget;
mod cases;
mod parts;
