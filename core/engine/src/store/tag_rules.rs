//! What a tag may be called, what its row may hold, and the errors that say which rule was broken.

use crate::limit_cell::FIRST_REFUSED;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::MAX_GENE_BITS;
use leafmint_ids::text::beginning;
use leafmint_ids::text::pasted::ShellCommand;
use std::fmt::Display;
use std::ops::Range;

/// The largest `step` that a row or an argument may carry.
pub const MAX_STEP: i64 = 1 << 30;

/// The `step` of a tag that is created without one, also by the bindings.
pub const USUAL_STEP: i64 = 1000;

/// Code points of a name, as in Leaf's `varchar(128)`.
const NAME_LENGTH: usize = 128;
const DESCRIPTION_LENGTH: usize = 256;

/// Checks a tag's name. Raises `invalid_argument`.
pub fn check_tag(tag: &str) -> Result<()> {
    check_name("biz_tag", "leaf_alloc", tag)
}

/// Checks the name of what a table has a row for. Raises `invalid_argument`.
pub fn check_name(what: &str, table: &str, name: &str) -> Result<()> {
    let shown = beginning(name, NAME_LENGTH);
    let problem = if name.is_empty() {
        format!("a {what} must not be empty")
    } else if shown.len() < name.len() {
        let bytes = name.len();
        format!("{what} {shown:?}… has {bytes} bytes; {table} holds {NAME_LENGTH} characters: use a shorter name")
    } else if name.contains('\0') {
        format!("{what} {name:?} contains a NUL character: leave it out")
    } else if name.starts_with(' ') || name.ends_with(' ') {
        // Most MySQL collations ignore trailing spaces when they compare, so one row would serve two names.
        format!("{what} {name:?} begins or ends with a space, which some stores ignore: leave it out")
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidArgument, problem))
}

/// Checks the number of gene bits of a tag; 0 means none. Raises `invalid_argument`.
pub(crate) fn check_gene_bits(tag: &str, bits: i64) -> Result<()> {
    if (0..=MAX_GENE_BITS).contains(&bits) {
        return Ok(());
    }
    let problem = format!("gene_bits={bits} of tag {tag:?} is out of range (1 to {MAX_GENE_BITS}, or 0 for none)");
    Err(Error::new(ErrorKind::InvalidArgument, problem))
}

/// Checks a `step` that is about to be written. Raises `invalid_argument`.
pub(crate) fn check_new_step(tag: &str, step: i64) -> Result<()> {
    if (1..=MAX_STEP).contains(&step) {
        return Ok(());
    }
    let text = format!("step={step} of tag {tag:?} is out of range (1 to {MAX_STEP})");
    Err(Error::new(ErrorKind::InvalidArgument, text))
}

/// Checks a description that is about to be written. Raises `invalid_argument`.
pub(super) fn check_description(tag: &str, description: &str) -> Result<()> {
    if beginning(description, DESCRIPTION_LENGTH).len() == description.len() {
        return Ok(());
    }
    let text = format!("the description of tag {tag:?} is longer than {DESCRIPTION_LENGTH} characters: shorten it");
    Err(Error::new(ErrorKind::InvalidArgument, text))
}

/// Returns the range of a lease that raised `max_id` to this value.
pub fn leased(max_id: i64, step: i64) -> Range<i64> {
    max_id - step..max_id
}

/// Refuses a lease that would leave the range of valid numbers. `max_id` is the value before the lease.
pub fn check_room(tag: &str, max_id: i64, step: i64) -> Result<()> {
    if max_id < 0 {
        return Err(Error::new(
            ErrorKind::IdSpaceExhausted,
            format!("max_id of tag {tag:?} is {max_id}, which would make ids negative: set it to 0 or more"),
        ));
    }
    if max_id.checked_add(step).is_none_or(|end| end > FIRST_REFUSED) {
        return Err(no_room(tag, max_id, step));
    }
    Ok(())
}

/// Describes a row whose next lease would leave the range of valid numbers.
pub fn no_room(tag: &str, max_id: impl Display, step: i64) -> Error {
    Error::new(
        ErrorKind::IdSpaceExhausted,
        format!(
            "max_id of tag {tag:?} is {max_id}; a lease of {step} would pass 2^61, leafmint's largest number: \
             use another tag, or lower max_id if it is wrong"
        ),
    )
}

/// Refuses a `step` column that is out of range.
pub fn check_step(tag: &str, step: i64, store: &str) -> Result<()> {
    if (1..=MAX_STEP).contains(&step) {
        return Ok(());
    }
    Err(unusable_step(tag, step, store))
}

/// Describes a `step` column that is out of range.
pub fn unusable_step(tag: &str, step: impl Display, store: &str) -> Error {
    Error::new(
        ErrorKind::InvalidConfig,
        format!("the step of tag {tag:?} in {store} is {step}, out of range (1 to {MAX_STEP}): correct the row"),
    )
}

/// Refuses a tag that is stored with other gene bits: raw ids and ids with genes must not share numbers. `stored` is
/// `None` if the account may not read them.
pub fn check_stored_gene_bits(tag: &str, stored: Option<i64>, wanted: i64) -> Result<()> {
    match stored {
        Some(stored) if stored != wanted => Err(other_gene_bits(tag, stored, wanted)),
        // Leaf's own account has no right to that table: it may mint raw ids.
        None if wanted != 0 => Err(unread_gene_bits(tag)),
        _ => Ok(()),
    }
}

/// Describes a tag whose gene bits the account may not read.
pub(crate) fn unread_gene_bits(tag: &str) -> Error {
    let text =
        format!("the gene bits of tag {tag:?} cannot be read: grant SELECT and INSERT on the table of the gene bits");
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Describes a tag that is stored with other gene bits than the `wanted` ones. Either number may be 0, but not both.
pub fn other_gene_bits(tag: &str, stored: i64, wanted: i64) -> Error {
    let problem = if stored == 0 {
        format!("tag {tag:?} is already used without gene bits, not with gene_bits={wanted}: use another tag")
    } else if wanted == 0 {
        format!("tag {tag:?} has gene_bits={stored}: open it with gene_bits={stored}, or use another tag")
    } else {
        format!("tag {tag:?} has gene_bits={stored}, not gene_bits={wanted}: use the same, or another tag")
    };
    Error::new(ErrorKind::InvalidConfig, problem)
}

/// Describes a tag that the store has no row for. Other processes may have leased from a row that was deleted.
pub fn unknown_tag(tag: &str, store: &str) -> Error {
    unknown_tag_with_genes(tag, store, 0)
}

/// Describes a tag with gene bits, or 0 for none, that the store has no row for.
pub(crate) fn unknown_tag_with_genes(tag: &str, store: &str, gene_bits: i64) -> Error {
    let create = ShellCommand::leafmint("tags create").operand(tag);
    let (create, call) = match gene_bits {
        0 => (create, "create_tag".to_owned()),
        _ => (create.number("--gene-bits", gene_bits.unsigned_abs()), format!("create_tag with gene_bits={gene_bits}")),
    };
    let text = format!(
        "tag {tag:?} is not in {store}: first run {}, since a deleted row that is created again repeats ids. If no process \
         has used the tag, call {call}, set auto_create, or run {create}",
        check_command(tag)
    );
    Error::new(ErrorKind::UnknownTag, text)
}

/// The command that finds out whether any process has leased from a tag.
pub fn check_command(tag: &str) -> ShellCommand {
    ShellCommand::leafmint("check").value("--tag", tag)
}
