//! When to try again.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// How often to try and how long to wait: doubling from `base` up to `cap`, of which a random half to whole is taken, so that
/// clients that failed together do not come back together; or what the server asks for, plus up to a tenth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retry {
    /// Tries in all; 1 is none again.
    pub tries: u32,
    /// The first wait.
    pub base: Duration,
    /// The longest wait. If the server asks for more, its error is returned instead.
    pub cap: Duration,
}

impl Default for Retry {
    /// Four tries, from half a second up to a minute.
    fn default() -> Self {
        Self { tries: 4, base: Duration::from_millis(500), cap: Duration::from_secs(60) }
    }
}

impl Retry {
    /// No second try.
    pub const NONE: Self = Self { tries: 1, base: Duration::ZERO, cap: Duration::ZERO };

    /// Tries in all.
    #[must_use]
    pub fn with_tries(mut self, tries: u32) -> Self {
        self.tries = tries.max(1);
        self
    }

    /// The longest wait.
    #[must_use]
    pub fn with_cap(mut self, cap: Duration) -> Self {
        self.cap = cap;
        self
    }

    /// The wait before try `next` (the second is 1), or `None` to give up. `random` is from 0 to 1.
    ///
    /// ```
    /// use std::time::Duration;
    /// use antiphon_tokens_api::Retry;
    /// let retry = Retry::default();
    /// assert_eq!(retry.delay(1, None, 1.0), Some(Duration::from_millis(500)));
    /// assert_eq!(retry.delay(2, None, 0.0), Some(Duration::from_millis(500)));
    /// assert_eq!(retry.delay(1, Some(Duration::from_secs(7)), 0.0), Some(Duration::from_secs(7)));
    /// assert_eq!(retry.delay(1, Some(Duration::from_secs(3600)), 0.0), None);
    /// assert_eq!(retry.delay(4, None, 0.0), None);
    /// ```
    pub fn delay(&self, next: u32, asked: Option<Duration>, random: f64) -> Option<Duration> {
        if next >= self.tries {
            return None;
        }
        let random = if random.is_finite() { random.clamp(0.0, 1.0) } else { 0.5 };
        match asked {
            Some(asked) if asked > self.cap => None,
            Some(asked) => Some(asked.mul_f64(1.0 + random / 10.0)),
            None => {
                let full = self.base.saturating_mul(1 << (next - 1).min(20)).min(self.cap);
                Some(full.mul_f64(0.5 + random / 2.0))
            }
        }
    }
}

/// A number from 0 to 1 that nobody can tell beforehand.
pub(crate) fn random() -> f64 {
    // The keys of a new `RandomState` differ each time.
    let bits = u32::try_from(RandomState::new().hash_one(()) >> 32).unwrap_or(0);
    f64::from(bits) / f64::from(u32::MAX)
}
