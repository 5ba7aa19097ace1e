//! One block while it grows.

use std::borrow::Cow;

use antiphon_model::{ContentBlock, RawJson, RawRef};
use serde::{Deserialize, Serialize};

use super::{AccumulatorOptions, InputChange, ToolInputDetail, UnfinishedReason};
use crate::members::Members;
use crate::{JsonOptions, JsonStream, JsonWhat, PartialValue, StreamError, TextFault};

/// How much of a tool's input is shown while it comes: as much as a request can hold. A value can take twenty times the
/// memory of its text.
const SHOWN: usize = 32 << 20;

/// What kinds of block grow, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    Text,
    Thinking,
    ToolUse,
    /// `server_tool_use`, `mcp_tool_use`: input as for `ToolUse`, but not for the caller to run.
    ServerToolUse,
    Compaction,
    /// All that comes whole in the start event.
    Whole,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, none excludes another")]
pub(super) struct Block {
    pub(super) index: u64,
    pub(super) kind: Kind,
    /// The `content_block` of the start event, with what its type needs added where it was missing.
    pub(super) start: RawJson,
    /// For tool calls.
    pub(super) id: String,
    pub(super) name: String,
    /// Text, thinking, summary, or the JSON text of the input.
    pub(super) text: String,
    pub(super) citations: Vec<RawJson>,
    pub(super) signature: Option<String>,
    /// The other members of a compaction.
    pub(super) fields: Members,
    /// A summary came (which may be empty).
    pub(super) has_content: bool,
    pub(super) open: bool,
    /// The stop event came.
    pub(super) stopped: bool,
    /// The first half of a surrogate pair that the last delta ended with.
    pub(super) half: Option<u16>,
    /// Something of its content was lost or replaced.
    pub(super) damaged: bool,
    /// The outcome of a tool call, once it has ended: its input.
    pub(super) input: Option<Result<RawJson, UnfinishedReason>>,
    #[serde(skip)]
    json: Option<Box<JsonStream>>,
}

impl Block {
    pub(super) fn new(index: u64, start: RawJson, options: &AccumulatorOptions) -> Self {
        let start = with_defaults(start);
        let mut block = Self {
            index,
            kind: Kind::Whole,
            id: String::new(),
            name: String::new(),
            text: String::new(),
            citations: Vec::new(),
            signature: None,
            fields: Members::default(),
            has_content: false,
            open: true,
            stopped: false,
            half: None,
            damaged: false,
            input: None,
            json: None,
            start,
        };
        match ContentBlock::from_raw(block.start.as_ref()) {
            ContentBlock::Text(text) => {
                block.kind = Kind::Text;
                block.text = text.text.into_string();
            }
            ContentBlock::Thinking(thinking) => {
                block.kind = Kind::Thinking;
                block.text = thinking.thinking.into_string();
            }
            ContentBlock::ToolUse(tool) => {
                block.kind = Kind::ToolUse;
                (block.id, block.name) = (tool.id, tool.name);
            }
            ContentBlock::ServerToolUse(tool) => {
                block.kind = Kind::ServerToolUse;
                (block.id, block.name) = (tool.id, tool.name);
            }
            ContentBlock::Compaction(_) => block.kind = Kind::Compaction,
            _ => {}
        }
        block.restore(options);
        block
    }

    /// Makes what is not saved: the parser of the input, fed again.
    pub(super) fn restore(&mut self, options: &AccumulatorOptions) {
        let wanted = self.open && self.is_tool() && options.tool_input != ToolInputDetail::Raw;
        self.json = wanted.then(|| {
            let limits = JsonOptions::default().with_max_depth(options.max_input_depth).with_max_bytes(SHOWN);
            let mut json = JsonStream::with_options(limits);
            // A fault is remembered by the parser and was reported when it came.
            let _ = json.push(&self.text);
            Box::new(json)
        });
    }

    pub(super) fn is_tool(&self) -> bool {
        matches!(self.kind, Kind::ToolUse | Kind::ServerToolUse)
    }

    pub(super) fn text(&self) -> Option<&str> {
        matches!(self.kind, Kind::Text | Kind::Thinking | Kind::Compaction).then_some(&self.text)
    }

    pub(super) fn input_text(&self) -> Option<&str> {
        self.is_tool().then_some(&self.text)
    }

    pub(super) fn input_value(&self) -> Option<&PartialValue> {
        self.json.as_ref().and_then(|json| json.value())
    }

    /// Adds to the input. Gives the fault if this is the piece that breaks it.
    pub(super) fn push_input(
        &mut self,
        piece: &str,
        detail: ToolInputDetail,
        changes: &mut Vec<InputChange>,
    ) -> Option<StreamError> {
        self.text.push_str(piece);
        let json = self.json.as_mut()?;
        let sound = json.is_sound();
        let result = if detail == ToolInputDetail::Changes {
            json.push_with(piece, |event| note(event.path, event.what, changes))
        } else {
            json.push(piece)
        };
        result.err().filter(|_| sound)
    }

