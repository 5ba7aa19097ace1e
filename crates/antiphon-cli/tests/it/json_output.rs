//! What machines are told.

use serde_json::{Value, json};

use crate::support::{run, run_with_input, said};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn check(input: &str) -> Value {
    run_with_input(&["check", "-", "--format", "json"], input.as_bytes()).json()
}

#[track_caller]
fn assert_findings(report: &Value) {
    for finding in report["findings"].as_array().unwrap() {
        assert_eq!(keys(finding), ["fix", "message", "path", "rule", "severity"]);
        for name in ["message", "path", "rule"] {
            assert!(finding[name].is_string(), "{finding}");
        }
        assert!(finding["severity"] == "error" || finding["severity"] == "warning", "{finding}");
        assert!(finding["fix"].is_null() || finding["fix"].as_str().is_some_and(|fix| !fix.is_empty()), "{finding}");
        assert!(antiphon_contract::rules::by_id(finding["rule"].as_str().unwrap()).is_some(), "{finding}");
    }
}

#[test]
fn a_document_has_no_lines() {
    let report = check(&format!("[{}]", said("user", "a")));
    assert_eq!(report, json!({"file": "<stdin>", "kind": "messages", "valid": true, "findings": []}));
    let report = check(&format!("{{\"model\":\"m\",\"max_tokens\":1,\"messages\":[{}]}}", said("user", " ")));
    assert_eq!(keys(&report), ["file", "findings", "kind", "valid"]);
    assert_eq!((&report["kind"], &report["valid"]), (&json!("request"), &json!(false)));
    assert_findings(&report);
    assert_eq!(report["findings"][0]["path"], "messages.0.content");
}

#[test]
fn a_session_has_lines() {
    let line = said("user", "a");
    let report = check(&format!("{line}\n\n{{\"broken\n{line}{line}\n"));
    assert_eq!(keys(&report), ["file", "findings", "kind", "lines", "valid"]);
    assert_eq!(report["lines"], json!({"total": 3, "bad": 2, "salvaged": 2}));
    assert_eq!((&report["kind"], &report["valid"]), (&json!("jsonl"), &json!(false)));
    assert_findings(&report);
    let rules: Vec<_> = report["findings"].as_array().unwrap().iter().map(|f| &f["rule"]).collect();
    assert_eq!(rules[..2], ["jsonl-bad-line", "jsonl-bad-line"]);
    let record = json!({"type": "user", "uuid": "u", "parentUuid": null, "sessionId": "s", "message": {"role": "user", "content": "a"}});
    let report = check(&format!("{record}\n"));
    assert_eq!((&report["kind"], &report["valid"]), (&json!("claude-code"), &json!(true)));
    assert_eq!(report["lines"], json!({"total": 1, "bad": 0, "salvaged": 0}));
}

#[test]
fn several_files_are_an_object_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.into_os_string().into_string().unwrap()
    };
    let (one, two) = (file("one.json", &format!("[{}]", said("user", "a"))), file("two.json", "[]"));
    let run = run(&["check", &one, &two, "--format", "json"]);
    let lines: Vec<Value> = run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["file"], &lines[0]["valid"]), (&json!(one), &json!(true)));
    assert_eq!((&lines[1]["file"], &lines[1]["valid"]), (&json!(two), &json!(false)));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.is_empty(), "{}", run.stderr);
}

#[test]
fn a_warning_is_an_error_only_where_that_is_asked() {
    let text = format!("[{},{}]", said("user", "a"), said("user", "b"));
    let check = |more: &[&str]| {
        let mut args = vec!["check", "-", "--format", "json"];
        args.extend(more);
        run_with_input(&args, text.as_bytes())
    };
    assert_eq!((check(&[]).code, check(&[]).rules("warning")), (Some(0), vec!["consecutive-same-role".to_owned()]));
    assert_eq!(check(&["--strict"]).code, Some(1));
    assert_eq!(check(&["--strict"]).json()["valid"], true, "strict is about the exit code");
    let refused = check(&["--profile", "strict"]);
    assert_eq!((refused.code, &refused.json()["valid"]), (Some(1), &json!(false)));
}

#[test]
fn a_report_of_fix_lists_every_change() {
    let text = r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]},{"role":"user","content":"a"},{"role":"user","content":"b"}]"#;
    let run = run_with_input(&["fix", "-", "--report", "json"], text.as_bytes());
    let report: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(keys(&report), ["changes", "file", "first_changed", "kind", "lines", "remaining", "valid"]);
    assert_eq!((&report["valid"], &report["first_changed"]), (&json!(true), &json!(2)));
    let changes = report["changes"].as_array().unwrap();
    assert!(changes.len() >= 2, "{report}");
    for change in changes {
        assert_eq!(keys(change), ["detail", "kind", "path", "rule"]);
        assert!(
            change["rule"].is_null() || antiphon_contract::rules::by_id(change["rule"].as_str().unwrap()).is_some()
        );
    }
    assert_eq!(changes[0]["rule"], "missing-tool-result");
    assert_eq!(report["remaining"], json!([]));

    let sound = run_with_input(&["fix", "-", "--report", "json"], format!("[{}]", said("user", "a")).as_bytes());
    let report: Value = serde_json::from_str(&sound.stderr).unwrap();
    assert_eq!((&report["changes"], &report["first_changed"]), (&json!([]), &Value::Null));
}

