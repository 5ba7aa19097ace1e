//! Blocks in the wrong role move into a turn of the right one.

use super::Work;
use super::block::{self, Place};
use crate::conversation::Slot;
use crate::report::ChangeKind::{Moved, Removed};
use antiphon_contract::Finding;
use antiphon_model::{Content, ContentBlock, Message, Role};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const RULES: &[&str] = &[
    "image-in-assistant",
    "container-upload-in-assistant",
    "tool-result-not-in-user",
    "tool-use-not-in-assistant",
    "thinking-not-in-assistant",
    "tool-change-not-in-system",
    "server-block-not-in-assistant",
];

pub(super) fn run(work: &mut Work<'_>, findings: &[Finding]) {
    let mut drops = Vec::new();
    // Blocks that leave their assistant message for a user message behind it.
    let mut behind: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
    // User messages with blocks of the assistant in them.
    let mut split: BTreeSet<usize> = BTreeSet::new();
    for finding in findings {
        let Some(place) = Place::of(&finding.path) else { continue };
        match finding.rule.id {
            "image-in-assistant" | "tool-result-not-in-user" => {
                work.add(finding.rule.id, Moved, finding.path.clone(), "a block into a user turn behind");
                behind.entry(place.message).or_default().push(place);
            }
            "tool-use-not-in-assistant" | "server-block-not-in-assistant" => {
                work.add(finding.rule.id, Moved, finding.path.clone(), "a block into an assistant turn of its own");
                split.insert(place.message);
            }
            _ => drops.push((finding, place)),
        }
    }
    if !drops.is_empty() && behind.is_empty() && split.is_empty() {
        for (finding, _) in &drops {
            work.add(finding.rule.id, Removed, finding.path.clone(), "a block that may not be sent here");
        }
        block::remove(&mut work.slots, drops.into_iter().map(|(_, place)| place).collect());
        return;
    }
    // From the back, so that indices before stay true.
    let mut messages: Vec<usize> = behind.keys().copied().chain(split.iter().copied()).collect();
    messages.sort_unstable();
    messages.dedup();
    for index in messages.into_iter().rev() {
        if let Some(places) = behind.remove(&index) {
            let blocks: Vec<ContentBlock> =
                block::remove(&mut work.slots, places).into_iter().map(|(_, b)| b).collect();
            work.slots.insert(index + 1, Slot::made(Message::user_blocks(blocks)));
        } else {
            by_role(work, index);
        }
    }
}

/// Splits a user message into runs of the user's and the assistant's blocks.
fn by_role(work: &mut Work<'_>, index: usize) {
    if index >= work.slots.len() {
        return;
    }
    let slot = work.slots.remove(index);
    let (mut message, origin) = (slot.message, slot.origin);
    let Some(Content::Blocks(blocks)) = message.content_mut() else {
        work.slots.insert(index, Slot { message, origin });
        return;
    };
    let mut parts: Vec<(Role, Vec<ContentBlock>)> = Vec::new();
    for block in std::mem::take(blocks) {
        let assistant = matches!(
            block,
            ContentBlock::ToolUse(_) | ContentBlock::ServerToolUse(_) | ContentBlock::ServerToolResult(_)
        );
        let role = if assistant { Role::Assistant } else { Role::User };
        match parts.last_mut() {
            Some((last, list)) if *last == role => list.push(block),
            _ => parts.push((role, vec![block])),
        }
    }
    let slots =
        parts.into_iter().map(|(role, blocks)| Slot { message: Message::turn(role, blocks), origin: origin.clone() });
    work.slots.splice(index..index, slots);
}
