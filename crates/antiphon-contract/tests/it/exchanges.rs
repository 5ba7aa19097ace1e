use antiphon_contract::{Profile, check, exchanges, legal_cuts};
use antiphon_model::{Message, Request};

fn read(text: &str) -> Vec<Message> {
    Request::from_messages_json(text).unwrap().messages
}

const LOOP: &str = r#"[{"role":"user","content":"a"},
    {"role":"assistant","content":[THINK{"type":"tool_use","id":"t1","name":"f","input":{}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]},
    {"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"f","input":{}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"x"}]},
    {"role":"assistant","content":"done"},
    {"role":"user","content":"b"}]"#;

#[test]
fn rounds_of_a_tool_loop_are_units_of_their_own() {
    let messages = read(&LOOP.replace("THINK", ""));
    let units: Vec<_> = exchanges(&messages).into_iter().map(|e| (e.messages, e.opens_with_user)).collect();
    assert_eq!(units, [(0..3, true), (3..5, false), (5..6, false), (6..7, true)]);
    assert_eq!(legal_cuts(&messages), [0, 6, 7]);
}

#[test]
fn a_thinking_loop_is_one_unit() {
    let messages = read(&LOOP.replace("THINK", r#"{"type":"thinking","thinking":"t","signature":"c2ln"},"#));
    let units: Vec<_> = exchanges(&messages).into_iter().map(|e| e.messages).collect();
    assert_eq!(units, [0..6, 6..7]);
}

#[test]
fn what_a_late_result_ties_is_not_cut() {
    let messages = read(
        r#"[{"role":"user","content":"a"},
        {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]},
        {"role":"user","content":"wait"},{"role":"assistant","content":"ok"},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]},
        {"role":"user","content":"b"}]"#,
    );
    assert_eq!(legal_cuts(&messages), [0, 5, 6]);
}

#[test]
fn every_legal_cut_of_a_valid_conversation_leaves_a_valid_one() {
    for text in
        [LOOP.replace("THINK", ""), LOOP.replace("THINK", r#"{"type":"thinking","thinking":"t","signature":"c2ln"},"#)]
    {
        let messages = read(&text);
        for cut in legal_cuts(&messages) {
            let rest = Request::new(messages.get(cut..).unwrap().to_vec());
            let errors: Vec<_> = check(&rest, &Profile::default())
                .into_iter()
                .filter(|f| f.is_error() && f.rule.id != "no-messages")
                .collect();
            assert!(errors.is_empty(), "cut at {cut}: {errors:?}");
        }
    }
}

#[test]
fn nothing_gives_nothing() {
    assert!(exchanges(&[]).is_empty());
    assert_eq!(legal_cuts(&[]), [0]);
}
