//! What a server says about the tables that it counts for.

/// What a server says about the tables that it counts for, and the tags that are to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The database, without credentials.
    pub scope: String,
    /// What concerns every table.
    pub server: ServerFacts,
    /// The tables whose keys the server counts, by name.
    pub tables: Vec<CountedTable>,
    /// Tables that the account may not read.
    pub unread: Vec<String>,
    /// Names and patterns that were asked for, and that no such table has.
    pub absent: Vec<String>,
}

/// What concerns every table of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// It takes no writes: a replica.
    pub is_read_only: bool,
    /// It is a node of a Galera cluster.
    pub is_galera: bool,
    /// A node of Galera keeps an `ALTER TABLE` to itself (`wsrep_OSU_method=RSU`).
    pub keeps_changes: bool,
    /// It is a member of a replication group with several primaries.
    pub has_many_primaries: bool,
}

/// A table whose key the server counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedTable {
    /// Its name.
    pub table: String,
    /// The column that the server fills.
    pub column: String,
    /// Its type, as the engine names it.
    pub data_type: String,
    /// The highest id that fits into it and into each column that points to it.
    pub largest: u64,
    /// The column that points to it and holds less; `None` if all hold as much.
    pub narrow: Option<String>,
    /// The highest id in the table.
    pub highest: Option<u64>,
    /// The number that the next insert without an id gets.
    pub counter: u64,
    /// The storage engine.
    pub engine: String,
    /// Its triggers before and after an insert.
    pub triggers: Vec<String>,
    /// The name of its tag.
    pub tag: String,
    /// The tag, if it exists.
    pub stored: Option<StoredTag>,
    /// The lowest id of a row that the tag has not leased.
    pub above: Option<u64>,
}

/// A tag as it is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoredTag {
    /// The next id, which the next number makes with the gene 0.
    pub next: u64,
    /// Ids of one lease.
    pub lease: u64,
    /// Ids that one number makes: one for each gene.
    pub genes: u64,
}

impl CountedTable {
    /// Returns the highest id that was given out, as far as rows, counter and tag show.
    pub fn used(&self) -> u64 {
        let leased = self.stored.map_or(0, |tag| tag.next.saturating_sub(1));
        self.counter.saturating_sub(1).max(self.highest.unwrap_or(0)).max(leased)
    }

    /// Returns the number of ids that the tag may lease before it meets a row or the counter; `None` without a tag.
    pub fn room(&self) -> Option<u64> {
        Some(self.end()?.saturating_sub(self.stored?.next))
    }

    /// Returns the first id that is not the tag's: that of a row, or the next one of the counter.
    pub fn end(&self) -> Option<u64> {
        self.stored?;
        Some(self.above.map_or(self.counter, |above| above.min(self.counter)))
    }
}

#[cfg(test)]
impl CountedTable {
    /// A table of 1,000 rows whose tag has room below the counter.
    pub(super) fn with_room() -> Self {
        Self {
            table: "orders".to_owned(),
            column: "id".to_owned(),
            data_type: "bigint(20)".to_owned(),
            largest: i64::MAX.unsigned_abs(),
            highest: Some(1000),
            counter: 2_000_000_000,
            engine: "InnoDB".to_owned(),
            tag: "orders".to_owned(),
            stored: Some(StoredTag { next: 1_000_000_000, lease: 1000, genes: 1 }),
            ..Self::default()
        }
    }

    /// The same table before the move.
    pub(super) fn untouched() -> Self {
        Self { counter: 1001, stored: None, ..Self::with_room() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_of_a_tag_ends_at_a_row_or_at_the_counter() {
        let table = CountedTable::with_room();
        assert_eq!(table.room(), Some(1_000_000_000));
        assert_eq!(CountedTable { above: Some(1_500_000_000), ..table.clone() }.room(), Some(500_000_000));
        assert_eq!(CountedTable { counter: 1001, ..table }.room(), Some(0));
        assert_eq!(CountedTable::untouched().room(), None);
    }

    #[test]
    fn an_id_is_used_if_it_was_given_out() {
        let table = CountedTable::untouched();
        assert_eq!(table.used(), 1000);
        assert_eq!(CountedTable { counter: 2000, ..table.clone() }.used(), 1999, "the row of an insert was undone");
        assert_eq!(CountedTable { stored: Some(StoredTag { next: 5000, lease: 1, genes: 1 }), ..table }.used(), 4999);
    }
}
