//! How long a caller waits for background work that bounds its own time, in case that it never answers.

use super::failure::overdue;
use crate::error::Result;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time that the background has, from the first look after the end of its own time: the process may have been stopped
/// meanwhile, or the machine is busy.
const GRACE: Duration = Duration::from_secs(3);

/// The longest wait for background work.
pub(super) struct Limit {
    until: Instant,
    /// Set by the first look after `until`.
    grace_ends: OnceLock<Instant>,
}

impl Limit {
    /// Makes the limit of work that ends within `longest`.
    pub(super) fn new(longest: Duration) -> Self {
        Self { until: deadline(longest), grace_ends: OnceLock::new() }
    }

    /// Returns how long to wait before the next look.
    pub(super) fn left(&self) -> Duration {
        let now = Instant::now();
        match self.grace_ends.get() {
            None if now < self.until => self.until - now,
            grace_ends => grace_ends.map_or(GRACE, |ends| ends.saturating_duration_since(now)),
        }
    }

    /// Looks at the time, if there is no answer. Raises `store_unavailable` if the background will not answer.
    pub(super) fn check(&self) -> Result<()> {
        let now = Instant::now();
        if now < self.until || now < *self.grace_ends.get_or_init(|| now + GRACE) {
            return Ok(());
        }
        Err(overdue())
    }
}

/// Returns the instant that lies `wait` after now, or a day after now if that is sooner.
pub(crate) fn deadline(wait: Duration) -> Instant {
    Instant::now() + wait.min(Duration::from_secs(86_400))
}
