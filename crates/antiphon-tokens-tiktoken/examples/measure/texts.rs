//! The heuristic's error on texts that it was not fitted to: `corpus/text` and half of the sessions, in pieces of 2 KB.

use std::collections::BTreeMap;
use std::path::Path;

use antiphon_tokens::{Family, Heuristic, Quick, TokenCounter};
use antiphon_tokens_tiktoken::{Encoding, Tiktoken};

use crate::data::Set;
use crate::{head, row};

type Counter<'a> = (&'a str, &'a dyn Fn(&str) -> u64);

pub fn run(corpus: &Path) {
    for (family, encoding) in [(Family::O200k, Encoding::O200kBase), (Family::Cl100k, Encoding::Cl100kBase)] {
        let exact = Tiktoken::new(encoding);
        let set = Set::load(corpus, None, &|text| usize::try_from(exact.count(text)).unwrap()).unwrap();
        let heuristic = Heuristic::new(family);
        let tokenx = |text: &str| tokenx_rs::estimate_token_count(text) as u64;
        let counters: [Counter<'_>; 3] =
            [("heuristic", &|t| heuristic.count(t)), ("chars / 4", &|t| Quick.count(t)), ("tokenx-rs", &tokenx)];
        for (name, count) in counters {
            let mut kinds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
            for piece in set.test.iter().filter(|p| p.whole) {
                let error = count(&piece.text) as f64 / piece.tokens - 1.0;
                let group = if piece.kind.starts_with("session") { "~ sessions" } else { "~ texts" };
                for kind in [piece.kind.as_str(), group, "~ all"] {
                    if name == "heuristic" || kind.starts_with('~') {
                        kinds.entry(kind).or_default().push(error);
                    }
                }
            }
            head(&format!("{family:?}, 2 KB, {name}"));
            for (kind, errors) in kinds {
                row(kind, &errors);
            }
        }
        // How tight the lower bound is.
        let mut shares: BTreeMap<&str, (u64, f64)> = BTreeMap::new();
        for piece in set.test.iter().filter(|p| p.whole) {
            let bounds = Heuristic::proven(family).bounds(&piece.text);
            assert!(bounds.low as f64 <= piece.tokens && piece.tokens <= bounds.high as f64, "{:?}", piece.text);
            let entry = shares.entry(&piece.kind).or_default();
            *entry = (entry.0 + bounds.low, entry.1 + piece.tokens);
        }
        let shares: Vec<String> =
            shares.iter().map(|(kind, (low, exact))| format!("{kind} {:.2}", *low as f64 / exact)).collect();
        println!("\nlower bound / exact: {}", shares.join(", "));
    }
}
