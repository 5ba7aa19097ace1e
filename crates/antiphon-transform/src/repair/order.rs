//! Order of turns: system messages, first and last turn, neighbours of one role.

use super::Work;
use super::block::{self, Place};
use crate::conversation::{Conversation, Slot};
use crate::merge::Merge;
use crate::pipeline::Transform;
use crate::report::ChangeKind::{Inserted, Moved, Replaced};
use antiphon_contract::{Finding, Path};
use antiphon_model::{Content, ContentBlock, Message, Request, Role};
use std::collections::BTreeSet;

pub(super) const RULES: &[&str] = &[
    "system-message-first",
    "system-message-placement",
    "system-role-unsupported",
    "trailing-whitespace-final-assistant",
    "first-message-not-user",
    "consecutive-same-role",
    "ends-with-assistant",
];

pub(super) fn run(work: &mut Work<'_>, findings: &[Finding]) {
    // One rule a round: each of these moves messages, and the next is judged on what came of it.
    let Some(rule) = RULES.iter().find(|rule| findings.iter().any(|f| f.rule.id == **rule)) else { return };
    let places: BTreeSet<usize> =
        findings.iter().filter(|f| f.rule.id == *rule).filter_map(|f| f.path.message_index()).collect();
    match *rule {
        "system-message-first" => hoist(work, rule),
        "system-message-placement" => behind_users(work, rule, &places),
        "system-role-unsupported" => to_user(work, rule, &places),
        "trailing-whitespace-final-assistant" => trim(work, rule, findings),
        "first-message-not-user" => {
            work.add(rule, Inserted, Path::message(0), "a short user turn in front");
            work.slots.insert(0, Slot::made(Message::user("(continued)")));
        }
        "consecutive-same-role" => merge(work),
        "ends-with-assistant" => {
            if let Some(text) = work.options.continuation.clone() {
                let at = work.slots.len().saturating_sub(1);
                work.add_behind(rule, Inserted, Path::message(at), at + 1, "a user turn at the end");
                work.slots.push(Slot::made(Message::user(text)));
            }
        }
        _ => {}
    }
}

/// Leading system messages become the top-level system prompt, behind what it says already.
fn hoist(work: &mut Work<'_>, rule: &'static str) {
    let leading = work.slots.iter().take_while(|slot| slot.message.wire_role() == Some(Role::System)).count();
    for index in 0..leading {
        work.add(rule, Moved, Path::message(index), "the system message to the top-level `system`");
    }
    work.report.add(Some(rule), Inserted, Path::top("system"), "what the leading system messages say");
    let joiner = Merge::default();
    for slot in work.slots.drain(..leading) {
        let Message::System(message) = slot.message else { continue };
        if message.content.is_empty() {
            continue;
        }
        match &mut work.request.system {
            Some(system) => joiner.join(system, message.content),
            None => work.request.system = Some(message.content),
        }
    }
}

/// A system message goes behind the user turns that follow it, where the assistant comes next; one that
/// has no user turn before it there becomes a user turn.
fn behind_users(work: &mut Work<'_>, rule: &'static str, places: &BTreeSet<usize>) {
    let mut out: Vec<Slot> = Vec::with_capacity(work.slots.len());
    let mut waiting: Vec<(usize, Slot)> = Vec::new();
    let mut done = Vec::new();
    for (index, slot) in std::mem::take(&mut work.slots).into_iter().enumerate() {
        if places.contains(&index) {
            done.push(index);
            waiting.push((index, slot));
            continue;
        }
        if slot.message.wire_role() != Some(Role::User) {
            settle(&mut out, &mut waiting);
        }
        out.push(slot);
    }
    settle(&mut out, &mut waiting);
    work.slots = out;
    for index in done {
        // The slots have moved; the place is counted in what came in, which is what the report wants.
        work.report.add(Some(rule), Moved, Path::message(index), "the system message to where one may stand");
    }
}

fn settle(out: &mut Vec<Slot>, waiting: &mut Vec<(usize, Slot)>) {
    let after_user = out.last().is_some_and(|slot| slot.message.wire_role() == Some(Role::User));
    for (_, mut slot) in waiting.drain(..) {
        if !after_user && let Message::System(message) = &mut slot.message {
            let content = std::mem::replace(&mut message.content, Content::Blocks(Vec::new()));
            slot.message = Message::turn(Role::User, content);
        }
        out.push(slot);
    }
}

fn to_user(work: &mut Work<'_>, rule: &'static str, places: &BTreeSet<usize>) {
    for index in places {
        let Some(slot) = work.slots.get_mut(*index) else { continue };
        if let Message::System(message) = &mut slot.message {
            let content = std::mem::replace(&mut message.content, Content::Blocks(Vec::new()));
            slot.message = Message::turn(Role::User, content);
            work.add(rule, Replaced, Path::message(*index), "the system message by a user turn");
        }
    }
}

fn trim(work: &mut Work<'_>, rule: &'static str, findings: &[Finding]) {
    for finding in findings.iter().filter(|f| f.rule.id == rule) {
        let Some(place) = Place::of(&finding.path) else { continue };
        let text = if place.steps.is_empty() {
            match work.slots.get_mut(place.message).and_then(|slot| slot.message.content_mut()) {
                Some(Content::Text(text)) => text,
                _ => continue,
            }
        } else {
            match block::block(&mut work.slots, &place) {
                Some(ContentBlock::Text(block)) => &mut block.text,
                _ => continue,
            }
        };
        let kept = text.trim_end().len();
        text.make_mut().truncate(kept);
        work.add(rule, Replaced, finding.path.clone(), "the final text without the white space at its end");
    }
}

fn merge(work: &mut Work<'_>) {
    let mut conversation = Conversation::new(Request::default());
    conversation.restore(std::mem::take(&mut work.slots));
    if let Ok(report) = Merge::blocks().apply(&mut conversation) {
        work.report.extend(report);
    }
    work.slots = conversation.take();
}
