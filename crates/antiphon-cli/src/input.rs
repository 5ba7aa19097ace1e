//! Reading a file, and finding out what it holds.

use crate::args::Kind;
use crate::progress::Progress;
use crate::session::Session;
use antiphon_interop::Dialect;
use antiphon_log::{Log, Reader, ReaderOptions, Reason};
use antiphon_model::json::{Scanner, decode_utf8};
use antiphon_model::{JsonKind, Message, RawRef, Request};
use anyhow::{Context, bail};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How much is read at a time.
const CHUNK: usize = 256 * 1024;
/// How far the first line is followed before the whole file is taken in to see what it is.
const HEAD: usize = 4 * 1024 * 1024;

/// A file that was read.
pub(crate) struct Input {
    /// Its name, for people.
    pub(crate) name: String,
    /// What it was taken for.
    pub(crate) kind: Kind,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    /// One JSON text: an array of messages or a request object.
    Document(Document),
    /// One record a line.
    Session(Session),
}

pub(crate) struct Document {
    /// The text, with U+FFFD for what is not UTF-8.
    pub(crate) text: String,
    /// What was not UTF-8.
    pub(crate) broken: Vec<Broken>,
    /// Whether the file begins with a byte order mark, which is no part of JSON.
    pub(crate) byte_order_mark: bool,
    pub(crate) request: Request,
}

/// A run of bytes that are not UTF-8.
pub(crate) struct Broken {
    /// Where it begins in the file.
    pub(crate) at: usize,
    /// On which line.
    pub(crate) line: u64,
}

impl Input {
    /// Reads a file, or standard input for `-`. The file is opened for reading only.
    pub(crate) fn read(path: &Path, kind: Option<Kind>) -> anyhow::Result<Self> {
        let name = if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() };
        let (reader, size): (Box<dyn Read>, u64) = if path == Path::new("-") {
            (Box::new(std::io::stdin().lock()), 0)
        } else {
            let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
            let data = file.metadata().with_context(|| format!("cannot read {name}"))?;
            if data.is_dir() {
                bail!("{name} is a directory, not a file");
            }
            (Box::new(file), data.len())
        };
        let mut source = Source { reader, progress: Progress::reading(size, &name), head: Vec::new() };
        let body = source.load(kind).with_context(|| format!("cannot read {name}"))?;
        source.progress.finish();
        let (kind, body) = body;
        Ok(Self { name, kind, body })
    }

    /// The conversation as it would be sent.
    pub(crate) fn request(&self) -> &Request {
        match &self.body {
            Body::Document(document) => &document.request,
            Body::Session(session) => &session.request,
        }
    }
}

struct Source {
    reader: Box<dyn Read>,
    progress: Progress,
    head: Vec<u8>,
}

impl Source {
    fn load(&mut self, kind: Option<Kind>) -> anyhow::Result<(Kind, Body)> {
        match kind {
            Some(Kind::Messages | Kind::Request) => {
                let bytes = self.rest()?;
                let (found, document) = document(&bytes)?;
                return Ok((found, Body::Document(document)));
            }
            Some(kind) => {
                let log = self.log()?;
                return Ok((kind, session(log, Some(kind))?));
            }
            None => {}
        }
        // The first line tells: a whole record means one record a line, and such a file need not be held in
        // memory twice.
        let first_line = self.first_line()?;
        if self.head.is_empty() {
            bail!("the file is empty");
        }
        if first_line.is_some_and(|line| is_record(self.head.get(..line).unwrap_or_default())) {
            let log = self.log()?;
            return Ok(with_kind(session(log, None)?));
        }
        let bytes = self.rest()?;
        match document(&bytes) {
            Ok((kind, document)) => Ok((kind, Body::Document(document))),
            Err(error) => {
                let whole = begins_with_record(&bytes);
                if whole.is_none() {
                    return Err(error);
                }
                let mut reader = Reader::new(ReaderOptions::default().with_messages(true));
                reader.push(&bytes);
                drop(bytes);
                let log = reader.finish();
                // Damaged lines do not make a session something else. Yet the lines of a broken document hold
                // records too: those that go over several lines show nothing.
                let spread = log.report.problems.iter().filter(|p| p.reason == Reason::Spread).map(|p| p.records).sum();
                let lone = log.report.records.saturating_sub(spread);
                if (lone == 0 && whole == Some(false)) || antiphon_interop::detect(&log.entries).is_none() {
                    return Err(error);
                }
                Ok(with_kind(session(log, None)?))
            }
        }
    }

    /// Reads on until the first line that is not blank is whole; its length. `None` if it does not end
    /// within [`HEAD`].
    fn first_line(&mut self) -> anyhow::Result<Option<usize>> {
        loop {
            let blank = self.head.iter().take_while(|b| b.is_ascii_whitespace()).count();
            let rest = self.head.get(blank..).unwrap_or_default();
            if let Some(end) = rest.iter().position(|b| *b == b'\n') {
                return Ok(Some(blank + end));
            }
            if self.head.len() > HEAD {
                return Ok(None);
            }
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                return Ok(None);
            }
            self.head.extend_from_slice(&chunk);
        }
    }

    fn chunk(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut chunk = vec![0; CHUNK];
        loop {
            match self.reader.read(&mut chunk) {
                Ok(read) => {
                    chunk.truncate(read);
                    self.progress.add(read);
                    return Ok(chunk);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn rest(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.head);
        loop {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                return Ok(bytes);
            }
            bytes.extend_from_slice(&chunk);
        }
    }

    fn log(&mut self) -> anyhow::Result<Log> {
        let mut reader = Reader::new(ReaderOptions::default().with_messages(true));
        reader.push(&std::mem::take(&mut self.head));
        loop {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                return Ok(reader.finish());
            }
            reader.push(&chunk);
        }
    }
}

