//! Ids that strangers may see: texts that hide an id from everyone without the key.

mod base32;
mod ff1;
#[cfg(test)]
mod fuzz_tests;
mod id_text;
mod keys;
mod name;
mod public_ids;
mod scrambled;

#[cfg(feature = "internals")]
pub use id_text::{BoundIdText, IdText};
pub use keys::PublicKeys;
pub use public_ids::PublicIds;
pub use scrambled::Scrambled;

use crate::error::{Error, ErrorKind, Result};
use crate::id::{invalid_argument, invalid_id};

fn invalid_config(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidConfig, message)
}

/// Returns an id as a number without a sign. Raises `invalid_id` if it is negative.
#[inline]
fn check_id(id: i64) -> Result<u64> {
    u64::try_from(id).map_err(|_| invalid_id(format!("{id} is negative: an id is from 0 to {}", i64::MAX)))
}
