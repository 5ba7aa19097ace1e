//! Sessions made up by code: the same ones on every machine, with the shape of recorded ones.
//!
//! A turn is a user's sentence, then some rounds of thinking, a tool call or several and their results, then an answer.
//! Results make up most of the bytes, a few of them very long, as in recordings. All words are invented.

use std::fmt::Write as _;

/// What is odd about a generated conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing: the API takes it as it is.
    Whole,
    /// Every tenth call has no result, every tenth result has no call, and empty text blocks stand between.
    Broken,
    /// Each turn is cut into neighbours of the same role, strings and blocks mixed.
    Runs,
}

/// A conversation of `messages` messages as one JSON array, as a request holds it.
pub fn message_array(messages: usize, shape: Shape) -> String {
    let mut out = String::from("[");
    for (index, message) in conversation(messages, shape).enumerate() {
        if index > 0 {
            out.push(',');
        }
        let _ = write!(out, r#"{{"role":"{}","content":{}}}"#, message.role, message.content);
    }
    out.push(']');
    out
}

/// The same conversation as a Claude Code log: one record a line, each with its parent, results repeated in
/// `toolUseResult`, and what the API said about an answer beside its content.
pub fn claude_code_log(messages: usize, shape: Shape) -> String {
    let mut out = String::new();
    let mut parent = None;
    for (index, message) in conversation(messages, shape).enumerate() {
        let uuid = uuid(index);
        let _ = write!(
            out,
            r#"{{"parentUuid":{},"isSidechain":false,"userType":"external","cwd":"/srv/mill","sessionId":"{}","version":"2.1.80","gitBranch":"main","type":"{role}","message":{{{}"role":"{role}","content":{}{}}}"#,
            parent.as_ref().map_or_else(|| "null".to_owned(), |parent| format!("\"{parent}\"")),
            self::uuid(usize::MAX),
            message.head,
            message.content,
            message.tail,
            role = message.role,
        );
        if let Some(output) = &message.output {
            let _ = write!(
                out,
                r#","toolUseResult":{{"stdout":{output},"stderr":"","interrupted":false,"isImage":false}}"#
            );
        }
        let (minute, second) = (index / 60 % 60, index % 60);
        let _ = writeln!(out, r#","uuid":"{uuid}","timestamp":"2026-03-01T09:{minute:02}:{second:02}.000Z"}}"#);
        parent = Some(uuid);
    }
    out
}

/// What decides how fast a log can be read: line length, escapes, text beyond ASCII. Recordings of Claude Code have
/// about 2,900 bytes a message line, and in 1,000 bytes 24 backslashes and 12 bytes beyond ASCII.
pub fn describe(log: &str) -> String {
    let lines = log.lines().count().max(1);
    let per_thousand = |count: usize| count * 1000 / log.len().max(1);
    let backslashes = per_thousand(log.bytes().filter(|byte| *byte == b'\\').count());
    let beyond_ascii = per_thousand(log.bytes().filter(|byte| !byte.is_ascii()).count());
    format!("{} bytes a line; in 1,000 bytes {backslashes} backslashes, {beyond_ascii} beyond ASCII", log.len() / lines)
}

fn uuid(index: usize) -> String {
    let [a, b] = [0x9e37_79b9, 0x85eb_ca6b].map(|salt: u64| scramble(index as u64 ^ salt));
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b >> 52,
        b & 0xffff_ffff_ffff
    )
}

/// One message as JSON text, with what a log says beside it.
#[derive(Default)]
struct Message {
    role: &'static str,
    content: String,
    /// Members of an answer that stand before its role and behind its content.
    head: String,
    tail: String,
    /// Whether it calls a tool, so that it cannot be the last one.
    calls: bool,
    /// The output of its tool, as a JSON string.
    output: Option<String>,
}

/// The first messages of a conversation; where they would end with calls that nothing answers, with an answer instead.
fn conversation(messages: usize, shape: Shape) -> impl Iterator<Item = Message> {
    Conversation::new(shape).take(messages).enumerate().map(move |(index, message)| {
        let last = index + 1 == messages && message.calls;
        if last { Message { content: r#""Done.""#.to_owned(), calls: false, ..message } } else { message }
    })
}

/// An endless conversation.
struct Conversation {
    random: Random,
    shape: Shape,
    /// Messages of the current round that are still to come, last first.
    pending: Vec<Message>,
    rounds_left: u64,
    calls: u64,
}

impl Conversation {
    fn new(shape: Shape) -> Self {
        Self { random: Random(0x5eed), shape, pending: Vec::new(), rounds_left: 0, calls: 0 }
    }

    fn start_turn(&mut self) {
        self.rounds_left = 2 + self.random.below(6);
        let words = 8 + self.random.below(60);
        let text = quoted(&self.random.prose(words));
        self.user_text(&text);
    }

    fn user_text(&mut self, text: &str) {
        self.pending.push(user(text));
        if self.shape == Shape::Runs {
            let more = quoted(&self.random.prose(12));
            self.pending.push(user(&format!(r#"[{{"type":"text","text":{more}}}]"#)));
        }
    }

    /// An assistant turn with its calls, and the user turn with their results.
    fn round(&mut self) {
        let mut blocks = Vec::new();
        if self.random.one_in(2) {
            let (words, signature) = (40 + self.random.below(120), self.random.base64(320));
            let thinking = quoted(&self.random.prose(words));
            blocks.push(format!(r#"{{"type":"thinking","thinking":{thinking},"signature":"{signature}"}}"#));
        }
        let words = 10 + self.random.below(30);
        let text = quoted(&self.random.prose(words));
        blocks.push(format!(r#"{{"type":"text","text":{text}}}"#));
        let mut results = Vec::new();
        let mut output = None;
        for _ in 0..=self.random.below(5) / 3 {
            self.calls += 1;
            let id = format!("toolu_{:024x}", scramble(self.calls));
            let (path, command) = (self.random.path(), self.random.prose(6));
            blocks.push(format!(
                r#"{{"type":"tool_use","id":"{id}","name":"Shell","input":{{"command":{},"path":"{path}","timeout":{},"background":false,"lines":[{},{}]}}}}"#,
                quoted(&command),
                1000 + self.random.below(9000),
                self.random.below(100),
                100 + self.random.below(100),
            ));
            let lines = if self.random.one_in(12) { 150 + self.random.below(200) } else { 4 + self.random.below(24) };
            let text = quoted(&self.random.listing(lines));
            if !(self.shape == Shape::Broken && self.calls.is_multiple_of(10)) {
                results.push(format!(
                    r#"{{"tool_use_id":"{id}","type":"tool_result","content":{text},"is_error":false}}"#
                ));
            }
            output = Some(text);
        }
        if self.shape == Shape::Broken {
            if self.calls % 10 == 5 {
                results.push(format!(
                    r#"{{"tool_use_id":"toolu_gone_{}","type":"tool_result","content":"late"}}"#,
                    self.calls
                ));
            }
            blocks.push(r#"{"type":"text","text":""}"#.to_owned());
        }
        self.assistant(&blocks, "tool_use");
        if !results.is_empty() {
            self.pending.push(Message { output, ..user(&format!("[{}]", results.join(","))) });
        }
    }

    /// One assistant message, or under `Runs` one for each block, as some agents write them.
    fn assistant(&mut self, blocks: &[String], stop_reason: &str) {
        let parts: Vec<String> = match self.shape {
            Shape::Runs => blocks.to_vec(),
            Shape::Whole | Shape::Broken => vec![blocks.join(",")],
        };
        for part in parts {
            let (id, written) = (scramble(self.random.0), self.random.below(4000));
            let head = format!(r#""model":"claude-sonnet-4-5","id":"msg_{id:024x}","type":"message","#);
            let tail = format!(
                r#","stop_reason":"{stop_reason}","stop_sequence":null,"usage":{{"input_tokens":{},"cache_creation_input_tokens":{written},"cache_read_input_tokens":{},"cache_creation":{{"ephemeral_5m_input_tokens":{written},"ephemeral_1h_input_tokens":0}},"output_tokens":{},"service_tier":"standard"}}"#,
                1 + self.random.below(9),
                self.random.below(90_000),
                self.random.below(2000),
            );
            let (content, calls) = (format!("[{part}]"), stop_reason == "tool_use");
            self.pending.push(Message { role: "assistant", content, head, tail, calls, output: None });
        }
    }
}

impl Iterator for Conversation {
    type Item = Message;

    fn next(&mut self) -> Option<Message> {
        if self.pending.is_empty() {
            if self.rounds_left == 0 {
                self.start_turn();
            } else {
                self.rounds_left -= 1;
                self.round();
                if self.rounds_left == 0 {
                    let words = 20 + self.random.below(80);
                    let text = quoted(&self.random.prose(words));
                    self.assistant(&[format!(r#"{{"type":"text","text":{text}}}"#)], "end_turn");
                }
            }
            self.pending.reverse();
        }
        self.pending.pop()
    }
}

fn user(content: &str) -> Message {
    Message { role: "user", content: content.to_owned(), ..Message::default() }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// SplitMix64: a word to a word, each result once.
fn scramble(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Repeatable choices.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        scramble(self.0)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_in(&mut self, chance: u64) -> bool {
        self.below(chance) == 0
    }

    fn pick<T: Copy + Default>(&mut self, from: &[T]) -> T {
        let at = usize::try_from(self.below(from.len() as u64)).unwrap_or_default();
        from.get(at).copied().unwrap_or_default()
    }

    fn word(&mut self) -> &'static str {
        const WORDS: &[&str] = &[
            "the",
            "mill",
            "gate",
            "of",
            "stone",
            "and",
            "wheel",
            "turns",
            "a",
            "reader",
            "before",
            "parse",
            "it",
            "buffer",
            "with",
            "index",
            "\"quoted\"",
            "in",
            "größer",
            "returns",
            "error",
            "when",
            "empty",
            "to",
            "line",
            "检查",
            "build",
            "passes",
            "now",
            "loop",
            "frame",
            "that",
            "signal",
            "is",
            "kept",
            "queue",
            "lock",
            "fn",
            "let",
            "match",
            "self",
            "use",
            "mut",
            "for",
            "each",
            "of",
            "them",
            "runs",
            "once",
            "more",
            "than",
            "two",
            "values",
            "stand",
            "there",
            "where",
            "no",
            "one",
            "looks",
            "again",
            "until",
            "next",
            "week",
        ];
        self.pick(WORDS)
    }

    fn prose(&mut self, words: u64) -> String {
        let mut text = String::new();
        for at in 0..words {
            if at > 0 {
                text.push_str(if at % 17 == 0 { ".\n" } else { " " });
            }
            text.push_str(self.word());
        }
        text
    }

    fn path(&mut self) -> String {
        format!("src/{}/{}.rs", self.pick(&["gate", "mill", "wheel"]), self.below(400))
    }

    /// What a search or a file reader prints.
    fn listing(&mut self, lines: u64) -> String {
        let mut text = String::new();
        for line in 1..=lines {
            let _ = writeln!(text, "{line:>5}\t    {}: {}", self.path(), self.prose(7));
        }
        text
    }

    fn base64(&mut self, length: usize) -> String {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..length).map(|_| char::from(self.pick(ALPHABET))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use antiphon_contract::{Finding, Profile, check};
    use serde_json::Value;

    #[test]
    fn the_same_session_every_time() {
        assert_eq!(message_array(40, Shape::Broken), message_array(40, Shape::Broken));
        assert_ne!(message_array(40, Shape::Broken), message_array(40, Shape::Whole));
    }

    #[test]
    fn as_many_messages_as_asked_for() {
        for shape in [Shape::Whole, Shape::Broken, Shape::Runs] {
            let array: Vec<Value> = serde_json::from_str(&message_array(123, shape)).unwrap();
            assert_eq!(array.len(), 123);
            let log = claude_code_log(123, shape);
            let records: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            for (record, message) in records.iter().zip(&array) {
                assert_eq!(record["message"]["content"], message["content"]);
                assert_eq!(record["message"]["role"], message["role"]);
            }
            assert_eq!(records.len(), array.len());
            assert_eq!(records[1]["parentUuid"], records[0]["uuid"]);
        }
    }

    #[test]
    fn the_api_would_take_what_is_whole_and_refuse_what_is_broken() {
        let errors = |messages, shape| {
            let messages: Vec<antiphon_model::Message> = serde_json::from_str(&message_array(messages, shape)).unwrap();
            let findings = check(&antiphon_model::Request::new(messages), &Profile::default());
            findings.into_iter().filter(Finding::is_error).collect::<Vec<_>>()
        };
        for messages in 1..60 {
            assert_eq!(errors(messages, Shape::Whole), [], "{messages}");
        }
        assert_eq!(errors(500, Shape::Runs), []);
        assert!(errors(500, Shape::Broken).len() > 100);
    }

    #[test]
    fn a_line_is_as_long_as_in_recordings() {
        let log = claude_code_log(2_000, Shape::Whole);
        let mean = log.len() / 2_000;
        assert!((2_000..5_000).contains(&mean), "{mean} bytes a line; recordings have about 3,400");
    }

    #[test]
    fn runs_are_neighbours_of_one_role() {
        let roles = |shape| {
            let array: Vec<Value> = serde_json::from_str(&message_array(200, shape)).unwrap();
            let roles: Vec<String> = array.iter().map(|message| message["role"].to_string()).collect();
            roles.windows(2).filter(|pair| pair[0] == pair[1]).count()
        };
        assert_eq!(roles(Shape::Whole), 0);
        assert!(roles(Shape::Runs) > 50);
    }
}
