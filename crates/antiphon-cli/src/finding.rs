//! Findings of the contract and of the readers, in one list.

use crate::args::Judge;
use crate::input::{Body, Input};
use antiphon_contract::{Finding, PROFILE_NAMES, Path, Profile, Severity, check, rules};
use anyhow::bail;

/// A finding as it is reported.
pub(crate) struct Item {
    pub(crate) rule: &'static str,
    pub(crate) severity: Severity,
    pub(crate) path: String,
    pub(crate) message: String,
    pub(crate) fix: Option<&'static str>,
    /// Where in the request, if there.
    pub(crate) place: Option<Path>,
    /// The line of the file, if that is known without looking.
    pub(crate) line: Option<u64>,
    /// What stands there, of damage.
    pub(crate) excerpt: Box<[u8]>,
}

impl Item {
    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The profile that the arguments and the file ask for.
pub(crate) fn profile(judge: &Judge, input: &Input) -> anyhow::Result<Profile> {
    let Some(profile) = Profile::by_name(&judge.profile) else {
        bail!("no profile is named `{}`: there are {}", judge.profile, PROFILE_NAMES.join(", "));
    };
    let model = judge.model.clone().or_else(|| input.request().model().map(std::borrow::Cow::into_owned));
    let profile = match model {
        Some(model) => profile.with_model(&model),
        None => profile,
    };
    Ok(match &input.body {
        // A session may be saved before the first turn; only a request needs one.
        Body::Session(_) => profile.with_level(rules::NO_MESSAGES.id, Some(Severity::Warning)),
        Body::Document(_) => profile,
    })
}

/// All findings of a file: damage first, then what the API would refuse.
pub(crate) fn items(input: &Input, profile: &Profile) -> Vec<Item> {
    let mut items = damage(input);
    items.extend(check(input.request(), profile).into_iter().map(|finding| item(finding, input)));
    items
}

/// A path with messages counted as the file has them, its leading system messages included.
pub(crate) fn shown(path: &Path, input: &Input) -> Path {
    let leading = match &input.body {
        Body::Session(session) => session.leading,
        Body::Document(_) => 0,
    };
    match path.message_index() {
        Some(at) => path.clone().with_message_index(at + leading),
        None => path.clone(),
    }
}

fn item(finding: Finding, input: &Input) -> Item {
    let line = match &input.body {
        Body::Session(session) => {
            finding.path.message_index().and_then(|at| session.line(at, finding.path.block_index()))
        }
        Body::Document(_) => None,
    };
    Item {
        rule: finding.rule.id,
        severity: finding.severity,
        path: shown(&finding.path, input).to_string(),
        fix: fix(&finding, input),
        message: finding.message,
        place: Some(finding.path),
        line,
        excerpt: Box::default(),
    }
}

/// What `fix` would do: it repairs errors, and joins neighbours of one role where it merges.
fn fix(finding: &Finding, input: &Input) -> Option<&'static str> {
    let merges = finding.rule.id == "consecutive-same-role" && input.kind != crate::args::Kind::ClaudeCode;
    finding.fix().filter(|_| finding.is_error() || merges)
}

/// What the readers found.
fn damage(input: &Input) -> Vec<Item> {
    match &input.body {
        Body::Document(document) => document
            .broken
            .iter()
            .map(|broken| Item {
                rule: rules::INVALID_UTF8.id,
                severity: Severity::Error,
                path: String::new(),
                message: format!("bytes that are not UTF-8 at byte {}", broken.at),
                fix: rules::INVALID_UTF8.repair,
                place: None,
                line: Some(broken.line),
                excerpt: Box::default(),
            })
            .collect(),
        Body::Session(session) => session
            .log
            .report
            .problems
            .iter()
            .map(|problem| {
                let rule = if problem.torn_tail { &rules::JSONL_TORN_TAIL } else { &rules::JSONL_BAD_LINE };
                Item {
                    rule: rule.id,
                    severity: Severity::Error,
                    path: format!("lines.{}", problem.line),
                    message: problem.to_string(),
                    fix: rule.repair,
                    place: None,
                    line: Some(problem.line),
                    excerpt: problem.excerpt.clone(),
                }
            })
            .collect(),
    }
}
