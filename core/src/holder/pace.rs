//! How far ahead horizons are kept, and how often they are moved.

use std::time::Duration;

/// How far ahead horizons are kept, and how often they are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How much time is reserved ahead.
    pub lease_duration: Duration,
    /// How often the reservation is renewed.
    pub heartbeat: Duration,
}

impl Pace {
    /// The pace of state files: 3 seconds ahead, renewed every second.
    pub const LOCAL: Pace = Pace { lease_duration: Duration::from_secs(3), heartbeat: Duration::from_secs(1) };

    /// The pace of leased rows: 10 minutes ahead, renewed every 10 seconds.
    pub const LEASE: Pace = Pace { lease_duration: Duration::from_secs(600), heartbeat: Duration::from_secs(10) };

    /// The pace of fixed rows: 24 hours ahead, renewed every 10 seconds.
    pub const FIXED: Pace = Pace { lease_duration: Duration::from_secs(86_400), heartbeat: Duration::from_secs(10) };

    /// The pace of the rows beside Leaf's tree: 10 minutes ahead. Reports are renewed every 2 seconds, while the one
    /// before still lies ahead of the clock.
    pub const FOREVER: Pace = Pace { lease_duration: Duration::from_secs(600), heartbeat: Duration::from_secs(2) };

    /// Returns the pace of state files for a layout: two ticks or more are reserved at any time, however long a tick
    /// is.
    pub fn local(tick: Duration) -> Self {
        let Pace { lease_duration, heartbeat } = Self::LOCAL;
        Self { lease_duration: lease_duration.max(2 * tick + heartbeat), heartbeat }
    }

    /// Returns the horizon to aim at: `lease_duration` ahead of `now`, and at least two heartbeats above the floor.
    /// Unix milliseconds.
    pub fn aim(&self, now: i64, floor: i64) -> i64 {
        now.saturating_add(millis(self.lease_duration)).max(floor.saturating_add(2 * millis(self.heartbeat)))
    }

    /// Returns by how much a floor may lie ahead of the clock after a crash: what a lease had reserved. Milliseconds.
    pub fn reserved(&self) -> i64 {
        millis(self.lease_duration) + millis(self.heartbeat)
    }

    /// Returns `lease_duration` in milliseconds.
    pub fn lease_millis(&self) -> i64 {
        millis(self.lease_duration)
    }
}

/// Returns a duration in milliseconds.
pub(super) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
