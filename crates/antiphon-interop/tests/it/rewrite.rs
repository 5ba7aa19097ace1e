//! Writing edited conversations back.

use antiphon_interop::claude_code::{LineRole, Rewrite, RewriteError, Session, rewrite};
use antiphon_log::{Log, read};
use antiphon_model::{Content, ContentBlock, Message, ToolResult};
use proptest::prelude::*;
use serde_json::json;

use crate::shapes::{call, file, line, progress, result, text, user};
use crate::support::{cases, contents, corpus, official_path};

/// Writes, and checks what is promised.
fn write(log: &Log, messages: &[Message]) -> Result<Rewrite, RewriteError> {
    let session = Session::new(log);
    let before = session.conversation();
    let out = rewrite(&session, &before, messages)?;
    let back = read(&out.bytes);
    assert!(back.report.is_clean());
    let again = Session::new(&back);
    let conversation = again.conversation();
    assert_eq!(contents(&conversation.messages), contents(messages));
    let mut second = rewrite(&again, &conversation, &conversation.messages).unwrap();
    assert!(std::mem::take(&mut second.bytes) == out.bytes && !second.changed, "a second time changes: {second:?}");
    // Records outside the conversation are all there.
    for (entry, role) in log.entries.iter().zip(&before.report.roles) {
        if *role == LineRole::Record {
            assert!(back.entries.iter().any(|other| other.text() == entry.text()));
        }
    }
    let carried = |role: &LineRole| matches!(role, LineRole::OtherBranch | LineRole::Sidechain | LineRole::Compacted);
    let count = |session: &Session<'_>| session.conversation().report.roles.iter().filter(|role| carried(role)).count();
    assert!(count(&again) >= count(&session));
    Ok(out)
}

fn lines(bytes: &[u8]) -> Vec<&str> {
    std::str::from_utf8(bytes).unwrap().lines().collect()
}

fn messages(log: &Log) -> Vec<Message> {
    Session::new(log).conversation().messages
}

fn blocks(message: &mut Message) -> &mut Vec<ContentBlock> {
    message.content_mut().unwrap().make_blocks()
}

fn error_result(id: &str) -> ContentBlock {
    ContentBlock::ToolResult(ToolResult::error(id, "interrupted"))
}

fn results(blocks: Vec<ContentBlock>) -> Message {
    let mut message = Message::user("");
    *message.content_mut().unwrap() = Content::Blocks(blocks);
    message
}

#[test]
fn nothing_changed_is_nothing_written() {
    let log = file(&[user("1", "", "go"), text("2", "1", "m", "one"), "{\"type\":\"summary\"}".to_owned()]);
    let out = write(&log, &messages(&log)).unwrap();
    assert!(!out.changed);
    assert_eq!(out.kept, 3);
}

#[test]
fn a_missing_result_gets_a_line_behind_its_call() {
    let given = [
        user("1", "", "go"),
        call("2", "1", "m", "A"),
        progress("3", "2"),
        user("4", "3", "never mind"),
        text("5", "4", "n", "fine"),
    ];
    let log = file(&given);
    let mut after = messages(&log);
    after.insert(2, results(vec![error_result("A")]));
    let out = write(&log, &after).unwrap();
    let now = lines(&out.bytes);
    assert_eq!(now.len(), 6);
    assert_eq!([now[0], now[1], now[2], now[5]], [&given[0], &given[1], &given[2], &given[4]]);
    assert_eq!((out.kept, &out.relinked, out.written.len()), (4, &vec![3], 1));
    assert!(now[3].contains("\"parentUuid\":\"3\"") && now[3].contains("\"sessionId\":\"s\""));
    assert!(now[4].contains(&format!("\"parentUuid\":\"{}\"", out.written[0].uuid.as_ref().unwrap())));
    let back = read(&out.bytes);
    let session = Session::new(&back);
    assert_eq!(session.path(session.leaf().unwrap()), official_path(&back));
}

#[test]
fn a_result_at_the_end_is_the_new_leaf() {
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "left"),
        user("3", "1", "taken"),
        call("4", "3", "n", "A"),
        progress("5", "4"),
    ]);
    let mut after = messages(&log);
    after.push(results(vec![error_result("A")]));
    let out = write(&log, &after).unwrap();
    assert_eq!((out.kept, out.written.len()), (5, 1));
}

#[test]
fn one_of_two_parallel_results_is_added() {
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "both"),
        call("3", "2", "m", "A"),
        call("4", "3", "m", "B"),
        result("5", "3", "A"),
        user("6", "5", "on"),
    ]);
    let mut after = messages(&log);
    blocks(&mut after[2]).push(error_result("B"));
    let out = write(&log, &after).unwrap();
    assert!(out.edited.is_empty() && out.removed.is_empty());
    assert_eq!(out.written.len(), 1);
}

