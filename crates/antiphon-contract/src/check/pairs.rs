//! Client tools: calls and their results (contract 4.5).

use super::{Found, is_server_id, shown};
use crate::finding::Severity;
use crate::path::Path;
use crate::rules;
use crate::view::{Placed, View};
use antiphon_model::{BlockRef, Role};
use std::collections::{HashMap, HashSet};

/// A call that had no result in the turn behind it.
struct Pending {
    turn: usize,
    path: Path,
}

pub(super) fn check(view: &View<'_>, found: &mut Found<'_>) {
    let mut server: HashSet<&str> = HashSet::new();
    let mut pending: HashMap<&str, Pending> = HashMap::new();
    // The calls of the turn before, and whether each is answered.
    let mut open: Vec<(&str, &Placed<'_>, bool)> = Vec::new();
    let mut open_at: HashMap<&str, usize> = HashMap::new();
    // Where the current run of assistant messages begins, and which ids are from before it.
    let mut in_run = false;
    let mut first_of_run = 0;
    let mut seen_in: HashMap<&str, usize> = HashMap::new();
    for (at, turn) in view.turns.iter().enumerate() {
        let blocks = view.of(turn);
        if turn.role == Some(Role::User) {
            let mut other_first = false;
            for placed in blocks {
                let Some(result) = placed.content.as_tool_result() else {
                    other_first = true;
                    continue;
                };
                let id = result.tool_use_id.as_str();
                if let Some((_, call, answered)) = open_at.get(id).and_then(|at| open.get_mut(*at)) {
                    if *answered {
                        found.add(
                            &rules::DUPLICATE_TOOL_RESULT,
                            placed.path(),
                            format!("a second result for {}", shown(id)),
                        );
                    } else if other_first {
                        found.add(
                            &rules::TOOL_RESULT_NOT_FIRST,
                            placed.path(),
                            format!("the result for {} stands behind other blocks", shown(id)),
                        );
                    }
                    *answered = true;
                    toolset(call, placed, found);
                    continue;
                }
                unexpected(id, at, placed, view, &mut pending, &server, found);
            }
        }
        // Assistant messages in a row are one turn to the server (recorded): their calls wait together.
        if turn.role == Some(Role::Assistant) && !in_run {
            first_of_run = at;
        }
        let goes_on = turn.role == Some(Role::Assistant) && in_run;
        in_run = turn.role == Some(Role::Assistant);
        if !goes_on {
            open_at.clear();
        }
        for (id, call, answered) in open.drain(if goes_on { open.len().. } else { 0.. }) {
            if !answered {
                // Two calls of one id: the earlier one can no longer be answered by what follows.
                if let Some(earlier) = pending.insert(id, Pending { turn: at.saturating_sub(1), path: call.path() }) {
                    missing(id, earlier.path, found);
                }
            }
        }
        if turn.role == Some(Role::Assistant) {
            for placed in blocks {
                match placed.content {
                    BlockRef::ToolUse(call) => {
                        if let Some(run) = seen_in.insert(&call.id, first_of_run) {
                            let most = if run == first_of_run { Severity::Error } else { found.profile.reused_tool_id };
                            found.add_at_most(
                                most,
                                &rules::DUPLICATE_TOOL_USE_ID,
                                placed.path().field("id"),
                                format!("the id {} stands on an earlier call too", shown(&call.id)),
                            );
                        }
                        if !open_at.contains_key(call.id.as_str()) {
                            open_at.insert(&call.id, open.len());
                            open.push((&call.id, placed, false));
                        }
                    }
                    BlockRef::ServerToolUse(call) => {
                        server.insert(&call.id);
                    }
                    _ => {}
                }
            }
            let calls = blocks.iter().rposition(|p| p.content.as_tool_use().is_some());
            let texts = blocks.iter().rposition(|p| p.content.as_text().is_some());
            if let (Some(call), Some(text)) = (calls, texts)
                && text > call
                && let Some(placed) = blocks.get(text)
            {
                found.plain(&rules::TEXT_AFTER_TOOL_USE, placed.path());
            }
        }
    }
    for (id, call, answered) in open {
        if !answered {
            if let Some(earlier) = pending.remove(id) {
                missing(id, earlier.path, found);
            }
            missing(id, call.path(), found);
        }
    }
    for (id, Pending { path, .. }) in pending {
        missing(id, path, found);
    }
}

fn missing(id: &str, path: Path, found: &mut Found<'_>) {
    // The words of the mission (DESIGN 11).
    found.add(&rules::MISSING_TOOL_RESULT, path, format!("missing tool_result for {}", shown_id(id)));
}

fn shown_id(id: &str) -> String {
    if id.chars().count() > 80 { shown(id) } else { id.to_owned() }
}

/// A result that the turn before does not ask for.
fn unexpected<'a>(
    id: &'a str,
    at: usize,
    placed: &Placed<'a>,
    view: &View<'a>,
    pending: &mut HashMap<&'a str, Pending>,
    server: &HashSet<&'a str>,
    found: &mut Found<'_>,
) {
    if server.contains(id) || is_server_id(id) {
        return found.add(
            &rules::CLIENT_RESULT_FOR_SERVER_TOOL,
            placed.path(),
            format!("{} is a call that the provider runs itself", shown(id)),
        );
    }
    let Some(Pending { turn, .. }) = pending.remove(id) else {
        return found.add(
            &rules::ORPHAN_TOOL_RESULT,
            placed.path(),
            format!("no call {} in the message before", shown(id)),
        );
    };
    let between = view.turns.get(turn + 1..at).unwrap_or_default();
    let split = between
        .iter()
        .all(|t| t.role == Some(Role::User) && view.of(t).iter().all(|p| p.content.as_tool_result().is_some()));
    if split && !between.is_empty() {
        found.add(
            &rules::SPLIT_TOOL_RESULTS,
            placed.path(),
            format!("the result for {} stands apart from the other results of its turn", shown(id)),
        );
    } else {
        found.add(
            &rules::TOOL_RESULT_NOT_ADJACENT,
            placed.path(),
            format!("the result for {} does not stand directly behind its call", shown(id)),
        );
    }
}

fn toolset(call: &Placed<'_>, result: &Placed<'_>, found: &mut Found<'_>) {
    if let Some(name) = call.content.member("toolset_name").and_then(antiphon_model::RawRef::as_str)
        && result.content.member("toolset_name").and_then(antiphon_model::RawRef::as_str) != Some(name)
    {
        found.plain(&rules::TOOLSET_RESULT, result.path());
    }
}
