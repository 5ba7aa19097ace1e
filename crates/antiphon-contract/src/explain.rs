use crate::rules::{self, Judge, Rule};
use std::fmt::Write;

/// A rule in words: what is wrong, why, how the server says it, what repair does, and a broken and a
/// sound example. `None` for an id that is not known.
///
/// ```
/// let text = antiphon_contract::explain("orphan-tool-result").unwrap();
/// assert!(text.starts_with("orphan-tool-result: a tool result without its call"));
/// assert!(antiphon_contract::explain("no-such-rule").is_none());
/// ```
pub fn explain(id: &str) -> Option<String> {
    rules::by_id(id).map(Rule::explain)
}

impl Rule {
    /// The rule in words; see [`explain`].
    pub fn explain(&self) -> String {
        let mut out = format!("{}: {}\n\n{}\n", self.id, self.title, self.why);
        let level = match self.severity {
            Some(severity) => format!("{severity} under the default profile"),
            None => "off under the default profile".to_owned(),
        };
        let judge = match self.judge {
            Judge::Request => "judged from the request",
            Judge::Reader => "found by the reader of a file",
            Judge::Stream => "found by the decoder of a stream",
            Judge::Server => "only the server can tell",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\nlevel:    {level}; {judge}");
        let _ = writeln!(out, "repair:   {}", self.repair.unwrap_or("none; left as it is"));
        let _ = writeln!(out, "evidence: contract {}", self.evidence);
        if !self.errors.is_empty() {
            out.push_str("\nThe server says:\n");
            for error in self.errors {
                let _ = writeln!(out, "  {}", error.trim_matches('*').replace('*', "…"));
            }
        }
        for (name, example) in [("Refused", self.refused), ("Accepted", self.accepted)] {
            if !example.is_empty() {
                let _ = writeln!(out, "\n{name}:\n  {example}");
            }
        }
        out
    }
}
