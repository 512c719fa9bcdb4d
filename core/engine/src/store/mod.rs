//! Stores, which lease segments.
//!
//! A store keeps one promise (S1): the ranges that it leases for one tag never overlap, whichever process asks.

mod gapless_info;
mod memory;
mod series_rule;

mod table_facts;
mod tag_info;
pub mod tag_rules;

pub use crate::answer::Answer;
pub use gapless_info::{GaplessInfo, GaplessRow};
use leafmint_ids::error::{Error, ErrorKind};
pub use memory::MemoryStore;
pub use series_rule::{SeriesInfo, SeriesRule, StoredSeries};
use std::future::ready;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};
pub use table_facts::{AllocatedWorker, ColumnFacts, Location, TableFacts};
pub use tag_info::{NewTagOptions, TagChange, TagInfo};
pub(crate) use tag_info::{check_raise, number_above};
pub use tag_rules::{MAX_STEP, check_name, check_step, check_stored_gene_bits, check_tag};
pub(crate) use tag_rules::{check_gene_bits, check_new_step, unknown_tag_with_genes, unread_gene_bits};

/// Ranges, and the `step` column of the tag that they were leased from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The ranges, as [`SegmentStore::lease`] returns them.
    pub ranges: Vec<Range<i64>>,
    /// The `step` column, 1 to 2^30.
    pub step: i64,
    /// Duration of the lease, without connecting.
    pub round_trip: Duration,
    /// The name in the row, if it is spelled otherwise and equals the tag by the collation of its column.
    pub other_name: Option<String>,
}

/// What a check of a segment generator found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentCheck {
    /// The store, without credentials, and the scope of its ids.
    pub scope: String,
    /// There is no table or file yet: the first id makes it.
    pub is_new: bool,
    /// Number of tags.
    pub tags: i64,
    /// The account may create tags.
    pub creates_tags: bool,
    /// How long the store took to answer, with connecting.
    pub round_trip: Duration,
}

