//! Findings as a compiler shows them.

use crate::finding::Item;
use crate::input::Input;
use crate::place::{Finder, Place, excerpt};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use antiphon_contract::Severity;
use std::fmt::Write;

/// More findings than this are counted, not shown.
const MOST: usize = 200;

/// All findings of a file, and a line that counts them.
pub(crate) fn findings(input: &Input, items: &[Item]) -> String {
    let finder = Finder::new(input);
    let renderer = Renderer::styled();
    let mut out = String::new();
    for item in items.iter().take(MOST) {
        let place = match item.line {
            Some(line) if !item.excerpt.is_empty() => Some(excerpt(&item.excerpt, line)),
            _ => item.place.as_ref().and_then(|path| finder.find(path)),
        };
        let columns = place.as_ref().map(|place| (place.line, place.shown_column(), place.column));
        let mut text = renderer.render(&[group(input, item, place)]);
        if let Some((line, shown, column)) = columns.filter(|(_, shown, column)| shown != column) {
            // The excerpt of a long line has columns of its own; the file's are wanted.
            let name = &input.name;
            text = text.replacen(&format!("{name}:{line}:{shown}"), &format!("{name}:{line}:{column}"), 1);
        }
        out.push_str(&text);
        out.push_str("\n\n");
    }
    if items.len() > MOST {
        let _ = write!(out, "… and {} more findings (all with --format json)\n\n", items.len() - MOST);
    }
    out.push_str(&summary(input, items));
    out
}

fn group<'a>(input: &'a Input, item: &'a Item, place: Option<Place>) -> Group<'a> {
    let level = match item.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(item.message.as_str()).id(item.rule));
    group = match place {
        Some(place) => {
            let line = usize::try_from(place.line).unwrap_or(usize::MAX);
            group.element(
                Snippet::source(place.text)
                    .line_start(line)
                    .path(input.name.as_str())
                    .annotation(AnnotationKind::Primary.span(place.span).label(item.path.as_str())),
            )
        }
        None => {
            let origin = Origin::path(input.name.as_str());
            group.element(match item.line {
                Some(line) => origin.line(usize::try_from(line).unwrap_or(usize::MAX)),
                None => origin,
            })
        }
    };
    match item.fix {
        Some(fix) => group.element(Level::HELP.message(format!("`antiphon fix` will {fix}"))),
        None => group,
    }
}

fn summary(input: &Input, items: &[Item]) -> String {
    let errors = items.iter().filter(|item| item.is_error()).count();
    let warnings = items.len() - errors;
    let kind = input.kind.described();
    let verdict = match (errors, warnings) {
        (0, 0) => "no findings".to_owned(),
        (0, w) => plural(w, "warning"),
        (e, 0) => plural(e, "error"),
        (e, w) => format!("{}, {}", plural(e, "error"), plural(w, "warning")),
    };
    format!("{}: {verdict} ({kind})", input.name)
}

pub(crate) fn plural(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

/// A text for one line of a terminal: not too long, and without what a terminal would act on.
pub(crate) fn clip(text: &str) -> String {
    const MOST: usize = 300;
    let mut out: String = text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if out.len() < text.len() {
        let _ = write!(out, "… ({} characters)", text.chars().count());
    }
    out
}

/// A message about what could not be done.
pub(crate) fn trouble(message: &str) -> String {
    Renderer::styled().render(&[Group::with_title(Level::ERROR.primary_title(message))])
}
