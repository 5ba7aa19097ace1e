//! Shapes of session files that were seen in the field, made up here.

use antiphon_interop::claude_code::{LineRole, LinkFault, Options, Session};
use antiphon_log::{Log, read};
use serde_json::json;

use crate::support::{check_account, contents};

/// One line of a made-up session: uuid, parent ("" for null), and the rest.
pub(crate) fn line(uuid: &str, parent: &str, rest: serde_json::Value) -> String {
    let parent = if parent.is_empty() { json!(null) } else { json!(parent) };
    let mut line = json!({"parentUuid": parent, "isSidechain": false, "uuid": uuid, "sessionId": "s"});
    line.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    line.to_string()
}

pub(crate) fn user(uuid: &str, parent: &str, text: &str) -> String {
    line(uuid, parent, json!({"type": "user", "message": {"role": "user", "content": text}}))
}

pub(crate) fn answer(uuid: &str, parent: &str, id: &str, block: serde_json::Value) -> String {
    let message = json!({"id": id, "role": "assistant", "content": [block], "usage": {"output_tokens": 5}});
    line(uuid, parent, json!({"type": "assistant", "requestId": format!("req-{id}"), "message": message}))
}

pub(crate) fn text(uuid: &str, parent: &str, id: &str, text: &str) -> String {
    answer(uuid, parent, id, json!({"type": "text", "text": text}))
}

pub(crate) fn call(uuid: &str, parent: &str, id: &str, call: &str) -> String {
    answer(uuid, parent, id, json!({"type": "tool_use", "id": call, "name": "t", "input": {}}))
}

pub(crate) fn result(uuid: &str, parent: &str, call: &str) -> String {
    let block = json!({"type": "tool_result", "tool_use_id": call, "content": format!("result of {call}")});
    let message = json!({"role": "user", "content": [block]});
    line(uuid, parent, json!({"type": "user", "message": message, "toolUseResult": {"x": 1}}))
}

pub(crate) fn progress(uuid: &str, parent: &str) -> String {
    line(uuid, parent, json!({"type": "progress", "data": {"type": "hook_progress"}}))
}

pub(crate) fn file(lines: &[String]) -> Log {
    read(lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>().as_bytes())
}

/// The conversation as words: the role's first letter and what the blocks are about.
fn outline(log: &Log) -> Vec<String> {
    let conversation = Session::new(log).conversation();
    check_account(log, &conversation);
    conversation.messages.iter().map(words).collect()
}

fn words(message: &antiphon_model::Message) -> String {
    let block = |block: antiphon_model::BlockRef<'_>| match block {
        antiphon_model::BlockRef::Text { text, .. } => text.to_string(),
        antiphon_model::BlockRef::ToolUse(call) => format!("+{}", call.id),
        antiphon_model::BlockRef::ToolResult(result) => format!("={}", result.tool_use_id),
        other => other.type_name().to_owned(),
    };
    let blocks: Vec<_> = message.blocks().map(block).collect();
    format!("{}: {}", &message.role_name()[..1], blocks.join(" "))
}

#[test]
fn parallel_calls_and_results_beside_the_way_are_taken_in() {
    // The way to the leaf passes 8 and 4 only; 5 and 7 hang beside it.
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "both"),
        call("4", "2", "m", "A"),
        call("5", "4", "m", "B"),
        progress("6", "5"),
        result("7", "5", "B"),
        result("8", "4", "A"),
        text("9", "8", "n", "done"),
    ]);
    assert_eq!(outline(&log), ["u: go", "a: both +A +B", "u: =B =A", "a: done"]);
    // Here the first result hangs beside it.
    let log = file(&[
        user("1", "", "go"),
        call("2", "1", "m", "A"),
        progress("3", "2"),
        call("4", "3", "m", "B"),
        result("5", "2", "A"),
        result("6", "4", "B"),
        text("7", "6", "n", "done"),
    ]);
    assert_eq!(outline(&log), ["u: go", "a: +A +B", "u: =A =B", "a: done"]);
    // One result stands between two lines of the answer, on the way.
    let log = file(&[
        user("1", "", "go"),
        call("2", "1", "m", "A"),
        result("3", "2", "A"),
        call("4", "3", "m", "B"),
        result("5", "4", "B"),
        text("6", "5", "n", "done"),
    ]);
    assert_eq!(outline(&log), ["u: go", "a: +A +B", "u: =A =B", "a: done"]);
}

