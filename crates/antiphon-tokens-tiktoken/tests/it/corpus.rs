//! Real texts: exact counts, bounds and errors on the corpus.

use std::fs;

use antiphon_tokens::{Heuristic, TokenCounter};
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};

use crate::corpus;
use crate::exact::reference;

fn texts() -> Vec<(String, String)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut texts: Vec<(String, String)> = fs::read_dir(corpus.join("text"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&p).unwrap()))
        .collect();
    texts.sort();
    texts
}

#[test]
fn counts_are_exact_and_bounds_hold_on_the_corpus() {
    for (name, text) in texts() {
        for encoding in [Encoding::O200kBase, Encoding::Cl100kBase] {
            let exact = reference(encoding, &text);
            assert_eq!(Tiktoken::new(encoding).count(&text), exact, "{name}");
            let bounds = Heuristic::proven(encoding.family()).bounds(&text);
            assert!(bounds.low <= exact && exact <= bounds.high, "{name} {bounds:?} {exact}");
        }
    }
}

/// The corpus's texts were not fitted to: this is the error that the crate's documentation states.
#[test]
fn the_heuristic_is_as_good_as_it_says() {
    let mut errors = Vec::new();
    for (_, text) in texts() {
        let mut rest = text.as_str();
        while rest.len() > 1024 {
            let mut end = 2048.min(rest.len());
            while !rest.is_char_boundary(end) {
                end += 1;
            }
            let (piece, after) = rest.split_at(end);
            let exact = reference(Encoding::O200kBase, piece);
            errors.push(Heuristic::default().count(piece).abs_diff(exact) * 1000 / exact);
            rest = after;
        }
    }
    if errors.is_empty() {
        return;
    }
    errors.sort_unstable();
    let p95 = errors[errors.len() * 95 / 100];
    assert!(p95 <= 150, "the 95th percentile is {p95} per mille");
}
