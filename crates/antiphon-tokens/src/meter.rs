//! A request measured: how many tokens, and where they are.

use antiphon_model::{Message, Request};

use crate::costs::Costs;
use crate::counter::{Bounds, Certainty, TokenCounter};
use crate::parts::{self, Part, PartKind, Place};

/// A counter and the constants of a model: measures whole requests.
///
/// ```
/// use antiphon_model::{Message, Request};
/// use antiphon_tokens::{Costs, Family, Heuristic, Meter};
/// let counter = Heuristic::new(Family::Claude4_5);
/// let meter = Meter::new(&counter, Costs::of_model("claude-sonnet-4-5"));
/// let request = Request::new(vec![Message::user("Hi there!")]).with_system("Be brief.");
/// let breakdown = meter.request(&request);
/// let sum: antiphon_tokens::Bounds = breakdown.overhead + breakdown.system + breakdown.tools + breakdown.messages.iter().map(|m| m.total()).sum();
/// assert_eq!(breakdown.total().likely, sum.likely);
/// ```
#[derive(Clone, Copy)]
pub struct Meter<'a> {
    counter: &'a dyn TokenCounter,
    costs: Costs,
}

impl std::fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Meter").field("costs", &self.costs).finish_non_exhaustive()
    }
}

impl<'a> Meter<'a> {
    /// Measures with `counter` for the texts and `costs` for the rest.
    pub fn new(counter: &'a dyn TokenCounter, costs: Costs) -> Self {
        Self { counter, costs }
    }

    /// The constants.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// A text by itself.
    pub fn text(&self, text: &str) -> Bounds {
        self.counter.bounds(text)
    }

    /// A whole request, part by part.
    pub fn request(&self, request: &Request) -> Breakdown {
        let mut breakdown =
            Breakdown { messages: vec![MessageTokens::default(); request.messages.len()], ..Breakdown::default() };
        parts::request(request, &self.costs, &mut |place, kind, part| {
            let tokens = self.part(&part);
            match place {
                Place::Request => breakdown.overhead += tokens,
                Place::System => breakdown.system += tokens,
                Place::Tools => breakdown.tools += tokens,
                Place::Message(i) => {
                    if let Some(message) = breakdown.messages.get_mut(i) {
                        *message.of(kind) += tokens;
                    }
                }
            }
        });
        breakdown
    }

    /// One message, as the last of a conversation: its thinking counts.
    pub fn message(&self, message: &Message) -> MessageTokens {
        self.message_in(message, true)
    }

    pub(crate) fn message_in(&self, message: &Message, thinking: bool) -> MessageTokens {
        let mut tokens = MessageTokens::default();
        parts::message(message, &self.costs, Place::Message(0), thinking, &mut |_, kind, part| {
            *tokens.of(kind) += self.part(&part);
        });
        tokens
    }

    fn part(&self, part: &Part<'_>) -> Bounds {
        match part {
            Part::Text(text) => self.counter.bounds(text),
            Part::Weighted(text, 1.0) => self.counter.bounds(text),
            Part::Weighted(text, factor) => self.counter.bounds(text).scaled(*factor),
            Part::Price(tokens) => *tokens,
        }
    }
}

/// The tokens of a request by place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breakdown {
    /// The request as such.
    pub overhead: Bounds,
    /// The system prompt.
    pub system: Bounds,
    /// Tool definitions, and what the service adds once there are tools.
    pub tools: Bounds,
    /// Each message.
    pub messages: Vec<MessageTokens>,
}

impl Default for Breakdown {
    fn default() -> Self {
        Self { overhead: Bounds::ZERO, system: Bounds::ZERO, tools: Bounds::ZERO, messages: Vec::new() }
    }
}

impl Breakdown {
    /// The whole. `likely` is the sum of the parts; so are `low` and `high` where every part is proven or exact. Calibrated ones
    /// are narrower: the errors of many texts do not all reach the end of their bands at once, so the band is at least the share
    /// by which a whole request was ever off in calibration, and else the root of the squares.
    pub fn total(&self) -> Bounds {
        let messages = self.messages.iter().flat_map(MessageTokens::parts);
        let parts = || [self.overhead, self.system, self.tools].into_iter().chain(messages.clone());
        let sum: Bounds = parts().sum();
        if sum.certainty != Certainty::Calibrated {
            return sum;
        }
        let spread = |of: fn(Bounds) -> u64| {
            let squares: f64 = parts().map(|part| float(of(part)).powi(2)).sum();
            Bounds::exact(1).scaled((2.0 * squares.sqrt()).max(WHOLE_SHARE * float(sum.likely))).high
        };
        let low = sum.likely.saturating_sub(spread(|part| part.likely - part.low)).max(sum.low);
        let high = sum.likely.saturating_add(spread(|part| part.high - part.likely)).min(sum.high);
        Bounds::calibrated(low, sum.likely, high)
    }
}

/// The least band of a whole request, as a share of it.
const WHOLE_SHARE: f64 = 0.3;

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn float(n: u64) -> f64 {
    n as f64
}

/// The tokens of a message by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageTokens {
    /// The turn and its blocks as such.
    pub overhead: Bounds,
    /// Text.
    pub text: Bounds,
    /// Thinking that the model sees again.
    pub thinking: Bounds,
    /// Calls.
    pub tool_use: Bounds,
    /// Results, without the pictures in them.
    pub tool_result: Bounds,
    /// Pictures, those in results too.
    pub images: Bounds,
    /// Documents and search results.
    pub documents: Bounds,
    /// Anything else.
    pub other: Bounds,
}

impl Default for MessageTokens {
    fn default() -> Self {
        let zero = Bounds::ZERO;
        Self {
            overhead: zero,
            text: zero,
            thinking: zero,
            tool_use: zero,
            tool_result: zero,
            images: zero,
            documents: zero,
            other: zero,
        }
    }
}

impl MessageTokens {
    /// The sum.
    pub fn total(&self) -> Bounds {
        self.parts().into_iter().sum()
    }

    fn parts(&self) -> [Bounds; 8] {
        [
            self.overhead,
            self.text,
            self.thinking,
            self.tool_use,
            self.tool_result,
            self.images,
            self.documents,
            self.other,
        ]
    }

    fn of(&mut self, kind: PartKind) -> &mut Bounds {
        match kind {
            PartKind::Overhead => &mut self.overhead,
            PartKind::Text => &mut self.text,
            PartKind::Thinking => &mut self.thinking,
            PartKind::ToolUse => &mut self.tool_use,
            PartKind::ToolResult => &mut self.tool_result,
            PartKind::Image => &mut self.images,
            PartKind::Document => &mut self.documents,
            PartKind::Other => &mut self.other,
        }
    }
}
