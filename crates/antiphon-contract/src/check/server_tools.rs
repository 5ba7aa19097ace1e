//! Server tools (contract 4.6).

use super::{Found, shown};
use crate::rules;
use crate::view::{Placed, View};
use antiphon_model::{BlockRef, JsonKind, RawRef, Request, Role, ServerToolResult};
use std::collections::HashMap;

/// Names of server tools (contract 1.2).
const NAMES: &[&str] = &[
    "web_search",
    "web_fetch",
    "code_execution",
    "bash_code_execution",
    "text_editor_code_execution",
    "tool_search_tool_regex",
    "tool_search_tool_bm25",
    "advisor",
];

pub(super) fn check(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    let mut calls: HashMap<&str, (usize, &Placed<'_>)> = HashMap::new();
    let mut answered: std::collections::HashSet<&str> = std::collections::HashSet::new();
    for (at, turn) in view.turns.iter().enumerate() {
        for placed in view.of(turn) {
            match placed.content {
                BlockRef::ServerToolUse(call) => {
                    if call.kind == "server_tool_use" {
                        if !is_server_tool_id(&call.id) {
                            found.add(
                                &rules::INVALID_SERVER_TOOL_ID,
                                placed.path().field("id"),
                                format!("the id {} does not match ^srvtoolu_[a-zA-Z0-9_]+$", shown(&call.id)),
                            );
                        }
                        if !NAMES.contains(&call.name.as_str()) {
                            found.add(
                                &rules::UNKNOWN_SERVER_TOOL,
                                placed.path().field("name"),
                                format!("the server tool {} is not known here", shown(&call.name)),
                            );
                        }
                    }
                    calls.insert(&call.id, (at, placed));
                }
                BlockRef::ServerToolResult(result) => {
                    if calls.contains_key(result.tool_use_id.as_str()) {
                        answered.insert(&result.tool_use_id);
                    } else {
                        found.add(
                            &rules::ORPHAN_SERVER_TOOL_RESULT,
                            placed.path(),
                            format!("no server tool call {} before it", shown(&result.tool_use_id)),
                        );
                    }
                    encrypted(result, placed, found);
                }
                _ => {}
            }
        }
    }
    if answered.len() < calls.len() {
        let last = Last::of(view);
        for (id, (at, placed)) in calls.iter().filter(|(id, _)| !answered.contains(*id)) {
            unanswered(id, *at, placed, &last, found);
        }
    }
    programmatic(request, view, found);
}

fn is_server_tool_id(id: &str) -> bool {
    id.strip_prefix("srvtoolu_")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

/// The last assistant turn, and what stands behind it.
struct Last {
    turn: Option<usize>,
    calls_client: bool,
    only_results_behind: bool,
    nothing_behind: bool,
}

impl Last {
    fn of(view: &View<'_>) -> Self {
        let turn = view.turns.iter().rposition(|turn| turn.role == Some(Role::Assistant));
        let blocks = turn.and_then(|at| view.turns.get(at)).map(|turn| view.of(turn)).unwrap_or_default();
        let behind = view.turns.get(turn.map_or(0, |at| at + 1)..).unwrap_or_default();
        let mut after = behind.iter().flat_map(|turn| view.of(turn));
        Self {
            turn,
            calls_client: blocks.iter().any(|p| p.content.as_tool_use().is_some()),
            only_results_behind: after.all(|p| p.content.as_tool_result().is_some()),
            nothing_behind: behind.is_empty(),
        }
    }
}

/// Only the last assistant turn may wait for its server tools, alone or before results of client tools.
fn unanswered(id: &str, at: usize, placed: &Placed<'_>, last: &Last, found: &mut Found<'_>) {
    let is_last = last.turn == Some(at);
    if is_last && (last.nothing_behind || last.calls_client && last.only_results_behind) {
        return;
    }
    if is_last && last.calls_client {
        found.add(
            &rules::SERVER_TOOL_PENDING,
            placed.path(),
            format!("the server tool call {} is unanswered, so only results may follow", shown(id)),
        );
    } else {
        found.add(
            &rules::UNANSWERED_SERVER_TOOL,
            placed.path(),
            format!("the server tool call {} has no result", shown(id)),
        );
    }
}

fn encrypted(result: &ServerToolResult, placed: &Placed<'_>, found: &mut Found<'_>) {
    if result.kind != "web_search_tool_result" {
        return;
    }
    let Some(content) = result.content.as_ref().filter(|c| c.kind() == JsonKind::Array) else { return };
    for (i, entry) in content.elements().enumerate() {
        let kept = entry.member("encrypted_content").and_then(RawRef::as_str).is_some_and(|text| !text.is_empty());
        if !kept {
            found.plain(&rules::SEARCH_RESULT_NOT_ENCRYPTED, placed.path().field("content").index(i));
        }
    }
}

fn programmatic(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    if request.model().is_none() || request.param("container").is_some_and(|c| !c.is_null()) {
        return;
    }
    let Some(last) = view.turns.iter().rev().find(|turn| turn.role == Some(Role::Assistant)) else { return };
    for placed in view.of(last) {
        let Some(caller) = placed.content.as_tool_use().and_then(|call| call.extra.get("caller")) else { continue };
        if caller.member("type").and_then(RawRef::as_str).is_some_and(|kind| kind != "direct") {
            found.plain(&rules::PROGRAMMATIC_CONTAINER, placed.path());
        }
    }
}
