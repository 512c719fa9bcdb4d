//! What a tag is created with.

use super::tag_rules::{
    MAX_STEP, USUAL_STEP, check_description, check_gene_bits, check_new_step, check_tag, other_gene_bits,
};
use crate::error::{Error, ErrorKind, Result};
use crate::limit_cell::FIRST_REFUSED;

/// The options of a tag that is created, see
/// [`SegmentGenerator::create_tag_with`](crate::SegmentGenerator::create_tag_with).
///
/// ```
/// use leafmint::segment::NewTagOptions;
/// let options = NewTagOptions::new().step(100).start(5000).description("order numbers");
/// assert_ne!(options, NewTagOptions::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTagOptions {
    pub(crate) step: i64,
    pub(crate) start: i64,
    pub(crate) description: String,
    pub(crate) gene_bits: i64,
}

impl NewTagOptions {
    /// Returns the default options: `step` 1000, `start` 1, no description, no gene bits.
    pub const fn new() -> Self {
        Self { step: USUAL_STEP, start: 1, description: String::new(), gene_bits: 0 }
    }

    /// Sets the `step` column: 1 to 2^30.
    pub const fn step(mut self, step: i64) -> Self {
        self.step = step;
        self
    }

    /// Sets the first id. With gene bits, the first number before the gene is added.
    pub const fn start(mut self, start: i64) -> Self {
        self.start = start;
        self
    }

    /// Sets the description: at most 256 code points.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the number of gene bits, see [`TagOptions::gene_bits`](crate::segment::TagOptions::gene_bits).
    pub const fn gene_bits(mut self, gene_bits: i64) -> Self {
        self.gene_bits = gene_bits;
        self
    }

    /// Checks the options and the name. Raises `invalid_argument`.
    pub(crate) fn check(&self, tag: &str) -> Result<()> {
        check_tag(tag)?;
        check_gene_bits(tag, self.gene_bits)?;
        check_new_step(tag, self.step)?;
        if !(0..=FIRST_REFUSED - MAX_STEP).contains(&self.start) {
            let (start, highest) = (self.start, FIRST_REFUSED - MAX_STEP);
            let text = format!("start={start} of biz_tag {tag:?} is out of range (0 to {highest})");
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        }
        check_description(tag, &self.description)
    }

    /// Returns whether the tag, which has gene bits, is created already. `stored` are the bits that are stored under
    /// its name.
    pub(super) fn is_created(&self, tag: &str, has_row: bool, stored: Option<i64>) -> Result<bool> {
        match stored {
            Some(stored) if stored != self.gene_bits => Err(other_gene_bits(tag, stored, self.gene_bits)),
            None if has_row => Err(other_gene_bits(tag, 0, self.gene_bits)),
            _ => Ok(has_row),
        }
    }
}

impl Default for NewTagOptions {
    fn default() -> Self {
        Self::new()
    }
}
