//! The options of one tag: those of a handle, and those of a tag that is created.

use super::order::Order;
use crate::error::Result;
use crate::store::{NewTag, USUAL_STEP, check_gene_bits, check_tag};

/// The options of a handle, see [`SegmentGenerator::biz_tag_with`](super::SegmentGenerator::biz_tag_with).
///
/// ```
/// use leafmint::segment::{Order, TagOptions};
/// let options = TagOptions::new().gene_bits(4).order(Order::Relaxed);
/// assert_ne!(options, TagOptions::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagOptions {
    pub(super) gene_bits: i64,
    pub(super) order: Order,
}

impl TagOptions {
    /// Returns the default options: no gene bits, strict order.
    pub const fn new() -> Self {
        Self { gene_bits: 0, order: Order::Strict }
    }

    /// Sets the number of low bits of each id that are reserved for the gene: 1 to 12, or 0 for none.
    ///
    /// Each id is then `number << gene_bits | gene`. The gene bits belong to the tag: they are stored when it is
    /// created, by `auto_create` or [`NewTagOptions::gene_bits`], and a call with other gene bits, or with none, raises
    /// `invalid_config`. So a tag that is already used without gene bits cannot have any.
    pub const fn gene_bits(mut self, gene_bits: i64) -> Self {
        self.gene_bits = gene_bits;
        self
    }

    /// Sets the order of the ids. It belongs to the handle: relaxed and strict handles of one tag never mint the same
    /// id.
    pub const fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    pub(super) fn check(self, tag: &str) -> Result<()> {
        check_tag(tag)?;
        check_gene_bits(tag, self.gene_bits)
    }
}

/// The options of a tag that is created, see
/// [`SegmentGenerator::create_tag_with`](super::SegmentGenerator::create_tag_with).
///
/// ```
/// use leafmint::segment::NewTagOptions;
/// let options = NewTagOptions::new().step(100).start(5000).description("order numbers");
/// assert_ne!(options, NewTagOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewTagOptions<'a> {
    step: i64,
    start: i64,
    description: &'a str,
    gene_bits: i64,
}

impl<'a> NewTagOptions<'a> {
    /// Returns the default options: `step` 1000, `start` 1, no description, no gene bits.
    pub const fn new() -> Self {
        Self { step: USUAL_STEP, start: 1, description: "", gene_bits: 0 }
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
    pub const fn description(mut self, description: &'a str) -> Self {
        self.description = description;
        self
    }

    /// Sets the number of gene bits, see [`TagOptions::gene_bits`].
    pub const fn gene_bits(mut self, gene_bits: i64) -> Self {
        self.gene_bits = gene_bits;
        self
    }

    pub(super) fn check(self, tag: &str) -> Result<NewTag> {
        NewTag::checked(tag, self.gene_bits, self.step, self.start, self.description)
    }
}

impl Default for NewTagOptions<'_> {
    fn default() -> Self {
        Self::new()
    }
}