/// Leases segments of a tag. Every method ends within a bound of its own.
pub trait SegmentStore: Send + Sync + 'static {
    /// Reads the `step` column. Raises `unknown_tag`.
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64>;

    /// Reads the gene bits that are stored for a tag: 0 if none are, `None` if the account may not read them.
    ///
    /// If the caller has seen the tag's row before, the result is the bits that the tag was created with.
    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>>;

    /// Leases the next `step` ids, `[max_id - step, max_id)` of the new `max_id`, as Leaf cuts them: one range, or
    /// ascending ones if others draw ids in between.
    ///
    /// The ranges exist only once the answer is `Ok`. Raises `unknown_tag`, `id_space_exhausted`, `store_unavailable`.
    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Vec<Range<i64>>>;

    /// Leases the next `amount` ids, or as many as the `step` column says, of a tag with these gene bits, and reads the
    /// column.
    ///
    /// Raises what [`SegmentStore::lease`] raises, and `invalid_config` if the column is out of range or other gene
    /// bits are stored: nothing is leased then, or it is given back at once.
    fn lease_checked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            let step = self.step(tag).await?;
            // After the row was seen, and not before: bits are stored no later than the row that they belong to.
            check_stored_gene_bits(tag, self.gene_bits(tag).await?, gene_bits)?;
            check_step(tag, step, &self.scope())?;
            let sent = Instant::now();
            let ranges = self.lease(tag, amount.unwrap_or(step)).await?;
            Ok(Checked { ranges, step, round_trip: sent.elapsed(), other_name: None })
        })
    }

    /// Does the same, but fails at once, with the reason `locked`, while another transaction holds the tag's row, if
    /// the store can tell.
    fn lease_unless_locked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        self.lease_checked(tag, gene_bits, amount)
    }

    /// Returns the most contiguous ids that can be had of a tag with this `step`, if no two leases need be contiguous.
    fn longest_run(&self, _tag: &str, _step: i64) -> i64 {
        i64::MAX
    }

    /// Returns whether each lease is above all that were leased before it was sent. A store that takes ids back leases
    /// them again.
    fn never_goes_back(&self) -> bool {
        false
    }

    /// Returns whether the first id of a missing tag creates the tag, unless the option `auto_create` says so or not.
    fn creates_tags(&self) -> bool {
        false
    }

    /// Returns the statement that creates the sequence which the tag draws from; `None` for a row of a table.
    fn sequence(&self, _tag: &str) -> Option<String> {
        None
    }

    /// Gives an unused tail back, if its end is still the tag's `max_id`. Returns whether it was.
    ///
    /// It is sent at most once: an unanswered one may have been carried out.
    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool>;

    /// Inserts a tag if it does not exist. Returns whether it was inserted.
    ///
    /// With gene bits, they and the tag are stored at once or not at all. Raises `invalid_config` if the tag is
    /// there with other bits or with none.
    fn create_tag<'a>(&'a self, tag: &'a str, new: &'a NewTagOptions) -> Answer<'a, bool>;

    /// Stores the rule of a series with the format of its numbers, unless one of its name is stored, and returns the
    /// stored one.
    ///
    /// Raises `invalid_config` if the store keeps none.
    fn declare_series<'a>(&'a self, rule: &'a SeriesRule, format: Option<&'a str>) -> Answer<'a, StoredSeries> {
        let _ = format;
        let text = format!("{} keeps no series, such as {:?}: use a table of a database", self.scope(), rule.name);
        Box::pin(ready(Err(Error::new(ErrorKind::InvalidConfig, text))))
    }

    /// Stores another format of a series that is stored.
    fn set_series_format<'a>(&'a self, name: &'a str, format: &'a str) -> Answer<'a, ()> {
        let _ = (name, format);
        Box::pin(ready(Ok(())))
    }

    /// Lists the series with their names, sorted.
    fn list_series(&self) -> Answer<'_, Vec<(String, StoredSeries)>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    /// Lists the rows of the sequences without gaps. Raises `invalid_config` if their table is missing or cannot count
    /// without gaps, or if the store keeps none.
    fn list_gapless(&self) -> Answer<'_, Vec<GaplessRow>> {
        let text = format!(
            "{} keeps no sequences without gaps: use the URL of MySQL, MariaDB, PostgreSQL or SQLite, without tickets and \
             sequences",
            self.scope()
        );
        Box::pin(ready(Err(Error::new(ErrorKind::InvalidConfig, text))))
    }

    /// Lists the tags, sorted by name. A row that cannot be leased from is listed with its problem.
    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>>;

    /// Changes the `step` or the description of a tag. Raises `unknown_tag`.
    fn set_tag<'a>(&'a self, change: &'a TagChange) -> Answer<'a, ()>;

    /// Raises `max_id` to at least this value, and returns the value that is stored now. Never lowers it.
    ///
    /// Raises `unknown_tag`.
    fn raise_tag<'a>(&'a self, tag: &'a str, max_id: i64) -> Answer<'a, i64>;

    /// Reads `max_id`, the next number to lease, from where leases change it. Raises `unknown_tag`. `None` if the store
    /// cannot say without a lease.
    fn next_number<'a>(&'a self, tag: &'a str) -> Option<Answer<'a, i64>> {
        let _ = tag;
        None
    }

    /// Checks the table, its columns and the account, and leases nothing. The generator adds scope and time.
    fn check(&self) -> Answer<'_, SegmentCheck>;

    /// Reads what the database says about the table, apart from its rows: only MySQL and MariaDB are asked. Returns
    /// `None` of another store, or if there is no such table.
    fn table_facts(&self) -> Answer<'_, Option<TableFacts>> {
        Box::pin(async { Ok(None) })
    }

    /// Creates the tables that do not exist.
    fn init_schema(&self) -> Answer<'_, ()>;

    /// Returns the name of the store, without credentials, and the scope of its ids.
    fn scope(&self) -> String;

    /// Names the host of a fail-over list that is in use, with its port; `None` without a list.
    fn host(&self) -> Option<String> {
        None
    }

    /// Closes the connections.
    fn close(&self) -> Answer<'_, ()>;

    /// Makes the same store for a forked child, with connections of its own. Reads nothing but settings.
    fn in_child(&self) -> Arc<dyn SegmentStore>;
}
