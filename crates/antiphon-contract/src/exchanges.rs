//! Where history may be cut. Trim, fit, compact, fork and paging all ask here.

use crate::view::{Turn, View};
use antiphon_model::{BlockRef, Message, Role};
use std::collections::HashMap;
use std::ops::Range;

/// An atomic unit of turns: a question with what answers it, or one round of a tool loop. It is kept
/// or dropped as a whole: calls stay with their results, a thinking loop with all its rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// Its messages.
    pub messages: Range<usize>,
    /// Whether it begins with what a user says (not with tool results or the assistant), so that
    /// history may begin with it.
    pub opens_with_user: bool,
}

/// The exchanges of a conversation: they cover all messages, in order.
///
/// ```
/// use antiphon_contract::exchanges;
/// use antiphon_model::{Message, ToolResult, ToolUse};
/// let messages = vec![
///     Message::user("read a.txt"),
///     Message::from(ToolUse::new("t1", "read", &serde_json::json!({"path": "a.txt"}))?),
///     Message::from(ToolResult::ok("t1", "hello")?),
///     Message::assistant("It says hello."),
///     Message::user("thanks"),
/// ];
/// let units: Vec<_> = exchanges(&messages).into_iter().map(|e| e.messages).collect();
/// assert_eq!(units, [0..3, 3..4, 4..5]);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
pub fn exchanges(messages: &[Message]) -> Vec<Exchange> {
    let view = View::new(messages);
    let bound = bound_borders(&view);
    let mut units: Vec<Exchange> = Vec::new();
    for (at, turn) in view.turns.iter().enumerate() {
        let opens_with_user = turn.role == Some(Role::User) && !holds_results(&view, turn);
        let round = turn.role == Some(Role::Assistant)
            && at.checked_sub(1).and_then(|i| view.turns.get(i)).is_some_and(|before| holds_results(&view, before));
        let free = bound.get(at).is_none_or(|bound| !bound);
        match units.last_mut() {
            Some(unit) if !free || !(opens_with_user || round) => unit.messages.end = turn.messages.end,
            _ => units.push(Exchange { messages: turn.messages.clone(), opens_with_user }),
        }
    }
    units
}

/// The indices at which history may be cut: what stands before an index may be dropped, or replaced by
/// a summary, and the rest is still a conversation that begins with a user's words. 0 and the number of
/// messages are always among them.
///
/// ```
/// use antiphon_contract::legal_cuts;
/// use antiphon_model::Message;
/// let messages = vec![Message::user("a"), Message::assistant("b"), Message::user("c")];
/// assert_eq!(legal_cuts(&messages), [0, 2, 3]);
/// ```
pub fn legal_cuts(messages: &[Message]) -> Vec<usize> {
    let mut cuts = vec![0];
    cuts.extend(
        exchanges(messages).into_iter().filter(|e| e.opens_with_user).map(|e| e.messages.start).filter(|at| *at > 0),
    );
    if !messages.is_empty() {
        cuts.push(messages.len());
    }
    cuts
}

fn holds_results(view: &View<'_>, turn: &Turn) -> bool {
    view.of(turn).iter().any(|placed| placed.content.as_tool_result().is_some())
}

/// For each turn: does something tie it to the turn before?
fn bound_borders(view: &View<'_>) -> Vec<bool> {
    // +1 where a tie begins (the border behind its first turn), -1 behind its last.
    let mut change = vec![0i64; view.turns.len() + 1];
    let mut tie = |from: usize, to: usize| {
        if from < to {
            if let Some(c) = change.get_mut(from + 1) {
                *c += 1;
            }
            if let Some(c) = change.get_mut(to + 1) {
                *c -= 1;
            }
        }
    };
    let mut calls: HashMap<&str, usize> = HashMap::new();
    let mut thinking_loop: Option<usize> = None;
    for (at, turn) in view.turns.iter().enumerate() {
        for placed in view.of(turn) {
            match placed.content {
                BlockRef::ToolUse(call) => {
                    calls.insert(&call.id, at);
                }
                BlockRef::ServerToolUse(call) => {
                    calls.insert(&call.id, at);
                }
                BlockRef::ToolResult(result) => {
                    if let Some(from) = calls.get(result.tool_use_id.as_str()) {
                        tie(*from, at);
                    }
                }
                BlockRef::ServerToolResult(result) => {
                    if let Some(from) = calls.get(result.tool_use_id.as_str()) {
                        tie(*from, at);
                    }
                }
                _ => {}
            }
        }
        match turn.role {
            Some(Role::Assistant) => {
                if let Some(from) = thinking_loop {
                    tie(from, at);
                } else if view.of(turn).iter().any(|p| p.content.is_thinking()) {
                    thinking_loop = Some(at);
                }
            }
            // Results keep the loop going; a user's words end it.
            Some(Role::User) if !holds_results(view, turn) => thinking_loop = None,
            _ => {}
        }
    }
    let mut open = 0;
    change
        .iter()
        .map(|c| {
            open += c;
            open > 0
        })
        .collect()
}
