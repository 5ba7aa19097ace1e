//! What may go on in a conversation.

use antiphon_model::{ContentBlock, Message};
use antiphon_stream::{LeftOutReason as Why, Salvage, SalvageOptions, collect};

use crate::support::{END, HELLO, OVER, START, STOP, TEXT, TOOL, assert_check_accepts, body, input, outcome};

fn salvage(events: &[&str]) -> Salvage {
    let options = SalvageOptions::default();
    let salvage = match outcome(events) {
        Ok(finished) => finished.salvage(&options),
        Err(interrupted) => interrupted.salvage(&options),
    };
    if let Some(message) = &salvage.message {
        assert_check_accepts(message);
    }
    salvage
}

fn blocks(salvage: &Salvage) -> Vec<String> {
    salvage
        .message
        .iter()
        .flat_map(|message| message.content.clone().into_blocks())
        .map(|block| block.to_json())
        .collect()
}

fn reasons(salvage: &Salvage) -> Vec<(u64, Why)> {
    salvage.left_out.iter().map(|left_out| (left_out.index, left_out.reason)).collect()
}

fn at(event: &str, index: u64) -> String {
    event.replace("\"index\":0", &format!("\"index\":{index}"))
}

fn block(index: u64, json: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{index},"content_block":{json}}}"#)
}

const SIGNED: &str = r#"{"type":"thinking","thinking":"hm","signature":"c2ln"}"#;
const UNSIGNED: &str = r#"{"type":"thinking","thinking":"hm","signature":""}"#;

