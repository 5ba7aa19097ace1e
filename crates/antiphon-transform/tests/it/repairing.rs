use crate::support::{assert_repairs, conversation, equivalent, read, repaired, thinking, words};
use antiphon_contract::Profile;
use antiphon_model::{Message, Request};
use antiphon_transform::{
    Conversation, Merge, MissingResult, OrphanResult, Pipeline, Repair, Transform, UnsignedThinking,
};
use proptest::prelude::*;

const CALL: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}"#;

fn assert_messages(got: &[String], want: &[&str]) {
    assert_eq!(got.len(), want.len(), "{got:#?}");
    for (got, want) in got.iter().zip(want) {
        assert!(equivalent(got, want), "got  {got}\nwant {want}");
    }
}

#[test]
fn a_missing_result_is_synthesised_in_front() {
    let (messages, report) =
        repaired(&format!(r#"[{{"role":"user","content":"a"}},{CALL},{{"role":"user","content":"b"}}]"#));
    assert_eq!(report.changes.len(), 1);
    assert_eq!(report.first_changed(), Some(2));
    assert_eq!(messages[1], CALL);
    assert!(
        messages[2].starts_with(
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"missing tool_result"#
        ),
        "{}",
        messages[2]
    );
    assert!(messages[2].ends_with(r#""is_error":true},{"type":"text","text":"b"}]}"#), "{}", messages[2]);
}

#[test]
fn or_the_call_is_dropped_by_choice() {
    let text = format!(r#"[{{"role":"user","content":"a"}},{CALL},{{"role":"user","content":"b"}}]"#);
    let mut conversation = Conversation::new(read(&text));
    let repair = Repair::default().with_missing_result(MissingResult::DropCall);
    repair.apply(&mut conversation).unwrap();
    assert_eq!(conversation.messages(), [Message::user("a"), Message::user("b")]);
}

#[test]
fn a_late_real_result_is_moved_not_replaced() {
    let (messages, _) = repaired(&format!(
        r#"[{{"role":"user","content":"a"}},{CALL},{{"role":"user","content":"b"}},{{"role":"assistant","content":"c"}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"real"}},{{"type":"text","text":"d"}}]}}]"#
    ));
    assert_messages(
        &messages,
        &[
            r#"{"role":"user","content":"a"}"#,
            CALL,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"real"},{"type":"text","text":"b"}]}"#,
            r#"{"role":"assistant","content":"c"}"#,
            r#"{"role":"user","content":[{"type":"text","text":"d"}]}"#,
        ],
    );
}

#[test]
fn a_real_result_wins_over_an_earlier_failure() {
    let (messages, _) = repaired(&format!(
        r#"[{{"role":"user","content":"a"}},{CALL},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"interrupted","is_error":true}}]}},
        {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"real"}}]}}]"#
    ));
    assert_messages(
        &messages[2..],
        &[r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"real"}]}"#],
    );
}

#[test]
fn flat_records_stay_flat() {
    let (messages, _) = repaired(
        r#"[{"role":"user","content":"a"},{"role":"tool_use","id":"t1","name":"f","input":{}},
        {"role":"tool_use","id":"t2","name":"f","input":{}},{"role":"tool_result","tool_use_id":"t2","content":"x"},
        {"role":"user","content":"b"}]"#,
    );
    assert_eq!(messages.len(), 6, "{messages:#?}");
    assert_eq!(messages[3], r#"{"role":"tool_result","tool_use_id":"t2","content":"x"}"#);
    assert!(messages[4].starts_with(r#"{"role":"tool_result","tool_use_id":"t1","content":"missing tool_result"#));
    assert_eq!(messages[5], r#"{"role":"user","content":"b"}"#);
}

#[test]
fn ids_are_renamed_with_their_results() {
    let (messages, _) = repaired(
        r#"[{"role":"user","content":"a"},
        {"role":"assistant","content":[{"type":"tool_use","id":"a|b","name":"f","input":{}},{"type":"tool_use","id":"a_b","name":"g","input":{}},{"type":"tool_use","id":"a:b","name":"h","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a:b","content":"3"},{"type":"tool_result","tool_use_id":"a|b","content":"1"},{"type":"tool_result","tool_use_id":"a_b","content":"2"}]}]"#,
    );
    assert_messages(
        &messages[1..],
        &[
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"a_b_2","name":"f","input":{}},{"type":"tool_use","id":"a_b","name":"g","input":{}},{"type":"tool_use","id":"a_b_3","name":"h","input":{}}]}"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a_b_3","content":"3"},{"type":"tool_result","tool_use_id":"a_b_2","content":"1"},{"type":"tool_result","tool_use_id":"a_b","content":"2"}]}"#,
        ],
    );
}

