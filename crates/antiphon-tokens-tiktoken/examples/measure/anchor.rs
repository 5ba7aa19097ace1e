//! The size of the next request in recorded Claude Code sessions: anchored on usage, and by `chars / 4`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use antiphon_model::{AssistantMessage, Message, RawRef};
use antiphon_tokens::{Costs, Family, Heuristic, Meter, Quick, TokenCounter, UsageAnchor};

use crate::{head, row};

struct Line {
    parent: Option<String>,
    message: Message,
}

/// What the session of an answer was followed with, so far.
#[derive(Default)]
struct Followed {
    chain: Vec<String>,
    anchor: UsageAnchor,
}

pub fn run(corpus: &Path) {
    let mut paths: Vec<_> = fs::read_dir(corpus.join("claude-code")).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let (mut all, mut quick_all, mut inside, mut moved) = (Vec::new(), Vec::new(), 0, Vec::new());
    head("next request, anchored on usage");
    let mut quick_rows = Vec::new();
    for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "jsonl")) {
        let (errors, quick, hits, after) = session(&fs::read_to_string(path).unwrap());
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        row(&name, &errors);
        quick_rows.push((name, quick.clone()));
        all.extend(errors);
        quick_all.extend(quick);
        moved.extend(after);
        inside += hits;
    }
    row("all", &all);
    row("the first request after a new history, not in the above", &moved);
    println!("\nwithin the band: {inside} of {}", all.len());
    head("the same by chars / 4");
    for (name, errors) in &quick_rows {
        row(name, errors);
    }
    row("all", &quick_all);
}

fn session(text: &str) -> (Vec<f64>, Vec<f64>, usize, Vec<f64>) {
    let mut lines: HashMap<String, Line> = HashMap::new();
    let mut followed: HashMap<String, Followed> = HashMap::new();
    let mut answered: Vec<(String, u64)> = Vec::new();
    let (mut errors, mut quick, mut inside, mut after) = (Vec::new(), Vec::new(), 0, Vec::new());
    for raw in text.lines().filter_map(|l| RawRef::parse(l).ok()) {
        let of = |key: &str| raw.member(key).and_then(RawRef::as_str).map(std::borrow::Cow::into_owned);
        let Some(uuid) = of("uuid") else { continue };
        let parent = of("parentUuid");
        let Some(message) = raw.member("message").map(Message::from_raw) else {
            // Lines that are no messages stand in the chain too.
            lines.insert(uuid, Line { parent, message: Message::user("") });
            continue;
        };
        let key =
            |a: &AssistantMessage| (a.id().unwrap_or_default().into_owned(), a.usage().map_or(0, |u| u.total_input()));
        if let Message::Assistant(answer) = &message
            && let Some(usage) = answer.usage().filter(|u| u.total_input() > 0)
            && !answered.contains(&key(answer))
        {
            answered.push(key(answer));
            // The messages before it, oldest first.
            let mut chain = Vec::new();
            let mut at = parent.as_ref();
            while let Some((id, line)) = at.and_then(|id| Some((id, lines.get(id)?))).filter(|_| chain.len() < 100_000)
            {
                chain.push(id.clone());
                at = line.parent.as_ref();
            }
            chain.reverse();
            let model = answer.model().map_or_else(|| "claude-sonnet-4-5".to_owned(), std::borrow::Cow::into_owned);
            let counter = Heuristic::new(Family::of_model(&model).unwrap_or(Family::Claude4_5));
            let meter = Meter::new(&counter, Costs::of_model(&model));
            let root = chain.first().cloned().unwrap_or_default();
            // A sidechain is another conversation; a new root in the main chain is a new history of the same.
            let side = raw.member("isSidechain").and_then(RawRef::as_bool) == Some(true);
            let state = followed.entry(if side { root } else { String::new() }).or_default();
            let messages = || {
                chain
                    .iter()
                    .map(|id| &lines[id].message)
                    .filter(|m| !m.content().is_some_and(antiphon_model::Content::is_empty))
            };
            let extends = chain.starts_with(&state.chain);
            if extends {
                for id in &chain[state.chain.len()..] {
                    let message = &lines[id].message;
                    if !message.content().is_some_and(antiphon_model::Content::is_empty) {
                        state.anchor.push(&meter, message);
                    }
                }
            } else {
                let all: Vec<Message> = messages().cloned().collect();
                state.anchor.replace(&meter, &all);
            }
            let truth = usage.total_input() as f64;
            let estimate = state.anchor.estimate();
            let error = estimate.likely as f64 / truth - 1.0;
            if std::env::var_os("DUMP").is_some() && error.abs() > 0.05 && state.anchor.is_anchored() {
                println!(
                    "DUMP {error:+.3} true {truth} estimate {estimate} ratio {:.2} side {side} model {model}",
                    state.anchor.ratio()
                );
            }
            if state.anchor.is_anchored() {
                errors.push(error);
                inside += usize::from(estimate.low as f64 <= truth && truth <= estimate.high as f64);
                let chars: u64 = messages().map(|m| Quick.count(&m.to_json())).sum();
                quick.push(chars as f64 / truth - 1.0);
            } else if !extends {
                after.push(error);
            }
            state.chain = chain;
        }
        lines.insert(uuid, Line { parent, message });
    }
    (errors, quick, inside, after)
}
