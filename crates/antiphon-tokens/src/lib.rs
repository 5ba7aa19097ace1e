//! Token counts.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod anchor;
mod budget;
mod cached;
mod costs;
mod counter;
mod cuts;
mod family;
mod heuristic;
mod images;
mod meter;
mod parts;

pub use anchor::UsageAnchor;
pub use budget::{Budget, Stage, Verdict};
pub use cached::Cached;
pub use costs::{Costs, ThinkingRule};
pub use counter::{Bounds, Certainty, Quick, Scaled, TokenCounter};
pub use cuts::{is_safe_cut, last_safe_cut, next_safe_cut, safe_pieces};
pub use family::Family;
pub use heuristic::{Heuristic, HeuristicStream};
pub use images::{IMAGE_RULES_AS_OF, ImageRule};
pub use meter::{Breakdown, MessageTokens, Meter};

/// The automaton's inside, for the program that fits its table. Not covered by semantic versioning.
#[cfg(feature = "fit")]
#[cfg_attr(docsrs, doc(cfg(feature = "fit")))]
pub mod fit {
    use crate::heuristic::features;

    /// Features below this are coarse ones.
    pub const COARSE: u16 = features::COARSE;
    /// How many features there are.
    pub const FEATURES: u16 = features::FEATURES;

    /// The features of one step; [`FEATURES`] stands for none.
    pub const fn features(state: u8, byte: u8) -> [u16; 3] {
        features::features(state, byte)
    }

    /// The state after one more byte; 0 is the start.
    pub const fn next(state: u8, byte: u8) -> u8 {
        crate::heuristic::states::next(state, byte)
    }
}
