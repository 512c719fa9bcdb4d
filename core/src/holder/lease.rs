//! A worker id with the time that may be stamped with it, and the token that owns it.

use super::generation::{Generation, random};
use crate::error::{Error, ErrorKind, Result};
use std::fmt;

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
    pub(super) fn past(generation: Generation) -> Self {
        Self(Self::PAST | u128::from(generation.number().unsigned_abs()))
    }

    /// Returns the generation of the counters, if this is the token of a worker id for the past.
    pub(super) fn generation(self) -> Option<Generation> {
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
pub(super) fn lost(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::LeaseLost, message)
}

/// Returns the error of a call for a lease that is not held.
pub(super) fn not_held(lease: &WorkerLease) -> Error {
    lost(format!("worker id {} is not held any more", lease.worker_id))
}

/// Returns the error of a place whose worker ids belong to another layout.
pub(super) fn other_layout(place: &dyn fmt::Display, found: &str, layout: &str) -> Error {
    Error::new(
        ErrorKind::InvalidConfig,
        format!(
            "{place} holds worker ids of the layout {found:?}, not of {layout:?}: use the same layout and epoch, or another namespace"
        ),
    )
}
