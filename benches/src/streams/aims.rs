//! What the figures are held to.

use std::fmt;

/// A bound on a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// A speed-up.
    AtLeast(f64),
    /// A growth or a cost.
    AtMost(f64),
}

impl Bound {
    fn holds(self, ratio: f64) -> bool {
        match self {
            Self::AtLeast(bound) => ratio >= bound,
            Self::AtMost(bound) => ratio <= bound,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(bound) => write!(f, "at least {bound} x"),
            Self::AtMost(bound) => write!(f, "at most {bound} x"),
        }
    }
}

/// The aims and what was measured for each.
#[derive(Debug, Default)]
pub struct Aims(Vec<(String, Bound, Option<f64>)>);

impl Aims {
    /// Notes what was measured for an aim; nothing if one side of the ratio did not run.
    pub fn note(&mut self, what: impl Into<String>, bound: Bound, ratio: Option<f64>) {
        self.0.push((what.into(), bound, ratio));
    }
}

impl fmt::Display for Aims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, bound, ratio) in &self.0 {
            let (measured, verdict) = match ratio {
                Some(ratio) if bound.holds(*ratio) => (format!("{ratio:.2} x"), "met"),
                Some(ratio) => (format!("{ratio:.2} x"), "MISSED"),
                None => (String::new(), "not measured"),
            };
            writeln!(f, "  {what:<82} {:<16} {measured:>11}  {verdict}", bound.to_string())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aim_is_met_missed_or_not_measured() {
        let mut aims = Aims::default();
        aims.note("fast", Bound::AtLeast(2.0), Some(2.5));
        aims.note("slow", Bound::AtLeast(2.0), Some(1.5));
        aims.note("flat", Bound::AtMost(13.0), Some(13.5));
        aims.note("gone", Bound::AtMost(13.0), None);
        let text = aims.to_string();
        let verdicts: Vec<_> = text.lines().map(|line| line.rsplit("  ").next().unwrap()).collect();
        assert_eq!(verdicts, ["met", "MISSED", "MISSED", "not measured"], "{text}");
    }
}
