//! Megabytes a second, all in one run, by kind of text and size of message.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use antiphon_tokens::{Family, Heuristic, Quick, TokenCounter};
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};

type Counter<'a> = (&'a str, Box<dyn Fn(&str) -> u64 + 'a>);

pub fn run(corpus: &Path) {
    let heuristic = Heuristic::new(Family::O200k);
    let tiktoken = Tiktoken::new(Encoding::O200kBase);
    #[cfg(feature = "bpe-openai")]
    let bpe = antiphon_tokens_tiktoken::BpeOpenai::new(Encoding::O200kBase);
    let counters: Vec<Counter<'_>> = vec![
        ("chars / 4", Box::new(|t| Quick.count(t))),
        ("heuristic", Box::new(|t| heuristic.count(t))),
        ("heuristic, bounds", Box::new(|t| heuristic.bounds(t).low)),
        ("tokenx-rs", Box::new(|t| tokenx_rs::estimate_token_count(t) as u64)),
        ("tiktoken-rs alone", Box::new(|t| tiktoken_rs::o200k_base_singleton().count_ordinary(t) as u64)),
        ("Tiktoken", Box::new(|t| tiktoken.count(t))),
        #[cfg(feature = "bpe-openai")]
        ("BpeOpenai", Box::new(|t| bpe.count(t))),
    ];
    let start = Instant::now();
    tiktoken.count("warm");
    println!("\nfirst count by tiktoken-rs: {:?}", start.elapsed());
    let start = Instant::now();
    heuristic.count("warm");
    println!("first estimate: {:?}", start.elapsed());
    let kinds = [
        "prose-en__romeo_and_juliet",
        "json__openrouter-models",
        "log__jsontestsuite",
        "lang__mandarin",
        "lang__russian",
        "base64__png",
    ];
    for size in [200, 2048, 1 << 20] {
        println!("\n| {size} bytes | {} |\n| --- |{}", kinds.join(" | "), " ---: |".repeat(kinds.len()));
        for (name, count) in &counters {
            let mut row = format!("| {name} |");
            for kind in kinds {
                let path = ["txt", "json"].map(|ending| corpus.join("text").join(format!("{kind}.{ending}")));
                let text = path.iter().find_map(|p| fs::read_to_string(p).ok()).unwrap();
                let text = text.repeat((1 << 20) / text.len() + 1);
                let pieces = cut(&text, size);
                // The least of three passes: the machine is shared.
                let best = (0..3).map(|_| time(&pieces, count)).min().unwrap();
                let _ = write!(row, " {:.0} |", text.len() as f64 / best.as_secs_f64() / 1e6);
            }
            println!("{row}");
        }
    }
    println!("\n| hostile, 1 MB, ms | o200k by Tiktoken |\n| --- | ---: |");
    let random = |alphabet: &str| -> String {
        let chars: Vec<char> = alphabet.chars().collect();
        let mut z = 1_u64;
        std::iter::repeat_with(|| {
            z = z.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            chars[(z >> 33) as usize % chars.len()]
        })
        .take(1_000_000 / chars[0].len_utf8())
        .collect()
    };
    for (name, text) in [
        ("a", "a".repeat(1_000_000)),
        ("spaces, a", " ".repeat(1_000_000) + "a"),
        ("tabs", "\t".repeat(1_000_000)),
        ("line breaks", "\n".repeat(1_000_000)),
        ("emoji", "😀".repeat(250_000)),
        ("random Han", random("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏")),
        ("hex", random("0123456789abcdef")),
        ("random letters", random("abcdefghijklmnopqrstuvwxyz")),
        ("random marks", random("!?.,;:-_#*@$%^&()[]{}")),
    ] {
        let start = Instant::now();
        black_box(tiktoken.count(&text));
        println!("| {name} | {} |", start.elapsed().as_millis());
        #[cfg(feature = "bpe-openai")]
        {
            let start = Instant::now();
            black_box(bpe.count(&text));
            println!("| {name}, bpe-openai | {} |", start.elapsed().as_millis());
        }
    }
}

fn cut(text: &str, size: usize) -> Vec<&str> {
    let (mut rest, mut pieces) = (text, Vec::new());
    while !rest.is_empty() {
        let mut end = size.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn time(pieces: &[&str], count: &dyn Fn(&str) -> u64) -> Duration {
    let start = Instant::now();
    let mut total = 0;
    for piece in pieces {
        total += count(black_box(piece));
    }
    black_box(total);
    start.elapsed()
}