#[test]
fn a_reused_id_is_renamed_in_the_later_turn() {
    let result = |text| {
        format!(r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"{text}"}}]}}"#)
    };
    let (messages, _) =
        repaired(&format!(r#"[{{"role":"user","content":"a"}},{CALL},{},{CALL},{}]"#, result("one"), result("two")));
    assert_eq!(messages[1], CALL);
    assert_eq!(messages[2], result("one"));
    assert_eq!(messages[3], CALL.replace("t1", "t1_2"));
    assert_eq!(messages[4], result("two").replace("t1", "t1_2"));
}

#[test]
fn two_different_calls_of_one_id_in_a_message_get_their_results_in_order() {
    let (messages, _) = repaired(
        r#"[{"role":"user","content":"a"},
        {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{"n":1}},{"type":"tool_use","id":"t1","name":"f","input":{"n":2}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"},{"type":"tool_result","tool_use_id":"t1","content":"two"}]}]"#,
    );
    assert_messages(
        &messages[2..],
        &[
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one"},{"type":"tool_result","tool_use_id":"t1_2","content":"two"}]}"#,
        ],
    );
}

#[test]
fn orphans_stay_as_text_by_choice() {
    let text = r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"gone","content":"37 passed"},{"type":"text","text":"go on"}]}]"#;
    let mut conversation = Conversation::new(read(text));
    Repair::default().with_orphan_result(OrphanResult::ToText).apply(&mut conversation).unwrap();
    assert!(equivalent(
        &conversation.messages()[0].to_json(),
        r#"{"role":"user","content":[{"type":"text","text":"37 passed"},{"type":"text","text":"go on"}]}"#
    ));
}

#[test]
fn unsigned_thinking_stays_as_text_by_choice() {
    let text = r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"b"}]},{"role":"user","content":"c"}]"#;
    let mut conversation = Conversation::new(read(text));
    Repair::default().with_unsigned_thinking(UnsignedThinking::ToText).apply(&mut conversation).unwrap();
    assert_eq!(conversation.messages()[1].text(), "hmb");
}

#[test]
fn a_leading_system_message_becomes_the_system_prompt() {
    let mut conversation = Conversation::new(read(
        r#"{"system":"one","messages":[{"role":"system","content":"two"},{"role":"user","content":"a"}]}"#,
    ));
    Repair::default().apply(&mut conversation).unwrap();
    assert_eq!(
        conversation.request().to_json(),
        r#"{"system":"one\n\ntwo","messages":[{"role":"user","content":"a"}]}"#
    );
}

