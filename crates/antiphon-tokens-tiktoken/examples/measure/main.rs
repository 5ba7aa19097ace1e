//! Measures every figure that the documentation of `antiphon-tokens` states, on the corpus.
//!
//! ```text
//! cargo xtask measure-tokens [texts|stages|pairs|anchor|speed]
//! ```
#![allow(
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "a program over data of its own; a panic is a fine answer to a bug in it"
)]

#[path = "../fit-heuristic/data.rs"]
#[allow(dead_code, reason = "the fitting program has use for it")]
mod data;

mod anchor;
mod pairs;
mod speed;
mod stages;
mod texts;

use std::path::{Path, PathBuf};

fn main() {
    let path = std::env::var_os("ANTIPHON_CORPUS").map(PathBuf::from);
    let corpus = path.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"));
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let want = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    if want("texts") {
        texts::run(&corpus);
    }
    if want("stages") {
        stages::run(&corpus);
    }
    if want("speed") {
        speed::run(&corpus);
    }
    if want("pairs") {
        pairs::run(&corpus);
    }
    if want("anchor") {
        anchor::run(&corpus);
    }
}

/// Signed mean, median, 95th percentile and worst of the absolute error, in percent.
pub fn row(name: &str, errors: &[f64]) {
    if errors.is_empty() {
        return;
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64 * 100.0;
    let mut sorted: Vec<f64> = errors.iter().map(|e| e.abs() * 100.0).collect();
    sorted.sort_by(f64::total_cmp);
    let at = |q: f64| sorted[((sorted.len() - 1) as f64 * q).round() as usize];
    println!("| {name} | {} | {mean:+.1} | {:.1} | {:.1} | {:.1} |", errors.len(), at(0.5), at(0.95), at(1.0));
}

pub fn head(title: &str) {
    println!("\n| {title} | n | mean | median | p95 | worst |\n| --- | ---: | ---: | ---: | ---: | ---: |");
}