#[test]
fn a_branch_that_was_left_stays_out() {
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "one"),
        user("3", "2", "left"),
        call("4", "3", "n", "A"),
        result("5", "4", "A"),
        user("6", "2", "taken"),
        text("7", "6", "o", "two"),
    ]);
    assert_eq!(outline(&log), ["u: go", "a: one", "u: taken", "a: two"]);
    let session = Session::new(&log);
    let report = session.conversation().report;
    assert_eq!(report.count(LineRole::OtherBranch), 3);
    assert_eq!(session.leaves(), [4, 6]);
    let other = session.conversation_from(4, Options::default());
    assert_eq!(other.messages.iter().map(words).collect::<Vec<_>>(), ["u: go", "a: one", "u: left", "a: +A", "u: =A"]);
}

#[test]
fn the_same_result_on_two_branches_counts_once() {
    let log = file(&[
        user("1", "", "go"),
        call("2", "1", "m", "A"),
        result("3", "2", "A"),
        text("4", "3", "n", "left"),
        result("5", "2", "A"),
        text("6", "5", "o", "taken"),
    ]);
    assert_eq!(outline(&log), ["u: go", "a: +A", "u: =A", "a: taken"]);
}

#[test]
fn a_compaction_cuts_and_its_summary_stays() {
    let mut lines = vec![user("1", "", "old"), text("2", "1", "m", "older")];
    lines.push(line("3", "", json!({"type": "system", "subtype": "compact_boundary", "logicalParentUuid": "2"})));
    let message = json!({"role": "user", "content": "summary"});
    lines.push(line("4", "3", json!({"type": "user", "isCompactSummary": true, "message": message})));
    lines.push(text("5", "4", "n", "on"));
    let log = file(&lines);
    assert_eq!(outline(&log), ["u: summary", "a: on"]);
    assert_eq!(Session::new(&log).conversation().report.count(LineRole::Compacted), 2);
    // The boundary is lost: the summary still stands for what was before it.
    lines[2] = "{\"parentUuid\":null,\"type\":\"sys".to_owned();
    let log = file(&lines);
    assert_eq!(outline(&log), ["u: summary", "a: on"]);
}

#[test]
fn sidechains_meta_and_error_notices() {
    let note = json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": "note"}});
    let side = json!({"type": "user", "isSidechain": true, "message": {"role": "user", "content": "side"}});
    let failed = json!({"type": "assistant", "isApiErrorMessage": true, "message": {"role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": "API Error"}]}});
    let quiet = json!({"type": "assistant", "message": {"role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": "No response requested."}]}});
    let log = file(&[
        user("1", "", "go"),
        line("2", "1", note),
        line("3", "2", failed),
        line("4", "3", quiet),
        user("5", "4", "again"),
        line("6", "", side),
    ]);
    assert_eq!(outline(&log), ["u: go", "u: note", "a: No response requested.", "u: again"]);
    let session = Session::new(&log);
    let shown = session.conversation_with(Options::display());
    let shown: Vec<_> = shown.messages.iter().map(words).collect();
    assert_eq!(shown, ["u: go", "a: API Error", "a: No response requested.", "u: again"]);
    let report = session.conversation().report;
    assert_eq!(report.count(LineRole::Sidechain), 1);
    assert_eq!(report.count(LineRole::ErrorNotice), 1);
    let side = session.conversation_from(5, Options::default());
    assert_eq!(side.messages.len(), 1);
}

#[test]
fn a_line_lost_to_damage_breaks_no_chain() {
    let mut lines =
        vec![user("1", "", "go"), text("2", "1", "m", "one"), user("3", "2", "lost"), text("4", "3", "n", "two")];
    lines[2] = "\0".repeat(200);
    let log = file(&lines);
    assert_eq!(outline(&log), ["u: go", "a: one", "a: two"]);
    let healed = Session::new(&log).conversation().report.healed;
    assert_eq!((healed[0].entry, healed[0].parent), (2, Some(1)));
    assert_eq!(healed[0].fault, LinkFault::Missing { uuid: "3".to_owned(), damage: true });
}

