//! `prefix` and `suffix`: within the limit, and no character too few.

use antiphon_tokens::{Heuristic, Quick, TokenCounter};
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};

use crate::Random;

fn check(counter: &dyn TokenCounter, text: &str, limit: u64) {
    let prefix = counter.prefix(text, limit);
    assert!(text.starts_with(prefix));
    assert!(counter.count(prefix) <= limit, "{prefix:?} {limit}");
    if let Some(next) = text[prefix.len()..].chars().next() {
        assert!(counter.count(&format!("{prefix}{next}")) > limit, "{prefix:?} + {next:?} {limit} of {text:?}");
    }
    let suffix = counter.suffix(text, limit);
    assert!(text.ends_with(suffix));
    assert!(counter.count(suffix) <= limit, "{suffix:?} {limit}");
    if let Some(next) = text[..text.len() - suffix.len()].chars().next_back() {
        assert!(counter.count(&format!("{next}{suffix}")) > limit, "{next:?} + {suffix:?} {limit} of {text:?}");
    }
}

#[test]
fn cuts_are_within_the_limit_and_as_long_as_can_be() {
    let mut random = Random(31);
    let tiktoken = Tiktoken::new(Encoding::O200kBase);
    let heuristic = Heuristic::default();
    for _ in 0..400 {
        let text = random.text(60);
        let limit = random.below(60) as u64;
        for counter in [&Quick as &dyn TokenCounter, &heuristic, &tiktoken] {
            check(counter, &text, limit);
        }
    }
    let long = random.text(4000);
    for limit in [0, 1, 700, 2000, 100_000] {
        check(&tiktoken, &long, limit);
    }
}

#[test]
fn a_long_text_is_cut_without_being_counted() {
    let text = "All work and no play. ".repeat(400_000);
    let tiktoken = Tiktoken::new(Encoding::O200kBase);
    let start = std::time::Instant::now();
    assert_eq!(tiktoken.count(tiktoken.prefix(&text, 1000)), 1000);
    assert_eq!(tiktoken.count(tiktoken.suffix(&text, 1000)), 1000);
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}
