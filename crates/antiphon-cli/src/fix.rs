//! `antiphon fix`

use crate::args::{FixArgs, Format, Kind};
use crate::finding::{Item, profile, shown};
use crate::input::{Body, Document, Input};
use crate::session::{Rewritten, Session};
use crate::{Outcome, json, output, render};
use antiphon_contract::{Finding, Profile, Severity, rules};
use antiphon_interop::claude_code::RewriteError;
use antiphon_model::{Message, RawRef, Request};
use antiphon_transform::{Conversation, Merge, OrphanResult, Repair, Report, Transform, UnsignedThinking};
use anyhow::bail;

pub(crate) fn run(args: &FixArgs) -> anyhow::Result<Outcome> {
    if let Some(unknown) = args.only.iter().find(|id| rules::by_id(id).is_none()) {
        bail!("no rule is named `{unknown}`: `antiphon explain` lists them");
    }
    if args.in_place && args.file == std::path::Path::new("-") {
        bail!("--in-place needs a file, not standard input");
    }
    let input = Input::read(&args.file, args.judge.input)?;
    let mut profile = profile(&args.judge, &input)?;
    if args.shape.is_some() {
        // An array of messages is to be sent, and must have one.
        profile = profile.with_level(rules::NO_MESSAGES.id, Some(Severity::Error));
    }
    let mut conversation = Conversation::new(input.request().clone());
    let mut report = transform(args, repair(args, &profile), &mut conversation, input.kind);
    let mut result = write_out(args, &input, &conversation);
    let emptied = conversation.messages().is_empty() && !input.request().messages.is_empty();
    if emptied || result.is_err() {
        // Nothing would be left to go on with (and without its last line another branch of a session is the active
        // one). What would be dropped stays as text then.
        let keeping = repair(args, &profile)
            .with_orphan_result(OrphanResult::ToText)
            .with_unsigned_thinking(UnsignedThinking::ToText);
        conversation = Conversation::new(input.request().clone());
        report = transform(args, keeping, &mut conversation, input.kind);
        result = write_out(args, &input, &conversation);
    }
    if let Err(error) = &result
        && let Some((settled, more, written)) = settle(args, &profile, error)
    {
        conversation = settled;
        report.extend(more);
        result = Ok(written);
    }
    let result = match result {
        Ok(result) => result,
        Err(error) => {
            output::say(&render::trouble(&format!("{} cannot be repaired as a session file: {error:#}", input.name)));
            output::say("note: `--as messages` prints the repaired conversation as an array");
            return Ok(Outcome::Fault);
        }
    };
    let left = left(args, &profile, &input, conversation.request());
    if args.diff {
        output::to_stdout(diff(&input, &original(&input), &result.bytes).as_bytes())?;
    } else if args.in_place {
        in_place(args, &result)?;
    } else if let Some(path) = &args.output {
        output::to_file(path, &result.bytes)?;
    } else {
        output::to_stdout(&result.bytes)?;
    }
    tell(args, &input, &report, &result, &left);
    Ok(if left.failed == 0 { Outcome::Good } else { Outcome::Fault })
}

/// A session can read back as another conversation than was written: two answers with one id come back as
/// one. What is read back then is repaired in its turn, until it stays as it is.
fn settle(args: &FixArgs, profile: &Profile, error: &anyhow::Error) -> Option<(Conversation, Report, Rewritten)> {
    const TRIES: usize = 4;
    let nearest = |error: &anyhow::Error| match error.downcast_ref::<RewriteError>() {
        Some(RewriteError::Differs { nearest, .. }) => Some(nearest.clone()),
        _ => None,
    };
    let mut bytes = nearest(error)?;
    let mut report = Report::default();
    for _ in 0..TRIES {
        let session = Session::new(antiphon_log::read(&bytes), Kind::ClaudeCode);
        let mut conversation = Conversation::new(session.request.clone());
        report.extend(transform(args, repair(args, profile), &mut conversation, Kind::ClaudeCode));
        match session.rewrite(conversation.messages(), |i| conversation.origin(i)) {
            Ok(written) => return Some((conversation, report, Rewritten { changed: true, ..written })),
            Err(error) => bytes = nearest(&error)?,
        }
    }
    None
}

