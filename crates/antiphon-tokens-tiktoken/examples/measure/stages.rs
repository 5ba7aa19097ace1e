//! How often the exact counter is needed, and how often the band is wrong.

use std::fs;
use std::path::Path;

use antiphon_model::{Message, RawRef, Request};
use antiphon_tokens::{Bounds, Certainty, Costs, Family, Heuristic, Meter, TokenCounter};
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};

use crate::data::Set;

const BUDGETS: [u64; 6] = [50, 80, 95, 105, 120, 200];

/// One thing to fit: its true size and what the two kinds of bounds say.
struct Sized {
    exact: u64,
    proven: Bounds,
    band: Bounds,
}

pub fn run(corpus: &Path) {
    let exact = Tiktoken::new(Encoding::O200kBase);
    let (proven, band) = (Heuristic::proven(Family::O200k), Heuristic::new(Family::O200k));
    let of = |text: &str| Sized { exact: exact.count(text), proven: proven.bounds(text), band: band.bounds(text) };

    let set = Set::load(corpus, None, &|text| usize::try_from(exact.count(text)).unwrap()).unwrap();
    let pieces: Vec<&str> = set.test.iter().filter(|p| p.whole).map(|p| p.text.as_str()).collect();
    report("texts of 2 KB", pieces.iter().map(|t| of(t)).collect());
    let cut = |size: usize| -> Vec<Sized> {
        pieces
            .iter()
            .flat_map(|t| {
                let chars: Vec<char> = t.chars().collect();
                chars.chunks(size).map(|c| of(&c.iter().collect::<String>())).collect::<Vec<_>>()
            })
            .collect()
    };
    report("texts of 200 characters", cut(200));
    report("texts of 40 characters", cut(40));

    let costs = Costs::of_model("gpt-4o");
    let measure = |counter: &dyn TokenCounter, request: &Request| Meter::new(counter, costs).request(request).total();
    let mut requests = Vec::new();
    for folder in ["claude-code", "conversations"] {
        for entry in fs::read_dir(corpus.join(folder)).unwrap() {
            let Ok(text) = fs::read_to_string(entry.unwrap().path()) else { continue };
            let mut messages = Vec::new();
            for line in text.lines().filter_map(|l| RawRef::parse(l).ok()) {
                if let Some(message) = line.member("message") {
                    messages.push(Message::from_raw(message));
                } else if let Some(body) = line.member("request").and_then(|r| r.member("body").or(Some(r)))
                    && let Ok(request) = Request::from_json(body.get())
                {
                    requests.push(request);
                }
            }
            for share in 1..=8 {
                let n = messages.len() * share / 8;
                if n > 3 {
                    requests.push(Request::new(messages[..n].to_vec()));
                }
            }
        }
    }
    // A picture or document of unknown size has no exact count: no stage can settle it.
    let (whole, media): (Vec<&Request>, Vec<_>) =
        requests.iter().partition(|r| measure(&exact, r).certainty == Certainty::Exact);
    for (title, requests) in
        [("whole requests over 2,000 tokens", whole), ("the same with pictures or documents of unknown size", media)]
    {
        let sized = requests
            .iter()
            .map(|r| Sized { exact: measure(&exact, r).likely, proven: measure(&proven, r), band: measure(&band, r) })
            .filter(|s| s.exact > 2000)
            .collect();
        report(title, sized);
    }
}

fn report(title: &str, of: Vec<Sized>) {
    println!("\n| {title}: {} | proofs: exact needed | band: exact needed | band: wrong |", of.len());
    println!("| --- | ---: | ---: | ---: |");
    let straddles = |b: Bounds, limit: u64| b.low <= limit && limit < b.high;
    let (mut outside, mut wrong_all, mut asked) = ((0, 0), 0, 0);
    for budget in BUDGETS {
        let (mut proofs, mut band, mut wrong) = (0, 0, 0);
        for s in &of {
            let limit = s.exact * budget / 100;
            proofs += usize::from(straddles(s.proven, limit));
            if straddles(s.band, limit) {
                band += 1;
            } else {
                wrong += usize::from((s.band.high <= limit) != (s.exact <= limit));
            }
        }
        let percent = |n: usize| n as f64 * 100.0 / of.len() as f64;
        println!("| budget {budget} % | {:.1} % | {:.1} % | {wrong} |", percent(proofs), percent(band));
        if budget == 50 || budget == 200 {
            outside = (outside.0 + band, outside.1 + of.len());
        }
        wrong_all += wrong;
        asked += of.len();
    }
    println!(
        "\nband, outside 80 to 120 %: {:.1} %; wrong {wrong_all} of {asked}; true size outside the band {} of {}",
        outside.0 as f64 * 100.0 / outside.1.max(1) as f64,
        of.iter().filter(|s| s.exact < s.band.low || s.exact > s.band.high).count(),
        of.len()
    );
}
