//! Saved and resumed state.

use antiphon_stream::{Accumulator, AnomalyKind, MessageDecoder, SseDecoder, SseOptions, StreamEvent, Update};

use crate::support::{END, HELLO, OVER, START, STOP, TEXT, TOOL, body, input, kinds};

fn stream() -> Vec<String> {
    let at = |event: &str, index: u64| event.replace("\"index\":0", &format!("\"index\":{index}"));
    let mut events: Vec<String> = [START, TEXT, HELLO, STOP, "{\"type\":\"weather\"}"].map(str::to_owned).to_vec();
    events.push(at(TOOL, 1));
    events.extend(["{\"a\":\"x", "\\ud83d", "\\ude00y\",\"n\":1", "2}"].map(|piece| at(&input(piece), 1)));
    events.extend([at(STOP, 1), END.to_owned(), OVER.to_owned()]);
    events
}

#[test]
fn a_state_saved_after_any_event_goes_on_the_same() {
    let events = stream();
    let mut straight = Accumulator::new();
    let updates: Vec<Vec<Update>> =
        events.iter().map(|event| straight.push(StreamEvent::parse(event).unwrap())).collect();
    let outcome = straight.finish();
    assert!(outcome.is_ok());
    for cut in 0..events.len() {
        let mut first = Accumulator::new();
        for event in &events[..cut] {
            first.push(StreamEvent::parse(event).unwrap());
        }
        let saved = serde_json::to_string(&first).unwrap();
        let mut second: Accumulator = serde_json::from_str(&saved).unwrap();
        assert_eq!(serde_json::to_string(&second).unwrap(), saved);
        for (event, expected) in events[cut..].iter().zip(&updates[cut..]) {
            assert_eq!(&second.push(StreamEvent::parse(event).unwrap()), expected, "after {cut} events");
        }
        assert_eq!(second.finish(), outcome, "after {cut} events");
    }
}

#[test]
fn a_replay_from_the_start_does_nothing_until_it_reaches_new_events() {
    let events = stream();
    let events: Vec<_> = events.iter().map(String::as_str).collect();
    let bytes = body(&events);
    let mut straight = MessageDecoder::new();
    let mut all = straight.push(&bytes);
    all.extend(straight.end());
    for cut in (0..bytes.len()).step_by(37) {
        let mut first = MessageDecoder::new();
        let mut updates = first.push(&bytes[..cut]);
        let saved = serde_json::to_string(first.accumulator()).unwrap();
        let mut second = MessageDecoder::resume(serde_json::from_str(&saved).unwrap());
        updates.extend(second.push(&bytes));
        updates.extend(second.end());
        assert_eq!(updates, all, "cut at {cut}");
        assert!(second.finish().is_ok());
    }
}

#[test]
fn numbers_that_do_not_rise_do_nothing() {
    let mut accumulator = Accumulator::new();
    let mut decoder = SseDecoder::new();
    for event in decoder.decode(&body(&[START, TEXT, HELLO])) {
        let event = event.unwrap();
        for sequence in [event.sequence, event.sequence, 0] {
            accumulator.push_numbered(sequence, StreamEvent::parse(&event.data).unwrap());
        }
    }
    assert_eq!((accumulator.text(0), accumulator.last_sequence(), accumulator.repeated()), (Some("Hello"), Some(2), 6));
    assert_eq!(accumulator.anomalies(), []);
}

#[test]
fn damage_is_not_done_again_by_a_replay() {
    let half = TOOL.replace("\"t1\"", "\"t2\"").replace("\"index\":0", "\"index\":1");
    let options = || {
        let sse = SseOptions::default().with_max_event_bytes(220);
        (sse, antiphon_stream::AccumulatorOptions::default())
    };
    let long = format!("{{\"type\":\"{}\"}}", "x".repeat(300));
    let bytes = body(&[START, "oops", &long, &half]);
    let (sse, accumulator) = options();
    let mut first = MessageDecoder::with_options(sse, accumulator);
    first.push(&bytes);
    let saved = serde_json::to_string(first.accumulator()).unwrap();
    assert_eq!(kinds(first.accumulator().anomalies()), [AnomalyKind::NotJson, AnomalyKind::EventDropped]);
    let restored: Accumulator = serde_json::from_str(&saved).unwrap();
    let mut second = MessageDecoder::resume_with(options().0, restored);
    assert!(second.push(&bytes).is_empty());
    assert_eq!(serde_json::to_string(second.accumulator()).unwrap().replace("\"repeated\":4", "\"repeated\":0"), saved);
    // The call began behind the damage, so it can be relied on.
    let stop = STOP.replace("\"index\":0", "\"index\":1");
    let updates = second.push(&body(&[&stop]));
    assert!(matches!(updates[0], Update::ToolUseComplete { .. }), "{updates:?}");
}
