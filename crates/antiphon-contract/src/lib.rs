//! The Messages API's contract as data.
//!
//! One table of [rules](crates/antiphon-contract) says what must hold, how the server says that it does
//! not, a broken and a sound example, what repair does, and where the evidence is. From it come:
//!
//! - [`check`](check()): all findings of a request, with rule, severity, path and message;
//! - [`explain`](explain()): a rule in words;
//! - [`diagnose`](diagnose()): the text of a 400 to its rule and place, so that an agent can recover by
//!   itself;
//! - [`exchanges`] and [`legal_cuts`]: where history may be cut.
//!
//! What it does not do: change anything (`antiphon-transform`), talk to a server, or count tokens.
//! [`Profile`]s say what a host and a model allow; they are data, and a user can build one.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod check;
mod diagnose;
mod exchanges;
mod explain;
mod finding;
mod path;
mod profile;
pub mod rules;
mod view;

pub use check::{SDK_HELPER_KEYS, check, is_valid};
pub use diagnose::{Diagnosis, diagnose};
pub use exchanges::{Exchange, exchanges, legal_cuts};
pub use explain::explain;
pub use finding::{Finding, Severity};
pub use path::{Path, Step};
pub use profile::{PROFILE_NAMES, Profile};
pub use rules::{Judge, Rule};
pub use view::{Placed, Turn, View};
