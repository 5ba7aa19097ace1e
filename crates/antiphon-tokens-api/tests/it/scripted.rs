//! Retries, errors and the cache, without a network.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use antiphon_model::{Message, RawJson, Request};
use antiphon_tokens_api::{ApiCounter, ApiErrorKind, Endpoint, Error, Pause, Retry, Transport, TransportError};

type Answer = Result<(u16, Vec<(&'static str, &'static str)>, &'static str), &'static str>;

/// Plays answers in turn; keeps what was sent and how long was waited.
#[derive(Clone, Default)]
struct Script {
    answers: Arc<Mutex<Vec<Answer>>>,
    sent: Arc<Mutex<Vec<http::Request<Vec<u8>>>>>,
    waited: Arc<Mutex<Vec<Duration>>>,
}

impl Script {
    fn new(mut answers: Vec<Answer>) -> Self {
        answers.reverse();
        Self { answers: Arc::new(Mutex::new(answers)), ..Self::default() }
    }

    fn counter(&self, endpoint: Endpoint) -> ApiCounter<Self, Self> {
        ApiCounter::new(endpoint, self.clone(), self.clone())
    }

    fn sent(&self) -> usize {
        self.sent.lock().unwrap().len()
    }
}

#[async_trait::async_trait]
impl Transport for Script {
    async fn send(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>, TransportError> {
        self.sent.lock().unwrap().push(request);
        let (status, headers, body) = self.answers.lock().unwrap().pop().unwrap()?;
        let mut response = http::Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(name, value);
        }
        Ok(response.body(body.as_bytes().to_vec())?)
    }
}

#[async_trait::async_trait]
impl Pause for Script {
    async fn pause(&self, duration: Duration) {
        self.waited.lock().unwrap().push(duration);
    }
}

const KEY: &str = "sk-ant-very-secret";
const FINE: Answer = Ok((200, Vec::new(), r#"{"input_tokens":42}"#));

fn request() -> Request {
    Request::new(vec![Message::user("Hi")]).with_param("model", RawJson::string("claude-sonnet-4-5"))
}

async fn count(script: &Script) -> Result<u64, Error> {
    script.counter(Endpoint::anthropic(KEY)).count(&request()).await
}

#[tokio::test]
async fn a_count_is_asked_once_and_remembered() {
    let script = Script::new(vec![FINE]);
    let counter = script.counter(Endpoint::anthropic(KEY));
    assert_eq!(counter.count(&request()).await.unwrap(), 42);
    assert_eq!(counter.count(&request()).await.unwrap(), 42);
    assert_eq!(script.sent(), 1);
    let sent = &script.sent.lock().unwrap()[0];
    assert_eq!(sent.method(), "POST");
    assert_eq!(sent.headers()["x-api-key"], KEY);
    assert!(sent.headers()["x-api-key"].is_sensitive());
    assert_eq!(sent.headers()["anthropic-version"], "2023-06-01");
}

#[tokio::test]
async fn transient_failures_are_tried_again_and_others_are_not() {
    let script = Script::new(vec![
        Err("connection reset"),
        Ok((529, vec![], r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#)),
        Ok((500, vec![], "<html>bad gateway</html>")),
        FINE,
    ]);
    assert_eq!(count(&script).await.unwrap(), 42);
    let waited = script.waited.lock().unwrap().clone();
    assert_eq!(waited.len(), 3);
    for (i, wait) in waited.iter().enumerate() {
        let full = Duration::from_millis(500 << i);
        assert!(full / 2 <= *wait && *wait <= full, "{i} {wait:?}");
    }

    for status in [400, 401, 403, 404, 413] {
        let script = Script::new(vec![Ok((status, vec![], "{}"))]);
        assert!(!count(&script).await.unwrap_err().is_transient(), "{status}");
        assert_eq!(script.sent(), 1);
    }
}

#[tokio::test]
async fn the_servers_wait_is_kept_to() {
    let limit = |headers| Ok((429, headers, r#"{"error":{"type":"rate_limit_error","message":"slow down"}}"#));
    let script = Script::new(vec![limit(vec![("retry-after", "3")]), limit(vec![("retry-after-ms", "250")]), FINE]);
    assert_eq!(count(&script).await.unwrap(), 42);
    let waited = script.waited.lock().unwrap().clone();
    assert!(Duration::from_secs(3) <= waited[0] && waited[0] <= Duration::from_millis(3300), "{waited:?}");
    assert!(Duration::from_millis(250) <= waited[1] && waited[1] <= Duration::from_millis(275), "{waited:?}");

    let script = Script::new(vec![limit(vec![("retry-after", "7200")])]);
    let Error::Api(error) = count(&script).await.unwrap_err() else { panic!() };
    assert_eq!((error.kind, error.retry_after), (ApiErrorKind::RateLimit, Some(Duration::from_secs(7200))));
    assert_eq!(script.sent(), 1);
}

#[tokio::test]
async fn tries_end() {
    let script = Script::new(vec![Err("no route"); 9]);
    let counter = script.counter(Endpoint::anthropic(KEY)).with_retry(Retry::default().with_tries(3));
    let error = counter.count(&request()).await.unwrap_err();
    assert_eq!(error.to_string(), "no response from the count endpoint: no route");
    assert_eq!((script.sent(), script.waited.lock().unwrap().len()), (3, 2));
}

#[tokio::test]
async fn refusals_are_typed_and_hold_no_key() {
    let body = r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-ant-very-secret"},"request_id":"req_1"}"#;
    let script = Script::new(vec![Ok((401, vec![], body))]);
    let error = count(&script).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("very-secret"), "{error}");
    let Error::Api(error) = error else { panic!() };
    assert_eq!(error.kind, ApiErrorKind::Authentication);
    assert_eq!((error.status, error.error_type.as_deref()), (401, Some("authentication_error")));
    assert_eq!((error.message.as_str(), error.request_id.as_deref()), ("invalid x-api-key [key]", Some("req_1")));
}

#[tokio::test]
async fn odd_responses_are_errors() {
    for body in ["", "nothing", "{}", r#"{"input_tokens":-1}"#, r#"{"input_tokens":"7"}"#, "[7]"] {
        let script = Script::new(vec![Ok((200, vec![], body))]);
        assert!(matches!(count(&script).await, Err(Error::Response(_))), "{body:?}");
    }
    let script = Script::default();
    let no_model = script.counter(Endpoint::anthropic(KEY)).count(&Request::new(vec![Message::user("x")])).await;
    assert!(matches!(no_model, Err(Error::Request(_))));
    let other = script.counter(Endpoint::openai(KEY)).count(&request()).await;
    assert!(matches!(other, Err(Error::Request(_))));
    let bad_key = script.counter(Endpoint::anthropic("se\ncret")).count(&request()).await.unwrap_err();
    assert!(!format!("{bad_key:?}").contains("cret"), "{bad_key:?}");
    assert_eq!(script.sent(), 0);
}

#[tokio::test]
async fn openai_and_gemini_have_the_same_shape() {
    let body = RawJson::parse(r#"{"model":"gpt-5","input":"hi","stream":true}"#).unwrap();
    let script = Script::new(vec![Ok((200, vec![], r#"{"object":"response.input_tokens","input_tokens":7}"#))]);
    assert_eq!(script.counter(Endpoint::openai(KEY)).count_openai(&body).await.unwrap(), 7);
    assert_eq!(script.sent.lock().unwrap()[0].headers()["authorization"], format!("Bearer {KEY}"));

    let body = RawJson::parse(r#"{"contents":[]}"#).unwrap();
    let script = Script::new(vec![
        Ok((404, vec![], r#"{"error":{"code":404,"message":"no such model","status":"NOT_FOUND"}}"#)),
        Ok((200, vec![], r#"{"totalTokens":31}"#)),
    ]);
    let counter = script.counter(Endpoint::gemini(KEY));
    let Error::Api(error) = counter.count_gemini("gemini-9", &body).await.unwrap_err() else { panic!() };
    assert_eq!((error.kind, error.error_type.as_deref()), (ApiErrorKind::NotFound, Some("NOT_FOUND")));
    assert_eq!(counter.count_gemini("models/gemini-2.5-pro", &body).await.unwrap(), 31);
    assert!(matches!(counter.count_gemini("../x", &body).await, Err(Error::Request(_))));
}
