//! The statements of the known cases, as code.

use serde_json::Value;

use crate::cases::{fixed, on};
use crate::expect::{self, Case, messages_of, recovered};
use crate::support::{command, finish, run, run_with_input};

/// A known case by the number it begins with; `None` when the folder holds other cases.
fn case(number: &str) -> Option<Case> {
    let case = expect::all().into_iter().find(|case| case.name.starts_with(number) && known(case));
    if case.is_none() {
        println!("skipped: no case {number} here");
    }
    case
}

/// Other folders may give the numbers to other cases.
fn known(case: &Case) -> bool {
    const NAMES: &[&str] = &[
        "01-interrupt-missing-result",
        "02-parallel-one-result-missing",
        "03-orphan-result-after-compaction",
        "05-two-results-one-call",
        "06-same-call-twice-in-message",
        "07-steer-between-call-and-result",
        "09-two-user-turns-after-interrupt",
        "10-whitespace-only-blocks",
        "11-trailing-space-final-assistant",
        "13-repair-must-not-touch-thinking",
        "14-lone-surrogate-in-result",
        "19-image-over-5mb",
        "20-media-type-mismatch",
        "24-torn-record-then-record",
        "25-nul-block-mid-file",
        "26-last-line-cut-in-character",
        "27-one-message-on-four-lines",
        "38-tool-id-characters",
        "39-numbers-survive-round-trip",
        "40-server-blocks-round-trip",
        "41-five-cache-marks",
        "42-line-separator-in-string",
        "43-very-long-line",
        "50-ends-with-assistant",
        "64-bom-and-crlf",
    ];
    NAMES.iter().any(|name| case.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// The blocks of a message; a string content has one.
fn blocks(message: &Value) -> Vec<Value> {
    match &message["content"] {
        Value::Array(blocks) => blocks.clone(),
        text => vec![serde_json::json!({"type": "text", "text": text})],
    }
}

fn results<'a>(messages: &'a [Value], id: &'a str) -> Vec<Value> {
    messages.iter().flat_map(blocks).filter(|b| b["type"] == "tool_result" && b["tool_use_id"] == id).collect()
}

fn of_type(messages: &[Value], kind: &str) -> Vec<Value> {
    messages.iter().flat_map(blocks).filter(|b| b["type"] == kind).collect()
}

#[test]
fn an_interrupted_call_gets_an_error_result() {
    let Some(case) = case("01") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    let found = results(&after, "toolu_A");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["is_error"], true);
    assert_eq!(blocks(&after[2])[0], found[0]);
    assert_eq!(blocks(&after[2])[1], serde_json::json!({"type": "text", "text": "Stop. Show me the README instead."}));
    assert_eq!(after[..2], before[..2]);
    let once = on(&case, "fix", &[]);
    assert_eq!(run_with_input(&["fix", "-"], &once.stdout).stdout, once.stdout);
}

