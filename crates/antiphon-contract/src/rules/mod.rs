//! The table of rules: what must hold, how the server says that it does not, a broken and a sound
//! example, what repair does, and where the evidence is.
//!
//! The table drives [`check`](crate::check()), [`explain`](crate::explain()),
//! [`diagnose`](crate::diagnose()), the documentation and the tests.

use crate::finding::Severity;

mod cache;
mod media;
mod order;
mod params;
mod reading;
mod roles;
mod server;
mod server_tools;
mod shape;
mod text;
mod thinking;
mod tools;

pub use cache::*;
pub use media::*;
pub use order::*;
pub use params::*;
pub use reading::*;
pub use roles::*;
pub use server::*;
pub use server_tools::*;
pub use shape::*;
pub use text::*;
pub use thinking::*;
pub use tools::*;

/// Who can tell that a rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Judge {
    /// [`check`](crate::check()), from the request alone.
    Request,
    /// The reader of session files.
    Reader,
    /// The decoder of streams.
    Stream,
    /// Only the server: it knows the model, the account, the signature.
    Server,
}

/// One rule of the contract.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct Rule {
    /// Names the fault, in kebab-case.
    pub id: &'static str,
    /// Its level under the default profile; `None` if it is off there.
    pub severity: Option<Severity>,
    /// Who can tell.
    pub judge: Judge,
    /// What is wrong, in a line.
    pub title: &'static str,
    /// What must hold, and why.
    pub why: &'static str,
    /// What the server says; `*` stands for what varies.
    pub errors: &'static [&'static str],
    /// A request (or bare messages) that breaks the rule; empty where none can be written down.
    pub refused: &'static str,
    /// One that keeps it.
    pub accepted: &'static str,
    /// What repair does by default; `None` if it leaves it alone.
    pub repair: Option<&'static str>,
    /// The row of the contract it stands for, and how sure that row is.
    pub evidence: &'static str,
}

/// Writes one table file: rules as statics, and a list of them.
macro_rules! rules {
    ($list:ident; $($name:ident = $id:literal, $severity:expr, $judge:ident {
        title: $title:literal,
        why: $why:literal,
        errors: [$($error:literal),* $(,)?],
        refused: $refused:literal,
        accepted: $accepted:literal,
        repair: $repair:expr,
        evidence: $evidence:literal $(,)?
    })*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            pub static $name: $crate::rules::Rule = $crate::rules::Rule {
                id: $id,
                severity: $severity,
                judge: $crate::rules::Judge::$judge,
                title: $title,
                why: $why,
                errors: &[$($error),*],
                refused: $refused,
                accepted: $accepted,
                repair: $repair,
                evidence: $evidence,
            };
        )*
        pub(super) static $list: &[&$crate::rules::Rule] = &[$(&$name),*];
    };
}
use rules;

const ERROR: Option<Severity> = Some(Severity::Error);
const WARNING: Option<Severity> = Some(Severity::Warning);

static SECTIONS: &[&[&Rule]] = &[
    shape::LIST,
    order::LIST,
    text::LIST,
    roles::LIST,
    tools::LIST,
    server_tools::LIST,
    thinking::LIST,
    cache::LIST,
    media::LIST,
    params::LIST,
    reading::LIST,
    server::LIST,
];

/// Every rule, in the order of the contract.
///
/// ```
/// assert!(antiphon_contract::rules::all().any(|rule| rule.id == "missing-tool-result"));
/// ```
pub fn all() -> impl Iterator<Item = &'static Rule> {
    SECTIONS.iter().flat_map(|section| section.iter().copied())
}

/// A rule by its id.
pub fn by_id(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}
