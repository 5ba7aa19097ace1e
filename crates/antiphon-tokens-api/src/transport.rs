//! What a caller brings: something that sends, something that waits.

use std::time::Duration;

use async_trait::async_trait;

/// Any failure of a transport.
pub type TransportError = Box<dyn std::error::Error + Send + Sync>;

/// Sends one HTTP request and gives the whole response.
///
/// A response of any status is `Ok`; `Err` is for what brings no response. Never log the request's headers: one holds the key
/// (it is marked sensitive).
#[async_trait]
pub trait Transport: Send + Sync {
    /// Sends.
    ///
    /// # Errors
    /// When there is no response. It is taken as worth a retry.
    async fn send(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>, TransportError>;
}

/// Waits between tries: a timer of the caller's runtime.
#[async_trait]
pub trait Pause: Send + Sync {
    /// Waits so long.
    async fn pause(&self, duration: Duration);
}