#[test]
fn one_of_three_results_is_made() {
    let Some(case) = case("02") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    assert_eq!(after.len(), 5);
    let ids: Vec<_> = blocks(&after[2]).iter().map(|b| b["tool_use_id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(
        std::collections::BTreeSet::from_iter(ids).into_iter().collect::<Vec<_>>(),
        ["toolu_A", "toolu_B", "toolu_C"]
    );
    for id in ["toolu_A", "toolu_C"] {
        assert_eq!(results(&after, id), results(&before, id));
    }
    assert_eq!(results(&after, "toolu_B")[0]["is_error"], true);
}

#[test]
fn an_orphan_goes_and_the_sentence_beside_it_stays() {
    let Some(case) = case("03") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    for pair in after.windows(2) {
        let calls: Vec<_> =
            blocks(&pair[0]).iter().filter(|b| b["type"] == "tool_use").map(|b| b["id"].clone()).collect();
        assert!(
            blocks(&pair[1]).iter().filter(|b| b["type"] == "tool_result").all(|b| calls.contains(&b["tool_use_id"]))
        );
    }
    assert!(blocks(&after[2]).iter().any(|b| b["text"] == "Now run the linter."));
    assert_eq!(after[..2], before[..2]);
}

#[test]
fn of_two_results_one_is_kept_whole() {
    let Some(case) = case("05") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    let (old, new) = (results(&before, "toolu_T"), results(&after[2..3], "toolu_T"));
    assert_eq!(new.len(), 1);
    assert!(old.contains(&new[0]), "{new:?}");
    assert_eq!(after[..2], before[..2]);
}

#[test]
fn of_a_call_twice_in_a_message_one_is_kept() {
    let Some(case) = case("06") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    assert_eq!(of_type(&after[1..2], "tool_use").iter().filter(|b| b["id"] == "toolu_D").count(), 1);
    assert!(blocks(&after[1]).iter().any(|b| b["text"] == "Making it."));
    assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
}

#[test]
fn a_late_result_is_moved_not_replaced() {
    let Some(case) = case("07") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    assert_eq!(results(&after, "toolu_S"), results(&before, "toolu_S"));
    assert_eq!(blocks(&after[2])[0], results(&before, "toolu_S")[0]);
    assert_eq!(blocks(&after[2])[1]["text"], "Make it a PDF, please.");
}

#[test]
fn two_user_turns_are_joined_as_blocks() {
    let Some(case) = case("09") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    let roles: Vec<_> = after.iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    let texts: Vec<_> = blocks(&after[0]).iter().map(|b| b["text"].clone()).collect();
    assert_eq!(texts, ["Rename the module.", "No wait, only the class."]);
    assert_eq!(after[1..], before[2..]);
    let once = on(&case, "fix", &[]);
    assert_eq!(run_with_input(&["fix", "-"], &once.stdout).stdout, once.stdout);
    assert_eq!(fixed(&case, &["--no-merge"]), before, "nothing to repair without the merge");
}

#[test]
fn blank_blocks_go_and_visible_ones_stay_as_they_are() {
    let Some(case) = case("10") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    let visible = |messages: &[Value]| {
        let texts = of_type(messages, "text").into_iter().filter(|b| !b["text"].as_str().unwrap().trim().is_empty());
        texts.collect::<Vec<_>>()
    };
    assert_eq!(of_type(&after, "text"), visible(&before));
    assert!(after.iter().all(|message| !blocks(message).is_empty()));
}

#[test]
fn only_the_end_of_the_last_answer_is_trimmed() {
    let Some(case) = case("11") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    assert_eq!(of_type(&after, "text").last().unwrap()["text"], "The answer is 42.");
    assert_eq!(after[1], before[1]);
    assert!(blocks(&after[1])[0]["text"].as_str().unwrap().ends_with("\n\n"));
    let indented =
        br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"  b \n"}]}]"#;
    let run = run_with_input(&["fix", "-"], indented);
    assert_eq!(messages_of(&run.stdout)[1]["content"][0]["text"], "  b");
}

#[test]
fn thinking_is_not_touched() {
    let Some(case) = case("13") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    assert_eq!(after[1], before[1]);
    assert_eq!(results(&after, "toolu_K").len(), 1);
    assert_eq!(blocks(&after[2])[0], results(&after, "toolu_K")[0]);
    assert_eq!(blocks(&after[2])[0]["is_error"], true);
    assert_eq!(blocks(&after[2])[1]["text"], "continue");
}

#[test]
fn half_a_surrogate_pair_costs_one_character() {
    let Some(case) = case("14") else { return };
    let run = on(&case, "fix", &[]);
    let after: Value = serde_json::from_slice(&run.stdout).expect("a strict reader takes it");
    let text = after[2]["content"][0]["content"].as_str().unwrap();
    assert!(text.contains('\u{1f7e2}') && text.contains('\u{fffd}'), "{text}");
    assert!(text.starts_with("build ") && text.contains("ok; deploy "), "{text}");
}

#[test]
fn a_picture_over_the_limit_becomes_a_text() {
    let Some(case) = case("19") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    let data = of_type(&before, "image")[0]["source"]["data"].as_str().unwrap().len();
    assert_eq!(data, 5_300_048);
    assert_eq!(of_type(&after, "image").len(), 0);
    assert_eq!(blocks(&after[0])[0], blocks(&before[0])[0]);
    assert_eq!(blocks(&after[0])[1]["type"], "text");
    assert_eq!(after[1..], before[1..]);
    // The limit is a setting: the first-party API takes twice as much.
    let checked = on(&case, "check", &["--profile", "anthropic", "--format", "json"]);
    assert!(!checked.rules("error").contains(&"image-too-large".to_owned()), "{}", checked.text());
    assert_eq!(antiphon_contract::Profile::default().image_bytes, 5_242_880);
}

#[test]
fn a_picture_inside_a_result_gets_its_true_type() {
    let Some(case) = case("20") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    let picture = |messages: &[Value]| of_type(messages, "tool_result")[0]["content"][1]["source"].clone();
    assert_ne!(picture(&before)["media_type"], "image/png");
    assert_eq!(picture(&after)["media_type"], "image/png");
    assert_eq!(picture(&after)["data"], picture(&before)["data"]);
    let checked = on(&case, "check", &["--format", "json"]).json();
    assert!(
        checked["findings"][0]["path"].as_str().unwrap().starts_with("messages.2.content.0.content.1"),
        "{checked}"
    );
}

