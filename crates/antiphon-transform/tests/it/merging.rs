use crate::support::{conversation, equivalent, read, words};
use antiphon_contract::View;
use antiphon_model::{Message, Role};
use antiphon_transform::{Conversation, Merge, Transform};
use proptest::prelude::*;

fn merged(merge: &Merge, text: &str) -> Vec<String> {
    let mut conversation = Conversation::new(read(text));
    merge.apply(&mut conversation).unwrap();
    conversation.messages().iter().map(Message::to_json).collect()
}

#[test]
fn strings_join_by_a_blank_line_or_stay_blocks() {
    let text = r#"[{"role":"user","content":"A"},{"role":"user","content":"B"}]"#;
    assert_eq!(merged(&Merge::default(), text), [r#"{"role":"user","content":"A\n\nB"}"#]);
    assert_eq!(merged(&Merge::default().with_joiner("\n"), text), [r#"{"role":"user","content":"A\nB"}"#]);
    assert_eq!(
        merged(&Merge::blocks(), text),
        [r#"{"role":"user","content":[{"type":"text","text":"A"},{"type":"text","text":"B"}]}"#]
    );
}

#[test]
fn marks_ids_and_borders_are_kept() {
    let got = merged(
        &Merge::default(),
        r#"[{"role":"assistant","content":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}}],"id":"m1"},
            {"role":"assistant","content":"B","id":"m2","model":"x"}]"#,
    );
    assert!(
        equivalent(
            &got[0],
            r#"{"role":"assistant","content":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}},{"type":"text","text":"B"}],"id":"m1","model":"x"}"#
        ),
        "{got:?}"
    );
}

#[test]
fn results_come_first() {
    let got = merged(
        &Merge::default(),
        r#"[{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]},
            {"role":"user","content":"wait"},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"},{"type":"tool_result","tool_use_id":"other","content":"y"}]}]"#,
    );
    assert!(
        equivalent(
            &got[1],
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"},{"type":"text","text":"wait"},{"type":"tool_result","tool_use_id":"other","content":"y"}]}"#
        ),
        "{got:?}"
    );
}

#[test]
fn what_has_no_neighbour_of_its_role_is_not_touched() {
    let text = r#"[{"role":"user","content":"A"},{"role":"assistant","content":"B"},{"role":"system","content":"S"},{"role":"user","content":"C"}]"#;
    let mut conversation = Conversation::new(read(text));
    assert!(Merge::default().apply(&mut conversation).unwrap().is_empty());
    assert_eq!(conversation.request(), &read(text));
}

#[test]
fn a_run_of_two_hundred_thousand_is_merged_in_linear_time() {
    let messages: Vec<Message> = (0..200_000).map(|i| Message::user(format!("{i}"))).collect();
    let mut conversation = Conversation::from_messages(messages);
    Merge::default().apply(&mut conversation).unwrap();
    assert_eq!(conversation.messages().len(), 1);
    assert_eq!(conversation.origin(0).len(), 200_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn merge_keeps_its_promise(request in conversation(), blocks in any::<bool>()) {
        let merge = if blocks { Merge::blocks() } else { Merge::default() };
        let before = words(&request);
        let given = request.clone();
        let mut conversation = Conversation::new(request);
        let report = merge.apply(&mut conversation).unwrap();
        for at in 0..report.first_changed().unwrap_or(given.messages.len()) {
            prop_assert_eq!(conversation.messages().get(at), given.messages.get(at));
        }
        let view = View::new(conversation.messages());
        for pair in view.turns.windows(2) {
            let same = pair[0].role == pair[1].role && matches!(pair[0].role, Some(Role::User | Role::Assistant));
            prop_assert!(!same, "{}", conversation.request().to_json());
        }
        let after = words(conversation.request());
        if blocks {
            let (mut a, mut b) = (before, after);
            a.sort();
            b.sort();
            prop_assert_eq!(a, b);
        } else {
            let all = after.join("\n");
            for word in before {
                prop_assert!(all.contains(&word));
            }
        }
        let once = conversation.request().to_json();
        prop_assert!(merge.apply(&mut conversation).unwrap().is_empty());
        prop_assert_eq!(conversation.request().to_json(), once);
    }
}
