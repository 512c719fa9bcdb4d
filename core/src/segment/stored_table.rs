//! The table of the store as a whole, for a move from Leaf. None of this leases ids.

use super::generator::SegmentGenerator;
use crate::background::Pending;
use crate::error::Result;
use crate::store::{TableFacts, TagInfo};

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