#[test]
fn only_the_rules_asked_for_are_repaired() {
    let text =
        format!(r#"[{{"role":"user","content":[{{"type":"text","text":""}},{{"type":"text","text":"a"}}]}},{CALL}]"#);
    let mut conversation = Conversation::new(read(&text));
    let report = Repair::default().only(["empty-text-block"]).apply(&mut conversation).unwrap();
    assert_eq!(report.changes.iter().filter_map(|c| c.rule).collect::<Vec<_>>(), ["empty-text-block"]);
    assert_eq!(conversation.messages().len(), 2);
    let mut conversation = Conversation::new(read(&text));
    let error = Repair::default().without("missing-tool-result").apply(&mut conversation).unwrap_err();
    assert!(error.to_string().contains("missing-tool-result"));
}

#[test]
fn a_strict_profile_gets_alternating_turns() {
    let mut conversation = Conversation::new(read(
        r#"[{"role":"assistant","content":"x"},{"role":"user","content":"a"},{"role":"user","content":"b"}]"#,
    ));
    Repair::new(Profile::strict()).apply(&mut conversation).unwrap();
    let roles: Vec<_> = conversation.messages().iter().map(Message::role_name).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
}

#[test]
fn a_final_assistant_turn_is_continued_only_on_request() {
    let profile = Profile::for_model("claude-opus-4-6");
    let text = r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#;
    let mut conversation = Conversation::new(read(text));
    let error = Repair::new(profile.clone()).apply(&mut conversation).unwrap_err();
    assert!(error.to_string().contains("ends-with-assistant"), "{error}");
    assert_eq!(conversation.request(), &read(text));
    Repair::new(profile).with_continuation("Go on.").apply(&mut conversation).unwrap();
    assert_eq!(conversation.messages().len(), 3);
    assert_eq!(conversation.messages()[..2], read(text).messages[..]);
}

#[test]
fn two_hundred_thousand_messages_are_repaired_in_linear_time() {
    // A quadratic step anywhere would take minutes.
    let mut messages = Vec::new();
    for i in 0..100_000 {
        messages.push(Message::user(format!("{i}")));
        messages.push(
            Message::from_json(&format!(
                r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"t{}","name":"f","input":{{}}}}]}}"#,
                i % 80_000
            ))
            .unwrap(),
        );
    }
    let mut conversation = Conversation::from_messages(messages);
    let profile = antiphon_contract::Profile::default().with_level("too-many-messages", None);
    match Repair::new(profile).apply(&mut conversation) {
        Ok(report) => assert!(report.changes.len() >= 100_000),
        Err(error) => panic!("{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn repair_holds_its_promise(request in conversation()) {
        let before = request.clone();
        let (after, result) = assert_repairs(request, &Repair::default(), &Profile::default());
        let report = result.unwrap_or_else(|error| error.report().clone());
        // Nothing said is lost.
        let kept = words(after.request());
        for word in words(&before) {
            prop_assert!(kept.iter().any(|k| k.contains(&word)), "lost {:?}\nfrom {}\nin {}", word, before.to_json(), after.request().to_json());
        }
        // What stands before the first change is what it was: the provider's cache still holds for it.
        let untouched = report.first_changed().unwrap_or(before.messages.len());
        for at in 0..untouched {
            prop_assert_eq!(after.messages().get(at), before.messages.get(at), "message {} of {}: {:?}", at, before.to_json(), report.changes);
            prop_assert_eq!(after.origin(at), [at]);
        }
        prop_assert_eq!(after.request().system == before.system, !report.prefix_changed());
        // Thinking is as it was, or not there.
        let was = thinking(&before);
        for block in thinking(after.request()) {
            prop_assert!(was.contains(&block), "altered {block}");
        }
    }

    #[test]
    fn repair_holds_under_strict_profiles(request in conversation()) {
        let profile = Profile::strict();
        let _ = assert_repairs(request, &Repair::new(profile.clone()).with_continuation("go on"), &profile);
    }

    #[test]
    fn the_other_choices_hold_too(request in conversation()) {
        let repair = Repair::default()
            .with_missing_result(MissingResult::DropCall)
            .with_orphan_result(OrphanResult::ToText)
            .with_unsigned_thinking(UnsignedThinking::ToText);
        let _ = assert_repairs(request, &repair, &Profile::default());
    }

    #[test]
    fn repair_then_merge_is_idempotent_and_valid(request in conversation()) {
        let pipeline = Pipeline::new().then(Repair::default()).then(Merge::blocks());
        let mut conversation = Conversation::new(request);
        if pipeline.apply(&mut conversation).is_ok() {
            let errors = crate::support::errors(conversation.request(), &Profile::default());
            prop_assert!(errors.is_empty(), "{errors:?} in {}", conversation.request().to_json());
            let again = pipeline.apply(&mut conversation).unwrap();
            prop_assert!(again.is_empty(), "{:?}", again.changes);
        }
    }

    #[test]
    fn a_preview_changes_nothing(request in conversation()) {
        let conversation = Conversation::new(request.clone());
        let preview = Repair::default().preview(&conversation);
        prop_assert_eq!(conversation.request(), &request);
        let mut applied = conversation;
        let done = Repair::default().apply(&mut applied);
        prop_assert_eq!(preview.is_ok(), done.is_ok());
        if let (Ok(a), Ok(b)) = (preview, done) {
            prop_assert_eq!(a, b);
        }
    }
}

#[test]
fn nothing_at_all_is_refused() {
    let mut conversation = Conversation::new(Request::new(Vec::new()));
    assert!(Repair::default().apply(&mut conversation).unwrap_err().to_string().contains("no-messages"));
}

#[test]
fn a_call_that_was_cut_off_is_answered_before_the_assistant_goes_on() {
    // Answered behind the run, the signed thinking of the second message would no longer stand first.
    let (messages, report) = repaired(
        r#"[{"role":"user","content":"a"},
        {"role":"assistant","content":[{"type":"text","text":"one"},{"type":"tool_use","id":"t1","name":"f","input":{}}]},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"tool_use","id":"t2","name":"f","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"x"}]}]"#,
    );
    assert_eq!(report.changes.len(), 1, "{:?}", report.changes);
    assert_eq!(messages.len(), 5);
    assert!(messages[2].contains(r#""tool_use_id":"t1""#));
    assert!(messages[3].contains("c2ln"));
}
