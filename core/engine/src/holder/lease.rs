//! A worker id with the time that may be stamped with it, and the token that owns it.

use super::past::{Generation, random};
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::fmt;
use std::time::Duration;

/// A worker id, and the time that may be stamped with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerLease {
    /// The worker id.
    pub worker_id: i64,
    /// Fresh for every acquire: a process with another token does not own this lease.
    pub token: Token,
    /// The first Unix millisecond that no earlier lease may have stamped.
    pub floor: i64,
    /// The first Unix millisecond that this lease may not stamp.
    pub horizon: i64,
}

/// 127 random bits that distinguish one lease from every other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token(u128);

impl Token {
    /// What the token of a worker id for the past shows above the generation. No lease of time has the highest bit.
    const PAST: u128 = u128::MAX << u64::BITS;

    /// Returns the token of a worker id for the past, which all processes share.
    pub fn past(generation: Generation) -> Self {
        Self(Self::PAST | u128::from(generation.number().unsigned_abs()))
    }

    /// Returns the generation of the counters, if this is the token of a worker id for the past.
    pub fn generation(self) -> Option<Generation> {
        (self.0 & Self::PAST == Self::PAST).then(|| Generation::of(self.0 as i64)).flatten()
    }

    /// Draws a token. Raises `worker_id_unavailable` if the system provides no random bits.
    pub fn fresh() -> Result<Self> {
        random().map(|bits| Token(u128::from_ne_bytes(bits) >> 1))
    }

    /// Reads a token as `Display` shows it: 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits.then(|| u128::from_str_radix(text, 16).ok().map(Token)).flatten()
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({self})")
    }
}

/// Returns the error of a lease that another process may have now.
pub fn lost(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::LeaseLost, message)
}

/// Returns the error of a call for a lease that is not held.
pub fn not_held(lease: &WorkerLease) -> Error {
    lost(format!("worker id {} is not held any more", lease.worker_id))
}

/// Returns the error of a place whose worker ids belong to another layout.
pub fn other_layout(place: &dyn fmt::Display, found: &str, layout: &str) -> Error {
    Error::new(
        ErrorKind::InvalidConfig,
        format!(
            "{place} holds worker ids of the layout {found:?}, not of {layout:?}: use the same layout and epoch, or another namespace"
        ),
    )
}

/// A worker id that was taken at least once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerInfo {
    /// The worker id.
    pub worker_id: i64,
    /// Who has it, or had it last; empty if that cannot be read.
    pub endpoint: String,
    /// A process holds it now.
    pub held: bool,
    /// The first Unix millisecond that no lease of it may have stamped, where the next lease begins; `None` if that
    /// cannot be read, and for a worker id of past moments, which has no next lease.
    pub horizon: Option<i64>,
    /// When its owner wrote last, in Unix milliseconds, by the clock that all owners share.
    pub updated: Option<i64>,
}

/// What a check of a snowflake generator found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnowflakeCheck {
    /// The holder, without credentials, and which processes share its worker ids.
    pub scope: String,
    /// The kind of holder, as in the statistics.
    pub holder: &'static str,
    /// No process has used the namespace yet: the first id makes its tables or its directory.
    pub is_new: bool,
    /// The fingerprint of the layout.
    pub layout: String,
    /// When the timestamp bits run out, in Unix milliseconds.
    pub runs_out: i64,
    /// Number of worker ids that this holder may take.
    pub workers: i64,
    /// Number of those that no process holds now.
    pub free_workers: i64,
    /// How far the shared clock is ahead of this host's, in milliseconds; `None` without a shared clock.
    pub clock_skew: Option<i64>,
}

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
    pub const ENDPOINT: Pace = Pace { lease_duration: Duration::from_secs(86_400), heartbeat: Duration::from_secs(10) };

    /// The pace of the rows beside Leaf's tree: 10 minutes ahead. Reports are renewed every 2 seconds, while the one
    /// before still lies ahead of the clock.
    pub const LEAF: Pace = Pace { lease_duration: Duration::from_secs(600), heartbeat: Duration::from_secs(2) };

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
pub fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
