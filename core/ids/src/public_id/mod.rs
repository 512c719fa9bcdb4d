//! Ids that strangers may see: texts that hide an id from everyone without the key.

use crate::error::{ConfigErrors, Error, ErrorKind, Result, invalid_argument, invalid_id};
use crate::text::quoted;
pub use id_text::{BoundIdText, IdText};
pub use keys::IdKeys;
pub use public_ids::PublicIds;
pub use scrambled::ScrambledNumbers;

mod base32;
mod ff1;
mod id_text;
mod keys;
mod public_ids;
mod scrambled;

fn invalid_config(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidConfig, message)
}

/// Returns an id as a number without a sign. Raises `invalid_id` if it is negative.
#[inline]
fn check_id(id: i64) -> Result<u64> {
    u64::try_from(id).map_err(|_| invalid_id(format!("{id} is negative: an id is from 0 to {}", i64::MAX)))
}

/// Most characters of a name and of a prefix.
const MOST_CHARACTERS: usize = 63;

/// Checks a name or a prefix: it needs no escape in URLs, JSON, HTML, CSS and file names.
pub(super) fn check_name(what: &str, name: &str, errors: &mut ConfigErrors) {
    let is_name = (1..=MOST_CHARACTERS).contains(&name.len())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && !name.ends_with('_');
    if !is_name {
        errors.add(format!(
            "the {what} {} is not 1 to {MOST_CHARACTERS} small letters, digits and underscores, a letter first and no \
             underscore last",
            quoted(name)
        ));
    }
}
