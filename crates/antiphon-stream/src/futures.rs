//! Updates out of an asynchronous stream of bytes, for any runtime.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::{Finished, Interrupted, MessageDecoder, StreamError, Update};

/// A stream of byte chunks becomes a stream of updates.
///
/// Cancel-safe: all state is in here, so a poll that is given up, in a `select!` say, loses nothing. Nothing is
/// spawned and no timer is set; a silent peer is for the caller to time out (a [ping](Update::Ping) says that it is
/// alive).
///
/// The source must be [`Unpin`]; `Box::pin` makes any stream so.
///
/// ```
/// use antiphon_stream::{Update, UpdateStream};
/// use futures_util::{StreamExt, stream};
///
/// let body = stream::iter([Ok::<_, std::io::Error>(&b"data: {\"type\""[..]), Ok(b":\"ping\"}\n\n")]);
/// let mut updates = UpdateStream::new(body);
/// # let mut updates = futures_util::FutureExt::now_or_never(async move {
/// assert_eq!(updates.next().await.unwrap().unwrap(), Update::Ping);
/// # updates }).unwrap();
/// let outcome = updates.finish();
/// assert!(outcome.is_err()); // no message came
/// ```
#[derive(Debug)]
pub struct UpdateStream<S> {
    source: S,
    decoder: MessageDecoder,
    scratch: Vec<Update>,
    queue: VecDeque<Update>,
    over: bool,
}

impl<S> UpdateStream<S> {
    /// Decodes with the default limits.
    pub fn new(source: S) -> Self {
        Self::with_decoder(source, MessageDecoder::new())
    }

    /// Decodes into a decoder of one's own.
    pub fn with_decoder(source: S, decoder: MessageDecoder) -> Self {
        Self { source, decoder, scratch: Vec::new(), queue: VecDeque::new(), over: false }
    }

    /// What has come so far. Updates that were not taken yet are in it.
    pub fn decoder(&self) -> &MessageDecoder {
        &self.decoder
    }

    /// The message, or why there is none. What was not polled for is taken as not sent.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the message is not whole.
    pub fn finish(self) -> Result<Finished, Box<Interrupted>> {
        self.decoder.finish()
    }

    /// The decoder, to go on with another source.
    pub fn into_decoder(self) -> MessageDecoder {
        self.decoder
    }
}

impl<S, B, E> Stream for UpdateStream<S>
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: AsRef<[u8]>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    /// An update, or [`StreamError::Source`] when the source failed, after which come the last updates and the end.
    type Item = Result<Update, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if let Some(update) = this.queue.pop_front() {
                return Poll::Ready(Some(Ok(update)));
            }
            if this.over {
                return Poll::Ready(None);
            }
            match Pin::new(&mut this.source).poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(bytes))) => {
                    this.decoder.push_into(bytes.as_ref(), &mut this.scratch);
                    this.queue.extend(this.scratch.drain(..));
                }
                Poll::Ready(end) => {
                    this.over = true;
                    this.queue.extend(this.decoder.end());
                    if let Some(Err(error)) = end {
                        return Poll::Ready(Some(Err(StreamError::Source(error.into()))));
                    }
                }
            }
        }
    }
}

// `S` is only ever polled through `Pin::new`, and nothing here is self-referential; where `S` is not `Unpin` there is
// no `Stream`.
impl<S> Unpin for UpdateStream<S> {}
