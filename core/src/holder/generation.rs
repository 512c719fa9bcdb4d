//! The generation of the counters of a worker id for the past, and the random bits that make it and every token.

use crate::error::{Error, ErrorKind, Result};

/// What distinguishes the counters of a worker id for the past from others that were made for it before or later:
/// random, from 1 to 2^63 - 1. It is stored with the counters, as their mark, and where the worker id is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation(i64);

impl Generation {
    /// That of counters in memory, which are never others.
    pub(super) const IN_MEMORY: Self = Self(1);

    /// Draws a generation. Raises `worker_id_unavailable` if the system provides no random bits.
    pub(super) fn fresh() -> Result<Self> {
        random().map(|bits| Self((i64::from_ne_bytes(bits) & i64::MAX).max(1)))
    }

    /// Reads a generation as it was stored; `None` if the number is not one.
    pub(super) fn of(number: i64) -> Option<Self> {
        (number > 0).then_some(Self(number))
    }

    pub(super) fn number(self) -> i64 {
        self.0
    }
}

/// Draws random bytes. Raises `worker_id_unavailable` if the system provides none.
pub(super) fn random<const SIZE: usize>() -> Result<[u8; SIZE]> {
    let mut bytes = [0; SIZE];
    getrandom::fill(&mut bytes).map_err(|error| {
        let text = format!("the system provides no random bits for a token: {error}");
        Error::new(ErrorKind::WorkerIdUnavailable, text)
    })?;
    Ok(bytes)
}