    /// The text of a delta, with halves of surrogate pairs at the border of the last delta joined. Halves that find
    /// no other half stand as U+FFFD and damage the block.
    pub(super) fn join<'a>(&mut self, text: Cow<'a, str>, fault: &mut TextFault) -> Cow<'a, str> {
        let nothing = text.is_empty() && fault.low.is_none() && fault.high.is_none();
        if nothing || (self.half.is_none() && fault.low.is_none() && fault.high.is_none()) {
            return text;
        }
        let between = match (self.half.take(), fault.low) {
            (None, None) => None,
            (high, low) => {
                let pair = high.zip(low).and_then(|(high, low)| char::decode_utf16([high, low]).next()?.ok());
                fault.lossy |= pair.is_none();
                Some(pair.unwrap_or('\u{FFFD}'))
            }
        };
        self.half = fault.high;
        between.into_iter().map(String::from).chain([text.into_owned()]).collect::<String>().into()
    }

    /// The block has ended: by its stop, or because the message `ended` without one. Settles a tool call.
    pub(super) fn close(&mut self, stopped: bool, message_ended: bool) {
        if !self.open {
            return;
        }
        self.open = false;
        self.stopped = stopped;
        if self.is_tool() {
            self.input = Some(self.settle(stopped, message_ended));
        }
    }

    fn settle(&self, stopped: bool, message_ended: bool) -> Result<RawJson, UnfinishedReason> {
        if self.damaged {
            return Err(UnfinishedReason::Damaged);
        }
        if self.id.is_empty() || self.name.is_empty() {
            return Err(UnfinishedReason::Unnamed);
        }
        if self.text.trim_ascii().is_empty() {
            // No delta brought anything: what the start event had is it. Nothing at all means "no arguments" behind a
            // stop; without one, nobody knows.
            let input = self.start.member("input").map_or_else(RawJson::object, RawRef::to_owned);
            return match input.members().next() {
                _ if !input.get().starts_with('{') => Err(UnfinishedReason::NotAnObject),
                Some(_) if message_ended => Ok(input),
                _ if stopped => Ok(input),
                _ => Err(UnfinishedReason::Cut),
            };
        }
        match RawJson::parse(&self.text) {
            Ok(_) if !stopped && !message_ended => Err(UnfinishedReason::Cut),
            Ok(input) if input.get().starts_with('{') => Ok(input),
            Ok(_) => Err(UnfinishedReason::NotAnObject),
            Err(error) if error.offset() >= self.text.trim_ascii_end().len() => Err(UnfinishedReason::Cut),
            Err(_) => Err(UnfinishedReason::Invalid),
        }
    }
}

/// Adds what the type of the block needs and the start event may have left out: the empty text that deltas will be
/// added to.
fn with_defaults(start: RawJson) -> RawJson {
    let (key, default): (&str, fn() -> RawJson) = match start.member("type").and_then(RawRef::as_str).as_deref() {
        Some("text") => ("text", || RawJson::string("")),
        Some("thinking") => ("thinking", || RawJson::string("")),
        Some("tool_use" | "server_tool_use" | "mcp_tool_use") => ("input", RawJson::object),
        _ => return start,
    };
    // An input of `""` is how some gateways write "none yet".
    if start.member(key).is_some_and(|value| !value.is_null() && (key != "input" || !value.is_str(""))) {
        return start;
    }
    let mut members = Members::of(start.as_ref());
    members.set(key, default());
    members.to_raw().unwrap_or(start)
}

/// Adds what a parser event says to the changes; text that goes on is joined.
fn note(path: &str, what: JsonWhat<'_>, changes: &mut Vec<InputChange>) {
    let value = |text: &str| InputChange::Value {
        path: path.to_owned(),
        // The parser gives whole scalars only, so this is JSON.
        value: RawJson::parse(text).unwrap_or_else(|_| RawJson::null()),
    };
    let change = match what {
        JsonWhat::ObjectStart => InputChange::Object { path: path.to_owned() },
        JsonWhat::ArrayStart => InputChange::Array { path: path.to_owned() },
        JsonWhat::StringStart => InputChange::Text { path: path.to_owned(), text: String::new(), closed: false },
        JsonWhat::StringChunk(_) | JsonWhat::StringEnd => {
            let (chunk, ends) = if let JsonWhat::StringChunk(chunk) = what { (chunk, false) } else { ("", true) };
            // Between the start of a string and its end nothing else comes, so the last change is of this one if it
            // is a text.
            if let Some(InputChange::Text { text, closed, .. }) = changes.last_mut() {
                text.push_str(chunk);
                *closed |= ends;
                return;
            }
            InputChange::Text { path: path.to_owned(), text: chunk.to_owned(), closed: ends }
        }
        JsonWhat::ObjectEnd | JsonWhat::ArrayEnd => InputChange::Closed { path: path.to_owned() },
        JsonWhat::Number(number) => value(number),
        JsonWhat::Bool(true) => value("true"),
        JsonWhat::Bool(false) => value("false"),
        JsonWhat::Null => value("null"),
    };
    changes.push(change);
}
