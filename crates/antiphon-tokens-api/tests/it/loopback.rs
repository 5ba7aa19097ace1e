//! reqwest against a server of our own.

use std::io::{Read, Write};
use std::net::TcpListener;

use antiphon_model::{Message, RawJson, Request};
use antiphon_tokens_api::{ApiCounter, Endpoint, Error, ReqwestTransport, Retry, TokioPause};

/// Answers one connection after the other with the given bytes; returns its address and what it was sent.
fn server(answers: Vec<&'static str>) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let mut heard = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            while !request.ends_with(b"}") {
                let n = stream.read(&mut buffer).unwrap();
                request.extend_from_slice(&buffer[..n]);
            }
            heard.push(String::from_utf8(request).unwrap());
            stream.write_all(answer.as_bytes()).unwrap();
        }
        heard
    });
    (address, thread)
}

#[tokio::test]
async fn counts_over_http_with_a_retry() {
    let (address, server) = server(vec![
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 19\r\n\r\n{\"input_tokens\":14}",
    ]);
    let endpoint = Endpoint::anthropic("sk-test").with_base(&address);
    let counter = ApiCounter::new(endpoint, ReqwestTransport::default(), TokioPause);
    let request = Request::new(vec![Message::user("Hi")]).with_param("model", RawJson::string("claude-sonnet-4-5"));
    assert_eq!(counter.count(&request).await.unwrap(), 14);
    let heard = server.join().unwrap();
    assert_eq!(heard.len(), 2);
    assert!(heard[1].starts_with("POST /v1/messages/count_tokens HTTP/1.1"), "{}", heard[1]);
    assert!(heard[1].contains("x-api-key: sk-test"));
    assert!(heard[1].ends_with(r#"{"messages":[{"role":"user","content":"Hi"}],"model":"claude-sonnet-4-5"}"#));
}

#[tokio::test]
async fn nobody_there_is_a_transport_error_without_the_key() {
    // A port that was free a moment ago.
    let address = format!("http://{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let endpoint = Endpoint::anthropic("sk-test").with_base(&address);
    let counter = ApiCounter::new(endpoint, ReqwestTransport::default(), TokioPause).with_retry(Retry::NONE);
    let request = Request::new(vec![Message::user("Hi")]).with_param("model", RawJson::string("claude-sonnet-4-5"));
    let error = counter.count(&request).await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)));
    assert!(!format!("{error} {error:?}").contains("sk-test"));
}
