//! `antiphon stream`

use crate::Outcome;
use crate::args::{Format, StreamArgs};
use crate::render;
use antiphon_contract::rules;
use antiphon_stream::{Collected, MessageDecoder, Update};
use anyhow::{Context, bail};
use serde_json::json;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

/// A pipe hands out what it has; a file is read in pieces of this size.
const CHUNK: usize = 64 * 1024;

pub(crate) fn run(args: &StreamArgs) -> anyhow::Result<Outcome> {
    let name = if args.file == Path::new("-") { "<stdin>".to_owned() } else { args.file.display().to_string() };
    let mut reader: Box<dyn Read> = if args.file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(&args.file).with_context(|| format!("cannot open {name}"))?)
    };
    let mut screen = Screen { events: args.events, quiet: args.format == Format::Json && !args.events, open: None };
    let mut decoder = MessageDecoder::new();
    let mut updates = Vec::new();
    let mut chunk = vec![0; CHUNK];
    let mut bytes = 0;
    let mut seen = 0;
    loop {
        let read = match reader.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error).with_context(|| format!("cannot read {name}")),
        };
        bytes += read;
        decoder.push_into(chunk.get(..read).unwrap_or_default(), &mut updates);
        seen += updates.len();
        screen.show(&updates)?;
        updates.clear();
    }
    updates = decoder.end();
    seen += updates.iter().filter(|u| !matches!(u, Update::Interrupted { .. })).count();
    if seen == 0 {
        if bytes == 0 {
            bail!("{name} is empty");
        }
        bail!("{name} holds no event of a message stream in its {bytes} bytes");
    }
    screen.show(&updates)?;
    screen.close()?;
    let collected = Collected::from_outcome(decoder.finish());
    if screen.quiet {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{}", as_json(&collected)?)?;
    }
    if args.format == Format::Human {
        tell(&name, &collected)?;
    }
    Ok(if collected.complete && collected.findings.is_empty() { Outcome::Good } else { Outcome::Fault })
}

/// The shape of DESIGN section 9, with findings as `check` has them.
fn as_json(collected: &Collected) -> anyhow::Result<String> {
    let findings: Vec<_> = collected
        .findings
        .iter()
        .map(|finding| {
            let id = finding.rule.as_str();
            json!({
                "rule": id,
                "severity": "error",
                "path": finding.index.map_or_else(String::new, |index| format!("content.{index}")),
                "message": finding.message,
                "fix": rules::by_id(id).and_then(|rule| rule.repair),
            })
        })
        .collect();
    // Written member by member, so that raw JSON inside leaves as it came.
    Ok(format!(
        r#"{{"message":{},"complete":{},"error":{},"tool_calls":{},"findings":{}}}"#,
        serde_json::to_string(&collected.message)?,
        collected.complete,
        serde_json::to_string(&collected.error)?,
        serde_json::to_string(&collected.tool_calls)?,
        serde_json::to_string(&findings)?
    ))
}

fn tell(name: &str, collected: &Collected) -> anyhow::Result<()> {
    let mut err = anstream::stderr().lock();
    for finding in &collected.findings {
        writeln!(err, "{}", render::trouble(&format!("{}: {}", finding.rule.as_str(), finding.message)))?;
    }
    let calls = match collected.tool_calls.len() {
        0 => String::new(),
        n => format!(", {}", render::plural(n, "tool call")),
    };
    let usage = match &collected.message {
        Some(antiphon_model::Message::Assistant(message)) => message
            .usage()
            .map(|usage| format!(", {} tokens in, {} out", usage.total_input(), usage.output_tokens.unwrap_or(0)))
            .unwrap_or_default(),
        _ => String::new(),
    };
    let verdict = if collected.complete { "complete" } else { "not complete" };
    writeln!(err, "{name}: {verdict}{calls}{usage}")?;
    Ok(())
}

/// What a person sees while the stream comes.
struct Screen {
    events: bool,
    quiet: bool,
    /// The block whose text stands on the last line, if that line has no end yet.
    open: Option<u64>,
}

impl Screen {
    fn show(&mut self, updates: &[Update]) -> anyhow::Result<()> {
        if self.quiet || updates.is_empty() {
            return Ok(());
        }
        let mut out = anstream::stdout().lock();
        for update in updates {
            if self.events {
                writeln!(out, "{}", serde_json::to_string(update)?)?;
                continue;
            }
            match update {
                Update::TextChunk { index, text } => {
                    self.turn_to(*index, &mut out)?;
                    write!(out, "{text}")?;
                }
                Update::ToolUseStart { index, name, id, server } => {
                    self.turn_to(*index, &mut out)?;
                    let who = if *server { "server tool" } else { "tool" };
                    write!(out, "[{who} {name} {id}] ")?;
                }
                Update::ToolInput { index, partial_json, .. } => {
                    self.turn_to(*index, &mut out)?;
                    write!(out, "{partial_json}")?;
                }
                _ => {}
            }
        }
        // What came is to be seen now, not when a buffer is full.
        out.flush()?;
        Ok(())
    }

    /// Each block begins on a line of its own.
    fn turn_to(&mut self, index: u64, out: &mut impl Write) -> std::io::Result<()> {
        if self.open.is_some_and(|open| open != index) {
            writeln!(out)?;
        }
        self.open = Some(index);
        Ok(())
    }

    fn close(&mut self) -> std::io::Result<()> {
        if self.open.take().is_some() {
            writeln!(anstream::stdout().lock())?;
        }
        Ok(())
    }
}
