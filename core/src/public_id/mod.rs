//! Ids that strangers may see: texts that hide an id from everyone without the key.

mod base32;
mod keys;
mod public_ids;

pub use keys::PublicKeys;
pub use public_ids::PublicIds;

use crate::error::{Error, ErrorKind};
use crate::id::{invalid_argument, invalid_id, quoted};

fn invalid_config(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidConfig, message)
}
