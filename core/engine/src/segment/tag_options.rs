//! The options of one tag's handle.

use crate::store::{check_gene_bits, check_tag};
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::fmt;
use std::str::FromStr;

/// The options of a handle, see [`SegmentGenerator::biz_tag_with`](super::SegmentGenerator::biz_tag_with).
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
    /// created, by `auto_create` or [`NewTagOptions::gene_bits`](super::NewTagOptions::gene_bits), and a call with
    /// other gene bits, or with none, raises `invalid_config`. So a tag that is already used without gene bits cannot
    /// have any.
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

/// The order in which the ids of one tag are handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// Ids strictly increase across all threads, which share one counter.
    #[default]
    Strict,
    /// Ids strictly increase for each thread, but not across threads. Each thread draws from a block of at most 256
    /// ids, so that threads do not slow one another down. The rest of a block counts as unused at the close, and is not
    /// given back.
    Relaxed,
}

impl FromStr for Order {
    type Err = Error;

    /// Reads `strict` or `relaxed`. Raises `invalid_argument` for anything else.
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "strict" => Ok(Order::Strict),
            "relaxed" => Ok(Order::Relaxed),
            _ => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("order={text:?} is neither \"strict\" nor \"relaxed\""),
            )),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Strict => "strict",
            Order::Relaxed => "relaxed",
        })
    }
}
