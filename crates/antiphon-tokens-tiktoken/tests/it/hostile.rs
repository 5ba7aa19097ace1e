//! Inputs that are hard on a tokenizer: no panic, the right count, no blow-up.

use std::time::{Duration, Instant};

use antiphon_tokens::TokenCounter;
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};

use crate::Random;
use crate::exact::reference;

const BOTH: [Encoding; 2] = [Encoding::O200kBase, Encoding::Cl100kBase];

fn hostile(bytes: usize) -> Vec<(&'static str, String)> {
    let mut random = Random(5);
    let mut of = |alphabet: &str| {
        let chars: Vec<char> = alphabet.chars().collect();
        let mut text = String::new();
        while text.len() < bytes {
            text.push(chars[random.below(chars.len())]);
        }
        text
    };
    vec![
        ("letter", of("a")),
        ("spaces", of(" ")),
        ("spaces and a letter", of(" ") + "a"),
        ("spaces and a digit", of(" ") + "1"),
        ("tabs", of("\t")),
        ("tabs and a mark", of("\t") + "!"),
        ("line, spaces", ".\n".to_owned() + &of(" ")),
        ("line, spaces, letter", ".\n".to_owned() + &of(" ") + "a"),
        ("spaces, break, letter", of(" ") + "\n" + "a"),
        ("spaces, break, spaces", of(" ") + "\n" + &of(" ")),
        ("blanks", of(" \t\u{a0}\u{3000}\u{b}") + "x"),
        ("line breaks", of("\n")),
        ("emoji", of("😀👍✨🏽\u{200d}")),
        ("han", of("漢字天地玄黄宇宙洪荒")),
        ("hex", of("0123456789abcdef")),
        ("lower case", of("abcdefghijklmnopqrstuvwxyz")),
        ("marks", of("!?.,;:-_#*")),
        ("nul", of("\0")),
        ("combining", of("\u{301}\u{300}")),
    ]
}

#[test]
fn a_million_of_anything_is_counted() {
    for encoding in BOTH {
        for (name, text) in hostile(1_000_000) {
            // What tiktoken-rs merges in n log n is long enough at a fifth, unless asked.
            let panicked = matches!(name, "spaces and a letter" | "line, spaces" | "tabs");
            let all = panicked || std::env::var_os("ANTIPHON_SLOW").is_some();
            let text = if all { text } else { text.chars().take(text.chars().count() / 5).collect() };
            let counter = Tiktoken::new(encoding);
            let start = Instant::now();
            let count = counter.count(&text);
            let taken = start.elapsed();
            assert!(count >= text.len() as u64 / 128, "{name}");
            // A debug build on a busy machine; a quadratic merge would take hours.
            assert!(taken < Duration::from_secs(120), "{name} took {taken:?}");
            assert_eq!(counter.count_up_to(&text, count), Some(count), "{name}");
            assert_eq!(counter.count_up_to(&text, count - 1), None, "{name}");
        }
    }
}

#[test]
fn what_tiktoken_can_count_is_counted_the_same() {
    for encoding in BOTH {
        for bytes in [2_000, 2_100, 6_000] {
            for (name, text) in hostile(bytes) {
                assert_eq!(Tiktoken::new(encoding).count(&text), reference(encoding, &text), "{name} {bytes}");
            }
        }
    }
}

#[test]
fn long_blank_runs_merge_as_tiktoken_merges_them() {
    let mut random = Random(6);
    for round in 0..200 {
        let mut text = random.text(10);
        for _ in 0..=random.below(3) {
            let blanks: &[&str] =
                [&[" "][..], &["\t"], &[" ", "\t"], &[" ", "\u{a0}", "\u{3000}", "\u{2003}"]][random.below(4)];
            text.extend((0..2048 + random.below(1500)).map(|_| blanks[random.below(blanks.len())]));
            text += &random.text(6);
            text += ["", "\n", "\r\n "][random.below(3)];
        }
        for encoding in BOTH {
            assert_eq!(Tiktoken::new(encoding).count(&text), reference(encoding, &text), "{round} {text:?}");
        }
    }
}
