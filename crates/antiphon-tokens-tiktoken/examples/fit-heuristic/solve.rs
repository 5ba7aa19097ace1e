//! Least squares on the relative error, re-weighted towards the absolute, with a ridge that holds fine weights back.

use std::collections::HashMap;

use antiphon_tokens::fit::{COARSE, FEATURES};

use crate::data::Piece;

/// How much the pieces of a kind weigh together. Kinds of tool output and code weigh the same; a language weighs as
/// one of many, more where it has many readers or its script stands in one or two catalogues only.
fn kind_weight(kind: &str) -> f64 {
    let (family, language) = kind.split_once('-').unwrap_or((kind, ""));
    let language = match language.split(['-', '_']).next().unwrap_or_default() {
        "ru" | "zh" | "ja" | "ko" | "de" | "fr" | "es" | "pt" | "it" | "ar" | "hi" => 3.0,
        "hy" => 6.0,
        "am" | "ka" | "km" | "my" | "ta" | "te" | "kn" | "ml" | "bn" | "gu" | "si" | "lo" | "bo" | "he" | "fa"
        | "th" | "el" | "uk" | "vi" | "nl" | "pl" | "tr" | "id" => 1.5,
        _ => 1.0,
    };
    match family {
        "wiki" => 0.035 * language,
        "po" => 0.05 * language,
        "man" | "help" | "inst" | "book" | "nfd" => 0.14 * language,
        "log" | "ls" | "grep" | "table" => 2.0,
        "fortune" => 1.5,
        "session" => 4.0,
        _ => 1.0,
    }
}

pub fn fit(pieces: &[Piece], coarse: f64, fine: f64, rounds: usize) -> Vec<f64> {
    let n = usize::from(FEATURES);
    let mut counts: HashMap<(&str, bool), f64> = HashMap::new();
    for piece in pieces {
        *counts.entry((&piece.kind, piece.whole)).or_default() += 1.0;
    }
    let base: Vec<f64> = pieces
        .iter()
        .map(|p| kind_weight(&p.kind) / counts[&(p.kind.as_str(), p.whole)] * if p.whole { 1.0 } else { 0.35 })
        .collect();
    let ridge: Vec<f64> = (0..n).map(|i| if i < usize::from(COARSE) { coarse } else { fine }).collect();
    let mut weights = vec![0.0; n];
    let mut row_weights: Vec<f64> = base.iter().map(|b| b * 10.0).collect();
    for _ in 0..rounds {
        conjugate(pieces, &row_weights, &ridge, &mut weights);
        for ((w, b), piece) in row_weights.iter_mut().zip(&base).zip(pieces) {
            let error = apply(piece, &weights) - 1.0;
            *w = b / error.abs().max(0.03);
        }
    }
    weights
}

fn apply(piece: &Piece, weights: &[f64]) -> f64 {
    piece.features.iter().map(|&(f, n)| weights[usize::from(f)] * f64::from(n)).sum::<f64>() / piece.tokens
}

/// Solves (XᵀWX + Λ) β = XᵀW1 by conjugate gradients, scaled by the diagonal, from where `weights` stand.
fn conjugate(pieces: &[Piece], row_weights: &[f64], ridge: &[f64], weights: &mut [f64]) {
    let n = ridge.len();
    let product = |v: &[f64]| {
        let mut out: Vec<f64> = v.iter().zip(ridge).map(|(a, b)| a * b).collect();
        for (piece, w) in pieces.iter().zip(row_weights) {
            let dot = apply(piece, v) * w / piece.tokens;
            for &(f, c) in &piece.features {
                out[usize::from(f)] += dot * f64::from(c);
            }
        }
        out
    };
    let mut diagonal = ridge.to_vec();
    let mut right = vec![0.0; n];
    for (piece, w) in pieces.iter().zip(row_weights) {
        for &(f, c) in &piece.features {
            let x = f64::from(c) / piece.tokens;
            diagonal[usize::from(f)] += w * x * x;
            right[usize::from(f)] += w * x;
        }
    }
    let mut residual: Vec<f64> = right.iter().zip(product(weights)).map(|(a, b)| a - b).collect();
    let mut scaled: Vec<f64> = residual.iter().zip(&diagonal).map(|(a, d)| a / d).collect();
    let mut direction = scaled.clone();
    let mut rho: f64 = residual.iter().zip(&scaled).map(|(a, b)| a * b).sum();
    let first = rho;
    for _ in 0..150 {
        if rho <= first * 1e-9 {
            break;
        }
        let image = product(&direction);
        let alpha = rho / direction.iter().zip(&image).map(|(a, b)| a * b).sum::<f64>();
        for i in 0..n {
            weights[i] += alpha * direction[i];
            residual[i] -= alpha * image[i];
        }
        scaled = residual.iter().zip(&diagonal).map(|(a, d)| a / d).collect();
        let next: f64 = residual.iter().zip(&scaled).map(|(a, b)| a * b).sum();
        let beta = next / rho;
        rho = next;
        for i in 0..n {
            direction[i] = scaled[i] + beta * direction[i];
        }
    }
}
