//! Repair: the fixes of findings, rule by rule, until `check` finds no error.

mod block;
mod cache;
mod ids;
mod local;
mod media;
mod order;
mod pairs;
mod placement;
mod raw;
mod server_tools;
mod thinking;

use crate::conversation::{Conversation, Slot};
use crate::error::Error;
use crate::pipeline::Transform;
use crate::report::{ChangeKind, Report};
use antiphon_contract::{Finding, Path, Profile, check};
use antiphon_model::Request;

/// Repairs a conversation so that the API takes it.
///
/// Afterwards [`check`] finds no error under the profile, or the refusal
/// ([`Error::Unrepaired`]) names what is left. A conversation without errors is not touched.
///
/// - A call without a result gets an error result directly behind it; a result that stands elsewhere is
///   moved there instead. Results that no call asks for are dropped.
/// - Blocks in the wrong role are moved into a turn of the right one.
/// - Thinking is never altered: a block that cannot be sent is left out. Calls of server tools never get
///   client results.
/// - Warnings are left alone (same-role neighbours are [`Merge`](crate::Merge)'s work).
///
/// What is done for a rule can be chosen, and each rule can be left out.
///
/// ```
/// use antiphon_contract::{Profile, is_valid};
/// use antiphon_model::{Message, ToolUse};
/// use antiphon_transform::{Conversation, Repair, Transform};
/// let mut conversation = Conversation::from_messages(vec![
///     Message::user("list the files"),
///     Message::from(ToolUse::new("toolu_1", "ls", &serde_json::json!({}))?),
///     Message::user("stop"),
/// ]);
/// let report = Repair::default().apply(&mut conversation)?;
/// assert_eq!(report.changes[0].rule, Some("missing-tool-result"));
/// assert!(is_valid(conversation.request(), &Profile::default()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    profile: Profile,
    only: Option<Vec<String>>,
    without: Vec<String>,
    missing: MissingResult,
    orphan: OrphanResult,
    unsigned: UnsignedThinking,
    missing_text: String,
    continuation: Option<String>,
}

/// What is done about a call without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MissingResult {
    /// An error result says that none was recorded.
    #[default]
    Synthesize,
    /// The call is dropped.
    DropCall,
}

/// What is done about a result without a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OrphanResult {
    /// It is dropped.
    #[default]
    Drop,
    /// Its text stays, as a text block of the user.
    ToText,
}

/// What is done about thinking without a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum UnsignedThinking {
    /// It is dropped: reasoning is no part of what was said.
    #[default]
    Drop,
    /// It stays, as a text block of the assistant.
    ToText,
}

impl Default for Repair {
    fn default() -> Self {
        Self::new(Profile::default())
    }
}

impl Repair {
    /// Repair for a profile, with the default for each rule.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            only: None,
            without: Vec::new(),
            missing: MissingResult::default(),
            orphan: OrphanResult::default(),
            unsigned: UnsignedThinking::default(),
            missing_text: "missing tool_result: the call was interrupted before a result was recorded".to_owned(),
            continuation: None,
        }
    }

    /// Repairs these rules and leaves all others alone; errors of the others are no refusal then.
    #[must_use]
    pub fn only<S: Into<String>>(mut self, rules: impl IntoIterator<Item = S>) -> Self {
        self.only = Some(rules.into_iter().map(Into::into).collect());
        self
    }

    /// Leaves a rule alone; an error of it is a refusal.
    #[must_use]
    pub fn without(mut self, rule: impl Into<String>) -> Self {
        self.without.push(rule.into());
        self
    }

    /// What is done about a call without a result.
    #[must_use]
    pub fn with_missing_result(mut self, choice: MissingResult) -> Self {
        self.missing = choice;
        self
    }

    /// The text of an error result that stands for a missing one. A blank one would be refused and is
    /// ignored.
    #[must_use]
    pub fn with_missing_text(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.trim().is_empty() {
            self.missing_text = text;
        }
        self
    }

    /// What is done about a result without a call.
    #[must_use]
    pub fn with_orphan_result(mut self, choice: OrphanResult) -> Self {
        self.orphan = choice;
        self
    }

    /// What is done about thinking without a signature.
    #[must_use]
    pub fn with_unsigned_thinking(mut self, choice: UnsignedThinking) -> Self {
        self.unsigned = choice;
        self
    }

    /// Adds a user turn of this text where the conversation may not end with an assistant turn. Without it
    /// `ends-with-assistant` is not repaired: only the caller knows what to say.
    #[must_use]
    pub fn with_continuation(mut self, text: impl Into<String>) -> Self {
        self.continuation = Some(text.into());
        self
    }

    /// Whether an error of this rule counts.
    fn counts(&self, rule: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|id| id == rule))
    }

    /// Whether errors of this rule are repaired.
    fn selects(&self, rule: &str) -> bool {
        self.counts(rule) && !self.without.iter().any(|id| id == rule)
    }

    /// The errors that are left, as far as they count.
    fn errors(&self, request: &Request, profile: &Profile) -> Vec<Finding> {
        check(request, profile).into_iter().filter(|f| f.is_error() && self.counts(f.rule.id)).collect()
    }

    fn has_answer(&self, finding: &Finding) -> bool {
        let rule = finding.rule;
        self.selects(rule.id)
            && (rule.repair.is_some() || rule.id == "ends-with-assistant" && self.continuation.is_some())
    }
}

