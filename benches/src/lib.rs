//! How fast antiphon is, and beside what.
//!
//! `cargo xtask bench` runs criterion's benches in `benches/` and then `ratios`, which times the same work and its
//! yardsticks in turn in one process and prints medians and ratios: those travel from machine to machine, milliseconds
//! do not. The input is generated ([`generate`]); the yardstick is what one writes with serde's derive ([`derived`]).
//! `streams` does the same for streamed answers, beside other crates and the official SDKs ([`streams`]).

pub mod derived;
pub mod generate;
pub mod measure;
pub mod streams;

use antiphon_contract::Profile;

/// The default profile without its limits on size, which the longest sessions here are over: sessions lie on disk long
/// before they are cut to a request.
pub fn unlimited() -> Profile {
    let mut profile = Profile::default();
    profile.body_bytes = usize::MAX;
    profile.messages = usize::MAX;
    profile
}
