//! The names and prefixes of public ids.

use crate::config_errors::ConfigErrors;
use crate::id::quoted;

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
