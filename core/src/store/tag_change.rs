//! Changes of a tag's row: its step, its description, and a `max_id` that only rises.

use super::tag_rules::{MAX_STEP, check_description, check_new_step, check_tag};
use crate::error::{Error, ErrorKind, Result};
use crate::id::MAX_GENE_BITS;
use crate::limit_cell::FIRST_REFUSED;

/// A change of a tag's `step` or description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagChange {
    /// Its name.
    pub tag: String,
    /// The new `step`, 1 to 2^30; `None` leaves it as it is.
    pub step: Option<i64>,
    /// The new description, at most 256 code points; `None` leaves it as it is.
    pub description: Option<String>,
}

impl TagChange {
    /// Describes a change that is about to be made. Raises `invalid_argument`.
    pub(crate) fn checked(tag: &str, step: Option<i64>, description: Option<&str>) -> Result<Self> {
        check_tag(tag)?;
        step.map_or(Ok(()), |step| check_new_step(tag, step))?;
        description.map_or(Ok(()), |text| check_description(tag, text))?;
        if step.is_none() && description.is_none() {
            let text = format!("nothing to change of biz_tag {tag:?}: pass a step, a description or both");
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        }
        Ok(Self { tag: tag.to_owned(), step, description: description.map(str::to_owned) })
    }
}

/// Returns the lowest number whose ids are above an id, whatever their genes. Raises `invalid_argument`.
pub(crate) fn number_above(tag: &str, id: i64, gene_bits: i64) -> Result<i64> {
    if id < 0 {
        let text = format!("id={id} of biz_tag {tag:?} is negative: name the highest id in use");
        return Err(Error::new(ErrorKind::InvalidArgument, text));
    }
    let number = (id >> gene_bits.clamp(0, MAX_GENE_BITS)).saturating_add(1);
    check_raise(tag, number).map(|()| number)
}

/// Checks the value to raise a `max_id` to. Raises `invalid_argument`.
pub(crate) fn check_raise(tag: &str, max_id: i64) -> Result<()> {
    check_tag(tag)?;
    if (0..=FIRST_REFUSED - MAX_STEP).contains(&max_id) {
        return Ok(());
    }
    let text = format!("max_id={max_id} of biz_tag {tag:?} is out of range (0 to {})", FIRST_REFUSED - MAX_STEP);
    Err(Error::new(ErrorKind::InvalidArgument, text))
}
