//! The counter: transport, retries, cache.

use antiphon_model::{RawJson, Request};

use crate::cache::Cache;
use crate::endpoint::{Endpoint, Provider};
use crate::error::Error;
use crate::retry::{Retry, random};
use crate::transport::{Pause, Transport};
use crate::{anthropic, gemini, openai};

/// Counts by a provider's endpoint, with a [`Transport`] and a [`Pause`] of the caller's.
///
/// ```
/// use antiphon_model::{Message, RawJson, Request};
/// use antiphon_tokens_api::{ApiCounter, Endpoint, Pause, Transport, TransportError};
/// # use std::time::Duration;
/// struct Canned;
/// #[async_trait::async_trait]
/// impl Transport for Canned {
///     async fn send(&self, _: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>, TransportError> {
///         Ok(http::Response::new(br#"{"input_tokens":10}"#.to_vec()))
///     }
/// }
/// struct Never;
/// #[async_trait::async_trait]
/// impl Pause for Never {
///     async fn pause(&self, _: Duration) {}
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let counter = ApiCounter::new(Endpoint::anthropic("key"), Canned, Never);
/// let request = Request::new(vec![Message::user("Hi there!")]).with_param("model", RawJson::string("claude-opus-4-5"));
/// assert_eq!(counter.count(&request).await?, 10);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ApiCounter<T, P> {
    endpoint: Endpoint,
    transport: T,
    pause: P,
    retry: Retry,
    cache: Cache,
}

impl<T: Transport, P: Pause> ApiCounter<T, P> {
    /// With the default [`Retry`] and a cache of 1,000 counts.
    pub fn new(endpoint: Endpoint, transport: T, pause: P) -> Self {
        Self { endpoint, transport, pause, retry: Retry::default(), cache: Cache::new(1000) }
    }

    /// How to retry.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// How many counts to remember; 0 for none.
    #[must_use]
    pub fn with_cache(mut self, counts: usize) -> Self {
        self.cache = Cache::new(counts);
        self
    }

    /// Tokens of a Messages API request, by Anthropic.
    ///
    /// # Errors
    /// See [`Error`]; also when the endpoint is another provider's.
    pub async fn count(&self, request: &Request) -> Result<u64, Error> {
        self.expect(Provider::Anthropic)?;
        self.ask(anthropic::request(&self.endpoint, request)?, anthropic::response).await
    }

    /// Tokens of a Responses API request body, by OpenAI.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub async fn count_openai(&self, body: &RawJson) -> Result<u64, Error> {
        self.expect(Provider::OpenAi)?;
        self.ask(openai::request(&self.endpoint, body)?, openai::response).await
    }

    /// Tokens of a `generateContent` body, by Gemini.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub async fn count_gemini(&self, model: &str, body: &RawJson) -> Result<u64, Error> {
        self.expect(Provider::Gemini)?;
        self.ask(gemini::request(&self.endpoint, model, body)?, gemini::response).await
    }

    fn expect(&self, provider: Provider) -> Result<(), Error> {
        if self.endpoint.provider() == provider {
            return Ok(());
        }
        Err(Error::Request(format!("the endpoint is {:?}'s, not {provider:?}'s", self.endpoint.provider())))
    }

    async fn ask(
        &self,
        request: http::Request<Vec<u8>>,
        read: fn(&http::Response<Vec<u8>>) -> Result<u64, Error>,
    ) -> Result<u64, Error> {
        let key = self.cache.key(&request);
        if let Some(count) = self.cache.get(&key) {
            return Ok(count);
        }
        let mut tried = 0_u32;
        loop {
            let outcome = match self.transport.send(request.clone()).await {
                Ok(response) => read(&response),
                Err(error) => Err(Error::Transport(error)),
            };
            tried = tried.saturating_add(1);
            let mut error = match outcome {
                Ok(count) => {
                    self.cache.put(key, count);
                    return Ok(count);
                }
                Err(error) => error,
            };
            let mut asked = None;
            if let Error::Api(refusal) = &mut error {
                refusal.message = self.endpoint.without_key(std::mem::take(&mut refusal.message));
                asked = refusal.retry_after;
            }
            let delay = error.is_transient().then(|| self.retry.delay(tried, asked, random())).flatten();
            match delay {
                Some(delay) => self.pause.pause(delay).await,
                None => return Err(error),
            }
        }
    }
}
