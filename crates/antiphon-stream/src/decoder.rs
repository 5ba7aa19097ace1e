//! The whole way: bytes to updates and a message.

use crate::accumulate::{Accumulator, AnomalyKind, Finished, Interrupted, Update};
use crate::sse::{SseDecoder, SseFrame};
use crate::{AccumulatorOptions, SseOptions, StreamError, StreamEvent};

/// Bytes of a Messages stream in, updates and a message out: an [`SseDecoder`] and an [`Accumulator`] joined. Does no
/// I/O.
///
/// Dropping it loses nothing but itself, and between two calls it stands at a place in the bytes: a caller may stop
/// and go on whenever it likes.
///
/// ```
/// use antiphon_stream::{MessageDecoder, Update};
///
/// let body: &[u8] = b"event: content_block_delta\n\
///     data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n";
/// let mut decoder = MessageDecoder::new();
/// let mut text = String::new();
/// for piece in body.chunks(10) {
///     for update in decoder.push(piece) {
///         if let Update::TextChunk { text: chunk, .. } = update {
///             text.push_str(&chunk);
///         }
///     }
/// }
/// assert_eq!(text, "Hi");
/// assert!(decoder.finish().is_err()); // there was neither a start nor an end
/// ```
#[derive(Debug, Default)]
pub struct MessageDecoder {
    sse: SseDecoder,
    accumulator: Accumulator,
    ended: bool,
}

impl MessageDecoder {
    /// With the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// With limits of one's own.
    pub fn with_options(sse: SseOptions, accumulator: AccumulatorOptions) -> Self {
        Self { sse: SseDecoder::with_options(sse), accumulator: Accumulator::with_options(accumulator), ended: false }
    }

    /// Goes on with a state that was saved: the stream is then replayed from its beginning, and what the state has
    /// seen does nothing.
    ///
    /// ```
    /// use antiphon_stream::{Accumulator, MessageDecoder};
    ///
    /// let body = b"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n";
    /// let mut decoder = MessageDecoder::new();
    /// decoder.push(body);
    /// let saved = serde_json::to_string(decoder.accumulator())?;
    ///
    /// let mut resumed = MessageDecoder::resume(serde_json::from_str::<Accumulator>(&saved)?);
    /// assert!(resumed.push(body).is_empty());
    /// assert_eq!(resumed.accumulator().text(0), Some("Hi"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn resume(accumulator: Accumulator) -> Self {
        Self::resume_with(SseOptions::default(), accumulator)
    }

    /// The same with limits of one's own, which must be those of the first time: events are counted by them.
    pub fn resume_with(sse: SseOptions, accumulator: Accumulator) -> Self {
        Self { sse: SseDecoder::with_options(sse), accumulator, ended: false }
    }

    /// Takes the next bytes and tells what they changed. Never fails: what is wrong with the stream is told as an
    /// [anomaly](Update::Anomaly) and in the outcome.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Update> {
        let mut updates = Vec::new();
        self.push_into(bytes, &mut updates);
        updates
    }

    /// The same into a list (or queue) that is kept.
    pub fn push_into(&mut self, bytes: &[u8], updates: &mut Vec<Update>) {
        let mut input = bytes;
        loop {
            match self.sse.next_event(&mut input) {
                Ok(Some(frame)) => take(&mut self.accumulator, &frame, updates),
                Ok(None) => return,
                Err(error) => {
                    let sequence = self.sse.refused();
                    dropped(&mut self.accumulator, sequence, &error, updates);
                }
            }
        }
    }

    /// Says that the bytes are over, and tells the last updates. A second call tells nothing.
    pub fn end(&mut self) -> Vec<Update> {
        let mut updates = Vec::new();
        if !std::mem::replace(&mut self.ended, true) {
            match self.sse.finish() {
                Ok(Some(frame)) => take(&mut self.accumulator, &frame, &mut updates),
                Ok(None) => {}
                Err(error) => dropped(&mut self.accumulator, u64::MAX, &error, &mut updates),
            }
            updates.extend(self.accumulator.end());
        }
        updates
    }

    /// The message, or why there is none. Ends the stream if [`end`](Self::end) was not called.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the message is not whole.
    pub fn finish(mut self) -> Result<Finished, Box<Interrupted>> {
        self.end();
        self.accumulator.finish()
    }

    /// What has been put together so far.
    pub fn accumulator(&self) -> &Accumulator {
        &self.accumulator
    }

    /// What is told of the bytes: retry time, last event id, position.
    pub fn sse(&self) -> &SseDecoder {
        &self.sse
    }
}

fn dropped(accumulator: &mut Accumulator, sequence: u64, error: &StreamError, updates: &mut Vec<Update>) {
    if !accumulator.seen(sequence) {
        updates.extend(accumulator.push_damage(AnomalyKind::EventDropped, error.to_string()));
    }
}

fn take(accumulator: &mut Accumulator, frame: &SseFrame<'_>, updates: &mut Vec<Update>) {
    let data = frame.data();
    // An empty event says nothing, and `[DONE]` is how gateways of another dialect say that they are done.
    if data.trim_ascii().is_empty() || data.trim_ascii() == "[DONE]" {
        return;
    }
    match StreamEvent::from_frame(frame) {
        Ok(event) => accumulator.push_numbered_into(frame.sequence(), event, updates),
        // The end of the bytes cut the event, which says no more than that the stream was cut.
        Err(error) if !frame.is_terminated() => {
            accumulator.note(AnomalyKind::CutEvent, None, &error.to_string(), updates);
        }
        Err(_) if accumulator.seen(frame.sequence()) => {}
        Err(error) => {
            let detail = format!("event at byte {}: {error}", frame.offset());
            updates.extend(accumulator.push_damage(AnomalyKind::NotJson, detail));
        }
    }
}
