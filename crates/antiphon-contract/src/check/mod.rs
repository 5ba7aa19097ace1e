//! `check`: a request against the table of rules.

mod blocks;
mod cache;
mod media;
mod order;
mod pairs;
mod params;
mod server_tools;
mod text;
mod thinking;

pub use blocks::SDK_HELPER_KEYS;

use crate::finding::{Finding, Severity};
use crate::path::Path;
use crate::profile::Profile;
use crate::rules::{self, Rule};
use crate::view::View;
use antiphon_model::Request;

/// All places where a request breaks a rule, in the order of the request. Warnings are among them;
/// no error means that the API takes the request, as far as that can be told without the server.
///
/// Work is linear in the size of the request.
///
/// ```
/// use antiphon_contract::{Profile, check};
/// use antiphon_model::{Message, Request, ToolUse};
/// let request = Request::new(vec![
///     Message::user("list the files"),
///     Message::from(ToolUse::new("toolu_1", "ls", &serde_json::json!({}))?),
/// ]);
/// let findings = check(&request, &Profile::default());
/// assert_eq!(findings[0].rule.id, "missing-tool-result");
/// assert_eq!(findings[0].path.to_string(), "messages.1");
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
pub fn check(request: &Request, profile: &Profile) -> Vec<Finding> {
    let view = View::new(&request.messages);
    let on = |rule| profile.severity(rule).is_some();
    let lints = on(&rules::NUL_BYTE) || on(&rules::ANSI_ESCAPE) || on(&rules::BASE64_IN_TEXT);
    let mut found = Found { profile, lints, findings: Vec::new() };
    params::check(request, &view, &mut found);
    blocks::check(request, &view, &mut found);
    order::check(request, &view, &mut found);
    pairs::check(&view, &mut found);
    server_tools::check(request, &view, &mut found);
    thinking::check(request, &view, &mut found);
    cache::check(request, &view, &mut found);
    media::check(request, &view, &mut found);
    found.findings.sort_by(|a, b| a.path.cmp(&b.path));
    found.findings
}

/// Whether a request has no error under a profile; see [`check`].
pub fn is_valid(request: &Request, profile: &Profile) -> bool {
    check(request, profile).iter().all(|finding| finding.severity == Severity::Warning)
}

/// What was found so far.
struct Found<'p> {
    profile: &'p Profile,
    /// Whether any rule that looks at every byte of text is on.
    lints: bool,
    findings: Vec<Finding>,
}

impl Found<'_> {
    fn add(&mut self, rule: &'static Rule, path: Path, message: impl Into<String>) {
        if let Some(severity) = self.profile.severity(rule) {
            self.findings.push(Finding { rule, severity, path, message: message.into() });
        }
    }

    /// A finding that is at most as bad as `most`.
    fn add_at_most(&mut self, most: Severity, rule: &'static Rule, path: Path, message: impl Into<String>) {
        if let Some(severity) = self.profile.severity(rule) {
            self.findings.push(Finding { rule, severity: severity.min(most), path, message: message.into() });
        }
    }

    /// A finding whose message is the rule's title.
    fn plain(&mut self, rule: &'static Rule, path: Path) {
        self.add(rule, path, rule.title);
    }
}

/// An id or name as a message shows it: cut when it is long.
fn shown(name: &str) -> String {
    const MOST: usize = 80;
    let mut chars = name.chars();
    let head: String = chars.by_ref().take(MOST).collect();
    if chars.next().is_some() { format!("`{head}…` ({} bytes)", name.len()) } else { format!("`{head}`") }
}

/// Whether an id is one that the provider gave to a call that it runs itself.
pub(crate) fn is_server_id(id: &str) -> bool {
    id.starts_with("srvtoolu_") || id.starts_with("mcptoolu_")
}

/// Whether all ids of client tools may look like this (contract 4.5).
pub(crate) fn is_tool_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

fn too_large(request: &Request, found: &mut Found<'_>) {
    // Writing the request out to measure it would cost as much as everything else; nearly all requests
    // are far below the limit, and a rough count is enough to know that.
    let limit = found.profile.body_bytes;
    let rough: usize = request.messages.iter().map(rough_size).sum();
    if rough > limit / 8 {
        let size = request.to_json().len();
        if size > limit {
            found.add(
                &rules::BODY_TOO_LARGE,
                Path::root(),
                format!("the request is {size} bytes, over the limit of {limit}"),
            );
        }
    }
}

/// Bytes of the parts that can be large.
fn rough_size(message: &antiphon_model::Message) -> usize {
    use antiphon_model::{BlockRef, Source};
    if let antiphon_model::Message::Other(other) = message {
        return other.raw.get().len();
    }
    let source = |source: &Source| match source {
        Source::Base64(s) => s.data.len(),
        Source::Text(s) => s.data.len(),
        Source::Other(raw) => raw.get().len(),
        _ => 0,
    };
    message
        .walk()
        .map(|item| match item.block {
            BlockRef::Text { text, .. } => text.len(),
            BlockRef::Thinking(b) => b.thinking.len(),
            BlockRef::RedactedThinking(b) => b.data.len(),
            BlockRef::Image(b) => source(&b.source),
            BlockRef::Document(b) => source(&b.source),
            BlockRef::ToolUse(b) => b.input.get().len(),
            BlockRef::ServerToolUse(b) => b.input.get().len(),
            BlockRef::ServerToolResult(b) => b.content.as_ref().map_or(0, |c| c.get().len()),
            BlockRef::Other(b) => b.raw.get().len(),
            _ => 0,
        })
        .sum()
}
