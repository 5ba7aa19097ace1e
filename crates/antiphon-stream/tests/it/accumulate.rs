//! The accumulator: what each event does, and the stated outcome of each oddity.

use antiphon_model::{ContentBlock, Message};
use antiphon_stream::{
    Accumulator, AccumulatorOptions, AnomalyKind as Odd, CarriedWhat, Delta, EventBody, Finished, InputChange,
    Interrupted, Interruption, MessageDecoder, SseOptions, StreamEvent, ToolCall, ToolInputDetail, UnfinishedReason,
    Update,
};

use crate::support::{END, HELLO, OVER, START, STOP, TEXT, TOOL, body, input, kinds, outcome};

fn json(finished: Finished) -> String {
    Message::Assistant(finished.message).to_json()
}

fn whole(events: &[&str]) -> Finished {
    outcome(events).unwrap_or_else(|interrupted| panic!("{interrupted}"))
}

fn broken(events: &[&str]) -> Interrupted {
    *outcome(events).expect_err("not a whole message")
}

fn partial_text(interrupted: &Interrupted) -> String {
    interrupted.partial().content.into_blocks().iter().map(ContentBlock::to_json).collect()
}

#[test]
fn the_message_keeps_the_members_of_its_start_in_order() {
    let message = json(whole(&[START, TEXT, HELLO, STOP, END, OVER]));
    assert_eq!(
        message,
        r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":9},"stop_sequence":null}"#
    );
}

#[test]
fn updates_tell_everything_in_order() {
    let mut decoder = MessageDecoder::new();
    let signature = r#"{"type":"content_block_delta","index":1,"delta":{"type":"signature_delta","signature":"c2ln"}}"#;
    let mut updates = decoder.push(&body(&[
        START,
        r#"{"type":"ping"}"#,
        TOOL,
        &input("{\"a\":[1"),
        &input(",2],\"b\":\"x\\n"),
        &input("y\"}"),
        STOP,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
        signature,
        r#"{"type":"content_block_stop","index":1}"#,
        END,
        OVER,
    ]));
    updates.extend(decoder.end());
    let lines: Vec<_> = updates.iter().map(|update| serde_json::to_string(update).unwrap()).collect();
    assert_eq!(
        lines,
        [
            r#"{"type":"message_start","id":"msg_1","model":"m"}"#,
            r#"{"type":"usage","usage":{"input_tokens":3,"output_tokens":1}}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"tool_use_start","index":0,"id":"t1","name":"rm","server":false}"#,
            r#"{"type":"tool_input","index":0,"partial_json":"{\"a\":[1","changes":[{"change":"object","path":""},{"change":"array","path":"/a"}]}"#,
            r#"{"type":"tool_input","index":0,"partial_json":",2],\"b\":\"x\\n","changes":[{"change":"value","path":"/a/0","value":1},{"change":"value","path":"/a/1","value":2},{"change":"closed","path":"/a"},{"change":"text","path":"/b","text":"x\n"}]}"#,
            r#"{"type":"tool_input","index":0,"partial_json":"y\"}","changes":[{"change":"text","path":"/b","text":"y","closed":true},{"change":"closed","path":""}]}"#,
            r#"{"type":"tool_use_complete","index":0,"id":"t1","name":"rm","input":{"a":[1,2],"b":"x\ny"}}"#,
            r#"{"type":"block_stop","index":0}"#,
            r#"{"type":"thinking_chunk","index":1,"text":"hm"}"#,
            r#"{"type":"thinking_signature","index":1,"signature":"c2ln"}"#,
            r#"{"type":"block_stop","index":1}"#,
            r#"{"type":"stop_reason","stop_reason":"end_turn"}"#,
            r#"{"type":"usage","usage":{"input_tokens":3,"output_tokens":9}}"#,
            r#"{"type":"done","stop_reason":"end_turn"}"#,
        ]
    );
    assert!(decoder.end().is_empty());
}

