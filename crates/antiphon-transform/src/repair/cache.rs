//! Cache marks.

use super::Work;
use super::block::{self, Place};
use super::raw::with_member;
use crate::report::ChangeKind::{Removed, Replaced};
use antiphon_contract::{Finding, Path, Step};
use antiphon_model::{Content, ContentBlock, Message, RawJson, Tool};

pub(super) const FORM_RULES: &[&str] = &["invalid-cache-control", "cache-ttl-order"];
pub(super) const COUNT_RULES: &[&str] = &["too-many-cache-control", "cache-auto-slot"];

/// Marks of another form, or longer than one before them, become plain ones.
pub(super) fn run_form(work: &mut Work<'_>, findings: &[Finding]) {
    let Ok(plain) = RawJson::parse(r#"{"type":"ephemeral"}"#) else { return };
    for finding in findings {
        let done = match finding.path.steps() {
            [Step::Field("tools"), Step::Index(at), ..] => {
                let tool = work.request.tools.as_mut().and_then(|tools| tools.get_mut(*at));
                tool.is_some_and(|tool| match with_member(tool.raw(), "cache_control", plain.as_ref()) {
                    Some(raw) => {
                        *tool = Tool::from_raw(raw);
                        true
                    }
                    None => false,
                })
            }
            [Step::Field("system"), Step::Index(at), ..] => match &mut work.request.system {
                Some(Content::Blocks(blocks)) => blocks.get_mut(*at).is_some_and(|block| remark(block, &plain)),
                _ => false,
            },
            _ => match Place::of(&finding.path) {
                Some(place) if place.steps.is_empty() => {
                    let extra = work.slots.get_mut(place.message).and_then(|slot| slot.message.extra_mut());
                    extra.map(|extra| extra.insert("cache_control", plain.clone())).is_some()
                }
                Some(place) => block::block(&mut work.slots, &place).is_some_and(|block| remark(block, &plain)),
                None => false,
            },
        };
        if done {
            work.add(finding.rule.id, Replaced, finding.path.clone(), "the mark by a plain one");
        }
    }
}

fn remark(block: &mut ContentBlock, plain: &RawJson) -> bool {
    match block {
        ContentBlock::Other(other) => match with_member(other.raw.as_ref(), "cache_control", plain.as_ref()) {
            Some(raw) => {
                other.raw = raw;
                true
            }
            None => false,
        },
        other => other.extra_mut().map(|extra| extra.insert("cache_control", plain.clone())).is_some(),
    }
}

/// Takes the earliest marks off the messages until the rest fits; the last one stays. Marks of tools and
/// system prompt, which serve every request, go only when there are too many of them alone.
pub(super) fn run_count(work: &mut Work<'_>, findings: &[Finding]) {
    let Some(rule) = findings.first().map(|f| f.rule.id) else { return };
    let tools = work.request.tools.iter().flatten().filter(|t| marked(t.member("cache_control"))).count();
    let system = match &work.request.system {
        Some(Content::Blocks(blocks)) => blocks.iter().filter(|b| b.cache_control().is_some()).count(),
        _ => 0,
    };
    let places = places(work);
    let automatic = usize::from(rule == "cache-auto-slot");
    let most = work.options.profile.cache_marks;
    let mut surplus = (tools + system + places.len() + automatic).saturating_sub(most);
    let last = places.len().saturating_sub(1);
    for place in places.iter().take(last) {
        if surplus == 0 {
            return;
        }
        if unmark(work, place) {
            surplus -= 1;
            work.add(rule, Removed, super::local::path_of(place).field("cache_control"), "a cache mark");
        }
    }
    let mut gone = Vec::new();
    if let Some(Content::Blocks(blocks)) = &mut work.request.system {
        for (i, block) in blocks.iter_mut().enumerate() {
            if surplus > 0 && block.cache_control().is_some() && block.remove_cache_control().is_some() {
                surplus -= 1;
                gone.push(Path::top("system").index(i));
            }
        }
    }
    for (i, tool) in work.request.tools.iter_mut().flatten().enumerate() {
        if surplus > 0 && tool.remove_cache_control().is_some() {
            surplus -= 1;
            gone.push(Path::top("tools").index(i));
        }
    }
    for path in gone {
        work.add(rule, Removed, path, "a cache mark");
    }
    // What is left is a last block whose mark has another ttl than the automatic one.
    if automatic > 0
        && surplus == 0
        && work.report.changes.iter().all(|c| c.rule != Some(rule))
        && let Some(place) = places.last()
        && unmark(work, place)
    {
        work.add(rule, Removed, super::local::path_of(place).field("cache_control"), "a cache mark");
    }
}

fn marked(mark: Option<antiphon_model::RawRef<'_>>) -> bool {
    mark.is_some_and(|mark| !mark.is_null())
}

/// The places of the marks in messages, in order.
fn places(work: &Work<'_>) -> Vec<Place> {
    let mut places = Vec::new();
    for (message, slot) in work.slots.iter().enumerate() {
        if slot.message.is_flat() && marked(slot.message.extra().and_then(|extra| extra.get("cache_control"))) {
            places.push(Place { message, steps: vec![] });
        }
        let content = match &slot.message {
            Message::ToolResult(result) => result.content.as_ref(),
            other => other.content(),
        };
        let Some(Content::Blocks(blocks)) = content else { continue };
        for (i, block) in blocks.iter().enumerate() {
            if block.cache_control().is_some() && !block.is_thinking() {
                places.push(Place { message, steps: vec![i] });
            }
            if let ContentBlock::ToolResult(result) = block
                && let Some(Content::Blocks(inner)) = &result.content
            {
                let marks = inner.iter().enumerate().filter(|(_, b)| b.cache_control().is_some());
                places.extend(marks.map(|(j, _)| Place { message, steps: vec![i, j] }));
            }
        }
    }
    places
}

fn unmark(work: &mut Work<'_>, place: &Place) -> bool {
    if place.steps.is_empty() {
        let extra = work.slots.get_mut(place.message).and_then(|slot| slot.message.extra_mut());
        return extra.and_then(|extra| extra.remove("cache_control")).is_some();
    }
    block::block(&mut work.slots, place).and_then(ContentBlock::remove_cache_control).is_some()
}
