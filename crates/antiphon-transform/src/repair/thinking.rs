//! Thinking that cannot be sent is left out; none is ever altered.

use super::Work;
use super::block::{self, Place, as_text};
use crate::repair::UnsignedThinking;
use crate::report::ChangeKind::{Removed, Replaced};
use antiphon_contract::{Finding, Path};
use antiphon_model::{Content, ContentBlock, Role};
use std::collections::BTreeSet;

pub(super) const RULES: &[&str] =
    &["thinking-signature-missing", "thinking-not-first", "thinking-last", "thinking-when-disabled"];

pub(super) fn run(work: &mut Work<'_>, findings: &[Finding]) {
    let unsigned: Vec<Place> = findings
        .iter()
        .filter(|f| f.rule.id == "thinking-signature-missing")
        .filter_map(|f| Place::of(&f.path))
        .collect();
    if !unsigned.is_empty() {
        without_signature(work, unsigned);
        return;
    }
    let latest = work.slots.iter().rposition(|slot| slot.message.wire_role() == Some(Role::Assistant));
    let mut done = BTreeSet::new();
    for finding in findings {
        let Some(index) = finding.path.message_index().filter(|index| done.insert(*index)) else { continue };
        let Some(Content::Blocks(blocks)) = work.slots.get_mut(index).and_then(|slot| slot.message.content_mut())
        else {
            continue;
        };
        let before = blocks.len();
        if finding.rule.id == "thinking-last" && latest != Some(index) {
            // Of an older turn any part may be left out.
            while blocks.last().is_some_and(ContentBlock::is_thinking) {
                blocks.pop();
            }
        } else {
            // Of the latest turn all of it goes, or none (contract 4.13).
            blocks.retain(|block| !block.is_thinking());
        }
        let gone = before - blocks.len();
        if gone > 0 {
            work.add(finding.rule.id, Removed, Path::message(index), format!("{gone} thinking block(s)"));
        }
    }
}

fn without_signature(work: &mut Work<'_>, places: Vec<Place>) {
    const RULE: &str = "thinking-signature-missing";
    if work.options.unsigned == UnsignedThinking::ToText {
        let mut empty = Vec::new();
        for place in places {
            let Some(block) = block::block(&mut work.slots, &place) else { continue };
            let words = matches!(&block, ContentBlock::Thinking(t) if !t.thinking.trim().is_empty());
            if words {
                *block = as_text(block);
                work.add(RULE, Replaced, super::local::path_of(&place), "thinking without a signature by its text");
            } else {
                empty.push(place);
            }
        }
        drop_all(work, empty);
    } else {
        drop_all(work, places);
    }
}

fn drop_all(work: &mut Work<'_>, places: Vec<Place>) {
    for place in &places {
        work.add("thinking-signature-missing", Removed, super::local::path_of(place), "thinking without a signature");
    }
    block::remove(&mut work.slots, places);
}
