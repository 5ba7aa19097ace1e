//! What `check` says about conversations with several faults, and about hostile ones.

use antiphon_contract::{Profile, check};
use antiphon_model::{Message, Request};
use proptest::prelude::*;

fn found(messages: &str) -> Vec<(String, String)> {
    let request = Request::from_messages_json(messages).unwrap();
    check(&request, &Profile::default()).into_iter().map(|f| (f.rule.id.to_owned(), f.path.to_string())).collect()
}

fn pair(rule: &str, path: &str) -> (String, String) {
    (rule.to_owned(), path.to_owned())
}

const CALL: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}"#;
const RESULT: &str = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}"#;

#[test]
fn a_result_long_after_its_call_is_late_not_missing() {
    let messages = format!(
        r#"[{{"role":"user","content":"a"}},{CALL},{{"role":"user","content":"b"}},{{"role":"assistant","content":"c"}},{RESULT}]"#
    );
    assert_eq!(found(&messages), [pair("tool-result-not-adjacent", "messages.4.content.0")]);
}

#[test]
fn an_earlier_call_of_one_id_is_missing_when_a_later_one_is_answered() {
    let messages =
        format!(r#"[{{"role":"user","content":"a"}},{CALL},{{"role":"user","content":"b"}},{CALL},{RESULT}]"#);
    assert_eq!(
        found(&messages),
        [pair("missing-tool-result", "messages.1.content.0"), pair("duplicate-tool-use-id", "messages.3.content.0.id")]
    );
}

#[test]
fn flat_records_join_their_neighbours() {
    let messages = r#"[{"role":"user","content":"a"},{"role":"assistant","content":"let me see"},
        {"role":"tool_use","id":"t1","name":"f","input":{}},{"role":"tool_use","id":"t2","name":"f","input":{}},
        {"role":"tool_result","tool_use_id":"t2","content":"x"},{"role":"tool_result","tool_use_id":"t1","content":"x"},
        {"role":"user","content":"go on"}]"#;
    assert_eq!(found(messages), []);
    let messages = r#"[{"role":"user","content":"a"},{"role":"tool_use","id":"t1","name":"f","input":{}}]"#;
    assert_eq!(found(messages), [pair("missing-tool-result", "messages.1")]);
}

#[test]
fn thinking_is_judged_over_assistant_messages_in_a_row() {
    let messages = r#"[{"role":"user","content":"a"},
        {"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"}]},
        {"role":"assistant","content":[{"type":"text","text":"x"}]},{"role":"user","content":"b"}]"#;
    assert_eq!(found(messages), [pair("consecutive-same-role", "messages.2")]);
}

#[test]
fn values_that_are_no_messages_are_found_not_fatal() {
    let rules: Vec<String> = found(r#"[5, "x", null, {}, {"role":"user"}, {"role":"user","content":5}]"#)
        .into_iter()
        .map(|(rule, _)| rule)
        .collect();
    assert_eq!(
        rules,
        ["unknown-role", "unknown-role", "unknown-role", "unknown-role", "content-shape", "content-shape"]
    );
}

#[test]
fn an_id_of_a_megabyte_is_shown_short() {
    let id = "x".repeat(1 << 20);
    let messages =
        format!(r#"[{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}]}}]"#);
    let request = Request::from_messages_json(&messages).unwrap();
    for finding in check(&request, &Profile::default()) {
        assert!(finding.message.len() < 400, "{} bytes", finding.message.len());
    }
}

fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1.10".to_owned()),
        prop::sample::select(vec![
            "\"user\"",
            "\"assistant\"",
            "\"text\"",
            "\"tool_use\"",
            "\"tool_result\"",
            "\"thinking\"",
            "\"\"",
            "\" \"",
            "\"t1\"",
            "\"\\ud83d\"",
            "\"image\"",
            "\"system\"",
            "\"a\\u0000\"",
            "\"server_tool_use\"",
            "\"srvtoolu_1\"",
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(","))),
            prop::collection::vec(
                (
                    prop::sample::select(vec![
                        "role",
                        "content",
                        "type",
                        "text",
                        "id",
                        "tool_use_id",
                        "input",
                        "name",
                        "thinking",
                        "signature",
                        "cache_control",
                        "source",
                        "is_error",
                        "x",
                    ]),
                    inner
                ),
                0..6
            )
            .prop_map(|v| {
                let members: Vec<String> = v.into_iter().map(|(k, v)| format!("\"{k}\":{v}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn check_is_total(messages in prop::collection::vec(json(), 0..6)) {
        let text = format!("[{}]", messages.join(","));
        let request = Request::from_messages_json(&text).unwrap();
        let first = check(&request, &Profile::default());
        prop_assert_eq!(&first, &check(&request, &Profile::default()), "the same input gives the same findings");
        for finding in &first {
            prop_assert!(finding.path.message_index().is_none_or(|at| at < messages.len()));
        }
        check(&request, &Profile::strict());
    }
}

#[test]
fn many_unanswered_calls_are_checked_in_linear_time() {
    // Quadratic work would take minutes here.
    let calls: Vec<String> =
        (0..100_000).map(|i| format!(r#"{{"type":"tool_use","id":"t{i}","name":"f","input":{{}}}}"#)).collect();
    let text = format!(r#"{{"role":"assistant","content":[{}]}}"#, calls.join(","));
    let request = Request::new(vec![Message::user("a"), Message::from_json(&text).unwrap()]);
    let findings = check(&request, &Profile::default());
    assert_eq!(findings.iter().filter(|f| f.rule.id == "missing-tool-result").count(), 100_000);
}

#[test]
fn what_the_provider_puts_before_thinking_is_no_fault() {
    let messages = r#"[{"role":"user","content":"a"},{"role":"assistant","content":[
        {"type":"compaction","content":"so far"},{"type":"fallback","from":{"model":"a"},"to":{"model":"b"}},
        {"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"}]},{"role":"user","content":"b"}]"#;
    assert_eq!(found(messages), []);
}