/// Repair, then merge. A session file is not merged line by line: the API joins neighbours itself, and the
/// history of a program is not to be rewritten for looks.
fn transform(args: &FixArgs, repair: Repair, conversation: &mut Conversation, kind: Kind) -> Report {
    // What is left is looked up in the result.
    let mut report = repair.apply(conversation).unwrap_or_else(|error| error.report().clone());
    let merges = !args.no_merge && args.only.is_empty() && (kind != Kind::ClaudeCode || args.shape.is_some());
    if merges && let Ok(joined) = Merge::blocks().apply(conversation) {
        report.extend(joined);
    }
    report
}

fn repair(args: &FixArgs, profile: &Profile) -> Repair {
    let mut repair = Repair::new(profile.clone());
    if !args.only.is_empty() {
        repair = repair.only(args.only.clone());
    }
    if let Some(text) = &args.continue_with {
        repair = repair.with_continuation(text);
    }
    repair
}

/// What is left to be refused.
struct Left {
    errors: Vec<Item>,
    /// How many of them were to be repaired; the others are of rules that were not asked for.
    failed: usize,
}

fn left(args: &FixArgs, profile: &Profile, input: &Input, request: &Request) -> Left {
    let (mut errors, mut failed) = (Vec::new(), 0);
    for finding in antiphon_contract::check(request, profile).into_iter().filter(Finding::is_error) {
        let asked = args.only.is_empty() || args.only.iter().any(|id| id == finding.rule.id);
        failed += usize::from(asked);
        let hint = match finding.rule.id {
            "ends-with-assistant" => Some("say what to go on with by --continue-with TEXT"),
            _ if !asked => Some("left out by --only"),
            _ => None,
        };
        errors.push(Item {
            rule: finding.rule.id,
            severity: finding.severity,
            path: shown(&finding.path, input).to_string(),
            message: finding.message,
            fix: hint,
            place: None,
            line: None,
            excerpt: Box::default(),
        });
    }
    Left { errors, failed }
}

/// The result in the shape of the input, or as asked.
fn write_out(args: &FixArgs, input: &Input, conversation: &Conversation) -> anyhow::Result<Rewritten> {
    if args.shape.is_some() {
        let mut out = String::from("[\n");
        for (i, message) in conversation.messages().iter().enumerate() {
            out.push_str(if i == 0 { "  " } else { ",\n  " });
            out.push_str(&message.to_wire().to_json_line());
        }
        out.push_str("\n]\n");
        let mut notes = Vec::new();
        if conversation.request().system.is_some() {
            notes.push("the system prompt is left out: an array of messages has no room for it".to_owned());
        }
        return Ok(Rewritten { bytes: out.into_bytes(), changed: true, notes });
    }
    match &input.body {
        Body::Session(session) => session.rewrite(conversation.messages(), |i| conversation.origin(i)),
        Body::Document(document) => Ok(rewrite_document(document, input.kind, conversation)),
    }
}

/// The document with the messages that changed; the others stay as they were written.
fn rewrite_document(document: &Document, kind: Kind, conversation: &Conversation) -> Rewritten {
    let request = conversation.request();
    let same = |bytes: String, changed| Rewritten { bytes: bytes.into_bytes(), changed, notes: Vec::new() };
    if *request == document.request {
        let mended = !document.broken.is_empty() || document.byte_order_mark;
        return same(document.text.clone(), mended);
    }
    let Some(raw) = RawRef::parse(&document.text).ok() else { return same(request.to_json(), true) };
    let rest_changed = request.system != document.request.system
        || request.tools != document.request.tools
        || request.extra != document.request.extra;
    let list = if kind == Kind::Messages { Some(raw) } else { raw.member("messages") };
    let Some(list) = list else { return same(request.to_json(), true) };
    let array = array(&document.request.messages, list, conversation);
    if kind == Kind::Messages {
        // A bare array has no room for a system prompt that was moved out of it.
        return match &request.system {
            None => same(format!("{array}\n"), true),
            Some(_) => same(format!("{}\n", request.to_json()), true),
        };
    }
    if rest_changed {
        return same(format!("{}\n", request.to_json()), true);
    }
    let start = (list.get().as_ptr() as usize).saturating_sub(document.text.as_ptr() as usize);
    let head = document.text.get(..start).unwrap_or_default();
    let tail = document.text.get(start + list.get().len()..).unwrap_or_default();
    same(format!("{head}{array}{tail}"), true)
}

