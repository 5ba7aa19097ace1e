//! Server tools: what cannot be sent is dropped or stays as text; no client result is ever made for them.

use super::Work;
use super::block::{self, Place, as_text};
use crate::report::ChangeKind::{Removed, Replaced};
use antiphon_contract::{Finding, Path};
use antiphon_model::{Content, ContentBlock, Message};
use std::collections::{BTreeSet, HashSet};

pub(super) const RULES: &[&str] = &[
    "client-result-for-server-tool",
    "invalid-server-tool-id",
    "search-result-not-encrypted",
    "orphan-server-tool-result",
    "unanswered-server-tool",
    "server-tool-pending",
];

pub(super) fn run(work: &mut Work<'_>, findings: &[Finding]) {
    let mut drops = Vec::new();
    let mut flat = BTreeSet::new();
    let mut as_words: HashSet<String> = HashSet::new();
    for finding in findings {
        let Some(place) = Place::of(&finding.path) else { continue };
        match finding.rule.id {
            "invalid-server-tool-id" | "search-result-not-encrypted" => {
                let top = Place { message: place.message, steps: place.steps.iter().copied().take(1).collect() };
                match block::block(&mut work.slots, &top) {
                    Some(ContentBlock::ServerToolUse(call)) => as_words.extend([call.id.clone()]),
                    Some(ContentBlock::ServerToolResult(result)) => as_words.extend([result.tool_use_id.clone()]),
                    _ => {}
                }
            }
            _ if place.steps.is_empty() => {
                flat.insert(place.message);
                work.add(finding.rule.id, Removed, finding.path.clone(), finding.message.clone());
            }
            _ => {
                work.add(finding.rule.id, Removed, finding.path.clone(), finding.message.clone());
                drops.push(place);
            }
        }
    }
    if !as_words.is_empty() {
        to_words(work, &as_words);
    }
    block::remove(&mut work.slots, drops);
    let mut index = 0;
    work.slots.retain(|_| {
        index += 1;
        !flat.contains(&(index - 1))
    });
}

/// Calls that the server would not know, and their results, stay as text. Nothing moves.
fn to_words(work: &mut Work<'_>, ids: &HashSet<String>) {
    let mut changed = Vec::new();
    for (index, slot) in work.slots.iter_mut().enumerate() {
        let Message::Assistant(message) = &mut slot.message else { continue };
        let Content::Blocks(blocks) = &mut message.content else { continue };
        for (at, block) in blocks.iter_mut().enumerate() {
            let concerned = match block {
                ContentBlock::ServerToolUse(call) => ids.contains(&call.id),
                ContentBlock::ServerToolResult(result) => ids.contains(&result.tool_use_id),
                _ => false,
            };
            if concerned {
                *block = as_text(block);
                changed.push(Path::message(index).field("content").index(at));
            }
        }
    }
    for path in changed {
        work.add(
            "invalid-server-tool-id",
            Replaced,
            path,
            "a server tool block that the server would not know stays as text",
        );
    }
}