/// One kind of repair: the rules it answers, and how. Stages run in this order, since one can leave work
/// for a later one: a dropped block an empty message, a message of its own a result to be moved.
type Stage = fn(&mut Work<'_>, &[Finding]);

const STAGES: &[(&[&str], Stage)] = &[
    (local::RULES, local::run),
    (cache::FORM_RULES, cache::run_form),
    (media::RULES, media::run),
    (placement::RULES, placement::run),
    (server_tools::RULES, server_tools::run),
    (ids::RULES, ids::run),
    (pairs::RULES, pairs::run),
    (thinking::RULES, thinking::run),
    (local::EMPTY_RULES, local::run_empty),
    (order::RULES, order::run),
    (cache::COUNT_RULES, cache::run_count),
];

/// More rounds than stages can follow from one another; a bound, not a tuning.
const MOST_ROUNDS: usize = 4 * STAGES.len();

impl Transform for Repair {
    fn name(&self) -> &'static str {
        "repair"
    }

    fn apply(&self, conversation: &mut Conversation) -> Result<Report, Error> {
        let mut report = Report::default();
        // Warnings are nobody's business here, and some of them cost a look at every byte.
        let profile = self.profile.clone().errors_only();
        let mut errors = self.errors(conversation.request(), &profile);
        if errors.is_empty() {
            return Ok(report);
        }
        for _ in 0..MOST_ROUNDS {
            errors.retain(|finding| self.has_answer(finding));
            let stage = STAGES.iter().find(|(rules, _)| errors.iter().any(|f| rules.contains(&f.rule.id)));
            let Some((rules, run)) = stage else { break };
            errors.retain(|finding| rules.contains(&finding.rule.id));
            let before = report.changes.len();
            let slots = conversation.take();
            let mut work = Work { options: self, request: &mut conversation.request, slots, report: &mut report };
            run(&mut work, &errors);
            let slots = work.slots;
            conversation.restore(slots);
            if report.changes.len() == before {
                break;
            }
            errors = self.errors(conversation.request(), &profile);
            if errors.is_empty() {
                return Ok(report);
            }
        }
        let remaining = self.errors(conversation.request(), &profile);
        if remaining.is_empty() { Ok(report) } else { Err(Error::Unrepaired { report, remaining }) }
    }
}

/// A conversation under repair.
struct Work<'w> {
    options: &'w Repair,
    /// Everything but the messages.
    request: &'w mut Request,
    slots: Vec<Slot>,
    report: &'w mut Report,
}

impl Work<'_> {
    fn add(&mut self, rule: &'static str, kind: ChangeKind, path: Path, detail: impl Into<String>) {
        let path = self.original(path);
        self.report.add(Some(rule), kind, path, detail);
    }

    /// Adds a change that put something in front of message `to`, or at the end.
    fn add_behind(&mut self, rule: &'static str, kind: ChangeKind, path: Path, to: usize, detail: impl Into<String>) {
        let given = |at: usize| self.slots.get(at).and_then(|slot| slot.origin.as_slice().first().copied());
        let to = given(to).or_else(|| self.last_origin(to).map(|last| last + 1)).unwrap_or(0);
        let path = self.original(path);
        // What was moved is gone from where it was, too.
        let own = path.message_index().filter(|_| kind == ChangeKind::Moved);
        let from = own.map_or(to, |own| own.min(to));
        self.report.add_from(Some(rule), kind, path, Some(from), detail);
    }

    /// The same place counted in the conversation as it was given, as far as that has it.
    fn original(&self, path: Path) -> Path {
        let Some(index) = path.message_index() else { return path };
        match self.slots.get(index).and_then(|slot| slot.origin.as_slice().first().copied()) {
            Some(origin) => path.with_message_index(origin),
            None => self.last_origin(index).map_or_else(|| path.clone(), Path::message),
        }
    }

    /// The last message before `index` that was given.
    fn last_origin(&self, index: usize) -> Option<usize> {
        let before = self.slots.get(..index).unwrap_or_default();
        before.iter().rev().find_map(|slot| slot.origin.as_slice().last().copied())
    }
}
