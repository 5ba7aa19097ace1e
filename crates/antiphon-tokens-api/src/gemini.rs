//! Gemini: `POST /v1beta/models/MODEL:countTokens`.

use antiphon_model::RawJson;
use http::Response;

use crate::endpoint::Endpoint;
use crate::error::{Error, tokens};

/// The request that counts a `generateContent` body (`antiphon-interop` makes one from ours), system instruction and tools
/// included.
///
/// ```
/// use antiphon_model::RawJson;
/// use antiphon_tokens_api::{Endpoint, gemini};
/// let body = RawJson::parse(r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#)?;
/// let http = gemini::request(&Endpoint::gemini("key"), "gemini-2.5-pro", &body)?;
/// assert_eq!(http.uri().path(), "/v1beta/models/gemini-2.5-pro:countTokens");
/// assert!(http.body().starts_with(br#"{"generateContentRequest":{"model":"models/gemini-2.5-pro","contents""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// For a model name that cannot stand in a path, or when the endpoint's address or headers are not valid.
pub fn request(endpoint: &Endpoint, model: &str, body: &RawJson) -> Result<http::Request<Vec<u8>>, Error> {
    let model = model.strip_prefix("models/").unwrap_or(model);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    if model.is_empty() || !model.chars().all(plain) {
        return Err(Error::Request(format!("{model:?} is no model name")));
    }
    let mut out = format!(r#"{{"generateContentRequest":{{"model":"models/{model}""#);
    for (key, value) in body.members().filter(|(key, _)| key != "model") {
        out.push(',');
        out.push_str(RawJson::string(&key).get());
        out.push(':');
        out.push_str(value.get());
    }
    out.push_str("}}");
    endpoint.post(&format!("/v1beta/models/{model}:countTokens"), out.into_bytes())
}

/// The count in a response.
///
/// # Errors
/// The provider's refusal, typed; or a body that holds no count.
pub fn response(response: &Response<Vec<u8>>) -> Result<u64, Error> {
    tokens(response, "totalTokens")
}
