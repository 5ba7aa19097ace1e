use crate::report::Report;
use antiphon_contract::Finding;

/// Why a transform could not keep its promise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Repair did what it could, and errors are left that it has no answer to. The conversation holds
    /// what could be repaired.
    #[error("{} error(s) cannot be repaired, the first: {}", remaining.len(), first(remaining))]
    Unrepaired {
        /// What was changed.
        report: Report,
        /// The errors that are left, in the conversation as it is now.
        remaining: Vec<Finding>,
    },
}

fn first(findings: &[Finding]) -> String {
    findings.first().map(ToString::to_string).unwrap_or_default()
}

impl Error {
    /// What was changed before it failed.
    pub fn report(&self) -> &Report {
        match self {
            Self::Unrepaired { report, .. } => report,
        }
    }
}
