//! The decoder by itself.

use antiphon_stream::{SseDecoder, SseEvent, SseOptions, StreamError};

use crate::support::{CHUNKINGS, pieces};

fn decode(bytes: &[u8], size: usize) -> (Vec<SseEvent>, SseDecoder) {
    let mut decoder = SseDecoder::new();
    let mut events = Vec::new();
    for piece in pieces(bytes, size) {
        events.extend(decoder.decode(piece).into_iter().map(Result::unwrap));
    }
    events.extend(decoder.finish().unwrap().map(|frame| frame.to_event()));
    (events, decoder)
}

/// Name and data of every event, the same at every chunking.
fn simple(bytes: &[u8]) -> Vec<(String, String)> {
    let whole = decode(bytes, 0).0;
    for size in CHUNKINGS {
        assert_eq!(decode(bytes, size).0, whole, "in pieces of {size}");
    }
    whole.into_iter().map(|event| (event.event, event.data)).collect()
}

fn messages(bytes: &[u8]) -> Vec<String> {
    simple(bytes).into_iter().map(|(_, data)| data).collect()
}

#[test]
fn the_three_line_ends_give_the_same_events() {
    for end in ["\n", "\r\n", "\r"] {
        let body = "event: a\ndata: 1\n\nevent: b\ndata: 2\ndata: 3\n\n".replace('\n', end);
        let pairs = simple(body.as_bytes());
        assert_eq!(pairs, [("a".into(), "1".into()), ("b".into(), "2\n3".into())], "{end:?}");
    }
}

#[test]
fn line_ends_may_be_mixed() {
    assert_eq!(messages(b"data: 1\r\ndata: 2\rdata: 3\n\r\ndata: 4\n\rdata: 5\r\r\n"), ["1\n2\n3", "4", "5"]);
}

