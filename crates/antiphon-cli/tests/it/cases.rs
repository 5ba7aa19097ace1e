//! Every case of the folder, judged by its expect file alone: the same test runs on cases not seen yet.

use std::ffi::OsStr;

use antiphon_model::RawJson;
use serde_json::Value;

use crate::expect::{self, Case, difference, lost, messages_of};
use crate::support::{Run, run, run_with_input};

/// Runs a command on a case's file with more arguments.
pub(crate) fn on(case: &Case, command: &str, more: &[&str]) -> Run {
    let mut args = vec![OsStr::new(command), case.file.as_os_str()];
    args.extend(more.iter().map(OsStr::new));
    run(&args)
}

/// The conversation that `fix` makes of a case.
pub(crate) fn fixed(case: &Case, more: &[&str]) -> Vec<Value> {
    let mut args = more.to_vec();
    if case.is_session() {
        args.extend(["--as", "messages"]);
    }
    messages_of(&on(case, "fix", &args).stdout)
}

/// Cases that `check` and `fix` answer for; the result of the others is for commands of their own.
fn answers_for(case: &Case) -> bool {
    let ours = matches!(case.operation(), "validate" | "repair" | "merge" | "load-session" | "round-trip");
    if !ours {
        println!("{}: checked only, its result is for `{}`", case.name, case.operation());
    }
    ours
}

#[test]
fn findings_are_as_expected() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for case in expect::all() {
        seen += 1;
        let checked = on(&case, "check", &["--format", "json"]);
        let (errors, warnings) = (checked.rules("error"), checked.rules("warning"));
        let wanted = case.ids("violations");
        let also = case.ids("also_acceptable_ids");
        for id in &wanted {
            if !errors.contains(id) && !also.iter().any(|id| errors.contains(id)) {
                wrong.push(format!("{}: `{id}` is not found, only {errors:?}", case.name));
            }
        }
        for id in case.ids("lints") {
            if !warnings.contains(&id) {
                wrong.push(format!("{}: `{id}` is no warning: {warnings:?}", case.name));
            }
        }
        for id in &errors {
            // Of a session file the expectation judges the lines; its conversation may need a repair besides.
            let judged =
                !case.is_session() || id.starts_with("jsonl-") || case.expect["repaired"] == case.expect["recovered"];
            if judged && !wanted.contains(id) && !also.contains(id) {
                wrong.push(format!("{}: `{id}` is a false alarm: {}", case.name, checked.text()));
            }
        }
        if case.expect["valid_basis"] != "model-dependent" {
            let valid = !errors.iter().any(|id| !case.is_session() || id.starts_with("jsonl-"));
            if case.expect["valid"] != valid {
                wrong.push(format!("{}: valid is {valid}", case.name));
            }
            let code = i32::from(!errors.is_empty());
            assert_eq!(checked.code, Some(code), "{}: exit code", case.name);
        }
        let report = checked.json();
        for (name, number) in case.expect["lines"].as_object().into_iter().flatten() {
            if &report["lines"][name] != number {
                wrong.push(format!("{}: lines.{name} is {}, not {number}", case.name, report["lines"][name]));
            }
        }
        assert_eq!(report.get("lines").is_some(), case.is_session(), "{}: lines are counted in sessions", case.name);
    }
    assert!(seen > 0, "no case was found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn results_are_as_expected() {
    for case in expect::all() {
        if let Some(wanted) = case.messages("recovered") {
            let difference = difference(wanted, &case.input(), &Value::Null);
            assert_eq!(difference, None, "{}: recovered", case.name);
        }
        let Some(wanted) = case.messages("repaired") else { continue };
        if !answers_for(&case) && case.operation() != "sanitize" {
            continue;
        }
        let difference = difference(wanted, &fixed(&case, &[]), &case.expect["order_free_in_message"]);
        assert_eq!(difference, None, "{}: repaired", case.name);
    }
}

#[test]
fn what_round_trips_is_written_back_byte_for_byte() {
    for case in expect::all().iter().filter(|case| case.operation() == "round-trip") {
        let run = on(case, "fix", &[]);
        assert_eq!(run.code, Some(0));
        assert!(run.stdout == case.bytes(), "{}: {}", case.name, run.text());
        // Written anew, the same values in the same order, each number as it was.
        let anew = on(case, "fix", &["--as", "messages"]);
        let (before, after) = (String::from_utf8(case.bytes()).unwrap(), anew.text().to_owned());
        let (before, after) = (RawJson::parse(&before).unwrap(), RawJson::parse(&after).unwrap());
        let list = before.member("messages").unwrap_or(before.as_ref());
        assert_eq!(list.compact(), after.as_ref().compact(), "{}", case.name);
    }
}

#[test]
fn every_case_can_be_fixed_without_loss() {
    for case in expect::all() {
        let before = case.bytes();
        let once = on(&case, "fix", &[]);
        let name = &case.name;
        assert!(case.bytes() == before, "{name}: the input file was touched");
        assert_eq!(once.code, Some(0), "{name}: {}", once.stderr);
        assert_strict_json(&case, once.text());

        let checked = run_with_input(&["check", "-", "--format", "json"], &once.stdout);
        assert_eq!(checked.rules("error"), [""; 0], "{name}: {}", once.text());
        let twice = run_with_input(&["fix", "-"], &once.stdout);
        assert!(twice.stdout == once.stdout, "{name}: a second fix changed\n{}\nto\n{}", once.text(), twice.text());

        let fixed = fixed(&case, &[]);
        assert_eq!(lost(&case.input(), &fixed), [""; 0], "{name}: words are lost");
        let unmerged = self::fixed(&case, &["--no-merge"]);
        assert_eq!(lost(&fixed, &unmerged), lost(&unmerged, &fixed), "{name}: merging changes no words");
        for pair in fixed.windows(2) {
            assert!(pair[0]["role"] != pair[1]["role"], "{name}: neighbours of one role: {pair:?}");
        }

        let anew = on(&case, "fix", &["--as", "messages"]);
        let checked = run_with_input(&["check", "-", "--format", "json"], &anew.stdout);
        assert_eq!(checked.rules("error"), [""; 0], "{name}: {}", anew.text());
    }
}

fn assert_strict_json(case: &Case, text: &str) {
    let texts: Vec<&str> = if case.is_session() { text.lines().collect() } else { vec![text] };
    for text in texts {
        serde_json::from_str::<Value>(text).unwrap_or_else(|e| panic!("{}: {e}: {text}", case.name));
    }
}
