//! Holders: who leases worker ids.
//!
//! A holder keeps one promise (H1): the leases of one worker id, each from its floor up to its horizon, never overlap, whoever
//! asks and whatever the clocks say. A new horizon is durable before `acquire` or `extend` answers.

mod directory;
mod directory_identity;
mod durable_file;
mod endpoint;
mod file_error;
#[cfg(test)]
mod fuzz_tests;
#[cfg(target_os = "linux")]
mod host_guard;
#[cfg(not(target_os = "linux"))]
#[path = "no_host_guard.rs"]
mod host_guard;
mod lead_note;
mod lock_file;
mod mysql;
mod private_file;
mod rows;
mod state_file;
mod worker_files;
mod workers;

pub use directory::{DirectoryHolder, DirectorySettings};
use directory_identity::DirectoryIdentity;
use durable_file::Content;
pub use endpoint::Endpoint;
use file_error::name_file_error;
use host_guard::HostGuard;
pub use host_guard::HostScope;
pub use rows::{RowHolder, RowHolderSettings, WorkerMode};
use worker_files::WorkerFiles;
pub use workers::Workers;

use crate::answer::Answer;
use crate::error::{Error, ErrorKind, Result};
use crate::mutants::weaken;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A worker id and the time that may be stamped with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerLease {
    /// The worker id.
    pub worker_id: i64,
    /// Fresh for every acquire: whoever shows another one does not own this lease.
    pub token: Token,
    /// The first Unix millisecond that no earlier lease may have stamped.
    pub floor: i64,
    /// The first Unix millisecond that this lease may not stamp.
    pub horizon: i64,
}

/// What tells one lease from every other: 128 random bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token(u128);

/// Leases worker ids. Every method ends within a bound of its own, or where it has to wait for a floor, within that wait.
pub trait WorkerIdHolder: Send + Sync + 'static {
    /// Takes a free worker id, with a fresh token, and reserves time for it: from the floor, which is the stored horizon of the
    /// lease before, up to [`Pace::aim`].
    ///
    /// Raises `worker_id_unavailable` (it says who holds them and until when), `invalid_config`, `store_unavailable`.
    fn acquire(&self) -> Answer<'_, WorkerLease>;

    /// Moves the horizon of a lease on, to `horizon` or less, and returns where it stands now. Never moves it back.
    ///
    /// Raises `lease_lost` where the lease is somebody else's now; anything else means that it may be tried again.
    fn extend<'a>(&'a self, lease: &'a WorkerLease, horizon: i64) -> Answer<'a, i64>;

    /// Ends a lease: nothing at or after `used` was stamped, so that the next owner need not wait for the horizon.
    fn release<'a>(&'a self, lease: &'a WorkerLease, used: i64) -> Answer<'a, ()>;

    /// Returns the clock that all users of this holder share, in Unix milliseconds; `None` where there is only this host's.
    fn shared_clock(&self) -> Answer<'_, Option<i64>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Says how far ahead horizons are kept and how often they are moved.
    fn pace(&self) -> Pace;

    /// Names the kind of holder, for `stats`.
    fn name(&self) -> &'static str;

    /// Names the holder, without credentials, and says who shares its worker ids.
    fn scope(&self) -> String;

    /// Makes the same holder again for the child of a fork: without a lease, with connections and a name of its own. It reads
    /// nothing but settings.
    fn in_child(&self) -> Arc<dyn WorkerIdHolder>;
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
    /// Returns the horizon to aim at: `lease_duration` ahead of `now`, and at least two heartbeats above the floor. Unix milliseconds.
    pub fn aim(&self, now: i64, floor: i64) -> i64 {
        now.saturating_add(millis(self.lease_duration)).max(floor.saturating_add(2 * millis(self.heartbeat)))
    }

    /// Returns by how much a floor may lie ahead of the clock after a crash: what a lease had reserved. Milliseconds.
    pub fn reserved(&self) -> i64 {
        millis(self.lease_duration) + millis(self.heartbeat)
    }
}

impl Token {
    /// Draws a token. Raises `worker_id_unavailable` where the system gives no random bits.
    pub fn fresh() -> Result<Self> {
        weaken!("token-used-again", without = return Ok(Token(1)));
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| {
            Error::new(ErrorKind::WorkerIdUnavailable, format!("the system gives no random bits for a token: {error}"))
        })?;
        Ok(Token(u128::from_ne_bytes(bytes)))
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

pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

pub(crate) fn lost(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::LeaseLost, message)
}
