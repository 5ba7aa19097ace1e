use crate::path::Path;
use crate::rules::Rule;
use std::fmt;

/// How bad a finding is under a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Accepted, yet worth a look; or refused by some models or hosts only.
    Warning,
    /// The API refuses the request.
    Error,
}

impl Severity {
    /// `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One place where a request breaks a rule.
///
/// ```
/// use antiphon_contract::{Profile, Severity, check};
/// use antiphon_model::Request;
/// let request = Request::from_messages_json(r#"[{"role":"user","content":""}]"#).unwrap();
/// let findings = check(&request, &Profile::default());
/// assert_eq!(findings[0].rule.id, "empty-message");
/// assert_eq!(findings[0].severity, Severity::Error);
/// assert_eq!(findings[0].path.to_string(), "messages.0.content");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// Error or warning, under the profile that was asked.
    pub severity: Severity,
    /// Where, in the request as the caller has it.
    pub path: Path,
    /// What is wrong here, with the ids and sizes concerned.
    pub message: String,
}

impl Finding {
    /// What repair does about it by default; `None` if it leaves it alone.
    pub fn fix(&self) -> Option<&'static str> {
        self.rule.repair
    }

    /// Whether the API refuses the request for it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] at {}: {}", self.severity, self.rule.id, self.path, self.message)
    }
}