#[test]
fn a_dropped_block_takes_only_its_line() {
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "\n\n"),
        text("3", "2", "m", "words"),
        call("4", "3", "m", "A"),
        result("5", "4", "A"),
    ]);
    let mut after = messages(&log);
    blocks(&mut after[1]).remove(0);
    let out = write(&log, &after).unwrap();
    assert_eq!((out.removed, out.relinked, out.kept), (vec![1], vec![2], 3));
}

#[test]
fn a_changed_block_is_changed_in_its_line() {
    let log =
        file(&[user("1", "", "go"), call("2", "1", "m", "A"), result("3", "2", "A"), text("4", "3", "n", "done")]);
    let mut after = messages(&log);
    if let ContentBlock::ToolResult(result) = &mut blocks(&mut after[2])[0] {
        result.content = Some(Content::from("short"));
    }
    let out = write(&log, &after).unwrap();
    assert_eq!((out.edited, out.kept), (vec![2], 3));
    assert!(lines(&out.bytes)[2].contains("\"toolUseResult\":{\"x\":1}"));
}

#[test]
fn messages_merge_split_and_go() {
    let log =
        file(&[user("1", "", "one"), user("2", "1", "two"), text("3", "2", "m", "answer"), user("4", "3", "last")]);
    let before = messages(&log);
    // Two prompts become one; the first line carries it.
    let merged = Message::user("one\n\ntwo");
    let out = write(&log, &[merged, before[2].clone(), before[3].clone()]).unwrap();
    assert_eq!((out.edited.len(), out.removed.len()), (1, 1));
    // Two answers become one, and nothing else is touched.
    let two = file(&[
        user("1", "", "go"),
        call("2", "1", "k", "A"),
        call("3", "2", "k", "B"),
        result("4", "3", "A"),
        text("5", "4", "m", "\n"),
        text("6", "5", "m", "a"),
        text("7", "6", "n", "b"),
    ]);
    let mut after = messages(&two);
    let last = after.pop().unwrap().content().unwrap().clone();
    blocks(&mut after[3]).extend(last.into_blocks());
    blocks(&mut after[2]).push(error_result("B"));
    let out = write(&two, &after).unwrap();
    assert_eq!((out.edited.len(), out.removed.len(), out.written.len()), (1, 2, 1));
    // The last message goes.
    let out = write(&log, &before[..3]).unwrap();
    assert_eq!((out.removed, out.kept), (vec![3], 3));
    // The first goes.
    let out = write(&log, &before[1..]).unwrap();
    assert_eq!((out.removed, out.relinked), (vec![0], vec![1]));
    // All goes.
    let out = write(&log, &[]).unwrap();
    assert_eq!(out.removed.len(), 4);
    // A new one comes first.
    let first = std::iter::once(Message::user("zero")).chain(before.clone());
    write(&log, &first.collect::<Vec<_>>()).unwrap();
}

#[test]
fn a_late_result_moves_to_its_call() {
    let log = file(&[
        user("1", "", "go"),
        call("2", "1", "m", "A"),
        user("3", "2", "steer"),
        text("4", "3", "n", "hm"),
        result("5", "4", "A"),
        text("6", "5", "o", "done"),
    ]);
    let before = messages(&log);
    let order = [0, 1, 4, 2, 3, 5];
    let after: Vec<_> = order.iter().map(|at| before[*at].clone()).collect();
    let out = write(&log, &after).unwrap();
    assert!(out.written.is_empty() && out.removed.is_empty() && out.edited.is_empty());
    // The last line cut off: the conversation then ends above a branch that was left.
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "a"),
        user("3", "1", "left"),
        user("4", "2", "b"),
        text("5", "4", "n", "c"),
    ]);
    write(&log, &messages(&log)[..2]).unwrap();
}

#[test]
fn a_conversation_can_end_where_a_branch_hangs() {
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "a"),
        text("3", "2", "m", "b"),
        user("4", "3", "left"),
        text("5", "4", "n", "left too"),
        user("6", "3", "  "),
    ]);
    let out = write(&log, &messages(&log)[..2]).unwrap();
    assert_eq!((out.removed, out.written.len()), (vec![5], 1));
    // The calls go, and the results on several lines behind them become a person's words.
    let log = file(&[
        user("1", "", "go"),
        call("2", "1", "m", "A"),
        call("3", "2", "m", "B"),
        result("4", "3", "A"),
        result("5", "4", "B"),
        text("6", "5", "n", "done"),
    ]);
    let mut after = messages(&log);
    after.remove(1);
    let out = write(&log, &after).unwrap();
    assert_eq!((out.edited.len(), out.removed.len(), out.relinked.len(), out.kept), (1, 3, 1, 1));
}