fn with_kind(body: Body) -> (Kind, Body) {
    let kind = match &body {
        Body::Session(session) => session.kind,
        Body::Document(_) => Kind::Messages,
    };
    (kind, body)
}

/// Whether the first JSON value of a file is a whole record with a message; `None` if the file is surely no session, since it
/// begins as an array of objects does.
fn begins_with_record(bytes: &[u8]) -> Option<bool> {
    let text = decode_utf8(bytes);
    let text = text.text.trim_start_matches('\u{feff}').trim_start();
    if text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{')) {
        return None;
    }
    let tells = |value: RawRef<'_>| value.member("role").is_some() || value.member("message").is_some();
    Some(Scanner::new(text).skip_value().is_ok_and(|value| tells(value) && is_record(value.get().as_bytes())))
}

/// Whether a line is a whole record of a session: an object, but no request.
fn is_record(line: &[u8]) -> bool {
    let text = decode_utf8(line);
    let text = text.text.trim_start_matches('\u{feff}');
    RawRef::parse(text).is_ok_and(|raw| {
        raw.kind() == JsonKind::Object && raw.member("messages").is_none_or(|m| m.kind() != JsonKind::Array)
    })
}

fn session(log: Log, kind: Option<Kind>) -> anyhow::Result<Body> {
    if log.entries.is_empty() {
        let lines = log.report.lines.total;
        match log.report.problems.first() {
            Some(first) => bail!("no record is in it ({lines} lines that are not blank): {first}"),
            None => bail!("the file holds nothing but white space"),
        }
    }
    let kind = match kind {
        Some(kind) => kind,
        None => match antiphon_interop::detect(&log.entries) {
            Some(Dialect::ClaudeCode) => Kind::ClaudeCode,
            Some(_) => Kind::Jsonl,
            None => bail!(
                "no message is in it: {} line(s) are JSON records, yet none has a role or is a record of a session known here",
                log.entries.len()
            ),
        },
    };
    Ok(Body::Session(Session::new(log, kind)))
}

fn document(bytes: &[u8]) -> anyhow::Result<(Kind, Document)> {
    let read = decode_utf8(bytes);
    let broken = lines_of(bytes, &read.replaced);
    let mut text = read.text.into_owned();
    let byte_order_mark = text.starts_with('\u{feff}');
    if byte_order_mark {
        text.drain(..'\u{feff}'.len_utf8());
    }
    let start = text.trim_start().as_bytes().first().copied();
    let parsed = match start {
        Some(b'[') => Request::from_messages_json(&text).map(|request| (Kind::Messages, request)),
        Some(b'{') => Request::from_json(&text).map(|request| (Kind::Request, request)),
        None => bail!("the file holds nothing but white space"),
        Some(_) if ["event:", "data:", ":"].iter().any(|head| text.trim_start().starts_with(head)) => {
            bail!("this is a body of server-sent events: `antiphon stream` reads those")
        }
        Some(_) => match RawRef::parse(&text) {
            Ok(raw) => {
                bail!("this is JSON, but a {}: an array of messages or a request object is wanted", raw.kind().name())
            }
            Err(error) => Err(error),
        },
    };
    match parsed {
        Ok((kind, request)) => {
            if !request.messages.is_empty() && !request.messages.iter().any(is_message) {
                bail!("no message is in it: {}", no_message(&text, request.messages.len()));
            }
            Ok((kind, Document { text, broken, byte_order_mark, request }))
        }
        Err(error) => match broken.first() {
            Some(Broken { at, .. }) => bail!("not JSON: {error} (and not UTF-8 at byte {at})"),
            None => bail!("not JSON that holds messages: {error} (byte {})", error.offset()),
        },
    }
}

/// The lines that offsets stand on.
fn lines_of(bytes: &[u8], offsets: &[usize]) -> Vec<Broken> {
    let (mut line, mut from) = (1, 0);
    let mut place = |at: usize| {
        line += bytes.get(from..at).unwrap_or_default().iter().filter(|b| **b == b'\n').count() as u64;
        from = at;
        Broken { at, line }
    };
    offsets.iter().map(|at| place(*at)).collect()
}

/// Whether something is a message, sound or not: it has a role, or content as messages have it.
fn is_message(message: &Message) -> bool {
    let Message::Other(other) = message else { return true };
    let content =
        || other.raw.member("content").is_some_and(|c| matches!(c.kind(), JsonKind::String | JsonKind::Array));
    other.role.is_some() || content()
}

/// What stands where messages should.
fn no_message(text: &str, count: usize) -> String {
    let first = RawRef::parse(text).ok().and_then(|raw| {
        let list = if raw.kind() == JsonKind::Array { raw } else { raw.member("messages")? };
        list.elements().next()
    });
    let Some(first) = first else { return format!("{count} values") };
    let start = (first.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let line = text.bytes().take(start).filter(|b| *b == b'\n').count() + 1;
    let what = match first.kind() {
        JsonKind::Object => {
            let keys: Vec<String> = first.members().take(6).map(|(key, _)| key.chars().take(40).collect()).collect();
            format!("an object of {}", if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") })
        }
        other => format!("a {}", other.name()),
    };
    let them = if count == 1 { "the one value has".to_owned() } else { format!("none of {count} values has") };
    format!("{them} a `role`; the first, on line {line}, is {what}")
}
