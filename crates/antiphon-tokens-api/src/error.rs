//! What can go wrong.

use std::fmt;
use std::time::Duration;

use antiphon_model::{RawJson, RawRef};
use http::{HeaderMap, Response, StatusCode};

use crate::transport::TransportError;

/// An error of a count. No key is ever part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The HTTP request could not be made: an address, a key or a header that HTTP does not allow, a missing model.
    #[error("no count request can be made: {0}")]
    Request(String),
    /// No response.
    #[error("no response from the count endpoint: {0}")]
    Transport(#[source] TransportError),
    /// The provider refused.
    #[error("{0}")]
    Api(ApiError),
    /// A response that is not what the endpoint's documentation says.
    #[error("the count endpoint's response cannot be read: {0}")]
    Response(String),
}

impl Error {
    /// Whether the same request may succeed later.
    ///
    /// ```
    /// use antiphon_tokens_api::Error;
    /// assert!(!Error::Request("no model".into()).is_transient());
    /// assert!(Error::Transport("connection reset".into()).is_transient());
    /// ```
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Transport(_) => true,
            Self::Api(error) => error.is_transient(),
            Self::Request(_) | Self::Response(_) => false,
        }
    }
}

/// What kind of refusal it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ApiErrorKind {
    /// 400, 422: the request itself.
    InvalidRequest,
    /// 401.
    Authentication,
    /// 403, 402: known, but not allowed or not paid.
    Permission,
    /// 404: no such model or address.
    NotFound,
    /// 413.
    TooLarge,
    /// 429.
    RateLimit,
    /// 529, 503.
    Overloaded,
    /// Any other 5xx, 408.
    Server,
    /// Any other status.
    Other,
}

/// A provider's refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiError {
    /// Its kind, by status and error type.
    pub kind: ApiErrorKind,
    /// The HTTP status.
    pub status: u16,
    /// The provider's own name for it, such as `invalid_request_error`.
    pub error_type: Option<String>,
    /// The provider's words, at most 2,000 characters.
    pub message: String,
    /// The provider's id of the request, for its support.
    pub request_id: Option<String>,
    /// How long it asks to wait.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the provider refused to count with status {}", self.status)?;
        if let Some(error_type) = &self.error_type {
            write!(f, " ({error_type})")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl ApiError {
    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self.kind, ApiErrorKind::RateLimit | ApiErrorKind::Overloaded | ApiErrorKind::Server)
    }

    fn read(response: &Response<Vec<u8>>) -> Self {
        const LONGEST: usize = 2000;
        let status = response.status().as_u16();
        let text = String::from_utf8_lossy(response.body());
        let body = RawJson::parse(&text).ok();
        // Anthropic and OpenAI: {"error":{"type","message"}}; Google: {"error":{"status","message"}}.
        let error = body.as_ref().and_then(|b| b.member("error"));
        let string = |raw: Option<RawRef<'_>>| raw.and_then(RawRef::as_str).map(std::borrow::Cow::into_owned);
        let error_type =
            string(error.and_then(|e| e.member("type"))).or_else(|| string(error.and_then(|e| e.member("status"))));
        let message = string(error.and_then(|e| e.member("message"))).unwrap_or_else(|| text.trim().to_owned());
        let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
        let request_id = string(body.as_ref().and_then(|b| b.member("request_id")))
            .or_else(|| header("request-id"))
            .or_else(|| header("x-request-id"));
        Self {
            kind: kind(status, error_type.as_deref()),
            status,
            error_type,
            message: message.chars().take(LONGEST).collect(),
            request_id,
            retry_after: retry_after(response.headers()),
        }
    }
}

fn kind(status: u16, error_type: Option<&str>) -> ApiErrorKind {
    match (status, error_type) {
        (_, Some("overloaded_error")) => ApiErrorKind::Overloaded,
        (400 | 422, _) => ApiErrorKind::InvalidRequest,
        (401, _) => ApiErrorKind::Authentication,
        (402 | 403, _) => ApiErrorKind::Permission,
        (404, _) => ApiErrorKind::NotFound,
        (413, _) => ApiErrorKind::TooLarge,
        (429, _) => ApiErrorKind::RateLimit,
        (503 | 529, _) => ApiErrorKind::Overloaded,
        (408 | 500..=599, _) => ApiErrorKind::Server,
        _ => ApiErrorKind::Other,
    }
}

/// `retry-after-ms` or `retry-after` in seconds. A date would need a clock, which this crate does not read.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The number under `member` of a successful response.
pub(crate) fn tokens(response: &Response<Vec<u8>>, member: &str) -> Result<u64, Error> {
    if response.status() != StatusCode::OK {
        return Err(Error::Api(ApiError::read(response)));
    }
    let text = std::str::from_utf8(response.body()).map_err(|error| Error::Response(error.to_string()))?;
    let body = RawJson::parse(text).map_err(|error| Error::Response(error.to_string()))?;
    let count = body.member(member).and_then(RawRef::as_u64);
    count.ok_or_else(|| Error::Response(format!("no whole number under `{member}`")))
}
