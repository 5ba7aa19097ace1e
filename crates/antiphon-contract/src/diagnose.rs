//! From the text of a refusal to the rule, the place, and what to do.

use crate::rules::{self, Rule};
use antiphon_model::RawRef;

/// What a server error text says.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// The place as the server wrote it (`messages.3.content.1`), if it did.
    pub path: Option<String>,
    /// The message it lies in. Counts the entries of the array that was sent.
    pub message: Option<usize>,
    /// The block of that message it lies in.
    pub block: Option<usize>,
    /// Ids of calls that the text names.
    pub ids: Vec<String>,
    /// The text without its wrapping.
    pub text: String,
}

impl Diagnosis {
    /// What repair does about it; `None` if it cannot.
    pub fn fix(&self) -> Option<&'static str> {
        self.rule.repair
    }
}

/// Finds the rule that a server error text stands for, and the place it names. The text may be the
/// message alone, the JSON body of the answer, or a log line with that body in it. `None` if no rule
/// fits.
///
/// ```
/// let text = "messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_7. \
///             Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
/// let diagnosis = antiphon_contract::diagnose(text).unwrap();
/// assert_eq!(diagnosis.rule.id, "missing-tool-result");
/// assert_eq!(diagnosis.message, Some(4));
/// assert_eq!(diagnosis.ids, ["toolu_7"]);
/// ```
pub fn diagnose(text: &str) -> Option<Diagnosis> {
    let text = message_of(text);
    let mut best: Option<(usize, &'static Rule)> = None;
    for rule in rules::all() {
        for pattern in rule.errors {
            if let Some(weight) = matches(pattern, &text)
                && best.is_none_or(|(most, _)| weight > most)
            {
                best = Some((weight, rule));
            }
        }
    }
    let (_, rule) = best?;
    let path = path_in(&text);
    let (message, block) = path.as_deref().map_or((None, None), indices);
    Some(Diagnosis { rule, message, block, ids: ids_in(&text), path, text })
}

/// The error message inside a JSON body, wherever it starts in the text; else the text.
fn message_of(text: &str) -> String {
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        rest = rest.get(at..).unwrap_or_default();
        let mut scanner = antiphon_model::json::Scanner::new(rest);
        if let Ok(body) = scanner.skip_value() {
            let found = body.member("error").and_then(|e| e.member("message")).or_else(|| body.member("message"));
            if let Some(message) = found.and_then(RawRef::as_str) {
                return message.into_owned();
            }
            return text.to_owned();
        }
        rest = rest.get(1..).unwrap_or_default();
        // A text full of braces that is not JSON is no body: one look is enough.
        if rest.len() + 4096 < text.len() {
            break;
        }
    }
    text.trim().to_owned()
}

/// How many letters of a pattern stand in the text, in order; `None` if it does not fit. A pattern that
/// does not begin with `*` fits at the start, or behind the path or kind that precedes a message.
fn matches(pattern: &str, text: &str) -> Option<usize> {
    let anchored = !pattern.starts_with('*');
    let parts: Vec<&str> = pattern.split('*').filter(|part| !part.is_empty()).collect();
    let weight = parts.iter().map(|part| part.len()).sum();
    let from = |start: &str| {
        let mut rest = start;
        for (i, part) in parts.iter().enumerate() {
            rest = if i == 0 && anchored { rest.strip_prefix(part)? } else { rest.split_once(part)?.1 };
        }
        Some(weight)
    };
    from(text).or_else(|| {
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once(": ").filter(|_| anchored) {
            if let Some(weight) = from(behind) {
                return Some(weight);
            }
            rest = behind;
        }
        None
    })
}

/// The first path in the text: `messages.2.content.0`, `tools.1.custom.name`, `system.0`; other providers
/// write `messages[2].content[0]`.
fn path_in(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '`' | '\'' | ','))
        .map(|word| word.replace('[', ".").replace(']', ""))
        .map(|word| word.trim_end_matches([':', '.']).to_owned())
        .find(|word| {
            let mut steps = word.split('.');
            matches!(steps.next(), Some("messages" | "tools" | "system"))
                && steps.next().is_some_and(|step| !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit()))
        })
}

fn indices(path: &str) -> (Option<usize>, Option<usize>) {
    let steps: Vec<&str> = path.split('.').collect();
    match steps.as_slice() {
        ["messages", message, "content", block, ..] => (message.parse().ok(), block.parse().ok()),
        ["messages", message, ..] => (message.parse().ok(), None),
        _ => (None, None),
    }
}

/// Ids of calls in the text: words with the prefix of one, and what stands behind the phrases that
/// introduce a list of them.
fn ids_in(text: &str) -> Vec<String> {
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut ids: Vec<String> = Vec::new();
    let mut add = |id: &str| {
        if !id.is_empty() && !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    };
    for word in text.split(|c: char| !is_id(c)) {
        if ["toolu_", "srvtoolu_", "mcptoolu_", "call_"].iter().any(|p| word.starts_with(p) && word.len() > p.len()) {
            add(word);
        }
    }
    for phrase in ["blocks immediately after: ", "` blocks: ", "blocks with id: "] {
        let Some((_, behind)) = text.split_once(phrase) else { continue };
        for id in behind.split(". ").next().unwrap_or_default().split(", ") {
            add(id.trim().trim_end_matches('.'));
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_and_log_lines_are_unwrapped() {
        let body = r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages: at least one message is required"}}"#;
        assert_eq!(diagnose(body).unwrap().rule.id, "no-messages");
        assert_eq!(diagnose(&format!("API Error: 400 {body} retrying")).unwrap().rule.id, "no-messages");
        assert!(diagnose("it rains").is_none());
        assert!(diagnose("").is_none());
    }

    #[test]
    fn the_longest_text_wins() {
        let text = "messages.3.content.1.thinking.cache_control: Extra inputs are not permitted";
        let diagnosis = diagnose(text).unwrap();
        assert_eq!(diagnosis.rule.id, "thinking-cache-control");
        assert_eq!((diagnosis.message, diagnosis.block), (Some(3), Some(1)));
        assert_eq!(diagnosis.path.as_deref(), Some("messages.3.content.1.thinking.cache_control"));
    }

    #[test]
    fn several_ids_are_listed() {
        let text = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a1, b2. Each `tool_use` block must have one.";
        assert_eq!(diagnose(text).unwrap().ids, ["a1", "b2"]);
    }

    #[test]
    fn a_text_of_braces_is_read_in_bounded_time() {
        let text = "{".repeat(1_000_000);
        assert!(diagnose(&text).is_none());
    }
}
