//! Equality with Python's tiktoken on texts of our own, and with tiktoken-rs on random ones.

use antiphon_tokens::{TokenCounter, is_safe_cut};
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};
use serde_json::Value;

use crate::Random;

const BOTH: [Encoding; 2] = [Encoding::O200kBase, Encoding::Cl100kBase];

pub fn reference(encoding: Encoding, text: &str) -> u64 {
    let bpe = match encoding {
        Encoding::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        _ => tiktoken_rs::o200k_base_singleton(),
    };
    bpe.count_ordinary(text) as u64
}

#[test]
fn counts_are_those_of_pythons_tiktoken() {
    let data: Value = serde_json::from_str(include_str!("../data/counts.json")).unwrap();
    let cases = data["cases"].as_array().unwrap();
    assert!(cases.len() > 30);
    for case in cases {
        let text = case["text"].as_str().map_or_else(
            || {
                let [piece, times, end] = [0, 1, 2].map(|i| &case["repeat"][i]);
                let times = usize::try_from(times.as_u64().unwrap()).unwrap();
                piece.as_str().unwrap().repeat(times) + end.as_str().unwrap()
            },
            str::to_owned,
        );
        for encoding in BOTH {
            let expected = case[encoding.name()].as_u64().unwrap();
            let name = &case["name"];
            assert_eq!(Tiktoken::new(encoding).count(&text), expected, "{name} {}", encoding.name());
            #[cfg(feature = "bpe-openai")]
            assert_eq!(
                antiphon_tokens_tiktoken::BpeOpenai::new(encoding).count(&text),
                expected,
                "{name} {} bpe-openai",
                encoding.name()
            );
        }
    }
}

#[test]
fn random_texts_count_the_same_in_pieces() {
    let mut random = Random(11);
    for _ in 0..20_000 {
        let text = random.text(40);
        for encoding in BOTH {
            let expected = reference(encoding, &text);
            assert_eq!(Tiktoken::new(encoding).count(&text), expected, "{text:?}");
            #[cfg(feature = "bpe-openai")]
            assert_eq!(antiphon_tokens_tiktoken::BpeOpenai::new(encoding).count(&text), expected, "{text:?}");
        }
    }
}

#[test]
fn counts_add_up_at_safe_cuts() {
    let mut random = Random(12);
    let mut cuts = 0;
    for _ in 0..20_000 {
        let text = random.text(30);
        let pairs = text.char_indices().zip(text.chars().skip(1)).collect::<Vec<_>>();
        for ((at, before), after) in pairs {
            if is_safe_cut(before, after) {
                cuts += 1;
                let (left, right) = text.split_at(at + before.len_utf8());
                for encoding in BOTH {
                    let parts = reference(encoding, left) + reference(encoding, right);
                    assert_eq!(parts, reference(encoding, &text), "{left:?} {right:?}");
                }
            }
        }
    }
    assert!(cuts > 30_000, "{cuts}");
}

#[test]
fn special_tokens_are_text_unless_asked_for() {
    let text = "a<|endoftext|>b<|endofprompt|><|nothing|>";
    for encoding in BOTH {
        let counter = Tiktoken::new(encoding);
        assert_eq!(counter.count(text), reference(encoding, text));
        let asked = counter.with_special_tokens(true);
        assert_eq!(asked.count(text), 4 + counter.count("<|nothing|>"));
        assert_eq!(asked.count_up_to(text, 3), None);
        assert_eq!(asked.prefix(text, 2), "a<|endoftext|>");
    }
    let harmony = Tiktoken::new(Encoding::O200kHarmony);
    assert_eq!(harmony.count("<|start|>x"), Tiktoken::new(Encoding::O200kBase).count("<|start|>x"));
    assert_eq!(harmony.with_special_tokens(true).count("<|start|>x<|call|>"), 3);
}

#[test]
fn counts_are_the_same_on_many_threads() {
    let texts: Vec<String> = (0..40).map(|i| Random(i).text(200)).collect();
    let counter = Tiktoken::new(Encoding::O200kBase);
    let expected: Vec<u64> = texts.iter().map(|t| counter.count(t)).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let got: Vec<u64> = texts.iter().map(|t| counter.count(t)).collect();
                assert_eq!(got, expected);
            });
        }
    });
}