#[test]
fn damage_is_gone_and_links_are_written_out() {
    let lost = user("3", "2", "lost");
    let log = file(&[
        user("1", "", "go"),
        text("2", "1", "m", "one"),
        format!("{}{}", &lost[..50], text("4", "3", "n", "two")),
        "\0\0\0".to_owned(),
        user("5", "4", "on"),
    ]);
    let out = write(&log, &messages(&log)).unwrap();
    assert!(out.changed);
    assert_eq!((out.damaged, out.relinked), (2, vec![2]));
    let back = read(&out.bytes);
    assert_eq!(official_path(&back).len(), 4);
    // A ring is cut.
    let log =
        file(&[user("1", "4", "go"), text("2", "1", "m", "one"), user("3", "2", "on"), text("4", "3", "n", "two")]);
    let out = write(&log, &messages(&log)).unwrap();
    assert_eq!(official_path(&read(&out.bytes)).len(), 4);
    assert_eq!(out.relinked, [0]);
}

#[test]
fn a_repeat_of_a_changed_line_does_not_bring_it_back() {
    let given = [user("1", "", "go"), text("2", "1", "m", "one"), user("3", "2", "on")];
    let log = file(&[&given[..], &given[..2]].concat());
    let mut after = messages(&log);
    after[0] = Message::user("gone");
    let out = write(&log, &after).unwrap();
    assert_eq!((out.edited, out.removed), (vec![0], vec![3]));
}

