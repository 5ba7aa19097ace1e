//! Where to count, and with which key.

use std::fmt;

use http::HeaderValue;
use http::header::{CONTENT_TYPE, HeaderName};

use crate::error::Error;

/// Whose endpoint it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// `POST /v1/messages/count_tokens`
    Anthropic,
    /// `POST /v1/responses/input_tokens`
    OpenAi,
    /// `POST /v1beta/models/MODEL:countTokens`
    Gemini,
}

/// An address, a key, and headers to add. The key shows in no `Debug` output.
///
/// ```
/// use antiphon_tokens_api::Endpoint;
/// let endpoint = Endpoint::anthropic("sk-ant-secret").with_base("http://localhost:8080/proxy/");
/// assert!(!format!("{endpoint:?}").contains("secret"));
/// ```
#[derive(Clone)]
pub struct Endpoint {
    provider: Provider,
    base: String,
    key: String,
    headers: Vec<(String, String)>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values of added headers may be secrets as well.
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Endpoint")
            .field("provider", &self.provider)
            .field("base", &self.base)
            .field("headers", &names)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    fn new(provider: Provider, base: &str, key: impl Into<String>) -> Self {
        Self { provider, base: base.to_owned(), key: key.into(), headers: Vec::new() }
    }

    /// Anthropic's, with an API key.
    pub fn anthropic(key: impl Into<String>) -> Self {
        Self::new(Provider::Anthropic, "https://api.anthropic.com", key).with_header("anthropic-version", "2023-06-01")
    }

    /// OpenAI's, with an API key.
    pub fn openai(key: impl Into<String>) -> Self {
        Self::new(Provider::OpenAi, "https://api.openai.com", key)
    }

    /// Gemini's, with an API key.
    pub fn gemini(key: impl Into<String>) -> Self {
        Self::new(Provider::Gemini, "https://generativelanguage.googleapis.com", key)
    }

    /// Another address: a gateway, a proxy, a test server. Everything before `/v1…`.
    #[must_use]
    pub fn with_base(mut self, base: &str) -> Self {
        base.trim_end_matches('/').clone_into(&mut self.base);
        self
    }

    /// Another header, such as `anthropic-beta`. One of the same name is replaced.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Whose it is.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// A POST with the key, marked sensitive, and a JSON body.
    pub(crate) fn post(&self, path: &str, body: Vec<u8>) -> Result<http::Request<Vec<u8>>, Error> {
        let (name, key) = match self.provider {
            Provider::Anthropic => ("x-api-key", self.key.clone()),
            Provider::OpenAi => ("authorization", format!("Bearer {}", self.key)),
            Provider::Gemini => ("x-goog-api-key", self.key.clone()),
        };
        // The reason would quote the value, so it is not passed on.
        let mut key =
            HeaderValue::try_from(key).map_err(|_| Error::Request("the key is no header value".to_owned()))?;
        key.set_sensitive(true);
        let mut request = http::Request::post(format!("{}{path}", self.base))
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .map_err(|error| Error::Request(error.to_string()))?;
        request.headers_mut().insert(HeaderName::from_static(name), key);
        for (name, value) in &self.headers {
            let bad = |_| Error::Request(format!("header {name} has a name or value that HTTP does not allow"));
            let header = HeaderName::try_from(name.as_str()).map_err(|e| bad(http::Error::from(e)))?;
            let mut value = HeaderValue::try_from(value.as_str()).map_err(|e| bad(http::Error::from(e)))?;
            value.set_sensitive(true);
            request.headers_mut().insert(header, value);
        }
        Ok(request)
    }

    /// A server's message without the key, should it quote it.
    pub(crate) fn without_key(&self, message: String) -> String {
        if self.key.len() < 4 { message } else { message.replace(&self.key, "[key]") }
    }
}