#[test]
fn a_record_behind_a_torn_one_is_saved() {
    let Some(case) = case("24") else { return };
    let log = antiphon_log::read(&case.bytes());
    let lines: Vec<_> = log.entries.iter().map(antiphon_log::Entry::line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5]);
    let checked = on(&case, "check", &[]);
    assert!(checked.text().contains("line 3") && checked.text().contains("drop"), "{}", checked.text());
    let found = on(&case, "check", &["--format", "json"]).json();
    assert_eq!(found["findings"][0]["path"], "lines.3");
}

#[test]
fn zero_bytes_cost_no_record() {
    let Some(case) = case("25") else { return };
    let texts: Vec<_> = case.input().iter().flat_map(blocks).map(|b| b["text"].clone()).collect();
    assert_eq!(texts, ["Start.", "Started.", "Step two.", "Done with two.", "Step three."]);
    let found = on(&case, "check", &["--format", "json"]).json();
    let places: Vec<_> = found["findings"].as_array().unwrap().iter().map(|f| f["path"].clone()).collect();
    assert_eq!(places, ["lines.3", "lines.5"]);
    let last = antiphon_log::read(&case.bytes()).entries.last().unwrap().text().to_owned();
    assert!(last.contains("Step three."), "{last}");
}

#[test]
fn a_torn_tail_harms_nothing_before_it() {
    let Some(case) = case("26") else { return };
    let bytes = case.bytes();
    let log = antiphon_log::read(&bytes);
    assert_eq!(log.entries.len(), 2);
    assert!(log.report.torn_tail().is_some());
    let checked = on(&case, "check", &["--format", "json"]);
    assert_eq!(checked.rules("error"), ["jsonl-torn-tail", "missing-tool-result"]);
    let mut appended = bytes.clone();
    assert!(antiphon_log::needs_line_end(appended.last().copied()));
    appended.extend_from_slice(b"\n{\"role\":\"user\",\"content\":\"on\"}\n");
    assert_eq!(antiphon_log::read(&appended).entries.len(), 3);
    // What stood whole before the tail stands as it stood.
    let whole = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(1).unwrap().0 + 1;
    assert!(on(&case, "fix", &[]).stdout.starts_with(&bytes[..whole]));
}

#[test]
fn a_message_on_four_lines_is_one() {
    let Some(case) = case("27") else { return };
    let messages = fixed(&case, &[]);
    let roles: Vec<_> = messages.iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    let kinds: Vec<_> = blocks(&messages[1]).iter().map(|b| b["type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["thinking", "text", "tool_use", "tool_use"]);
    assert_eq!(of_type(&messages[2..], "tool_result").len(), 2);
    let thinking =
        serde_json::json!({"type": "thinking", "thinking": "Two files, two calls.", "signature": "c2lnLXg="});
    assert_eq!(blocks(&messages[1])[0], thinking);
    assert!(on(&case, "fix", &[]).stdout == case.bytes(), "a sound session stays byte for byte");
}

#[test]
fn renamed_ids_stay_apart_and_with_their_results() {
    let Some(case) = case("38") else { return };
    let after = fixed(&case, &[]);
    let calls = of_type(&after, "tool_use");
    let id = |name: &str| calls.iter().find(|b| b["name"] == name).unwrap()["id"].as_str().unwrap().to_owned();
    for block in &calls {
        let id = block["id"].as_str().unwrap();
        assert!(!id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)), "{id}");
    }
    assert_ne!(id("f"), id("g"));
    assert_eq!(id("g"), "call_1_a");
    assert_eq!(results(&after, &id("f"))[0]["content"], "one");
    assert_eq!(results(&after, &id("g"))[0]["content"], "two");
    assert_eq!(fixed(&case, &[]), after);
}

#[test]
fn numbers_keep_every_digit() {
    let Some(case) = case("39") else { return };
    let anew = on(&case, "fix", &["--as", "messages"]);
    let input = r#"{"order_id":1234567890123456789,"u64":18446744073709551615,"huge":123456789012345678901234567890,"ms":60000.0,"ratio":0.1,"exp":1e2}"#;
    assert!(anew.text().contains(input), "{}", anew.text());
}

#[test]
fn server_blocks_and_unknown_members_stay() {
    let Some(case) = case("40") else { return };
    let (before, after) = (case.input(), fixed(&case, &["--as", "messages"]));
    assert_eq!(blocks(&before[1]).len(), 5);
    assert_eq!(blocks(&after[1]), blocks(&before[1]));
    assert_eq!(blocks(&after[1])[2]["x_future_field"], serde_json::json!({"keep": true}));
    let signatures: Vec<_> = of_type(&after, "thinking").iter().map(|b| b["signature"].clone()).collect();
    assert_eq!(signatures, ["c2lnLTE=", "c2lnLTI="]);
    let checked = on(&case, "check", &["--format", "json"]);
    assert_eq!(checked.rules("error"), [""; 0]);
}

