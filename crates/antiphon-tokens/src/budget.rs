//! Two stages: bounds first, the exact counter only when they straddle the limit.

use antiphon_model::Request;

use crate::costs::Costs;
use crate::counter::{Bounds, Certainty, TokenCounter};
use crate::meter::Meter;
use crate::parts::{self, Part};

/// A limit on the tokens of a request.
///
/// ```
/// use antiphon_model::{Message, Request};
/// use antiphon_tokens::{Budget, Costs, Family, Heuristic, Stage};
/// let budget = Budget::new(100_000).with_costs(Costs::of_model("gpt-4o"));
/// let request = Request::new(vec![Message::user("How high is the tower?")]);
/// let rough = Heuristic::new(Family::O200k);
/// # let exact = rough;
/// let verdict = budget.check(&request, &rough, &exact);
/// assert!(verdict.fits);
/// assert_eq!(verdict.stage, Stage::Rough); // the exact counter was not asked
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    limit: u64,
    costs: Costs,
}

/// Which stage decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// The bounds lay on one side of the limit.
    Rough,
    /// The exact counter was asked.
    Exact,
}

/// The answer of [`Budget::check`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether the request is within the limit.
    pub fits: bool,
    /// Which stage decided.
    pub stage: Stage,
    /// The limit.
    pub limit: u64,
    /// What the rough stage said of the whole request.
    pub rough: Bounds,
    /// What the exact stage said, if it was asked and the request fits; beyond the limit it stops counting. Pictures and
    /// documents keep a price with bounds, so this is exact only if its `certainty` says so.
    pub exact: Option<Bounds>,
}

impl Budget {
    /// A limit in tokens, with the constants of a recent Claude; see [`with_costs`](Self::with_costs).
    pub fn new(limit: u64) -> Self {
        Self { limit, costs: Costs::of_model("") }
    }

    /// The constants of the model that the request is for.
    #[must_use]
    pub fn with_costs(mut self, costs: Costs) -> Self {
        self.costs = costs;
        self
    }

    /// The limit.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether the request fits. The exact counter is asked only if the rough one's bounds straddle the limit; it counts text by
    /// text and stops as soon as the limit is passed. Wrap it in [`Cached`](crate::Cached) so that texts counted before are not
    /// counted again.
    ///
    /// With [`Heuristic::proven`](crate::Heuristic::proven) the rough stage is never wrong where its bounds are proofs; with
    /// calibrated bounds at most at the rate that the crate's documentation states.
    pub fn check(&self, request: &Request, rough: &dyn TokenCounter, exact: &dyn TokenCounter) -> Verdict {
        let limit = self.limit;
        let rough = Meter::new(rough, self.costs).request(request).total();
        let verdict = |fits, stage, exact| Verdict { fits, stage, limit, rough, exact };
        if rough.high <= limit {
            return verdict(true, Stage::Rough, None);
        }
        if rough.low > limit {
            return verdict(false, Stage::Rough, None);
        }
        match self.exact(request, exact) {
            Some(total) => verdict(total.likely <= limit, Stage::Exact, Some(total)),
            None => verdict(false, Stage::Exact, None),
        }
    }

    /// The exact total, or `None` once it is beyond the limit.
    fn exact(&self, request: &Request, counter: &dyn TokenCounter) -> Option<Bounds> {
        let mut total = Some(Bounds::ZERO);
        parts::request(request, &self.costs, &mut |_, _, part| {
            let Some(so_far) = total else { return };
            let left = self.limit.saturating_sub(so_far.likely);
            let tokens = match part {
                Part::Price(tokens) => Some(tokens),
                Part::Text(text) | Part::Weighted(text, 1.0) => counter.count_up_to(&text, left).map(Bounds::exact),
                Part::Weighted(text, factor) => {
                    let left = Bounds::exact(left.saturating_add(1)).scaled(1.0 / factor).high;
                    counter.count_up_to(&text, left).map(|n| Bounds::exact(n).scaled(factor))
                }
            };
            total = tokens.map(|tokens| so_far + tokens).filter(|total| total.likely <= self.limit);
        });
        let certainty = if counter.is_exact() { Certainty::Exact } else { Certainty::Calibrated };
        total.map(|total| Bounds { certainty: total.certainty.min(certainty), ..total })
    }
}