#[test]
fn a_value_of_tool_input_is_there_after_every_delta() {
    let mut accumulator = Accumulator::new();
    accumulator.push(StreamEvent::parse(TOOL).unwrap());
    for (piece, value) in [("{\"te", "{}"), ("xt\":\"a", r#"{"text":"a"}"#), ("b", r#"{"text":"ab"}"#)] {
        accumulator.push(EventBody::delta(0, Delta::InputJson(piece.into())).into());
        assert_eq!(accumulator.tool_input(0).unwrap().to_json(), value);
    }
    assert_eq!(accumulator.tool_input_text(0), Some("{\"text\":\"ab"));
}

#[test]
fn less_detail_of_tool_input_can_be_had() {
    for (detail, value, changes) in
        [(ToolInputDetail::Raw, false, 0), (ToolInputDetail::Values, true, 0), (ToolInputDetail::Changes, true, 2)]
    {
        let mut accumulator = Accumulator::with_options(AccumulatorOptions::default().with_tool_input(detail));
        accumulator.push(StreamEvent::parse(TOOL).unwrap());
        let updates = accumulator.push(EventBody::delta(0, Delta::InputJson("{\"a\":1,".into())).into());
        let Update::ToolInput { changes: got, .. } = &updates[0] else { panic!("{updates:?}") };
        assert_eq!((accumulator.tool_input(0).is_some(), got.len()), (value, changes));
        assert!(got.iter().all(|change| matches!(change, InputChange::Object { .. } | InputChange::Value { .. })));
    }
}

#[test]
fn input_keeps_its_spelling() {
    let finished =
        whole(&[START, TOOL, &input("{ \"n\": 1.10,"), &input(" \"n\": 12345678901234567890123 }"), STOP, END, OVER]);
    assert_eq!(finished.tool_uses().next().unwrap().input.get(), "{ \"n\": 1.10, \"n\": 12345678901234567890123 }");
}

#[test]
fn an_empty_input_is_no_argument_and_a_given_one_stays() {
    for (start, pieces, input_json) in [
        (TOOL, &[][..], "{}"),
        (TOOL, &["", ""][..], "{}"),
        (&TOOL.replace(",\"input\":{}", ""), &[][..], "{}"),
        (&TOOL.replace("{}", "null"), &[][..], "{}"),
        (&TOOL.replace("{}", "\"\""), &[""][..], "{}"),
        (&TOOL.replace("{}", "{\"a\":1}"), &[""][..], "{\"a\":1}"),
        (&TOOL.replace("{}", "{\"a\":1}"), &["{\"b\"", ":2}"][..], "{\"b\":2}"),
    ] {
        let pieces: Vec<_> = pieces.iter().map(|piece| input(piece)).collect();
        let events: Vec<_> =
            [START, start].into_iter().chain(pieces.iter().map(String::as_str)).chain([STOP, END, OVER]).collect();
        let finished = whole(&events);
        assert_eq!(finished.tool_uses().next().unwrap().input.get(), input_json, "{start} {pieces:?}");
        assert_eq!(finished.anomalies, []);
    }
}

#[test]
fn a_call_that_is_not_whole_is_never_a_tool_use() {
    use UnfinishedReason::{Cut, Damaged, Invalid, NotAnObject, Unnamed};
    let half = input("{\"path\":\"/tmp");
    let closed = input("{\"path\":\"/tmp\"}");
    let max_tokens = END.replace("end_turn", "max_tokens");
    let no_piece = r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta"}}"#;
    for (events, reason, interruption) in [
        (&[START, TOOL, &half, STOP, &max_tokens, OVER][..], Cut, Interruption::ToolInput),
        (&[START, TOOL, &half, &max_tokens, OVER][..], Cut, Interruption::ToolInput),
        (&[START, TOOL, &max_tokens, OVER][..], Cut, Interruption::ToolInput),
        (&[START, TOOL, &half][..], Cut, Interruption::Cut),
        (&[START, TOOL, &closed][..], Cut, Interruption::Cut),
        (&[START, TOOL, &input("{\"a\":}"), STOP, END, OVER][..], Invalid, Interruption::ToolInput),
        (&[START, TOOL, &input("[1]"), STOP, END, OVER][..], NotAnObject, Interruption::ToolInput),
        (&[START, TOOL, &input("null"), STOP, END, OVER][..], NotAnObject, Interruption::ToolInput),
        (&[START, &TOOL.replace("{}", "[]"), STOP, END, OVER][..], NotAnObject, Interruption::ToolInput),
        (&[START, &TOOL.replace("t1", ""), &closed, STOP, END, OVER][..], Unnamed, Interruption::ToolInput),
        (&[START, &TOOL.replace("rm", ""), &closed, STOP, END, OVER][..], Unnamed, Interruption::ToolInput),
        (&[START, TOOL, "not JSON", &closed, STOP, END, OVER][..], Damaged, Interruption::Damaged),
        (&[START, TOOL, no_piece, &closed, STOP, END, OVER][..], Damaged, Interruption::ToolInput),
        (
            &[START, TOOL, &input("{\"a\":\"\\\\").replace("\\\\\\\\", "\\ud800"), &input("\"}"), STOP, END, OVER][..],
            Damaged,
            Interruption::ToolInput,
        ),
    ] {
        let interrupted = broken(events);
        assert_eq!(interrupted.reason, interruption, "{events:?}");
        let calls = interrupted.tool_calls();
        assert!(matches!(&calls[..], [ToolCall::Unfinished(call)] if call.reason == reason), "{events:?}: {calls:?}");
        assert_eq!(partial_text(&interrupted), "");
        let mut decoder = MessageDecoder::new();
        let updates: Vec<_> = [decoder.push(&body(events)), decoder.end()].concat();
        assert!(!updates.iter().any(|update| matches!(update, Update::ToolUseComplete { .. })), "{events:?}");
        assert_eq!(
            updates.iter().filter(|update| matches!(update, Update::ToolUseIncomplete { .. })).count(),
            1,
            "{events:?}"
        );
    }
}

#[test]
fn a_closed_object_without_its_stop_is_whole_if_the_message_ended() {
    let finished = whole(&[START, TOOL, &input("{\"a\":1}"), END, OVER]);
    assert_eq!(finished.tool_uses().count(), 1);
    assert_eq!(kinds(&finished.anomalies), [Odd::MissingBlockStop]);
}

#[test]
fn what_an_unfinished_call_holds_can_be_looked_at() {
    let interrupted = broken(&[START, TOOL, &input("{\"path\":\"/tmp\",\"n\":1")]);
    let call = interrupted.unfinished().next().unwrap();
    assert_eq!(call.so_far().unwrap().to_json(), r#"{"path":"/tmp"}"#);
    assert_eq!(call.mend().unwrap().display().get(), r#"{"path":"/tmp"}"#);
}

#[test]
fn the_signature_is_set_and_replaces_the_first_value() {
    let thinking = r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":"old"}}"#;
    let signature = r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"new"}}"#;
    let finished = whole(&[START, thinking, signature, STOP, END, OVER]);
    assert_eq!(
        finished.message.content.into_blocks()[0].to_json(),
        r#"{"type":"thinking","thinking":"","signature":"new"}"#
    );
    let finished =
        whole(&[START, &thinking.replace(",\"signature\":\"old\"", ""), signature, signature, STOP, END, OVER]);
    assert_eq!(kinds(&finished.anomalies), [Odd::SignatureInPieces]);
    assert_eq!(
        finished.message.content.into_blocks()[0].to_json(),
        r#"{"type":"thinking","thinking":"","signature":"newnew"}"#
    );
}

#[test]
fn compaction_citations_server_tools_and_whole_blocks_are_kept() {
    let finished = whole(&[
        START,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"compaction","content":null,"encrypted_content":null}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"compaction_delta","content":"sum","encrypted_content":"e"}}"#,
        STOP,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"x\"}"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","n":1.0}]}}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"text","text":"","citations":null}}"#,
        r#"{"type":"content_block_delta","index":3,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"A"}}}"#,
        r#"{"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"A."}}"#,
        r#"{"type":"content_block_stop","index":3}"#,
        END,
        OVER,
    ]);
    assert_eq!(finished.anomalies, []);
    assert_eq!(finished.tool_uses().count(), 0, "a server tool is not for the caller to run");
    let blocks: Vec<_> = finished.message.content.into_blocks().iter().map(ContentBlock::to_json).collect();
    assert_eq!(blocks[0], r#"{"type":"compaction","content":"sum","encrypted_content":"e"}"#);
    assert_eq!(blocks[1], r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}"#);
    assert_eq!(
        blocks[2],
        r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","n":1.0}]}"#
    );
    assert_eq!(blocks[3], r#"{"type":"text","text":"A.","citations":[{"type":"char_location","cited_text":"A"}]}"#);
}

#[test]
fn what_message_delta_brings_is_the_messages_and_null_takes_nothing_back() {
    let first = r#"{"type":"message_delta","delta":{"container":{"id":"c"},"stop_details":null,"new_thing":1.0},"usage":{"output_tokens":5,"cache_read_input_tokens":7},"context_management":{"applied_edits":[]}}"#;
    let second = r#"{"type":"message_delta","delta":{"stop_reason":"refusal","container":null,"stop_details":{"type":"refusal"}},"usage":{"output_tokens":6,"cache_read_input_tokens":null,"input_tokens":null},"context_management":null}"#;
    let finished = whole(&[START, first, second, OVER]);
    let usage = finished.message.usage().unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens), (Some(3), Some(6), Some(7)));
    let extra = &finished.message.extra;
    let raw = |key: &str| extra.get(key).unwrap().get().to_owned();
    assert_eq!(raw("container"), r#"{"id":"c"}"#);
    assert_eq!(raw("stop_details"), r#"{"type":"refusal"}"#);
    assert_eq!((raw("new_thing"), raw("context_management")), ("1.0".into(), r#"{"applied_edits":[]}"#.into()));
}

#[test]
fn usage_may_come_alone() {
    for event in [
        r#"{"type":"message_delta","usage":{"output_tokens":8}}"#,
        r#"{"type":"message_delta","delta":null,"usage":{"output_tokens":8}}"#,
    ] {
        let finished = whole(&[START, TEXT, HELLO, STOP, END, event, OVER]);
        assert_eq!(finished.anomalies, []);
        assert_eq!(finished.message.usage().unwrap().output_tokens, Some(8));
        assert_eq!(finished.message.stop_reason().unwrap().as_str(), "end_turn");
    }
}

#[test]
fn after_a_fallback_the_other_model_is_the_messages() {
    let fallback = r#"{"type":"content_block_start","index":0,"content_block":{"type":"fallback","from":{"model":"m"},"to":{"model":"other"}}}"#;
    assert_eq!(whole(&[START, fallback, STOP, END, OVER]).message.model().unwrap(), "other");
}

#[test]
fn unknown_things_are_carried_and_told() {
    let odd_delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"hologram_delta","x":1}}"#;
    let odd_member = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi","estimated_tokens":null},"n":1}"#;
    let finished = whole(&[START, r#"{"type":"weather","n":1.0}"#, TEXT, odd_delta, odd_member, STOP, END, OVER]);
    assert_eq!(kinds(&finished.anomalies), [Odd::UnknownEvent, Odd::UnknownDelta]);
    let carried: Vec<_> =
        finished.carried.iter().map(|carried| (carried.what, carried.index, carried.raw.get())).collect();
    assert_eq!(
        carried,
        [
            (CarriedWhat::Event, None, r#"{"type":"weather","n":1.0}"#),
            (CarriedWhat::Delta, Some(0), r#"{"type":"hologram_delta","x":1}"#),
            (CarriedWhat::DeltaMembers, Some(0), r#"{"estimated_tokens":null}"#),
            (CarriedWhat::EventMembers, Some(0), r#"{"n":1}"#),
        ]
    );
}

#[test]
fn errors_end_the_message_and_keep_what_came() {
    let error = r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow"},"request_id":"req_1"}"#;
    let interrupted = broken(&[START, TEXT, HELLO, error, END, OVER]);
    let got = interrupted.error.as_ref().unwrap();
    assert_eq!(
        (got.kind.as_str(), got.message.as_str(), got.request_id.as_deref()),
        ("rate_limit_error", "slow", Some("req_1"))
    );
    assert_eq!((interrupted.reason, got.may_retry()), (Interruption::Error, true));
    assert_eq!(partial_text(&interrupted), r#"{"type":"text","text":"Hello"}"#);
    assert_eq!(kinds(&interrupted.anomalies), [Odd::AfterEnd, Odd::AfterEnd]);
    assert_eq!(interrupted.usage().unwrap().output_tokens, Some(1));
    // Other ways to say it.
    for (body, kind, message) in [
        (
            &b"event: error\ndata: {\"error\":{\"type\":\"api_error\",\"message\":\"no type\"}}\n\n"[..],
            "api_error",
            "no type",
        ),
        (b"event: error\ndata: upstream closed\n\n", "", "upstream closed"),
        (b"data: {\"error\":{\"message\":\"gateway\"}}\n\n", "", "gateway"),
        (b"data: {\"type\":\"error\",\"error\":\"text\"}\n\n", "", "text"),
    ] {
        let mut decoder = MessageDecoder::new();
        decoder.push(body);
        let error = decoder.finish().unwrap_err().error.unwrap();
        assert_eq!((error.kind.as_str(), error.message.as_str()), (kind, message));
    }
}

#[test]
fn each_oddity_of_order_has_its_outcome() {
    let hello = r#"[{"type":"text","text":"Hello"}]"#;
    let content = |finished: Finished| {
        let blocks: Vec<_> = finished.message.content.into_blocks().iter().map(ContentBlock::to_json).collect();
        format!("[{}]", blocks.join(","))
    };
    let second_stop = STOP;
    let other_start = START.replace("msg_1", "msg_2");
    let at = |event: &str, index: u64| event.replace("\"index\":0", &format!("\"index\":{index}"));
    let world = HELLO.replace("Hello", "World");
    let thinking = r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#;
    let huge = u64::MAX;
    for (events, odd, expected) in [
        (vec![START, TEXT, HELLO, END, OVER], vec![Odd::MissingBlockStop], hello.to_owned()),
        (vec![START, TEXT, HELLO, STOP, END], vec![Odd::MissingMessageStop], hello.to_owned()),
        (vec![START, HELLO, STOP, END, OVER], vec![Odd::BlockOpenedByDelta], hello.to_owned()),
        (vec![START, TEXT, HELLO, STOP, second_stop, END, OVER], vec![Odd::RepeatedStop], hello.to_owned()),
        (vec![START, &at(STOP, 7), TEXT, HELLO, STOP, END, OVER], vec![Odd::StopWithoutStart], hello.to_owned()),
        (vec![START, TEXT, HELLO, STOP, &world, END, OVER], vec![Odd::DeltaAfterStop], hello.to_owned()),
        (vec![START, TEXT, HELLO, thinking, STOP, END, OVER], vec![Odd::DeltaDoesNotFit], hello.to_owned()),
        (vec![START, TEXT, HELLO, STOP, END, OVER, OVER, START], vec![Odd::AfterEnd, Odd::AfterEnd], hello.to_owned()),
        (vec![START, &other_start, TEXT, HELLO, STOP, END, OVER], vec![Odd::MessageStartReplaced], hello.to_owned()),
        (vec![START, &at(TEXT, huge), &at(HELLO, huge), &at(STOP, huge), END, OVER], vec![], hello.to_owned()),
        (
            vec![START, &at(TEXT, 5), &at(HELLO, 5), TEXT, &world, STOP, &at(STOP, 5), END, OVER],
            vec![Odd::BlockOutOfOrder],
            r#"[{"type":"text","text":"World"},{"type":"text","text":"Hello"}]"#.to_owned(),
        ),
        (
            vec![START, TEXT, HELLO, STOP, TEXT, &world, STOP, END, OVER],
            vec![Odd::IndexReused],
            r#"[{"type":"text","text":"Hello"},{"type":"text","text":"World"}]"#.to_owned(),
        ),
        (
            vec![START, TEXT, HELLO, TEXT, &world, STOP, END, OVER],
            vec![Odd::IndexReused, Odd::BlockNotStopped],
            r#"[{"type":"text","text":"Hello"},{"type":"text","text":"World"}]"#.to_owned(),
        ),
    ] {
        let finished = whole(&events);
        assert_eq!(kinds(&finished.anomalies), odd, "{events:?}");
        assert_eq!(content(finished), expected, "{events:?}");
    }
    for (events, reason, odd) in [
        (vec![], Interruption::Empty, vec![]),
        (vec![START, TEXT, HELLO, STOP], Interruption::Cut, vec![]),
        (vec![START, TEXT, HELLO], Interruption::Cut, vec![]),
        (vec![TEXT, HELLO, STOP, END, OVER], Interruption::NoStart, vec![Odd::MissingMessageStart]),
        (
            vec![START, TEXT, HELLO, &other_start, &world, END, OVER],
            Interruption::SecondMessage,
            vec![Odd::SecondMessageStart, Odd::AfterEnd, Odd::AfterEnd, Odd::AfterEnd],
        ),
        (vec![START, TEXT, HELLO, "oops", STOP, END, OVER], Interruption::Damaged, vec![Odd::NotJson]),
        (
            vec![START, TEXT, HELLO, r#"{"type":"content_block_delta","index":-1,"delta":{}}"#, STOP, END, OVER],
            Interruption::Damaged,
            vec![Odd::MalformedEvent],
        ),
    ] {
        let interrupted = outcome(&events).unwrap_err();
        assert_eq!((interrupted.reason, kinds(&interrupted.anomalies)), (reason, odd), "{events:?}");
        let text = if events.is_empty() { "" } else { r#"{"type":"text","text":"Hello"}"# };
        assert_eq!(partial_text(&interrupted), text, "{events:?}");
    }
}

#[test]
fn content_that_was_not_applied_is_carried() {
    let late = broken(&[START, &input("{\"a\":1}")]);
    assert_eq!(kinds(&late.anomalies), [Odd::DeltaWithoutStart]);
    assert_eq!(
        (late.carried[0].what, late.carried[0].raw.get()),
        (CarriedWhat::Delta, r#"{"type":"input_json_delta","partial_json":"{\"a\":1}"}"#)
    );
}

#[test]
fn limits_are_kept_and_named() {
    let run = |options: AccumulatorOptions, events: &[&str]| {
        let mut decoder = MessageDecoder::with_options(SseOptions::default(), options);
        decoder.push(&body(events));
        *decoder.finish().unwrap_err()
    };
    let at = |event: &str, index: u64| event.replace("\"index\":0", &format!("\"index\":{index}"));
    let many: Vec<_> = (0..50).flat_map(|index| [at(TEXT, index * 1_000_000), at(STOP, index * 1_000_000)]).collect();
    let events: Vec<_> = std::iter::once(START).chain(many.iter().map(String::as_str)).chain([END, OVER]).collect();
    let interrupted = run(AccumulatorOptions::default().with_max_blocks(10).with_max_anomalies(3), &events);
    assert_eq!((interrupted.reason, interrupted.partial().content.into_blocks().len()), (Interruption::Limit, 10));
    assert_eq!(kinds(&interrupted.anomalies), [Odd::TooManyBlocks, Odd::StopWithoutStart, Odd::TooManyBlocks]);

    let mut events = vec![START, TOOL];
    let piece = input("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    events.extend(std::iter::repeat_n(piece.as_str(), 100));
    events.extend([STOP, END, OVER]);
    let interrupted = run(AccumulatorOptions::default().with_max_bytes(2000), &events);
    assert_eq!(interrupted.reason, Interruption::Limit);
    let call = interrupted.unfinished().next().unwrap();
    assert!(call.raw.len() < 2000 && call.reason == UnfinishedReason::Damaged);
}

#[test]
fn bytes_that_are_not_utf8_are_told_and_make_no_tool_run() {
    let mut bytes = body(&[START, TOOL, &input("{\"a\":\"?\"}"), STOP, END, OVER]);
    let at = bytes.iter().position(|byte| *byte == b'?').unwrap();
    bytes[at] = 0xFF;
    let mut decoder = MessageDecoder::new();
    decoder.push(&bytes);
    let interrupted = decoder.finish().unwrap_err();
    assert_eq!(interrupted.unfinished().next().unwrap().reason, UnfinishedReason::Damaged);
    assert_eq!(kinds(&interrupted.anomalies), [Odd::TextReplaced]);
}

#[test]
fn sentinels_and_empty_events_say_nothing() {
    let mut decoder = MessageDecoder::new();
    decoder.push(&body(&[START, "", TEXT, HELLO, STOP, END, OVER, "[DONE]"]));
    assert_eq!(decoder.finish().unwrap().anomalies, []);
}

#[test]
fn halves_of_a_character_in_two_deltas_are_joined() {
    let text = |text: &str| {
        format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#)
    };
    let tool = |piece: &str| {
        format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":"{piece}"}}}}"#
        )
    };
    let run = |start: &str, deltas: &[String]| {
        let events: Vec<_> =
            [START, start].into_iter().chain(deltas.iter().map(String::as_str)).chain([STOP, END, OVER]).collect();
        let mut decoder = MessageDecoder::new();
        let told: String = decoder
            .push(&body(&events))
            .iter()
            .filter_map(|update| match update {
                Update::TextChunk { text, .. } | Update::ToolInput { partial_json: text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        (told, decoder.finish())
    };
    for (deltas, joined, odd) in [
        (vec![text(r"a\ud83d"), text(r"\ude00b")], "a😀b", vec![]),
        (vec![text(r"a\ud83d"), text(""), text(r"\ude00b")], "a😀b", vec![]),
        (vec![text(r"\ud83d"), text(r"\ude00\ud83d"), text(r"\ude00")], "😀😀", vec![]),
        (vec![text(r"a\ud83d"), text("b")], "a\u{FFFD}b", vec![Odd::TextReplaced]),
        (vec![text(r"a\ud83d")], "a\u{FFFD}", vec![Odd::TextReplaced]),
        (vec![text(r"\ude00b")], "\u{FFFD}b", vec![Odd::TextReplaced]),
        (vec![text(r"a\ud83db"), text(r"\\ud83d")], "a\u{FFFD}b\\ud83d", vec![Odd::TextReplaced]),
    ] {
        let (told, outcome) = run(TEXT, &deltas);
        let finished = outcome.unwrap();
        assert_eq!(kinds(&finished.anomalies), odd, "{deltas:?}");
        assert_eq!(told, joined);
        let ContentBlock::Text(block) = &finished.message.content.into_blocks()[0] else { panic!() };
        assert_eq!(block.text.as_str(), joined);
    }
    let (told, outcome) = run(TOOL, &[tool(r#"{\"a\":\"\ud83d"#), tool(r#"\ude00\"}"#)]);
    assert_eq!(
        (told.as_str(), outcome.unwrap().tool_uses().next().unwrap().input.get()),
        (r#"{"a":"😀"}"#, r#"{"a":"😀"}"#)
    );
    let (_, outcome) = run(TOOL, &[tool(r#"{\"a\":\"\ud83d"#), tool(r#"\"}"#)]);
    assert_eq!(outcome.unwrap_err().unfinished().next().unwrap().reason, UnfinishedReason::Damaged);
}

#[test]
fn halves_survive_being_written() {
    for text in [r"a\ud83d", r"\ude00b", r"\ude00", r"\ude00\ud83d"] {
        let data =
            format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#);
        let event = StreamEvent::parse(&data).unwrap();
        assert_eq!(StreamEvent::parse(&event.to_json()).unwrap(), event, "{data} became {}", event.to_json());
    }
}
