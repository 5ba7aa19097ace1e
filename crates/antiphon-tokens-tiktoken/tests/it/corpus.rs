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

/// What OpenAI itself counted: recorded embeddings requests are texts without any frame.
#[test]
fn recorded_embeddings_are_counted_as_the_service_did() {
    let Some(corpus) = corpus() else { return };
    let recorded = fs::read_to_string(corpus.join("usage-pairs/openai-embeddings-usage-pairs.jsonl")).unwrap();
    let (mut same, mut other) = (0, Vec::new());
    for line in recorded.lines() {
        let pair: serde_json::Value = serde_json::from_str(line).unwrap();
        let model = pair["model"].as_str().unwrap();
        let counter = Tiktoken::for_model(model).unwrap_or(Tiktoken::new(Encoding::Cl100kBase));
        let input = &pair["request"]["input"];
        let texts: Vec<&str> = match input.as_str() {
            Some(text) => vec![text],
            None => input.as_array().unwrap().iter().filter_map(serde_json::Value::as_str).collect(),
        };
        // A few requests send tokens instead of texts.
        if texts.is_empty() {
            continue;
        }
        let counted: u64 = texts.iter().map(|text| counter.count(text)).sum();
        if Some(counted) == pair["prompt_tokens"].as_u64() {
            same += 1;
        } else {
            other.push(format!("{model}: {counted} counted, {} reported", pair["prompt_tokens"]));
        }
    }
    println!("{same} recorded embeddings requests counted exactly, {} not: {other:#?}", other.len());
    assert!(other.is_empty(), "{other:#?}");
}

/// Texts, thinking and tool results of recorded sessions.
#[test]
fn counts_are_exact_on_the_texts_of_sessions() {
    use antiphon_model::{BlockRef, Message};
    let Some(corpus) = corpus() else { return };
    let mut counted = 0;
    for file in fs::read_dir(corpus.join("claude-code")).unwrap().map(|e| e.unwrap().path()) {
        let Ok(log) = fs::read_to_string(&file) else { continue };
        for line in log.lines() {
            let Ok((_, Some(message))) = Message::from_record(line) else { continue };
            for item in message.walk() {
                let text = match item.block {
                    BlockRef::Text { text, .. } => text,
                    BlockRef::Thinking(block) => &block.thinking,
                    _ => continue,
                };
                for encoding in [Encoding::O200kBase, Encoding::Cl100kBase] {
                    let exact = reference(encoding, text);
                    assert_eq!(Tiktoken::new(encoding).count(text), exact, "{}: {text}", file.display());
                }
                counted += 1;
            }
        }
    }
    println!("{counted} texts of sessions");
    assert!(counted > 1000);
}
