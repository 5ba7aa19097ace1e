//! The adapters: blocking and asynchronous.

use std::io::{self, Read};
use std::task::Poll;

use antiphon_stream::{Interruption, MessageDecoder, StreamError, Update, UpdateReader, UpdateStream};
use futures_util::{FutureExt as _, StreamExt as _, stream};

use crate::support::{END, HELLO, OVER, START, STOP, TEXT, body};

fn whole() -> Vec<u8> {
    body(&[START, TEXT, HELLO, STOP, END, OVER])
}

fn updates_of(bytes: &[u8]) -> Vec<Update> {
    let mut decoder = MessageDecoder::new();
    let mut updates = decoder.push(bytes);
    updates.extend(decoder.end());
    updates
}

/// A reader that gives what it was told to, step by step.
struct Steps(Vec<io::Result<Vec<u8>>>);

impl Read for Steps {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        let bytes = self.0.remove(0)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

#[test]
fn a_reader_gives_the_same_updates() {
    let bytes = whole();
    let mut reader = UpdateReader::new(&bytes[..]);
    let updates: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(updates, updates_of(&bytes));
    assert!(reader.next().is_none());
    assert!(reader.finish().is_ok());
}

#[test]
fn a_reader_shows_what_has_come_before_it_reads_on() {
    let bytes = whole();
    let (first, _) = bytes.split_at(body(&[START, TEXT, HELLO]).len());
    // The second read would fail: it must not be made before the updates of the first are out.
    let mut reader = UpdateReader::new(Steps(vec![Ok(first.to_vec()), Err(io::ErrorKind::ConnectionReset.into())]));
    let shown: Vec<_> = reader.by_ref().map_while(Result::ok).collect();
    assert!(shown.contains(&Update::TextChunk { index: 0, text: "Hello".into() }));
    // The failure has been taken by `map_while`; what follows is the end.
    assert!(matches!(reader.next(), Some(Ok(Update::BlockStop { index: 0 }))));
    assert!(matches!(reader.next(), Some(Ok(Update::Interrupted { reason: Interruption::Cut }))));
    assert!(reader.next().is_none());
    assert_eq!(reader.finish().unwrap_err().reason, Interruption::Cut);
}

#[test]
fn a_reader_that_would_block_can_be_asked_again() {
    let bytes = whole();
    let (first, second) = bytes.split_at(100);
    let steps = vec![
        Ok(first.to_vec()),
        Err(io::ErrorKind::Interrupted.into()),
        Err(io::ErrorKind::WouldBlock.into()),
        Ok(second.to_vec()),
    ];
    let (updates, errors): (Vec<_>, Vec<_>) = UpdateReader::new(Steps(steps)).partition(Result::is_ok);
    assert!(matches!(&errors[..], [Err(StreamError::Source(_))]));
    assert_eq!(updates.into_iter().map(Result::unwrap).collect::<Vec<_>>(), updates_of(&bytes));
}

#[test]
fn a_stream_gives_the_same_updates() {
    let bytes = whole();
    for size in [1, 7, 1000] {
        let chunks: Vec<_> = bytes.chunks(size).map(|chunk| Ok::<_, io::Error>(chunk.to_vec())).collect();
        let mut updates = UpdateStream::new(stream::iter(chunks));
        let all: Vec<_> = updates.by_ref().map(Result::unwrap).collect::<Vec<_>>().now_or_never().unwrap();
        assert_eq!(all, updates_of(&bytes));
        assert!(updates.finish().is_ok());
    }
}

#[test]
fn a_poll_that_is_given_up_loses_nothing() {
    let bytes = whole();
    // Every other poll is pending, and the future that polled is dropped.
    let mut chunks = bytes.chunks(9);
    let mut ready = false;
    let source = stream::poll_fn(move |_| {
        ready = !ready;
        if ready { Poll::Ready(chunks.next().map(Ok::<_, io::Error>)) } else { Poll::Pending }
    });
    let mut updates = UpdateStream::new(source);
    let mut all = Vec::new();
    let mut given_up = 0;
    loop {
        match updates.next().now_or_never() {
            Some(Some(update)) => all.push(update.unwrap()),
            Some(None) => break,
            None => given_up += 1,
        }
    }
    assert_eq!(all, updates_of(&bytes));
    assert!(given_up > 10);
}

#[test]
fn a_source_that_fails_gives_its_error_then_the_end() {
    let first = body(&[START, TEXT, HELLO]);
    let source = stream::iter([Ok(first), Err(io::Error::other("reset"))]);
    let all: Vec<_> = UpdateStream::new(source).collect::<Vec<_>>().now_or_never().unwrap();
    let failed = all.iter().position(Result::is_err).unwrap();
    let Err(StreamError::Source(error)) = &all[failed] else { panic!() };
    assert_eq!(error.to_string(), "reset");
    assert!(matches!(all.last(), Some(Ok(Update::Interrupted { reason: Interruption::Cut }))));
}
