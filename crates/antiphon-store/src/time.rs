//! Points in time, and where they come from.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970-01-01 00:00 UTC.
///
/// ```
/// use antiphon_store::Timestamp;
/// assert_eq!(Timestamp::from_millis(1_767_225_600_123).to_string(), "2026-01-01T00:00:00.123Z");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// So many milliseconds after 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }
}

impl From<SystemTime> for Timestamp {
    /// Times beyond what 64 bits of milliseconds hold become the nearest that they do.
    fn from(time: SystemTime) -> Self {
        let millis = |d: std::time::Duration| i64::try_from(d.as_millis()).unwrap_or(i64::MAX);
        Self(match time.duration_since(UNIX_EPOCH) {
            Ok(after) => millis(after),
            Err(before) => -millis(before.duration()),
        })
    }
}

impl fmt::Display for Timestamp {
    /// As RFC 3339 in UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, millis) = (self.0.div_euclid(86_400_000), self.0.rem_euclid(86_400_000));
        // Days to a date by counting in eras of 400 years that begin on the first of March.
        let from_march = days + 719_468;
        let (era, day) = (from_march.div_euclid(146_097), from_march.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let in_year = day - (365 * year + year / 4 - year / 100);
        let shifted = (5 * in_year + 2) / 153;
        let date = in_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        let (hour, minute, second) = (millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60);
        write!(f, "{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", millis % 1000)
    }
}

/// Where a store takes the time from, when a caller gives none.
pub trait Clock: fmt::Debug + Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(Timestamp::from_millis(millis).to_string(), text);
        }
        assert!(Timestamp::from_millis(i64::MAX).to_string().ends_with('Z'));
        assert!(Timestamp::from_millis(i64::MIN).to_string().ends_with('Z'));
    }
}
