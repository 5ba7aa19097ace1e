//! Updates out of a blocking reader.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};

use crate::{Finished, Interrupted, MessageDecoder, StreamError, Update};

/// Reads a stream body and gives its updates as soon as their bytes are there: a short read is decoded at once, so
/// that text from a pipe or a socket shows while it comes.
///
/// Ending the iteration early loses nothing: [`decoder`](Self::decoder) has the state, and iterating can go on.
///
/// ```
/// use antiphon_stream::{UpdateReader, Update};
///
/// let body: &[u8] = b"data: {\"type\":\"ping\"}\n\n";
/// let mut reader = UpdateReader::new(body);
/// assert_eq!(reader.next().unwrap()?, Update::Ping);
/// # Ok::<(), antiphon_stream::StreamError>(())
/// ```
#[derive(Debug)]
pub struct UpdateReader<R> {
    reader: R,
    decoder: MessageDecoder,
    buffer: Vec<u8>,
    scratch: Vec<Update>,
    queue: VecDeque<Update>,
    over: bool,
}

impl<R: Read> UpdateReader<R> {
    /// Reads with the default limits.
    pub fn new(reader: R) -> Self {
        Self::with_decoder(reader, MessageDecoder::new())
    }

    /// Reads into a decoder of one's own.
    pub fn with_decoder(reader: R, decoder: MessageDecoder) -> Self {
        // 16 KiB: what a TLS record holds at most.
        Self { reader, decoder, buffer: vec![0; 16 << 10], scratch: Vec::new(), queue: VecDeque::new(), over: false }
    }

    /// What has been read so far. Updates that were not taken yet are in it.
    pub fn decoder(&self) -> &MessageDecoder {
        &self.decoder
    }

    /// The message, or why there is none. What was not read is taken as not sent.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the message is not whole.
    pub fn finish(self) -> Result<Finished, Box<Interrupted>> {
        self.decoder.finish()
    }

    /// The decoder, to go on with another reader.
    pub fn into_decoder(self) -> MessageDecoder {
        self.decoder
    }
}

impl<R: Read> Iterator for UpdateReader<R> {
    /// An update, or [`StreamError::Source`] when reading failed. A reader that would block or timed out can be asked
    /// again; any other failure ends the stream.
    type Item = Result<Update, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(update) = self.queue.pop_front() {
                return Some(Ok(update));
            }
            if self.over {
                return None;
            }
            match self.reader.read(&mut self.buffer) {
                Ok(0) => {
                    self.over = true;
                    self.queue.extend(self.decoder.end());
                }
                Ok(length) => {
                    self.decoder.push_into(self.buffer.get(..length).unwrap_or_default(), &mut self.scratch);
                    self.queue.extend(self.scratch.drain(..));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) {
                        self.over = true;
                        self.queue.extend(self.decoder.end());
                    }
                    return Some(Err(StreamError::Source(Box::new(error))));
                }
            }
        }
    }
}