#[test]
fn files_without_links_keep_their_form() {
    let bare = |kind: &str, content: serde_json::Value| {
        json!({"type": kind, "session_id": "s", "message": {"role": kind, "content": content}}).to_string()
    };
    let tool = json!([{"type": "tool_use", "id": "A", "name": "t", "input": {}}]);
    let log = file(&[bare("user", json!("go")), bare("assistant", tool), bare("user", json!("on"))]);
    let mut after = messages(&log);
    after.insert(2, results(vec![error_result("A")]));
    let out = write(&log, &after).unwrap();
    assert_eq!((out.kept, out.written[0].uuid.as_ref()), (3, None));
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    let log = file(&[user("1", "", "go")]);
    let system = Message::from_json(r#"{"role":"system","content":"x"}"#).unwrap();
    let session = Session::new(&log);
    let refused = rewrite(&session, &session.conversation(), &[system]);
    assert_eq!(refused.unwrap_err(), RewriteError::Role { message: 0 });
}

/// What repair does, in small: empty text goes, missing results come, orphans go.
fn mend(messages: &[Message]) -> Vec<Message> {
    let mut out: Vec<Message> = Vec::new();
    for message in messages {
        let mut message = message.clone();
        let calls: Vec<String> =
            out.last().map(|last| last.tool_uses().map(|call| call.id.clone()).collect()).unwrap_or_default();
        if let Some(Content::Blocks(blocks)) = message.content_mut() {
            blocks.retain(|block| match block {
                ContentBlock::Text(text) => !text.text.trim().is_empty(),
                ContentBlock::ToolResult(result) => calls.contains(&result.tool_use_id),
                _ => true,
            });
            if blocks.is_empty() {
                continue;
            }
        }
        if !calls.is_empty() {
            let done: Vec<&str> = message.tool_results().map(|result| result.tool_use_id.as_str()).collect();
            let missing: Vec<_> =
                calls.iter().filter(|id| !done.contains(&id.as_str())).map(|id| error_result(id)).collect();
            if !missing.is_empty() && (done.is_empty() || message.role_name() == "assistant") {
                out.push(results(missing));
            } else if !missing.is_empty() {
                let results = blocks(&mut message);
                let at = results.iter().take_while(|block| matches!(block, ContentBlock::ToolResult(_))).count();
                results.splice(at..at, missing);
            }
        }
        out.push(message);
    }
    out
}

#[test]
fn cases_and_real_files_take_edits() {
    let paths = cases().into_iter().map(|(path, _)| path).chain(corpus());
    for path in paths {
        let log = read(&std::fs::read(&path).unwrap());
        let before = messages(&log);
        let name = path.display();
        for after in [before.clone(), mend(&before), mend(&mend(&before))] {
            write(&log, &after).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        // Every third message goes; a prompt comes before every fourth.
        let mut after = Vec::new();
        for (at, message) in before.iter().enumerate() {
            if at % 4 == 3 {
                after.push(Message::user("a word in between"));
            }
            if at % 3 != 2 {
                after.push(message.clone());
            }
        }
        if let Err(error) = write(&log, &after) {
            println!("{name}: {error}");
        }
    }
}

/// Sessions of all shapes: prompts, answers of several blocks, parallel calls, branches, progress, damage.
fn session() -> impl Strategy<Value = Vec<String>> {
    let step = (0..12u8, any::<prop::sample::Index>());
    prop::collection::vec(step, 1..28).prop_map(|steps| {
        let mut out: Vec<String> = Vec::new();
        let mut uuids: Vec<String> = Vec::new();
        let (mut last, mut answer, mut count) = (String::new(), 0, 0);
        let mut calls: Vec<(String, String)> = Vec::new();
        let mut prompt_since = true;
        for (kind, pick) in steps {
            count += 1;
            let uuid = format!("u{count}");
            let new_answer = |prompt_since: &mut bool, answer: &mut i32| {
                if std::mem::take(prompt_since) {
                    *answer += 1;
                }
                format!("m{answer}")
            };
            match kind {
                0 | 1 => {
                    out.push(user(&uuid, &last, &format!("prompt {count}")));
                    prompt_since = true;
                    calls.clear();
                }
                2 | 3 => {
                    out.push(text(&uuid, &last, &new_answer(&mut prompt_since, &mut answer), &format!("text {count}")));
                }
                4..=6 => {
                    let id = format!("t{count}");
                    out.push(call(&uuid, &last, &new_answer(&mut prompt_since, &mut answer), &id));
                    calls.push((uuid.clone(), id));
                }
                7 | 8 if !calls.is_empty() => {
                    let (parent, id) = calls.remove(pick.index(calls.len()));
                    // Each result hangs on its own call, or on the line before.
                    out.push(result(&uuid, if kind == 7 { &parent } else { &last }, &id));
                    prompt_since = calls.is_empty();
                }
                9 => out.push(progress(&uuid, &last)),
                10 if !uuids.is_empty() => {
                    // A branch.
                    out.push(user(&uuid, &uuids[pick.index(uuids.len())].clone(), &format!("branch {count}")));
                    prompt_since = true;
                    calls.clear();
                }
                11 => {
                    out.push("{\"type\":\"summary\",\"n\":1}{\"parentUuid\":\"u1\",\"ty".to_owned());
                    continue;
                }
                _ => {
                    out.push(line(&uuid, &last, json!({"type": "system", "subtype": "notice"})));
                }
            }
            last.clone_from(&uuid);
            uuids.push(uuid);
        }
        out
    })
}

proptest! {
    #[test]
    fn any_session_takes_mending(lines in session()) {
        let log = file(&lines);
        let after = mend(&messages(&log));
        write(&log, &after).unwrap();
    }

    /// Messages go, come and change at random. Some mixes cannot be told apart in a file; then it is refused, never wrong.
    #[test]
    fn any_edit_is_written_or_refused(lines in session(), edits in prop::collection::vec((0..5u8, any::<prop::sample::Index>()), 0..6)) {
        let log = file(&lines);
        let mut after = messages(&log);
        for (kind, pick) in edits {
            let at = pick.index(after.len().max(1)).min(after.len());
            match kind {
                0 => after.insert(at, Message::user("inserted")),
                1 if at < after.len() => { after.remove(at); }
                2 if at + 1 < after.len() => after.swap(at, at + 1),
                3 if at < after.len() => { blocks(&mut after[at]).pop(); }
                4 if at < after.len() => blocks(&mut after[at]).push(ContentBlock::from("added")),
                _ => {}
            }
        }
        let _ = write(&log, &after);
    }

    #[test]
    fn any_lines_make_a_session(picks in prop::collection::vec((0..4u8, 0..6u8, 0..6u8), 0..20)) {
        let lines: Vec<String> = picks.iter().map(|(kind, own, parent)| {
            let (own, parent) = (format!("{own}"), format!("{parent}"));
            match kind {
                0 => user(&own, &parent, "x"),
                1 => text(&own, &parent, "m", "y"),
                2 => call(&own, &parent, &own, &own),
                _ => result(&own, &parent, &parent),
            }
        }).collect();
        let log = file(&lines);
        let session = Session::new(&log);
        crate::support::check_account(&log, &session.conversation());
        write(&log, &session.conversation().messages).unwrap();
    }
}