#[test]
fn the_torn_start_of_a_line_says_where_it_hung() {
    let lost = r#"{"parentUuid":"2","isSidechain":false,"type":"user","message":{"role":"user","cont"#;
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "one"),
        user("3", "2", "left"),
        text("4", "3", "n", "left too"),
        lost.to_owned(),
        text("7", "6", "o", "two"),
    ]);
    assert_eq!(outline(&log), ["u: go", "a: one", "a: two"]);
}

#[test]
fn rings_and_parents_behind_their_children() {
    let log =
        file(&[user("1", "1", "go"), text("2", "1", "m", "one"), user("3", "3", "on"), text("4", "3", "n", "two")]);
    assert_eq!(outline(&log), ["u: go", "a: one", "u: on", "a: two"]);
    assert_eq!(Session::new(&log).healed().iter().filter(|healed| healed.fault == LinkFault::Cycle).count(), 2);
    let log =
        file(&[user("1", "4", "go"), text("2", "1", "m", "one"), user("3", "2", "on"), text("4", "3", "n", "two")]);
    assert_eq!(outline(&log).len(), 4);
    let log = file(&[text("2", "1", "m", "one"), user("1", "", "go"), user("3", "2", "on")]);
    assert_eq!(outline(&log), ["u: go", "a: one", "u: on"]);
    assert!(Session::new(&log).healed().is_empty());
}

#[test]
fn batches_that_came_twice_count_once() {
    let lines = [user("1", "", "go"), text("2", "1", "m", "one"), user("3", "2", "on")];
    let log = file(&[&lines[..], &lines[..2]].concat());
    assert_eq!(outline(&log), ["u: go", "a: one", "u: on"]);
    assert_eq!(Session::new(&log).conversation().report.count(LineRole::Repeat), 2);
}

#[test]
fn files_without_links_are_read_in_order() {
    let bare = |kind: &str, content: &str| {
        json!({"type": kind, "session_id": "s", "message": {"role": kind, "content": content}}).to_string()
    };
    let log =
        file(&[json!({"type": "system", "subtype": "init"}).to_string(), bare("user", "go"), bare("assistant", "one")]);
    assert_eq!(outline(&log), ["u: go", "a: one"]);
}

#[test]
fn the_fullest_usage_and_the_stop_reason_are_kept() {
    let part = |uuid: &str, parent: &str, tokens: u64, stop: Option<&str>, text: &str| {
        let message = json!({"id": "m", "role": "assistant", "content": [{"type": "text", "text": text}], "stop_reason": stop, "usage": {"output_tokens": tokens}});
        line(uuid, parent, json!({"type": "assistant", "message": message}))
    };
    let log = file(&[
        user("1", "", "go"),
        part("2", "1", 1, None, "a"),
        part("3", "2", 90, Some("end_turn"), "b"),
        part("4", "3", 8, None, "c"),
    ]);
    let conversation = Session::new(&log).conversation();
    let antiphon_model::Message::Assistant(answer) = &conversation.messages[1] else { panic!("no answer") };
    assert_eq!(answer.usage().unwrap().output_tokens, Some(90));
    assert_eq!(answer.stop_reason(), Some(antiphon_model::StopReason::EndTurn));
    assert_eq!(conversation.report.joined[0].entries, [1, 2, 3]);
}

#[test]
fn an_id_that_is_used_twice_joins_nothing_across_a_prompt() {
    let part = |uuid: &str, parent: &str, text: &str| {
        let message = json!({"id": "same", "role": "assistant", "content": [{"type": "text", "text": text}]});
        line(uuid, parent, json!({"type": "assistant", "message": message}))
    };
    let log = file(&[user("1", "", "go"), part("2", "1", "one"), user("3", "2", "on"), part("4", "3", "two")]);
    assert_eq!(outline(&log), ["u: go", "a: one", "u: on", "a: two"]);
    assert_eq!(contents(&Session::new(&log).conversation().messages).len(), 4);
}
