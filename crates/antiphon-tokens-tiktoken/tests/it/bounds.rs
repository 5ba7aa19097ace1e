//! The heuristic's proven bounds against the exact count.

use antiphon_tokens::{Certainty, Heuristic, TokenCounter};
use antiphon_tokens_tiktoken::Encoding;

use crate::Random;
use crate::exact::reference;

fn check(encoding: Encoding, text: &str) {
    let bounds = Heuristic::proven(encoding.family()).bounds(text);
    let exact = reference(encoding, text);
    assert_eq!(bounds.certainty, Certainty::Proven);
    assert!(bounds.low <= exact && exact <= bounds.high, "{} {bounds:?} {exact} {text:?}", encoding.name());
    assert!((bounds.low..=bounds.high).contains(&bounds.likely));
}

/// `ANTIPHON_BOUND_CASES` sets how many; ten million take some minutes in a release build.
#[test]
fn proofs_hold_on_random_texts() {
    let cases = std::env::var("ANTIPHON_BOUND_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60_000_u32);
    let mut random = Random(21);
    for i in 0..cases {
        let text = random.text(if i % 8 == 0 { 60 } else { 12 });
        check(Encoding::O200kBase, &text);
        check(Encoding::Cl100kBase, &text);
    }
}

/// Every text of up to three characters of an alphabet that has one of each kind.
#[test]
fn proofs_hold_on_all_short_texts() {
    let alphabet: Vec<char> = "asvSV19 \t\n\r\u{b}'/._é漢\u{301}\u{a0}😀²".chars().collect();
    let mut texts = vec![String::new()];
    for _ in 0..4 {
        let longer: Vec<String> = texts.iter().flat_map(|t| alphabet.iter().map(move |c| format!("{t}{c}"))).collect();
        // Four deep from a sample only.
        for text in longer.iter().step_by(if longer.len() > 20_000 { 7 } else { 1 }) {
            check(Encoding::O200kBase, text);
            check(Encoding::Cl100kBase, text);
        }
        texts = longer;
    }
}

#[test]
fn the_lower_bound_is_worth_something() {
    let text = "fn main() {\n    let total: u64 = items.iter().map(|item| item.price * 12).sum();\n}\n".repeat(20);
    let bounds = Heuristic::proven(Encoding::O200kBase.family()).bounds(&text);
    let exact = reference(Encoding::O200kBase, &text);
    assert!(bounds.low * 10 >= exact * 7, "{bounds:?} {exact}");
}

#[test]
fn pieces_streams_and_wholes_agree() {
    let mut random = Random(22);
    for encoding in [Encoding::O200kBase, Encoding::Cl100kBase] {
        let heuristic = Heuristic::new(encoding.family());
        for _ in 0..300 {
            let text = random.text(3000);
            let mut stream = heuristic.stream();
            let mut rest = text.as_bytes();
            while !rest.is_empty() {
                let (head, tail) = rest.split_at(1 + random.below(rest.len().min(500)));
                stream.push(head);
                rest = tail;
            }
            assert_eq!(stream.bounds(), heuristic.bounds(&text));
        }
    }
}
