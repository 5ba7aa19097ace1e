//! OpenAI: `POST /v1/responses/input_tokens`.

use antiphon_model::{RawJson, RawRef};
use http::Response;

use crate::endpoint::Endpoint;
use crate::error::{Error, tokens};

/// The parameters of the Responses API that the endpoint takes.
const TAKEN: [&str; 11] = [
    "conversation",
    "input",
    "instructions",
    "model",
    "parallel_tool_calls",
    "personality",
    "previous_response_id",
    "reasoning",
    "text",
    "tool_choice",
    "tools",
];

/// The request that counts a Responses API request body (`antiphon-interop` makes one from ours).
///
/// ```
/// use antiphon_model::RawJson;
/// use antiphon_tokens_api::{Endpoint, openai};
/// let body = RawJson::parse(r#"{"model":"gpt-5","input":"hi","stream":true}"#)?;
/// let http = openai::request(&Endpoint::openai("sk-x"), &body)?;
/// assert_eq!(http.body(), br#"{"model":"gpt-5","input":"hi"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the endpoint's address or headers are not valid.
pub fn request(endpoint: &Endpoint, body: &RawJson) -> Result<http::Request<Vec<u8>>, Error> {
    let mut out = String::from("{");
    for (key, value) in body.members().filter(|(key, _)| TAKEN.contains(&&**key)) {
        if out.len() > 1 {
            out.push(',');
        }
        push(&mut out, &key, value);
    }
    out.push('}');
    endpoint.post("/v1/responses/input_tokens", out.into_bytes())
}

/// A member whose key is one of a list of plain words.
fn push(out: &mut String, key: &str, value: RawRef<'_>) {
    out.push('"');
    out.push_str(key);
    out.push_str("\":");
    out.push_str(value.get());
}

/// The count in a response.
///
/// # Errors
/// The provider's refusal, typed; or a body that holds no count.
pub fn response(response: &Response<Vec<u8>>) -> Result<u64, Error> {
    tokens(response, "input_tokens")
}
