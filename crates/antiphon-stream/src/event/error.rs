//! An error that the provider sent within the stream.

use std::fmt;

use antiphon_model::{RawJson, RawRef};

/// The error of an `error` event (contract, section 3.5).
///
/// ```
/// use antiphon_stream::{EventBody, StreamEvent};
///
/// let event = StreamEvent::parse(r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#)?;
/// let EventBody::Error(error) = event.body else { panic!() };
/// assert_eq!(error.to_string(), "overloaded_error: Overloaded");
/// assert!(error.may_retry());
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct ApiError {
    /// `error.type`, such as `overloaded_error`; empty if none was given.
    #[serde(rename = "type")]
    pub kind: String,
    /// `error.message`.
    pub message: String,
    /// `request_id`, where it was sent.
    pub request_id: Option<String>,
    /// The whole event.
    pub raw: RawJson,
}

impl ApiError {
    /// An error of one's own making: for those who translate other streams into these events.
    ///
    /// ```
    /// let error = antiphon_stream::ApiError::new("overloaded_error", "try later");
    /// assert_eq!(error.raw.get(), r#"{"type":"error","error":{"type":"overloaded_error","message":"try later"}}"#);
    /// ```
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        let (kind, message) = (kind.into(), message.into());
        let (spelled, said) = (RawJson::string(&kind), RawJson::string(&message));
        let raw = format!(r#"{{"type":"error","error":{{"type":{},"message":{}}}}}"#, spelled.get(), said.get());
        let raw = RawJson::parse(&raw).unwrap_or_else(|_| RawJson::null());
        Self { kind, message, request_id: None, raw }
    }

    pub(crate) fn from_raw(raw: RawRef<'_>) -> Self {
        let string = |raw: Option<RawRef<'_>>| raw.and_then(RawRef::as_str).map(std::borrow::Cow::into_owned);
        let error = raw.member("error");
        let message =
            string(error.and_then(|error| error.member("message"))).or(string(error)).or(string(raw.member("message")));
        Self {
            kind: string(error.and_then(|error| error.member("type"))).unwrap_or_default(),
            message: message.unwrap_or_default(),
            request_id: string(raw.member("request_id")),
            raw: raw.to_owned(),
        }
    }

    /// An `error` event whose data is no JSON at all.
    pub(crate) fn from_text(text: &str) -> Self {
        Self { kind: String::new(), message: text.to_owned(), request_id: None, raw: RawJson::string(text) }
    }

    /// Whether the same request may succeed later: the provider was overloaded, failed or timed out, or asked for
    /// fewer requests. The partial answer is not continued by that; the retry begins anew.
    pub fn may_retry(&self) -> bool {
        matches!(self.kind.as_str(), "overloaded_error" | "api_error" | "timeout_error" | "rate_limit_error")
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.kind.is_empty() { "error without a type" } else { &self.kind };
        write!(f, "{kind}: {}", self.message)
    }
}

impl std::error::Error for ApiError {}
