//! The adapter to reqwest and tokio.

use std::time::Duration;

use async_trait::async_trait;

use crate::transport::{Pause, Transport, TransportError};

/// Longer responses are an error: a count takes a few dozen bytes, an error message a few hundred.
const LONGEST: usize = 1 << 20;

/// Sends with a [`reqwest::Client`]; set its timeouts and proxies there.
#[derive(Debug, Clone, Default)]
pub struct ReqwestTransport(reqwest::Client);

impl ReqwestTransport {
    /// With a client of the caller's.
    pub const fn new(client: reqwest::Client) -> Self {
        Self(client)
    }
}

#[async_trait]
impl Transport for ReqwestTransport {
    async fn send(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>, TransportError> {
        // The URL is in reqwest's errors; it holds no key.
        let mut response = self.0.execute(reqwest::Request::try_from(request)?).await?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > LONGEST {
                return Err(format!("a response of more than {LONGEST} bytes").into());
            }
            body.extend_from_slice(&chunk);
        }
        let mut answer = http::Response::new(body);
        *answer.status_mut() = response.status();
        *answer.headers_mut() = response.headers().clone();
        Ok(answer)
    }
}

/// Waits with tokio's timer.
#[derive(Debug, Clone, Copy, Default)]
pub struct TokioPause;

#[async_trait]
impl Pause for TokioPause {
    async fn pause(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}
