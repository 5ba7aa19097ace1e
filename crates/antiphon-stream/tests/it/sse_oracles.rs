//! The decoder against two others.

use antiphon_stream::SseDecoder;
use proptest::prelude::*;

use crate::support::pieces;

type Simple = Vec<(String, String)>;

fn ours(bytes: &[u8], size: usize) -> Simple {
    let mut decoder = SseDecoder::new();
    let mut events: Vec<_> = pieces(bytes, size).flat_map(|piece| decoder.decode(piece)).map(Result::unwrap).collect();
    events.retain(|event| event.terminated);
    events.into_iter().map(|event| (event.event, event.data)).collect()
}

/// sse-core hands out what the standard says; it also replaces invalid UTF-8.
fn sse_core(bytes: &[u8], size: usize) -> Simple {
    let mut decoder = sse_core::SseDecoder::new();
    let mut events = Vec::new();
    for mut piece in pieces(bytes, size) {
        while let Some(event) = decoder.next(&mut piece) {
            if let sse_core::SseEvent::Message(message) = event.unwrap() {
                events.push((message.event.into_owned(), message.data));
            }
        }
    }
    events
}

/// sse-stream hands out blocks without data too, keeps no default name, and ends at invalid UTF-8.
fn sse_stream(bytes: &[u8], size: usize) -> Option<Simple> {
    use futures_util::StreamExt as _;
    let chunks: Vec<_> =
        pieces(bytes, size).map(|piece| Ok::<_, std::io::Error>(bytes::Bytes::copy_from_slice(piece))).collect();
    let mut stream = sse_stream::SseStream::from_bytes_stream(futures_util::stream::iter(chunks));
    let mut events = Vec::new();
    futures_util::FutureExt::now_or_never(async {
        while let Some(event) = stream.next().await {
            let event = event.ok()?;
            if let Some(data) = event.data {
                events.push((event.event.filter(|name| !name.is_empty()).unwrap_or("message".into()), data));
            }
        }
        Some(())
    })
    .expect("nothing to wait for")?;
    Some(events)
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "data: ?[a-z:é世 ]{0,8}",
        2 => "(event|id|retry)(: ?[a-z0-9]{0,6})?",
        1 => ":[ a-z]{0,5}",
        1 => "[a-z: ]{0,6}",
        3 => Just(String::new()),
    ]
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    (any::<bool>(), prop::collection::vec((line(), end), 0..30)).prop_map(|(bom, lines)| {
        let mut body = if bom { "\u{FEFF}".to_owned() } else { String::new() };
        for (line, end) in lines {
            body.push_str(&line);
            body.push_str(end);
        }
        body.into_bytes()
    })
}

proptest! {
    #[test]
    fn agrees_with_sse_core_and_sse_stream(body in body(), size in 0usize..9) {
        let ours = ours(&body, size);
        prop_assert_eq!(&ours, &sse_core(&body, size));
        if let Some(theirs) = sse_stream(&body, size) {
            prop_assert_eq!(&ours, &theirs);
        }
    }

    #[test]
    fn any_bytes_in_any_pieces_give_the_same_events(
        body in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b':'), Just(b'd'), any::<u8>()], 0..200),
        cuts in prop::collection::vec(0usize..9, 1..20),
    ) {
        let whole = ours(&body, 0);
        let mut decoder = SseDecoder::new();
        let mut rest = &body[..];
        let mut events = Vec::new();
        for cut in cuts.iter().cycle() {
            let (piece, tail) = rest.split_at((*cut).min(rest.len()));
            events.extend(decoder.decode(piece).into_iter().map(Result::unwrap));
            rest = tail;
            if rest.is_empty() || cuts.iter().all(|cut| *cut == 0) {
                events.extend(decoder.decode(rest).into_iter().map(Result::unwrap));
                break;
            }
        }
        let events: Vec<_> = events.into_iter().map(|event| (event.event, event.data)).collect();
        prop_assert_eq!(events, whole);
    }
}