#[test]
fn a_report_does_not_call_good_what_is_not() {
    let text = format!("[{},{}]", said("user", " "), said("robot", "x"));
    let run = run_with_input(&["fix", "-", "--only", "lone-surrogate", "--report", "json"], text.as_bytes());
    let report: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!((run.code, &report["changes"], &report["valid"]), (Some(0), &json!([]), &json!(false)));
    assert!(report["remaining"].as_array().unwrap().len() >= 2, "{report}");
    let told = run_with_input(&["fix", "-", "--only", "lone-surrogate"], text.as_bytes());
    assert!(!told.stderr.contains("no error is left"), "{}", told.stderr);
    assert!(told.stdout == text.as_bytes());
}

#[test]
fn every_rule_is_explained() {
    let listed = run(&["explain"]);
    let ids: Vec<_> = listed.text().lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    let all: Vec<_> = antiphon_contract::rules::all().map(|rule| rule.id).collect();
    assert_eq!(ids, all);
    for id in all {
        let told = run(&["explain", id]);
        assert_eq!(told.code, Some(0));
        assert!(told.text().starts_with(&format!("{id}: ")), "{}", told.text());
        let rule = run(&["explain", id, "--format", "json"]).json();
        assert_eq!(
            keys(&rule),
            ["accepted", "errors", "evidence", "fix", "refused", "rule", "severity", "title", "why"]
        );
        assert_eq!(rule["rule"], id);
        assert!(rule["errors"].is_array() && rule["title"].is_string() && rule["why"].is_string());
        assert!(rule["severity"].is_null() || rule["severity"].is_string());
    }
    let lines = run(&["explain", "--format", "json"]);
    assert_eq!(lines.text().lines().filter(|l| serde_json::from_str::<Value>(l).is_ok()).count(), ids.len());
}

#[test]
fn a_rule_of_another_spelling_is_suggested() {
    run(&["explain", "missing-tool-results"]).refuses(1, &["mean missing-tool-result"]);
    run(&["explain", "missing_tool_result"]).refuses(1, &["mean missing-tool-result"]);
    let many = run(&["explain", "tool"]);
    many.refuses(1, &["did you mean"]);
    assert!(many.stderr.len() < 400, "{}", many.stderr);
}

#[test]
fn a_server_error_text_leads_to_its_rule_and_place() {
    let text = "messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_7. Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
    let body = json!({"type": "error", "error": {"type": "invalid_request_error", "message": text}, "request_id": "r"});
    for form in [text.to_owned(), body.to_string(), format!("API Error: 400 {body}")] {
        let run = run(&["explain", &form, "--format", "json"]);
        assert_eq!(
            run.json(),
            json!({"rule": "missing-tool-result", "path": "messages.4", "message_index": 4, "block_index": null,
                "ids": ["toolu_7"], "text": text, "fix": antiphon_contract::rules::by_id("missing-tool-result").unwrap().repair})
        );
    }
    let told = run(&["explain", text]);
    assert!(told.text().contains("messages.4") && told.text().contains("toolu_7"), "{}", told.text());
}

/// Each error text that the table quotes leads back to a rule with that text.
#[test]
fn every_error_text_of_the_table_is_known() {
    for rule in antiphon_contract::rules::all() {
        for pattern in rule.errors {
            let run = run(&["explain", &pattern.replace('*', "7"), "--format", "json"]);
            assert_eq!(run.code, Some(0), "{pattern}: {}", run.stderr);
            let found = run.json()["rule"].as_str().unwrap().to_owned();
            let found = antiphon_contract::rules::by_id(&found).unwrap();
            assert!(
                found.id == rule.id || found.errors.iter().any(|e| e.len() > pattern.len()),
                "{pattern}: {}",
                found.id
            );
        }
    }
}

/// Each refused example of the table is found by the binary, each accepted one passes, and each refused one that
/// has a repair is sound after it.
#[test]
fn the_examples_of_the_table_hold() {
    for rule in antiphon_contract::rules::all().filter(|rule| rule.judge == antiphon_contract::Judge::Request) {
        let profile = if rule.severity.is_some() { "default" } else { "strict" };
        if !rule.refused.is_empty() {
            let run =
                run_with_input(&["check", "-", "--profile", profile, "--format", "json"], rule.refused.as_bytes());
            let found = run.json()["findings"].as_array().unwrap().iter().any(|f| f["rule"] == rule.id);
            if rule.severity.is_some() {
                assert!(found, "{}: {}", rule.id, run.text());
            }
            let fixed = run_with_input(&["fix", "-"], rule.refused.as_bytes());
            if rule.repair.is_some() {
                assert_eq!(fixed.code, Some(0), "{}: {}", rule.id, fixed.stderr);
                let again = run_with_input(&["check", "-"], &fixed.stdout);
                assert_eq!(again.code, Some(0), "{}: {}", rule.id, again.text());
            }
        }
        if !rule.accepted.is_empty() {
            let run = run_with_input(&["check", "-", "--format", "json"], rule.accepted.as_bytes());
            assert_eq!(run.rules("error"), [""; 0], "{}", rule.id);
        }
    }
}
