//! Reported usage as the anchor of the next estimate.
//!
//! Every recorded answer says how many tokens its prompt had. So the next prompt is that number, which needs no estimate at all,
//! plus the answer and what came after it, which is usually a small part of the whole. What is hidden from us (a system prompt
//! and tools that are not in the log) is in the reported number too. From one answer to the next, reported and estimated growth
//! give a ratio, which corrects the estimate of the tail, and the error made gives the width of the band.

use std::borrow::Cow;

use antiphon_model::{AssistantMessage, BlockRef, Message, Usage};

use crate::counter::Bounds;
use crate::family::Family;
use crate::meter::Meter;

/// Follows a session and says how large its next request is.
///
/// Feed it the messages in order. Assistant messages that carry `usage` are taken as reports: once an answer, told apart by its
/// `id` (or, without one, by its usage), so the several lines that Claude Code writes for one answer count once.
///
/// ```
/// use antiphon_model::Message;
/// use antiphon_tokens::{Costs, Family, Heuristic, Meter, UsageAnchor};
/// let counter = Heuristic::new(Family::Claude4_5);
/// let meter = Meter::new(&counter, Costs::of_model("claude-sonnet-4-5"));
/// let answer = r#"{"role":"assistant","id":"msg_1","content":"Done.","usage":{"input_tokens":1000,"output_tokens":9,
///     "cache_read_input_tokens":20000}}"#;
/// let mut anchor = UsageAnchor::new();
/// anchor.push(&meter, &Message::user("Go on."));
/// anchor.push(&meter, &Message::from_json(answer)?);
/// anchor.push(&meter, &Message::user("And now the tests."));
/// let next = anchor.estimate();
/// assert!((21_005..21_050).contains(&next.likely), "{next}");
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct UsageAnchor {
    /// The last report, if the history before it stands unchanged.
    anchor: Option<Report>,
    /// What came since: the answer, then the rest.
    answer: Answer,
    tail: Bounds,
    /// Estimate of everything before the anchor, for a start without it.
    before: Bounds,
    /// What reports had beyond the estimate of their messages: system prompt, tools.
    hidden: Option<f64>,
    learned: Learned,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Report {
    key: Key,
    prompt: u64,
    family: Option<Family>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Key {
    Id(String),
    Usage(u64, Option<u64>),
}

/// The answer that the anchor belongs to.
#[derive(Debug, Clone, Default)]
struct Answer {
    estimate: Option<Bounds>,
    /// Reported size; the last line of an answer has the final figure.
    reported: u64,
    thought: bool,
}

/// What answers so far taught.
#[derive(Debug, Clone, Default)]
struct Learned {
    reported: f64,
    estimated: f64,
    /// Mean absolute error of the tail, in tokens and as a share.
    error: Option<(f64, f64)>,
}

impl Learned {
    /// Tokens of prior belief in a ratio of 1.
    const PRIOR: f64 = 600.0;
    /// How much of what was learned before stays at each answer.
    const MEMORY: f64 = 0.9;

    fn ratio(&self) -> f64 {
        ((self.reported + Self::PRIOR) / (self.estimated + Self::PRIOR)).clamp(0.5, 2.5)
    }

    fn learn(&mut self, estimated: f64, reported: f64, predicted: f64) {
        // A growth beyond all proportion is something that we do not see, not a ratio.
        let reported_for_ratio = reported.clamp(estimated * 0.4, estimated * 2.5);
        self.reported = self.reported * Self::MEMORY + reported_for_ratio;
        self.estimated = self.estimated * Self::MEMORY + estimated;
        let error = (reported - predicted).abs();
        let share = (error / predicted.max(50.0)).min(2.0);
        let (tokens, shares) = self.error.unwrap_or((error, share));
        self.error = Some((tokens * 0.8 + error * 0.2, shares * 0.8 + share * 0.2));
    }
}

impl UsageAnchor {
    /// Knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next message of the conversation.
    pub fn push(&mut self, meter: &Meter<'_>, message: &Message) {
        if let Message::Assistant(answer) = message
            && let Some(usage) = answer.usage().filter(|u| u.total_input() > 0)
        {
            self.report(meter, answer, &usage);
            let thought = message.blocks().any(BlockRef::is_thinking);
            self.answer.thought |= thought;
            self.answer.reported = self.answer.reported.max(usage.output_tokens.unwrap_or(0));
            let estimate = meter.message_in(message, false).total();
            self.answer.estimate = Some(self.answer.estimate.map_or(estimate, |e| e + estimate));
            return;
        }
        self.tail += meter.message(message).total();
    }

    /// The first message of an answer: its prompt is all that was pushed before.
    fn report(&mut self, meter: &Meter<'_>, answer: &AssistantMessage, usage: &Usage) {
        let prompt = usage.total_input();
        let key = answer.id().map_or(Key::Usage(prompt, usage.output_tokens), |id| Key::Id(Cow::into_owned(id)));
        if self.anchor.as_ref().is_some_and(|a| a.key == key) {
            return;
        }
        let family = answer.model().and_then(|m| Family::of_model(&m)).or(meter.costs().family);
        let predicted = self.grown();
        let grown = self.answer.estimate.unwrap_or(Bounds::ZERO) + self.tail;
        if let Some(last) = &self.anchor
            && last.family == family
            && prompt > last.prompt
        {
            self.learned.learn(float(grown.likely), float(prompt - last.prompt), predicted.0);
        }
        self.before += grown;
        self.hidden = Some(float(prompt) - float(self.before.likely) * self.learned.ratio());
        self.anchor = Some(Report { key, prompt, family });
        self.answer = Answer::default();
        self.tail = Bounds::ZERO;
    }

    /// The history was replaced (compacted, edited, pruned): from here on these are the messages. What was learned stays, and so
    /// does the hidden part of the prompt; reports inside the messages are of the old history and are not taken.
    pub fn replace(&mut self, meter: &Meter<'_>, messages: &[Message]) {
        let estimates: Bounds = messages.iter().map(|m| meter.message_in(m, false).total()).sum();
        *self = Self { hidden: self.hidden, learned: self.learned.clone(), tail: estimates, ..Self::new() };
    }

    /// The size of the next request, if it is what was pushed so far.
    pub fn estimate(&self) -> Bounds {
        let (grown, spread) = self.grown();
        let base = match &self.anchor {
            Some(anchor) => float(anchor.prompt),
            None => self.hidden.unwrap_or(0.0).max(0.0),
        };
        let unknown = if self.anchor.is_none() { base * 0.1 + float(self.tail.likely) * 0.2 } else { 0.0 };
        let at = |x: f64| Bounds::exact(1).scaled(x.max(0.0)).likely;
        Bounds::calibrated(at(base + grown - spread - unknown), at(base + grown), at(base + grown + spread + unknown))
    }

    /// The same for another model: the reported part in its tokens.
    pub fn estimate_for(&self, model: &str) -> Bounds {
        let from = self.anchor.as_ref().and_then(|a| a.family);
        let ratio = |family: Option<Family>| family.map_or(1.0, |f| f.ratio().unwrap_or(1.0));
        let to = Family::of_model(model);
        if from.is_none() || to.is_none() || from == to {
            return self.estimate();
        }
        let estimate = self.estimate().scaled(ratio(to) / ratio(from));
        let wider = estimate.likely / 10;
        Bounds::calibrated(estimate.low.saturating_sub(wider), estimate.likely, estimate.high.saturating_add(wider))
    }

    /// The ratio of reported to estimated growth so far; 1 until something was learned.
    pub fn ratio(&self) -> f64 {
        self.learned.ratio()
    }

    /// Whether a report stands behind the estimate.
    pub fn is_anchored(&self) -> bool {
        self.anchor.is_some()
    }

    /// Growth since the anchor, and how far off it may be.
    fn grown(&self) -> (f64, f64) {
        let ratio = self.learned.ratio();
        let estimated = self.answer.estimate.map_or(0.0, |e| float(e.likely)) * ratio;
        let reported = float(self.answer.reported);
        // The reported size of an answer is exact, but holds its thinking, and in logs it may be that of a first fragment.
        let answer = if self.answer.thought || reported < estimated * 0.7 || reported > estimated * 1.6 + 30.0 {
            estimated
        } else {
            reported
        };
        let grown = answer + float(self.tail.likely) * ratio;
        let (tokens, share) = self.learned.error.unwrap_or((60.0, 0.35));
        (grown, (share * grown * 3.5).max((tokens * 2.0).min(grown)).max(30.0))
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn float(n: u64) -> f64 {
    n as f64
}
