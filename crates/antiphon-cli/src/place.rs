//! Where a path of the contract stands in a file: line, and the text to show.

use crate::input::{Body, Input};
use antiphon_contract::{Path, Step};
use antiphon_model::RawRef;

/// A place to show: a line of the file and the value on it.
pub(crate) struct Place {
    /// The line, counted from 1.
    pub(crate) line: u64,
    /// The character of that line the value begins with, counted from 1.
    pub(crate) column: usize,
    /// One line of text.
    pub(crate) text: String,
    /// The part of it that is meant, in bytes.
    pub(crate) span: std::ops::Range<usize>,
}

impl Place {
    /// The character of [`text`](Self::text) the value begins with, counted from 1.
    pub(crate) fn shown_column(&self) -> usize {
        self.text.get(..self.span.start).map_or(1, |before| before.chars().count() + 1)
    }
}

/// Longer texts are cut, with the value in sight.
const WIDTH: usize = 100;
/// The most characters that are underlined.
const UNDERLINE: usize = 40;

/// Finds places in a file. Where each message begins is found once.
pub(crate) struct Finder<'i> {
    input: &'i Input,
    messages: Vec<RawRef<'i>>,
}

impl<'i> Finder<'i> {
    pub(crate) fn new(input: &'i Input) -> Self {
        let messages = match &input.body {
            Body::Document(document) => {
                messages_of(&document.text).map(|raw| raw.elements().collect()).unwrap_or_default()
            }
            Body::Session(_) => Vec::new(),
        };
        Self { input, messages }
    }

    /// The place a path leads to, or the nearest one around it.
    pub(crate) fn find(&self, path: &Path) -> Option<Place> {
        match &self.input.body {
            Body::Document(document) => {
                let mut rest = path.steps();
                let mut value = RawRef::parse(&document.text).ok()?;
                if let [Step::Field("messages"), tail @ ..] = rest {
                    value = messages_of(&document.text)?;
                    rest = tail;
                    if let [Step::Index(at), tail @ ..] = rest {
                        value = *self.messages.get(*at)?;
                        rest = tail;
                    }
                }
                Some(shown(&document.text, walk(value, rest), 1))
            }
            Body::Session(session) => {
                let message = path.message_index()?;
                let (entry, block) = session.entry(message, path.block_index())?;
                let entry = session.log.entries.get(entry)?;
                let raw = entry.raw();
                let message = raw.member("message").filter(|m| m.member("role").is_some()).unwrap_or(raw);
                let mut rest = path.steps().get(2..).unwrap_or_default();
                let mut value = message;
                if let (Some(block), [Step::Field("content"), Step::Index(_), tail @ ..]) = (block, rest) {
                    value = message.member("content").and_then(|c| c.elements().nth(block)).unwrap_or(message);
                    rest = tail;
                }
                Some(shown(raw.get(), walk(value, rest), entry.line()))
            }
        }
    }
}

fn messages_of(text: &str) -> Option<RawRef<'_>> {
    let raw = RawRef::parse(text).ok()?;
    if raw.elements().next().is_some() { Some(raw) } else { raw.member("messages") }
}

/// Follows a path as far as it leads.
fn walk<'a>(mut value: RawRef<'a>, steps: &[Step]) -> RawRef<'a> {
    for step in steps {
        let next = match step {
            Step::Field(name) => value.member(name),
            Step::Index(at) => value.elements().nth(*at),
        };
        match next {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}

/// Where `value` begins, and the text around it. A value over several lines is shown on one.
fn shown(text: &str, value: RawRef<'_>, first_line: u64) -> Place {
    // Where a part lies in the whole it was taken from.
    let start = (value.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    let before = text.get(..start).unwrap_or_default();
    let line = first_line + before.bytes().filter(|b| *b == b'\n').count() as u64;
    let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let mut shown = String::new();
    let prefix = before.get(line_start..).unwrap_or_default();
    push(&mut shown, if prefix.len() > WIDTH / 3 { last(prefix, WIDTH / 4) } else { prefix.into() }.chars());
    let from = shown.len();
    let rest = text.get(start..).unwrap_or_default();
    let whole = push(&mut shown, one_line(value.get()));
    let to = shown.len();
    if whole {
        let behind = rest.get(value.get().len()..).unwrap_or_default();
        push(&mut shown, behind.chars().take_while(|c| !matches!(c, '\n' | '\r')));
    }
    // A long underline says no more than a short one.
    let to = shown.get(from..to).and_then(|value| value.char_indices().nth(UNDERLINE)).map_or(to, |(at, _)| from + at);
    Place { line, column: prefix.chars().count() + 1, span: from..to, text: shown }
}

/// A place that holds no value: the beginning of what stands there.
pub(crate) fn excerpt(bytes: &[u8], line: u64) -> Place {
    let mut text = String::new();
    push(&mut text, String::from_utf8_lossy(bytes).chars());
    let to = text.char_indices().nth(UNDERLINE).map_or(text.len(), |(at, _)| at);
    Place { line, column: 1, span: 0..to, text }
}

/// Adds characters until the text is as wide as it may be; whether all had room. What a terminal would act on is
/// not shown.
fn push(text: &mut String, chars: impl Iterator<Item = char>) -> bool {
    for (width, c) in (text.chars().count()..).zip(chars) {
        if width >= WIDTH {
            if !text.ends_with('…') {
                text.push('…');
            }
            return false;
        }
        text.push(if c.is_control() { ' ' } else { c });
    }
    true
}

/// The last characters of a text.
fn last(text: &str, count: usize) -> String {
    let start = text.char_indices().rev().nth(count).map_or(0, |(at, _)| at);
    format!("…{}", text.get(start..).unwrap_or_default())
}

/// A value without its line breaks and indentation.
fn one_line(value: &str) -> impl Iterator<Item = char> {
    let spread = value.contains(['\n', '\r']);
    let (mut in_string, mut escaped) = (false, false);
    value.chars().filter(move |c| {
        if in_string {
            in_string = escaped || *c != '"';
            escaped = *c == '\\' && !escaped;
            return true;
        }
        in_string = *c == '"';
        !spread || !c.is_ascii_whitespace()
    })
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
