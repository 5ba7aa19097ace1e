//! Anthropic: `POST /v1/messages/count_tokens`.

use antiphon_model::{Extra, Request};
use http::Response;

use crate::endpoint::Endpoint;
use crate::error::{Error, tokens};

/// The parameters that the endpoint takes beside `system`, `messages` and `tools`; it refuses others, such as `max_tokens`.
const TAKEN: [&str; 7] =
    ["model", "tool_choice", "thinking", "mcp_servers", "output_config", "output_format", "context_management"];

/// The request that counts a Messages API request. Stored messages (flat records, ids, usage) are lowered to what the API takes.
///
/// # Errors
/// Without a `model`, or when the endpoint's address or headers are not valid.
pub fn request(endpoint: &Endpoint, request: &Request) -> Result<http::Request<Vec<u8>>, Error> {
    endpoint.post("/v1/messages/count_tokens", body(request)?.into_bytes())
}

pub(crate) fn body(request: &Request) -> Result<String, Error> {
    if request.model().is_none() {
        return Err(Error::Request("the request names no model".to_owned()));
    }
    let mut extra = Extra::new();
    for key in TAKEN {
        if let Some(value) = request.param(key) {
            extra.insert(key, value.to_owned());
        }
    }
    let counted = Request {
        system: request.system.clone(),
        messages: antiphon_model::to_wire(&request.messages).messages,
        tools: request.tools.clone(),
        extra,
    };
    Ok(counted.to_json())
}

/// The count in a response.
///
/// ```
/// use antiphon_tokens_api::anthropic;
/// let response = http::Response::new(br#"{"input_tokens":14}"#.to_vec());
/// assert_eq!(anthropic::response(&response)?, 14);
/// # Ok::<(), antiphon_tokens_api::Error>(())
/// ```
///
/// # Errors
/// The provider's refusal, typed; or a body that holds no count.
pub fn response(response: &Response<Vec<u8>>) -> Result<u64, Error> {
    tokens(response, "input_tokens")
}
