//! What one call for ids asks for, in both modes.

use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::room;

/// The largest batch: 2^26 ids, which take half a GiB as 64-bit words.
pub const MAX_BATCH: i64 = 1 << 26;

/// The largest contiguous range: the largest lease, 2^30 ids.
pub const MAX_RUN: i64 = 1 << 30;

/// What a caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// One id.
    One,
    /// This number of ids, in ascending ranges; for 0 a single empty range.
    Many(i64),
    /// This number of ids in one contiguous range.
    Run(i64),
    /// Ids in hand, without taking one.
    InHand,
}

impl Want {
    /// Checks the batch size. Raises `invalid_argument`.
    pub fn check(self) -> Result<()> {
        let (count, most, why) = match self {
            Want::One | Want::InHand => return Ok(()),
            Want::Many(count) => (count, MAX_BATCH, ""),
            Want::Run(count) => (count, MAX_RUN, ", the most that one lease holds"),
        };
        if (0..=most).contains(&count) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::InvalidArgument, format!("batch size {count} is out of range (0 to {most}{why})")))
    }

    /// Does the same, and checks that there is memory for an answer of `size` bytes for each id: for a binding, before
    /// an id is taken. Raises `invalid_argument`, also with the reason `out_of_memory`.
    pub fn check_room(self, size: usize) -> Result<()> {
        self.check()?;
        match self {
            Want::Many(count) => room::check(count as usize, size),
            Want::One | Want::InHand | Want::Run(_) => Ok(()),
        }
    }
}