#[test]
fn four_cache_marks_are_left_the_last_among_them() {
    let Some(case) = case("41") else { return };
    let (before, after) = (case.input(), fixed(&case, &[]));
    let marks = |messages: &[Value]| {
        of_type(messages, "text")
            .iter()
            .filter(|b| !b["cache_control"].is_null())
            .map(|b| b["text"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(marks(&before).len(), 5);
    assert!(marks(&after).len() <= 4);
    assert_eq!(marks(&after).last(), marks(&before).last());
    let texts = |messages: &[Value]| of_type(messages, "text").iter().map(|b| b["text"].clone()).collect::<Vec<_>>();
    assert_eq!(texts(&after), texts(&before));
    // Marks elsewhere in the request count too.
    let request = serde_json::json!({"messages": before[..3], "max_tokens": 9, "model": "m",
        "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": "t", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}]});
    let checked = run_with_input(&["check", "-", "--format", "json"], request.to_string().as_bytes());
    assert!(checked.rules("error").contains(&"too-many-cache-control".to_owned()), "{}", checked.text());
}

#[test]
fn separators_in_a_string_end_no_line() {
    let Some(case) = case("42") else { return };
    let messages = recovered(&case.bytes());
    assert_eq!(messages.len(), 2);
    let input = case.input();
    let text = blocks(&input[0])[0]["text"].as_str().unwrap().to_owned();
    assert!(['\u{2028}', '\u{2029}', '\u{85}'].iter().all(|c| text.contains(*c)), "{text:?}");
    let mut written = Vec::new();
    antiphon_log::write_message(&messages[0], &mut written);
    let written = String::from_utf8(written).unwrap();
    assert!(!written.contains(['\u{2028}', '\u{2029}']), "{written}");
    assert_eq!(recovered(written.as_bytes())[..], messages[..1]);
}

#[test]
fn a_very_long_line_is_unchanged() {
    let Some(case) = case("43") else { return };
    let input = case.input();
    let texts = || of_type(&input, "text").into_iter().chain(of_type(&input, "tool_result"));
    let longest =
        texts().map(|b| b["text"].as_str().or(b["content"].as_str()).unwrap_or_default().chars().count()).max();
    assert_eq!(longest, Some(288_000));
    assert_eq!(antiphon_log::read(&case.bytes()).entries.len(), 4);
    assert!(on(&case, "fix", &[]).stdout == case.bytes(), "nothing to fix, nothing changes");
    // Listing at bounded memory and the limit of a line are tested with the reader, in antiphon-log.
}

#[test]
fn a_final_answer_is_only_answered_on_request() {
    let Some(case) = case("50") else { return };
    let before = case.input();
    let strict = on(&case, "check", &["--model", "claude-opus-4-6", "--format", "json"]);
    assert!(strict.rules("error").contains(&"ends-with-assistant".to_owned()), "{}", strict.text());
    assert_eq!(fixed(&case, &[]), before);
    let refused = on(&case, "fix", &["--model", "claude-opus-4-6"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert_eq!(messages_of(&refused.stdout), before, "the text is not deleted to satisfy the rule");
    let asked = fixed(&case, &["--model", "claude-opus-4-6", "--continue-with", "Go on."]);
    assert_eq!(asked[..2], before[..]);
    assert_eq!((asked.len(), &asked[2]["role"]), (3, &Value::from("user")));
}

#[test]
fn marks_and_line_ends_of_other_systems_are_no_text() {
    let Some(case) = case("64") else { return };
    let input = case.input();
    assert_eq!(input.len(), 3);
    let texts: Vec<_> = input.iter().flat_map(blocks).map(|b| b["text"].as_str().unwrap().to_owned()).collect();
    assert!(texts.iter().all(|t| !t.contains('\u{feff}')), "{texts:?}");
    assert_eq!(texts[1], "Antwort:\r\nzwei Zeilen.");
    assert!(!texts[0].contains('\r') && !texts[2].contains('\r'), "{texts:?}");
}

/// Loading changes no file: not its bytes, not its time.
#[test]
fn looking_changes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for case in expect::all().iter().filter(|case| case.is_session()) {
        let file = folder.path().join(&case.name);
        std::fs::copy(&case.file, &file).unwrap();
        let before = std::fs::metadata(&file).unwrap().modified().unwrap();
        for command in ["check", "fix"] {
            run(&[std::ffi::OsStr::new(command), file.as_os_str()]);
        }
        finish(command().arg("fix").arg(&file).arg("--diff"), b"");
        assert!(std::fs::read(&file).unwrap() == case.bytes(), "{}", case.name);
        assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), before, "{}", case.name);
    }
    assert!(std::fs::read_dir(folder.path()).unwrap().all(|f| f.unwrap().path().extension().unwrap() == "jsonl"));
}
