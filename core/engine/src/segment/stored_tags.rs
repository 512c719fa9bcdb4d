//! The tags and series in the store: creates, lists and changes them. None of this leases ids.

use super::generator::SegmentGenerator;
use crate::runtime::background::Pending;
use crate::store::{
    GaplessInfo, NewTagOptions, SegmentCheck, SeriesInfo, StoredSeries, TableFacts, TagChange, TagInfo, check_raise,
    number_above, unread_gene_bits,
};
use leafmint_ids::error::Result;
use leafmint_ids::layout::MAX_GENE_BITS;
use std::time::Instant;

impl SegmentGenerator {
    /// Inserts a tag with `step` 1000 and `start` 1 if it does not exist. Returns whether it was inserted.
    ///
    /// Raises `invalid_argument`, `closed` and what the store raises.
    pub fn create_tag(&self, name: &str) -> Result<Pending<bool>> {
        self.create_tag_with(name, NewTagOptions::new())
    }

    /// Inserts a tag with options if it does not exist. Returns whether it was inserted.
    ///
    /// Raises `invalid_config` if the tag exists with other gene bits or with none, and what
    /// [`SegmentGenerator::create_tag`] raises.
    pub fn create_tag_with(&self, name: &str, options: NewTagOptions) -> Result<Pending<bool>> {
        options.check(name)?;
        let (store, name) = (self.state().open_store()?, name.to_owned());
        self.ask("create_tag", async move { store.create_tag(&name, &options).await })
    }

    /// Lists the tags of the store, sorted by name.
    ///
    /// A row that cannot be leased from is listed with its [`problem`](TagInfo::problem). Raises `closed` and what the
    /// store raises.
    pub fn list_tags(&self) -> Result<Pending<Vec<TagInfo>>> {
        let store = self.state().open_store()?;
        self.ask("list_tags", async move { store.list_tags().await })
    }

    /// Lists the series of the store, sorted by name.
    ///
    /// A series is stored with its first number. Its tags are named `invoice@2026`, with a key `invoice/shop-7@2026`,
    /// and without periods `invoice` or `invoice/shop-7`. Raises `closed` and what the store raises.
    pub fn list_series(&self) -> Result<Pending<Vec<SeriesInfo>>> {
        let store = self.state().open_store()?;
        let info = |(name, StoredSeries { period, zone, format, .. })| SeriesInfo { name, period, zone, format };
        self.ask("list_series", async move { Ok(store.list_series().await?.into_iter().map(info).collect()) })
    }

    /// Lists the sequences without gaps of the database, a row for each key and period, sorted.
    ///
    /// A row that no number can be taken of is listed with its [`problem`](GaplessInfo::problem). Raises
    /// `invalid_config` if the table is missing or cannot count without gaps, `closed` and what the store raises.
    pub fn list_gapless(&self) -> Result<Pending<Vec<GaplessInfo>>> {
        let store = self.state().open_store()?;
        self.ask("list_gapless", async move {
            let mut rows = store.list_gapless().await?;
            rows.sort();
            Ok(rows.into_iter().map(GaplessInfo::of_row).collect())
        })
    }

    /// Changes the `step` or the description of a tag; `None` leaves one as it is.
    ///
    /// Generators that use the tag read `step` again within about a minute. Raises `unknown_tag`, `invalid_argument`,
    /// `closed` and what the store raises.
    pub fn set_tag(&self, name: &str, step: Option<i64>, description: Option<&str>) -> Result<Pending<()>> {
        let change = TagChange::checked(name, step, description)?;
        let store = self.state().open_store()?;
        self.ask("set_tag", async move { store.set_tag(&change).await })
    }

    /// Raises the `max_id` of a tag to at least this value, after a restore or for a migration, and returns the value
    /// that is stored now. Never lowers it.
    ///
    /// The next lease of any process starts there, or higher. With gene bits it is a number before the gene is added.
    /// Raises `unknown_tag`, `invalid_argument`, `closed` and what the store raises.
    pub fn raise_tag(&self, name: &str, max_id: i64) -> Result<Pending<i64>> {
        check_raise(name, max_id)?;
        let (store, name) = (self.state().open_store()?, name.to_owned());
        self.ask("raise_tag", async move { store.raise_tag(&name, max_id).await })
    }

    /// Raises a tag above an id of a row, as [`SegmentGenerator::raise_tag`] does, and returns the `max_id` that is
    /// stored now.
    ///
    /// The next number makes ids above this one with every gene. Raises what `raise_tag` raises, and `invalid_config`
    /// if the account may not read the tag's gene bits.
    pub fn raise_tag_above(&self, name: &str, id: i64) -> Result<Pending<i64>> {
        number_above(name, id, MAX_GENE_BITS)?;
        let (store, name) = (self.state().open_store()?, name.to_owned());
        self.ask("raise_tag_above", async move {
            let gene_bits = store.gene_bits(&name).await?.ok_or_else(|| unread_gene_bits(&name))?;
            store.raise_tag(&name, number_above(&name, id, gene_bits)?).await
        })
    }

    /// Checks the store: connects, and checks the table, its columns and the account, without leasing ids.
    ///
    /// Raises what the first id would raise, as far as that can be told without one, and `closed`.
    pub fn check(&self) -> Result<Pending<SegmentCheck>> {
        let (store, scope) = (self.state().open_store()?, self.scope());
        self.ask("check", async move {
            let began = Instant::now();
            let found = store.check().await?;
            Ok(SegmentCheck { scope, round_trip: began.elapsed(), ..found })
        })
    }

    /// Creates the tables that do not exist. Raises `closed` and what the store raises.
    pub fn init_schema(&self) -> Result<Pending<()>> {
        let store = self.state().open_store()?;
        self.ask("init_schema", async move { store.init_schema().await })
    }
}

/// The table as the database describes it, and its tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredTable {
    /// The name of the table.
    pub table: String,
    /// What the database says about the table; `None` if the store is none of MySQL or MariaDB.
    pub facts: Option<TableFacts>,
    /// The tags, sorted by name; none if columns are missing.
    pub tags: Vec<TagInfo>,
}

impl SegmentGenerator {
    /// Reads what the database says about the table, and lists the tags. Raises what [`Self::list_tags`] raises.
    pub fn inspect_table(&self) -> Result<Pending<StoredTable>> {
        let (store, table) = (self.state().open_store()?, self.state().shared.settings.table.clone());
        self.ask("inspect_table", async move {
            let facts = store.table_facts().await?;
            let is_complete = facts.as_ref().is_none_or(|facts| facts.missing().is_empty());
            let tags = if is_complete { store.list_tags().await? } else { Vec::new() };
            Ok(StoredTable { table, facts, tags })
        })
    }
}
