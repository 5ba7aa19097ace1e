//! Fits the weights of the heuristic to exact counts and says how far off it is on texts it was not fitted to.
//!
//! ```text
//! cargo xtask fit-heuristic --extra DIR [--write]
//! ```
//!
//! `--extra` is the folder that `gather.py` beside this file fills from a development machine and two wheels with
//! translations. From the corpus (`ANTIPHON_CORPUS`, else `../shared/corpus`) it takes the texts of half of the
//! sessions, by a hash of the file name; the other half and all of `corpus/text` are only measured. `--write` replaces
//! the tables in `antiphon-tokens`.

#![allow(
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    unreachable_pub,
    missing_docs,
    missing_debug_implementations,
    reason = "a program over data of its own; a panic is a fine answer to a bug in it"
)]

mod data;
mod solve;

use std::collections::BTreeMap;
use std::path::PathBuf;

use data::{Piece, Set};

struct Options {
    extra: Option<PathBuf>,
    write: bool,
    coarse: f64,
    fine: f64,
    rounds: usize,
    only: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options { extra: None, write: false, coarse: 0.001, fine: 0.01, rounds: 6, only: None };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--extra" => options.extra = args.next().map(PathBuf::from),
            "--write" => options.write = true,
            "--coarse" => options.coarse = args.next().unwrap_or_default().parse()?,
            "--fine" => options.fine = args.next().unwrap_or_default().parse()?,
            "--only" => options.only = args.next(),
            "--rounds" => options.rounds = args.next().unwrap_or_default().parse()?,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let corpus = data::corpus().ok_or("no corpus: set ANTIPHON_CORPUS")?;
    for (name, bpe) in
        [("o200k", tiktoken_rs::o200k_base_singleton()), ("cl100k", tiktoken_rs::cl100k_base_singleton())]
    {
        if options.only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let set = Set::load(&corpus, options.extra.as_deref(), &|text| bpe.count_ordinary(text))?;
        println!("{name}: {} pieces to fit, {} to measure", set.fit.len(), set.test.len());
        let weights = solve::fit(&set.fit, options.coarse, options.fine, options.rounds);
        let fixed: Vec<(u16, i16)> = weights
            .iter()
            .enumerate()
            .map(|(i, w)| (i as u16, (w * 1024.0).round().clamp(-32768.0, 32767.0) as i16))
            .filter(|&(_, w)| w.abs() >= 3)
            .collect();
        println!("{} weights of {}", fixed.len(), weights.len());
        let mut spread = vec![0.0; weights.len()];
        for &(i, w) in &fixed {
            spread[usize::from(i)] = f64::from(w) / 1024.0;
        }
        report("fitted", &set.fit, &spread);
        report("not fitted", &set.test, &spread);
        if options.write {
            write(name, &fixed)?;
        }
    }
    Ok(())
}

fn error(piece: &Piece, weights: &[f64]) -> f64 {
    let estimate: f64 = piece.features.iter().map(|&(f, n)| weights[usize::from(f)] * f64::from(n)).sum();
    estimate.max(1.0) / piece.tokens - 1.0
}

/// Signed mean, median, 95th percentile and worst of the absolute error in percent, by kind, for pieces of 2 KB.
fn report(title: &str, pieces: &[Piece], weights: &[f64]) {
    let mut kinds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for piece in pieces.iter().filter(|p| p.whole) {
        let e = error(piece, weights);
        let long =
            ["po-", "man-", "wiki-", "help-", "inst-", "book-", "nfd-"].iter().any(|p| piece.kind.starts_with(p));
        kinds.entry(if long { "languages" } else { &piece.kind }).or_default().push(e);
        kinds.entry("~ all").or_default().push(e);
        if piece.kind.starts_with("session") {
            kinds.entry("~ sessions").or_default().push(e);
        } else {
            kinds.entry("~ texts").or_default().push(e);
        }
    }
    println!("| {title}, 2 KB | pieces | mean | median | p95 | worst |\n| --- | ---: | ---: | ---: | ---: | ---: |");
    for (kind, mut errors) in kinds {
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        for e in &mut errors {
            *e = e.abs();
        }
        errors.sort_by(f64::total_cmp);
        let at = |q: f64| errors[((errors.len() - 1) as f64 * q).round() as usize] * 100.0;
        println!(
            "| {kind} | {} | {:+.1} | {:.1} | {:.1} | {:.1} |",
            errors.len(),
            mean * 100.0,
            at(0.5),
            at(0.95),
            at(1.0)
        );
    }
}

fn write(name: &str, weights: &[(u16, i16)]) -> std::io::Result<()> {
    use std::fmt::Write as _;
    let mut out = format!(
        "// Made by `fit-heuristic`; do not edit.\n\n/// Weights for {name}_base: feature, 1/1024 token.\n#[rustfmt::skip]\npub(crate) static {}: &[(u16, i16)] = &[",
        name.to_uppercase()
    );
    for (i, (feature, weight)) in weights.iter().enumerate() {
        out.push_str(if i % 12 == 0 { "\n    " } else { " " });
        let _ = write!(out, "({feature}, {weight}),");
    }
    out.push_str("\n];\n");
    let path = format!("{}/../antiphon-tokens/src/heuristic/weights/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    std::fs::write(path, out)
}
