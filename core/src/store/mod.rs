//! Stores: who leases segments.
//!
//! A store keeps one promise (S1): the ranges that it leases for one tag never overlap, whoever asks.

mod memory;
mod mysql;
pub mod schema;
mod sqlite;

pub use crate::mysql::{MySqlSettings, SslMode};
pub use memory::MemoryStore;
pub use mysql::MySqlStore;
pub use sqlite::SqliteStore;

use crate::cell::FIRST_REFUSED;
use crate::error::{Error, ErrorKind, Result};
use crate::mutants::weaken;
use std::fmt::Display;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The largest `step` that a row or an argument may carry.
pub(crate) const MAX_STEP: i64 = 1 << 30;

/// An answer that a store has yet to give.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A tag to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTag {
    /// Its name, 1 to 128 code points.
    pub tag: String,
    /// The `step` column, 1 to 2^30.
    pub step: i64,
    /// The first id, 0 or more.
    pub start: i64,
    /// Free text, at most 256 code points.
    pub description: String,
    /// The gene bits of its ids, 1 to 12; 0 for none.
    pub gene_bits: i64,
}

/// A range, and the `step` column of the tag that it was leased from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The range, as [`SegmentStore::lease`] returns it.
    pub range: Range<i64>,
    /// The `step` column, 1 to 2^30.
    pub step: i64,
    /// How long the lease took, without what it may take to connect.
    pub round_trip: Duration,
}

/// Leases segments of a tag. Every method ends within a bound of its own.
pub trait SegmentStore: Send + Sync + 'static {
    /// Reads the `step` column. Raises `unknown_tag`.
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64>;

    /// Reads the gene bits that are stored for a tag: 0 where none are, `None` where the account may not look.
    ///
    /// Whoever has seen the tag's row before this call sees the bits that it was created with.
    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>>;

    /// Leases the next `step` ids, `[max_id - step, max_id)` of the new `max_id`, as Leaf cuts them.
    ///
    /// The range exists only once the answer is `Ok`. Raises `unknown_tag`, `id_space_exhausted`, `store_unavailable`.
    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Range<i64>>;

    /// Leases the next `amount` ids, or as many as the `step` column says, of a tag with these gene bits, and reads the column.
    ///
    /// Raises what [`SegmentStore::lease`] raises, and `invalid_config` where the column makes no sense or other gene bits are
    /// stored: nothing is leased then, or it is given back at once.
    fn lease_checked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            let step = self.step(tag).await?;
            // After the row was seen, and not before: bits are stored no later than the row that they belong to.
            check_genes(tag, self.gene_bits(tag).await?, gene_bits)?;
            check_step(tag, step, &self.scope())?;
            let sent = Instant::now();
            let range = self.lease(tag, amount.unwrap_or(step)).await?;
            Ok(Checked { range, step, round_trip: sent.elapsed() })
        })
    }

    /// Gives an unused tail back, if its end is still the tag's `max_id`. Returns whether it was.
    ///
    /// It is sent at most once: an unanswered one may have been carried out.
    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool>;

    /// Inserts a tag that is not there yet. Returns whether it was inserted.
    ///
    /// With gene bits, they and the tag are stored at once or not at all. Raises `invalid_config` where the tag is there with
    /// other bits or with none.
    fn create_tag<'a>(&'a self, new: &'a NewTag) -> Answer<'a, bool>;

    /// Creates the tables that are not there yet.
    fn init_schema(&self) -> Answer<'_, ()>;

    /// Says who shares the ids of this store, and names it, without credentials.
    fn scope(&self) -> String;

    /// Lets go of connections.
    fn close(&self) -> Answer<'_, ()>;

    /// Makes the same store again for the child of a fork, with connections of its own. It reads nothing but settings.
    fn in_child(&self) -> Arc<dyn SegmentStore>;
}

/// Cuts the range that a lease ending at the new `max_id` stands for.
fn leased(max_id: i64, step: i64) -> Range<i64> {
    max_id - step..max_id
}

/// Refuses a row whose next lease would leave the numbers that ids are made of. `max_id` is the value before the lease.
fn check_room(tag: &str, max_id: i64, step: i64) -> Result<()> {
    if max_id < 0 {
        return Err(Error::new(
            ErrorKind::IdSpaceExhausted,
            format!("max_id of biz_tag {tag:?} is {max_id}, which would make negative ids: set it to 0 or more"),
        ));
    }
    let is_too_far = |end| weaken!("numbers-from-2-to-the-61st", false, end > FIRST_REFUSED);
    if max_id.checked_add(step).is_none_or(is_too_far) {
        return Err(no_room(tag, max_id, step));
    }
    Ok(())
}

/// Names a row whose next lease would leave the numbers that ids are made of.
fn no_room(tag: &str, max_id: impl Display, step: i64) -> Error {
    Error::new(
        ErrorKind::IdSpaceExhausted,
        format!(
            "max_id of biz_tag {tag:?} is {max_id}; a lease of {step} would reach 2^61, where leafmint stops: \
             move on to another biz_tag, or lower max_id if it is wrong"
        ),
    )
}

/// Refuses a `step` column that makes no sense.
pub(crate) fn check_step(tag: &str, step: i64, store: &str) -> Result<()> {
    if (1..=MAX_STEP).contains(&step) {
        return Ok(());
    }
    Err(unusable_step(tag, step, store))
}

/// Names a `step` column that makes no sense.
fn unusable_step(tag: &str, step: impl Display, store: &str) -> Error {
    Error::new(
        ErrorKind::InvalidConfig,
        format!("the step of biz_tag {tag:?} in {store} is {step}, which is not from 1 to {MAX_STEP}: correct the row"),
    )
}

/// Refuses a tag whose stored gene bits are others: raw ids and ids with genes must not come of the same numbers. `stored` is
/// `None` where the account may not look.
pub(crate) fn check_genes(tag: &str, stored: Option<i64>, wanted: i64) -> Result<()> {
    match stored {
        Some(stored) if weaken!("other-gene-bits", false, stored != wanted) => Err(other_gene_bits(tag, stored, wanted)),
        // An account of before there were gene bits: it may mint raw ids, as it did.
        None if wanted != 0 => Err(Error::new(
            ErrorKind::InvalidConfig,
            format!("the gene bits of biz_tag {tag:?} cannot be read: grant SELECT and INSERT on the table of the gene bits"),
        )),
        _ => Ok(()),
    }
}

/// Refuses a tag whose stored gene bits are others than the `wanted` ones. Either number may be 0, but not both.
fn other_gene_bits(tag: &str, stored: i64, wanted: i64) -> Error {
    let problem = if stored == 0 {
        format!("biz_tag {tag:?} is already used without gene bits, not with gene_bits={wanted}: use another biz_tag")
    } else if wanted == 0 {
        format!("biz_tag {tag:?} has gene_bits={stored}: open it with gene_bits={stored}, or use another biz_tag")
    } else {
        format!("biz_tag {tag:?} has gene_bits={stored}, not gene_bits={wanted}: use the same, or another biz_tag")
    };
    Error::new(ErrorKind::InvalidConfig, problem)
}

fn unknown_tag(tag: &str, store: &str) -> Error {
    Error::new(
        ErrorKind::UnknownTag,
        format!("biz_tag {tag:?} is not in {store}: insert its row, call create_tag, or set auto_create"),
    )
}