fn array(before: &[Message], list: RawRef<'_>, conversation: &Conversation) -> String {
    let written: Vec<RawRef<'_>> = list.elements().collect();
    let mut out = String::from("[\n");
    for (i, message) in conversation.messages().iter().enumerate() {
        out.push_str(if i == 0 { " " } else { ",\n " });
        let untouched = match conversation.origin(i) {
            [at] => before.get(*at).filter(|old| *old == message).and_then(|_| written.get(*at)),
            _ => None,
        };
        match untouched {
            Some(raw) => out.push_str(raw.get()),
            None => out.push_str(&message.to_json_line()),
        }
    }
    out.push_str("\n]");
    out
}

fn in_place(args: &FixArgs, result: &Rewritten) -> anyhow::Result<()> {
    if !result.changed {
        return Ok(());
    }
    if !args.no_backup {
        let kept = output::backup(&args.file)?;
        if args.report == Format::Human {
            output::say(&format!("note: the file as it was is kept as {}", kept.display()));
        }
    }
    output::to_file(&args.file, &result.bytes)
}

/// What the readers had to drop or mend.
fn damage(input: &Input) -> Vec<String> {
    match &input.body {
        Body::Session(session) => session.log.report.problems.iter().map(ToString::to_string).collect(),
        Body::Document(document) => {
            let broken = document.broken.iter();
            let mut notes: Vec<String> = broken
                .map(|b| format!("line {}: bytes that are not UTF-8 at byte {} read as U+FFFD", b.line, b.at))
                .collect();
            if document.byte_order_mark {
                notes.push("the byte order mark is left out".to_owned());
            }
            notes
        }
    }
}

fn original(input: &Input) -> String {
    match &input.body {
        Body::Document(document) => document.text.clone(),
        Body::Session(session) => {
            let mut bytes = Vec::new();
            for entry in &session.log.entries {
                entry.write_to(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
    }
}

/// What changes, as a unified diff of lines.
fn diff(input: &Input, before: &str, after: &[u8]) -> String {
    let after = String::from_utf8_lossy(after);
    similar::TextDiff::from_lines(before, &*after)
        .unified_diff()
        .context_radius(1)
        .header(&input.name, &format!("{} (repaired)", input.name))
        .to_string()
}

/// More lines than this are counted, not shown.
const MOST: usize = 200;

fn tell(args: &FixArgs, input: &Input, report: &Report, result: &Rewritten, left: &Left) {
    let damage = damage(input);
    let mended = !damage.is_empty() || result.changed && args.shape.is_none();
    let notes: Vec<String> = damage.into_iter().chain(result.notes.iter().cloned()).filter(|n| !n.is_empty()).collect();
    if args.report == Format::Json {
        return output::say(&json::report(input, report, &notes, &left.errors));
    }
    let lines = report.changes.iter().map(|change| format!("  {}", render::clip(&change.to_string())));
    list(lines.chain(notes.iter().map(|note| format!("  {}", render::clip(note)))));
    list(left.errors.iter().map(|item| {
        let why = item.fix.map(|hint| format!(" ({hint})")).unwrap_or_default();
        render::trouble(&render::clip(&format!("not repaired: {} at {}: {}{why}", item.rule, item.path, item.message)))
    }));
    let done = match report.changes.len() {
        0 if mended => "damage is mended".to_owned(),
        0 if left.errors.is_empty() => "nothing to repair".to_owned(),
        0 => "no change".to_owned(),
        n => render::plural(n, "change"),
    };
    let rest = match left.errors.len() {
        0 if done.starts_with("nothing") => String::new(),
        0 => "; no error is left".to_owned(),
        n if left.failed == 0 => format!("; {} of other rules left", render::plural(n, "error")),
        n => format!("; {} left", render::plural(n, "error")),
    };
    output::say(&format!("{}: {done}{rest} ({})", input.name, input.kind.described()));
}

fn list(lines: impl Iterator<Item = String>) {
    let mut more = 0;
    for (at, line) in lines.enumerate() {
        if at < MOST {
            output::say(&line);
        } else {
            more += 1;
        }
    }
    if more > 0 {
        output::say(&format!("  … and {more} more (all with --report json)"));
    }
}
