//! From what is stored to what is sent.

use antiphon_model::{Message, Role, to_wire};

fn read(lines: &[&str]) -> Vec<Message> {
    lines.iter().map(|line| Message::from_json(line).unwrap()).collect()
}

fn sent(lines: &[&str]) -> (Vec<String>, Vec<std::ops::Range<usize>>) {
    let wire = to_wire(&read(lines));
    (wire.messages.iter().map(Message::to_json).collect(), wire.sources)
}

#[test]
fn flat_records_join_their_turns() {
    let (messages, sources) = sent(&[
        r#"{"role":"user","content":"go"}"#,
        r#"{"role":"assistant","content":"I look."}"#,
        r#"{"role":"tool_use","id":"a","name":"ls","input":{"z":1.10}}"#,
        r#"{"role":"tool_use","id":"b","name":"ls","input":{}}"#,
        r#"{"role":"tool_result","tool_use_id":"a","content":"x"}"#,
        r#"{"role":"tool_result","tool_use_id":"b","content":null}"#,
        r#"{"role":"user","content":"thanks"}"#,
        r#"{"role":"user","content":"more"}"#,
    ]);
    assert_eq!(
        messages,
        [
            r#"{"role":"user","content":"go"}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"ls","input":{"z":1.10}},{"type":"tool_use","id":"b","name":"ls","input":{}}]}"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"},{"type":"tool_result","tool_use_id":"b"},{"type":"text","text":"thanks"}]}"#,
            r#"{"role":"user","content":"more"}"#,
        ]
    );
    assert_eq!(sources, [0..1, 1..4, 4..7, 7..8]);
}

#[test]
fn members_that_only_stored_messages_have_stay_behind() {
    let (messages, _) = sent(&[
        r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"a","x":1}],"usage":{}}"#,
        r#"{"ts":1,"role":"tool_use","cache_control":{"type":"ephemeral"},"id":"a","name":"ls","input":{},"session":"s","caller":{"type":"direct"}}"#,
        r#"{"role":"tool_result","ts":2,"tool_use_id":"a","content":"x","is_error":false,"toolset_name":"t","caller":1}"#,
        r#"{"role":"system","content":"s","clear_at":1,"ts":3}"#,
        r#"{"role":"developer","content":"kept as it came","ts":4}"#,
    ]);
    assert_eq!(
        messages,
        [
            r#"{"role":"assistant","content":[{"type":"text","text":"a","x":1},{"type":"tool_use","id":"a","name":"ls","input":{},"cache_control":{"type":"ephemeral"},"caller":{"type":"direct"}}]}"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x","is_error":false,"toolset_name":"t"}]}"#,
            r#"{"role":"system","content":"s","clear_at":1}"#,
            r#"{"role":"developer","content":"kept as it came","ts":4}"#,
        ]
    );
}

#[test]
fn what_is_sent_is_sent_again_unchanged() {
    let stored = read(&[
        r#"{"role":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"}]}"#,
        r#"{"role":"user","content":[]}"#,
        r#"{"role":"tool_use","id":"a","name":"ls","input":{}}"#,
    ]);
    let once = to_wire(&stored).messages;
    assert_eq!(to_wire(&once).messages, once);
    assert_eq!(once.iter().map(Message::wire_role).collect::<Vec<_>>(), [Some(Role::User), Some(Role::Assistant)]);
    assert!(to_wire(&[]).messages.is_empty());
}
