//! What one call for ids asks for, in both modes.

use crate::error::{Error, ErrorKind, Result};

/// The largest number of ids in one call: 2^20.
pub const MAX_BATCH: i64 = 1 << 20;

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
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Want::One | Want::InHand => Ok(()),
            Want::Many(count) | Want::Run(count) if (0..=MAX_BATCH).contains(&count) => Ok(()),
            Want::Many(count) | Want::Run(count) => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("batch size {count} is out of range (0 to {MAX_BATCH})"),
            )),
        }
    }
}
