//! Streamed answers made up by code, and the pieces they come in.

use bytes::Bytes;
use serde_json::{Value, json};

/// The bytes of an answer, as the Messages API sends them.
#[derive(Clone, Debug)]
pub struct Body {
    bytes: Bytes,
    /// Where each event ends.
    ends: Vec<usize>,
    /// How long the data of all events is, in bytes.
    pub data: usize,
    /// How long the text or tool input is that it carries, in bytes.
    pub carries: usize,
}

/// How a body is cut into what a connection hands out at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// One event each.
    Events,
    /// So many bytes each.
    Bytes(usize),
    /// All at once.
    Whole,
}

impl Body {
    /// Text in `events` deltas of five bytes.
    pub fn text(events: usize) -> Self {
        let words = b"the quick brown fox jumps over the lazy dog. ";
        let pieces = words.chunks_exact(5).filter_map(|piece| std::str::from_utf8(piece).ok());
        let pieces: Vec<_> = pieces.cycle().take(events).collect();
        Self::new(&json!({"type": "text", "text": ""}), ("text_delta", "text"), &pieces)
    }

    /// Text of `bytes` bytes in one delta.
    pub fn one_large_event(bytes: usize) -> Self {
        let text = "QWxsIHdvcmRzIGFyZSBpbnZlbnRlZA".repeat(bytes / 30 + 1);
        let text = text.get(..bytes).unwrap_or_default();
        Self::new(&json!({"type": "text", "text": ""}), ("text_delta", "text"), &[text])
    }

    /// The input of a tool in deltas of 16 bytes.
    pub fn tool_input(input: &str) -> Self {
        let pieces = input.as_bytes().chunks(16).filter_map(|piece| std::str::from_utf8(piece).ok());
        let block = json!({"type": "tool_use", "id": "toolu_1", "name": "edit", "input": {}});
        Self::new(&block, ("input_json_delta", "partial_json"), &pieces.collect::<Vec<_>>())
    }

    fn new(block: &Value, (kind, key): (&str, &str), pieces: &[&str]) -> Self {
        let usage = json!({"input_tokens": 9, "output_tokens": 1});
        let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
            "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage});
        let start = json!({"type": "message_start", "message": message});
        let block = json!({"type": "content_block_start", "index": 0, "content_block": block});
        let mut out = Writer::default();
        out.event("message_start", &start.to_string());
        out.event("content_block_start", &block.to_string());
        for piece in pieces {
            let piece = Value::from(*piece);
            // The order of the API, which a map would sort.
            let data =
                format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"{kind}","{key}":{piece}}}}}"#);
            out.event("content_block_delta", &data);
        }
        out.event("content_block_stop", r#"{"type":"content_block_stop","index":0}"#);
        let delta = json!({"stop_reason": "end_turn", "stop_sequence": null});
        let delta = json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 9}});
        out.event("message_delta", &delta.to_string());
        out.event("message_stop", r#"{"type":"message_stop"}"#);
        let carries = pieces.iter().map(|piece| piece.len()).sum();
        Self { bytes: out.text.into(), ends: out.ends, data: out.data, carries }
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many events it has.
    pub fn events(&self) -> usize {
        self.ends.len()
    }

    /// The pieces it comes in.
    pub fn pieces(&self, cut: Cut) -> Vec<Bytes> {
        let ends = match cut {
            Cut::Events => self.ends.clone(),
            Cut::Bytes(size) => (1..=self.bytes.len().div_ceil(size)).map(|piece| piece * size).collect(),
            Cut::Whole => vec![self.bytes.len()],
        };
        let mut begin = 0;
        let piece = |end: usize| {
            let end = end.min(self.bytes.len());
            self.bytes.slice(std::mem::replace(&mut begin, end)..end)
        };
        ends.into_iter().map(piece).collect()
    }
}

#[derive(Default)]
struct Writer {
    text: String,
    ends: Vec<usize>,
    data: usize,
}

impl Writer {
    fn event(&mut self, name: &str, data: &str) {
        self.text.extend(["event: ", name, "\ndata: ", data, "\n\n"]);
        self.ends.push(self.text.len());
        self.data += data.len();
    }
}

/// Tool input of many small values, about `bytes` long.
pub fn edits(bytes: usize) -> String {
    let row = r#"{"path":"src/lib.rs","old":"let x = 1;\n","new":"let x = 2;\n","line":12}"#;
    format!(r#"{{"edits":[{}]}}"#, vec![row; bytes / row.len() + 1].join(","))
}

/// Tool input of one long text, about `bytes` long.
pub fn write(bytes: usize) -> String {
    let line = r#"fn main() { println!(\"hi\"); }\n"#;
    format!(r#"{{"path":"a.rs","content":"{}"}}"#, line.repeat(bytes / line.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_body() {
        let body = Body::text(50);
        for cut in [Cut::Events, Cut::Bytes(7), Cut::Bytes(1 << 20), Cut::Whole] {
            assert_eq!(body.pieces(cut).concat(), body.bytes(), "{cut:?}");
        }
        let events = body.pieces(Cut::Events);
        assert_eq!(events.len(), 50 + 5);
        assert!(events.iter().all(|event| event.starts_with(b"event: ") && event.ends_with(b"\n\n")));
    }

    #[test]
    fn tool_input_is_json_of_about_the_asked_length() {
        for bytes in [200, 10_000] {
            for input in [edits(bytes), write(bytes)] {
                assert!((bytes..bytes + 150).contains(&input.len()), "{}", input.len());
                let value: Value = serde_json::from_str(&input).unwrap();
                assert!(value.is_object());
                assert_eq!(Body::tool_input(&input).carries, input.len());
            }
        }
    }
}