#[test]
fn text_that_was_cut_stays_and_its_trailing_space_goes() {
    let salvage = salvage(&[START, TEXT, &HELLO.replace("Hello", "Hello \\n")]);
    assert_eq!(blocks(&salvage), [r#"{"type":"text","text":"Hello"}"#]);
    assert_eq!(reasons(&salvage), [(0, Why::TrailingSpace)]);
}

#[test]
fn only_role_and_content_go_on_but_the_rest_can_be_had() {
    let events = [START, TEXT, HELLO];
    let salvage = salvage(&events);
    assert_eq!(
        Message::Assistant(salvage.message.unwrap()).to_json(),
        r#"{"role":"assistant","content":[{"type":"text","text":"Hello"}]}"#
    );
    assert_eq!(
        collect(&body(&events)).message.unwrap().to_json(),
        r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello"}],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}"#
    );
}

#[test]
fn nothing_left_is_no_message() {
    let nothing = salvage(&[START, TEXT]);
    assert_eq!((nothing.message, nothing.left_out[0].reason), (None, Why::EmptyText));
    assert_eq!(salvage(&[]).message, None);
    let thinking = salvage(&[START, &block(0, UNSIGNED)]);
    assert_eq!((thinking.message, thinking.left_out[0].reason), (None, Why::UnsignedThinking));
    let thinking = salvage(&[START, &block(0, SIGNED), STOP]);
    assert_eq!((thinking.message, thinking.left_out[0].reason), (None, Why::ThinkingLast));
}

#[test]
fn unfinished_calls_go_and_whole_ones_stay() {
    let second = at(&TOOL.replace("t1", "t2"), 1);
    let events = [START, TOOL, &input("{\"a\":1}"), STOP, &second, &at(&input("{\"b\""), 1)];
    let kept = salvage(&events);
    assert_eq!(blocks(&kept), [r#"{"type":"tool_use","id":"t1","name":"rm","input":{"a":1}}"#]);
    assert_eq!(reasons(&kept), [(1, Why::Unfinished)]);
    let none = outcome(&events).unwrap_err().salvage(&SalvageOptions::default().with_tool_calls(false));
    assert_eq!(none.message, None);
    assert_eq!(reasons(&none), [(0, Why::NotWanted), (1, Why::Unfinished)]);
}

#[test]
fn a_second_call_with_the_same_id_goes() {
    let salvage = salvage(&[START, TOOL, STOP, &at(TOOL, 1), &at(STOP, 1), END, OVER]);
    assert_eq!((blocks(&salvage).len(), reasons(&salvage)), (1, vec![(1, Why::DuplicateId)]));
}

#[test]
fn thinking_stays_only_where_it_may_stand() {
    let text = at(HELLO, 1);
    let signed = salvage(&[START, &block(0, SIGNED), STOP, &text]);
    assert_eq!(blocks(&signed), [SIGNED, r#"{"type":"text","text":"Hello"}"#]);
    let unsigned = salvage(&[START, &block(0, UNSIGNED), STOP, &text]);
    assert_eq!(
        (blocks(&unsigned), reasons(&unsigned)),
        (vec![r#"{"type":"text","text":"Hello"}"#.into()], vec![(0, Why::UnsignedThinking)])
    );
    // The first goes, so the later ones would no longer stand first.
    let later = salvage(&[
        START,
        &block(0, UNSIGNED),
        STOP,
        &text,
        &at(STOP, 1),
        &block(2, SIGNED),
        &at(STOP, 2),
        &at(HELLO, 3),
    ]);
    assert_eq!(blocks(&later).len(), 2);
    assert_eq!(reasons(&later), [(0, Why::UnsignedThinking), (2, Why::ThinkingNotFirst)]);
}

#[test]
fn server_tools_stay_in_pairs_unless_they_are_pending() {
    let call = block(0, r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#);
    let result = block(1, r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#);
    assert_eq!(blocks(&salvage(&[START, &call, STOP, &result])).len(), 2);
    assert_eq!(reasons(&salvage(&[START, &call, STOP])), [(0, Why::NoServerResult)]);
    assert_eq!(
        reasons(&salvage(&[START, &call, &input("{\"q"), &result])),
        [(0, Why::Unfinished), (1, Why::NoServerCall)]
    );
    assert_eq!(reasons(&salvage(&[START, &call, STOP, &END.replace("end_turn", "pause_turn"), OVER])), []);
}

#[test]
fn blocks_the_api_does_not_take_back_go() {
    let text = at(HELLO, 4);
    let salvage = salvage(&[
        START,
        &block(0, r#"{"type":"container_upload","file_id":"f"}"#),
        &block(1, r#"{"type":"compaction","content":"half"}"#),
        &block(2, r#"{"type":"hologram","n":1}"#),
        &block(3, r#"{"type":"hologram","n":2}"#),
        &at(STOP, 3),
        &text,
    ]);
    assert_eq!(reasons(&salvage), [(0, Why::NotReplayable), (1, Why::CutBlock), (2, Why::CutBlock)]);
    assert_eq!(blocks(&salvage), [r#"{"type":"hologram","n":2}"#, r#"{"type":"text","text":"Hello"}"#]);
}

#[test]
fn before_a_fallback_only_text_and_whole_server_tools_stay() {
    let salvage = salvage(&[
        START,
        &block(0, SIGNED),
        STOP,
        &at(HELLO, 1),
        &block(2, r#"{"type":"tool_use","id":"t1","name":"rm","input":{}}"#),
        &at(STOP, 2),
        &block(3, r#"{"type":"fallback","from":{"model":"m"},"to":{"model":"n"}}"#),
        &at(STOP, 3),
        &at(HELLO, 4),
    ]);
    assert_eq!(reasons(&salvage), [(0, Why::BeforeFallback), (2, Why::BeforeFallback)]);
    assert_eq!(blocks(&salvage).len(), 3);
}

#[test]
fn a_whole_message_stays_as_it_is() {
    let finished = outcome(&[START, TEXT, HELLO, STOP, &at(TOOL, 1), &at(STOP, 1), END, OVER]).unwrap();
    let salvage = finished.salvage(&SalvageOptions::default());
    assert_eq!(salvage.message.unwrap().content, finished.message.content);
    assert_eq!(salvage.left_out, []);
    assert!(matches!(finished.message.content.into_blocks()[1], ContentBlock::ToolUse(_)));
}