#[test]
fn a_carriage_return_ends_an_event_without_waiting() {
    let mut decoder = SseDecoder::new();
    let mut input: &[u8] = b"data: now\r\r";
    assert_eq!(decoder.next_event(&mut input).unwrap().unwrap().data(), "now");
    // The LF of a CRLF that was cut in two ends nothing.
    let mut input: &[u8] = b"\ndata: then\r\n\r\n";
    assert_eq!(decoder.next_event(&mut input).unwrap().unwrap().data(), "then");
    assert!(decoder.next_event(&mut input).unwrap().is_none());
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_start_only() {
    assert_eq!(messages(b"\xEF\xBB\xBFdata: 1\n\n\xEF\xBB\xBFdata: lost, its field has another name\n\n"), ["1"]);
    assert_eq!(messages(b"\xEF\xBB\xBF\ndata: 1\n\n"), ["1"]);
    assert_eq!(messages(b"\xEF\xBBdata: 1\n\ndata: 2\n\n"), ["2"]);
}

#[test]
fn fields_follow_the_standard() {
    assert_eq!(messages(b"data:one space\ndata:  two\ndata\ndata:\ndata: a: b\n\n"), ["one space\n two\n\n\na: b"]);
    assert_eq!(messages(b": comment\n:\n\ndataa: no\ndat: no\n\n"), Vec::<String>::new());
    // An empty data line makes an event of empty data; an event without data makes none.
    assert_eq!(messages(b"data:\n\nevent: x\n\ndata: 1\n\n"), ["", "1"]);
    assert_eq!(simple(b"event: x\n\ndata: 1\n\n"), [("message".into(), "1".into())]);
    assert_eq!(simple(b"event: x\nevent\ndata: 1\n\n"), [("message".into(), "1".into())]);
}

#[test]
fn id_and_retry_are_kept() {
    let (events, decoder) =
        decode(b"id: 1\nretry: 250\ndata: a\n\ndata: b\n\nid: 2\0\nretry: 1x\nretry: -1\nid\ndata: c\n\n", 0);
    assert_eq!(events.iter().map(|event| &*event.id).collect::<Vec<_>>(), ["1", "1", ""]);
    assert_eq!((decoder.retry(), decoder.last_event_id()), (Some(250), ""));
    assert_eq!(decode(b"retry: 99999999999999999999\ndata: a\n\n", 0).1.retry(), None);
}

#[test]
fn the_last_event_needs_no_blank_line() {
    for (body, data) in [
        ("data: 1\n\ndata: 2", "2"),
        ("data: 1\n\ndata: 2\n", "2"),
        ("data: 1\n\ndata: 2\r", "2"),
        ("data: 1\n\ndata: 2\ndat", "2"),
    ] {
        let (events, _) = decode(body.as_bytes(), 0);
        assert_eq!((events.len(), events[1].data.as_str()), (2, data), "{body:?}");
        assert_eq!((events[0].terminated, events[1].terminated), (true, false));
    }
    let mut strict = SseDecoder::with_options(SseOptions::default().with_lenient_end(false));
    assert_eq!(strict.decode(b"data: 1\n\ndata: 2").len(), 1);
    assert!(strict.finish().unwrap().is_none());
}

#[test]
fn a_decoder_can_be_used_again_after_the_end() {
    let mut decoder = SseDecoder::new();
    for _ in 0..3 {
        let events = decoder.decode(b"\xEF\xBB\xBFdata: 1\n\ndata: 2\n\ndata: 3");
        assert_eq!(events.iter().map(|event| event.as_ref().unwrap().sequence).collect::<Vec<_>>(), [0, 1]);
        let last = decoder.finish().unwrap().unwrap();
        assert_eq!((last.sequence(), last.data(), last.offset()), (2, "3", 21));
    }
}

#[test]
fn offsets_point_at_the_first_line_of_the_event() {
    let body = b": c\r\n\r\nevent: a\r\ndata: 1\r\n\r\n\r\ndata: 2\r\n\r\n";
    for size in CHUNKINGS {
        let offsets: Vec<u64> = decode(body, size).0.iter().map(|event| event.offset).collect();
        assert_eq!(offsets, [7, 30], "in pieces of {size}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_marked_and_kept() {
    let body = b"data: ab\xFFc\n\ndata: fine\n\n";
    for size in CHUNKINGS {
        let (events, _) = decode(body, size);
        assert_eq!((events[0].data.as_str(), events[0].invalid_utf8), ("ab\u{FFFD}c", Some(2)));
        assert_eq!((events[1].data.as_str(), events[1].invalid_utf8), ("fine", None));
    }
    let mut decoder = SseDecoder::new();
    let mut input: &[u8] = body;
    assert_eq!(decoder.next_event(&mut input).unwrap().unwrap().bytes(), b"ab\xFFc");
}

#[test]
fn a_character_cut_between_pieces_is_whole() {
    assert_eq!(messages("data: é世🌍\n\n".as_bytes()), ["é世🌍"]);
}

#[test]
fn limits_name_themselves_and_cost_one_event_only() {
    let body = b"data: 1\n\ndata: 123456\ndata: 7890\ndata: more\n\ndata: 2\n\n: a comment that is far too long\ndata: 3\n\ndata: 4\n\n";
    for size in CHUNKINGS {
        let mut decoder =
            SseDecoder::with_options(SseOptions::default().with_max_event_bytes(8).with_max_line_bytes(20));
        let outcome: Vec<_> = pieces(body, size).flat_map(|piece| decoder.decode(piece)).collect();
        assert_eq!(outcome.len(), 5, "in pieces of {size}: {outcome:?}");
        assert!(matches!(outcome[1], Err(StreamError::EventTooLarge { limit: 8, offset: 9 })), "{outcome:?}");
        assert!(matches!(outcome[3], Err(StreamError::LineTooLong { limit: 20, offset: 54 })), "{outcome:?}");
        let data: Vec<_> = outcome.iter().flatten().map(|event| event.data.as_str()).collect();
        assert_eq!(data, ["1", "2", "4"]);
        assert!(decoder.finish().unwrap().is_none());
    }
}

#[test]
fn memory_is_bounded_while_an_endless_event_is_refused() {
    let mut decoder =
        SseDecoder::with_options(SseOptions::default().with_max_event_bytes(1 << 12).with_max_line_bytes(1 << 12));
    let mut errors = 0;
    for piece in std::iter::once(&b"data: "[..]).chain(std::iter::repeat_n(&[b'x'; 1000][..], 1000)) {
        errors += decoder.decode(piece).iter().filter(|event| event.is_err()).count();
        assert!(decoder.buffered() <= 1 << 12);
    }
    assert_eq!(errors, 1, "the error is given once, not at every piece");
    assert_eq!(decoder.decode(b"\n\ndata: on\n\n").len(), 1);
}

/// A decoder that looks at the whole event for every piece would go through 20 TB here.
#[test]
fn one_event_of_64_megabytes_in_100_byte_pieces_is_linear() {
    let mut decoder = SseDecoder::new();
    let piece = [b'x'; 100];
    let pieces = (64 << 20) / piece.len();
    let mut count = decoder.decode(b"event: big\ndata: ").len();
    for _ in 0..pieces {
        let mut input = &piece[..];
        count += usize::from(decoder.next_event(&mut input).unwrap().is_some());
    }
    let mut input: &[u8] = b"\n\n";
    let length = decoder.next_event(&mut input).unwrap().unwrap().data().len();
    assert_eq!((count, length), (0, pieces * piece.len()));
}
