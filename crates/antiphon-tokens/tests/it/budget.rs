//! Two stages.

use std::sync::atomic::{AtomicU64, Ordering};

use antiphon_model::{Message, Request};
use antiphon_tokens::{Bounds, Budget, Cached, Family, Heuristic, Quick, Stage, TokenCounter};

/// Stands for an exact counter and counts how many bytes it was asked.
#[derive(Default)]
struct Words(AtomicU64);

impl TokenCounter for Words {
    fn count(&self, text: &str) -> u64 {
        self.0.fetch_add(text.len() as u64, Ordering::Relaxed);
        text.split_whitespace().count() as u64
    }
    fn is_exact(&self) -> bool {
        true
    }
}

fn request(messages: usize) -> Request {
    let text = |i: usize| format!("{}end {}for all", "so ".repeat(i), "word ".repeat(50 - 1 - i));
    Request::new((0..messages).map(|i| Message::user(text(i))).collect())
}

#[test]
fn the_exact_counter_is_asked_only_when_the_bounds_straddle() {
    let (request, words) = (request(20), Words::default());
    let rough = Heuristic::new(Family::O200k);
    let far = Budget::new(10_000).check(&request, &rough, &words);
    assert!(far.fits && far.stage == Stage::Rough && far.exact.is_none());
    let none = Budget::new(10).check(&request, &rough, &words);
    assert!(!none.fits && none.stage == Stage::Rough);
    assert_eq!(words.0.load(Ordering::Relaxed), 0);

    let exact = 4 + 20 * (3 + 52);
    let near = Budget::new(exact).check(&request, &rough, &words);
    assert_eq!((near.fits, near.stage, near.exact), (true, Stage::Exact, Some(Bounds::exact(exact))));
    assert!(near.rough.low <= exact && exact <= near.rough.high);
    let over = Budget::new(exact - 1).check(&request, &Quick, &words);
    assert_eq!((over.fits, over.stage, over.exact), (false, Stage::Exact, None));
}

#[test]
fn counting_stops_at_the_limit_and_remembers() {
    let request = request(40);
    let exact = 4 + 40 * (3 + 52);
    let counter = Cached::new(Words::default(), 100);
    let asked = || counter.inner().0.swap(0, Ordering::Relaxed);
    // A rough stage that never knows.
    let straddles = Quick;
    Budget::new(exact / 4).check(&request, &straddles, &counter);
    let quarter = asked();
    assert!(Budget::new(exact).check(&request, &straddles, &counter).fits);
    let rest = asked();
    assert!(quarter < rest && quarter > 0, "{quarter} {rest}");
    let mut longer = request.clone();
    longer.messages.push(Message::user("and one more ".repeat(20)));
    assert!(Budget::new(exact * 2).check(&longer, &straddles, &counter).fits);
    let last = asked();
    assert!(last <= 260, "only the new message is counted, not {last} bytes");
}

#[test]
fn the_cache_is_bounded_and_right() {
    let cached = Cached::new(Quick, 10);
    for round in 0..3 {
        for i in 0..100 {
            let text = format!("{i} {}", "x".repeat(100 + i));
            assert_eq!(cached.count(&text), Quick.count(&text), "{round}");
        }
    }
    assert_eq!(cached.hits(), 0, "a hundred texts do not fit in ten places");
    let text = "y".repeat(500);
    assert_eq!(cached.count_up_to(&text, 10), None);
    assert_eq!(cached.count_up_to(&text, 125), Some(125));
    assert_eq!(cached.count_up_to(&text, 124), None);
    assert_eq!(cached.hits(), 1);
}
