//! Exact token counts by the provider's own count endpoint.
//!
//! For whoever needs the true size of a Claude request (its tokenizer is not public), or of a request to OpenAI or Gemini with
//! pictures and tools. What it does not do: estimate (`antiphon-tokens`), or bring an HTTP client unless asked (features
//! `reqwest`, `rustls`).
//!
//! The pure half, [`anthropic`], [`openai`] and [`gemini`], makes HTTP requests and reads responses. [`ApiCounter`] adds a
//! [`Transport`] of yours, retries with `retry-after` and jitter, and a cache by content.
//!
//! ```
//! use antiphon_model::{Message, Request, RawJson};
//! use antiphon_tokens_api::{Endpoint, anthropic};
//! let request = Request::new(vec![Message::user("Hi there!")])
//!     .with_param("model", RawJson::string("claude-sonnet-4-5"))
//!     .with_param("max_tokens", RawJson::from_serialize(&100)?);
//! let endpoint = Endpoint::anthropic("sk-ant-secret");
//! let http = anthropic::request(&endpoint, &request)?;
//! assert_eq!(http.uri(), "https://api.anthropic.com/v1/messages/count_tokens");
//! // The endpoint takes no `max_tokens`.
//! assert_eq!(
//!     std::str::from_utf8(http.body())?,
//!     r#"{"messages":[{"role":"user","content":"Hi there!"}],"model":"claude-sonnet-4-5"}"#
//! );
//! assert!(!format!("{http:?} {endpoint:?}").contains("secret"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod anthropic;
pub mod gemini;
pub mod openai;

mod cache;
mod counter;
mod endpoint;
mod error;
#[cfg(feature = "reqwest")]
mod reqwest_transport;
mod retry;
mod transport;

pub use counter::ApiCounter;
pub use endpoint::{Endpoint, Provider};
pub use error::{ApiError, ApiErrorKind, Error};
#[cfg(feature = "reqwest")]
#[cfg_attr(docsrs, doc(cfg(feature = "reqwest")))]
pub use reqwest_transport::{ReqwestTransport, TokioPause};
pub use retry::Retry;
pub use transport::{Pause, Transport, TransportError};
