//! Thinking (contract 4.7).

use super::Found;
use crate::rules;
use crate::view::{Placed, View};
use antiphon_model::{BlockRef, RawRef, Request, Role};

pub(super) fn check(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    for placed in &view.blocks {
        if let BlockRef::Thinking(block) = placed.content {
            if block.signature.as_deref().is_none_or(str::is_empty) {
                found.plain(&rules::THINKING_SIGNATURE_MISSING, placed.path());
            } else if block.thinking.is_empty() {
                found.plain(&rules::THINKING_TEXT_EMPTY, placed.path());
            }
        }
    }
    // The API combines assistant messages in a row before it looks at the order of their blocks.
    let mut run: Option<std::ops::Range<usize>> = None;
    for turn in &view.turns {
        if turn.role == Some(Role::Assistant) {
            match &mut run {
                Some(range) => range.end = turn.blocks.end,
                None => run = Some(turn.blocks.clone()),
            }
        } else if let Some(range) = run.take() {
            order(view.blocks.get(range).unwrap_or_default(), found);
        }
    }
    let last = run.map(|range| view.blocks.get(range).unwrap_or_default());
    if let Some(blocks) = last {
        order(blocks, found);
    }
    mode(request, view, last, found);
}

fn order(blocks: &[Placed<'_>], found: &mut Found<'_>) {
    let Some(last) = blocks.last() else { return };
    if last.content.is_thinking() {
        found.plain(&rules::THINKING_LAST, last.path());
    }
    let Some(first) = blocks.iter().find(|p| !is_server_work(p.content)) else { return };
    if !first.content.is_thinking()
        && let Some(thinking) = blocks.iter().find(|p| p.content.is_thinking())
    {
        found.plain(&rules::THINKING_NOT_FIRST, thinking.path());
    }
}

/// What the API itself puts before the first thinking of an answer: server tool calls and their results
/// (recorded, and taken back), a compaction (contract 1.1: at the start of a response), a fallback.
fn is_server_work(block: BlockRef<'_>) -> bool {
    matches!(block, BlockRef::ServerToolUse(_) | BlockRef::ServerToolResult(_) | BlockRef::Compaction(_))
        || block.type_name() == "fallback"
}

fn mode(request: &Request, view: &View<'_>, last: Option<&[Placed<'_>]>, found: &mut Found<'_>) {
    let kind = request.param("thinking").and_then(|t| t.member("type")).and_then(RawRef::as_str);
    match kind.as_deref() {
        Some("enabled") => {
            // The message of the current tool loop: the last assistant turn, if results follow it.
            let Some(at) = view.turns.iter().rposition(|turn| turn.role == Some(Role::Assistant)) else { return };
            let answering = view.turns.get(at + 1).is_some_and(|turn| {
                turn.role == Some(Role::User) && view.of(turn).iter().any(|p| p.content.as_tool_result().is_some())
            });
            let blocks = view.turns.get(at).map(|turn| view.of(turn)).unwrap_or_default();
            if answering
                && let Some(first) = blocks.first()
                && !first.content.is_thinking()
                && starts_loop(view, at)
            {
                found.plain(&rules::THINKING_MISSING_IN_LOOP, first.path());
            }
        }
        Some("disabled") => {
            if let Some(thinking) = last.unwrap_or_default().iter().find(|p| p.content.is_thinking()) {
                found.plain(&rules::THINKING_WHEN_DISABLED, thinking.path());
            }
        }
        _ => {}
    }
}

/// Whether the assistant turn at `at` is the first of its tool loop: in the middle of one the model may
/// go on without thinking again.
fn starts_loop(view: &View<'_>, at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| view.turns.get(before))
        .is_none_or(|turn| !view.of(turn).iter().any(|p| p.content.as_tool_result().is_some()))
}
