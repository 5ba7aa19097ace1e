//! Roles and order (contract 4.2).

use super::text::is_blank;
use super::{Found, is_server_id};
use crate::path::Path;
use crate::rules;
use crate::view::{Placed, Turn, View};
use antiphon_model::{BlockRef, Message, Request, Role};

pub(super) fn check(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    if let Some(first) = view.turns.first()
        && first.role == Some(Role::Assistant)
    {
        found.plain(&rules::FIRST_MESSAGE_NOT_USER, Path::message(0));
    }
    for pair in view.turns.windows(2) {
        if let [a, b] = pair
            && a.role == b.role
            && a.role.is_some_and(|role| role != Role::System)
            && let Some(role) = a.role
        {
            found.add(
                &rules::CONSECUTIVE_SAME_ROLE,
                Path::message(b.messages.start),
                format!("two {role} messages in a row"),
            );
        }
    }
    system_turns(request, view, found);
    // The server combines assistant messages in a row: the last of them is judged with those before it.
    let run = view.turns.iter().rev().take_while(|turn| turn.role == Some(Role::Assistant)).count();
    let run = view.turns.get(view.turns.len() - run..).unwrap_or_default();
    if let (Some(first), Some(last)) = (run.first(), run.last()) {
        let blocks = view.blocks.get(first.blocks.start..last.blocks.end).unwrap_or_default();
        final_assistant(request, blocks, last, found);
    }
}

fn final_assistant(request: &Request, blocks: &[Placed<'_>], last: &Turn, found: &mut Found<'_>) {
    let answered: std::collections::HashSet<&str> = blocks
        .iter()
        .filter_map(|p| if let BlockRef::ServerToolResult(r) = p.content { Some(r.tool_use_id.as_str()) } else { None })
        .collect();
    let paused = blocks
        .iter()
        .any(|p| matches!(p.content, BlockRef::ServerToolUse(call) if !answered.contains(call.id.as_str())));
    let calls = blocks.iter().any(|placed| placed.content.as_tool_use().is_some_and(|call| !is_server_id(&call.id)));
    // A turn that waits for results is no prefill: that they are missing is reported by itself.
    if !paused && !calls {
        let path = Path::message(last.messages.start);
        found.plain(&rules::ENDS_WITH_ASSISTANT, path.clone());
        let manual = request.param("thinking").and_then(|t| t.member("type")).is_some_and(|t| t.is_str("enabled"));
        if manual {
            found.plain(&rules::PREFILL_WITH_THINKING, path);
        }
    }
    // An empty final message adds nothing to the text before it.
    let last_said = blocks.iter().rev().find(|p| p.content.as_text().is_none_or(|text| !text.is_empty()));
    if let Some(placed) = last_said
        && let Some(text) = placed.content.as_text()
        && text.ends_with(char::is_whitespace)
        && !is_blank(text)
    {
        found.plain(&rules::TRAILING_WHITESPACE_FINAL_ASSISTANT, placed.path());
    }
}

fn system_turns(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    let is_system = |turn: &&Turn| turn.role == Some(Role::System);
    for (at, turn) in view.turns.iter().enumerate().filter(|(_, turn)| turn.role == Some(Role::System)) {
        let index = turn.messages.start;
        let path = || Path::message(index);
        let directive = matches!(request.messages.get(index), Some(Message::System(m))
            if m.content.is_empty() && m.extra.get("output_config").is_some());
        if directive {
            continue;
        }
        // Several in a row count as one: look past them on both sides.
        let before = view.turns.iter().take(at).rev().find(|turn| !is_system(turn));
        let after = view.turns.iter().skip(at + 1).find(|turn| !is_system(turn));
        if before.is_none() {
            found.plain(&rules::SYSTEM_MESSAGE_FIRST, path());
            continue;
        }
        found.plain(&rules::SYSTEM_ROLE_UNSUPPORTED, path());
        let follows = before.is_some_and(|turn| match turn.role {
            Some(Role::User) => true,
            _ => matches!(view.of(turn).last().map(|p| p.content), Some(BlockRef::ServerToolResult(_))),
        });
        if !follows || after.is_some_and(|turn| turn.role != Some(Role::Assistant)) {
            found.plain(&rules::SYSTEM_MESSAGE_PLACEMENT, path());
        }
    }
}
