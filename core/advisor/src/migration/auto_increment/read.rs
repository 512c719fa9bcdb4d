//! Reads what a server says about its counters, by the audit's reader of MySQL and MariaDB.

use crate::audit::tag_named;
use crate::audit::{
    AuditRequest, Chosen, Column, Course, Listed, ListedColumn, ListedCounter, MySqlReader, Reader, Tag, if_allowed,
};
use leafmint::config::{Database, OptionValue, SegmentConfig, StoreConfig};
use leafmint_backends::by_product::Product;
use leafmint_engine::runtime::background::Pending;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::text::pasted::ShellCommand;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// The longest look. Each statement ends within `connect_timeout`.
pub(super) const LONGEST: Duration = Duration::from_secs(1800);

/// Looks at the rows above a tag while it goes on leasing.
const MOST_LOOKS: usize = 5;

/// In MariaDB a column may take its numbers from a sequence instead.
const COUNTED: &str = "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS \
    WHERE TABLE_SCHEMA = DATABASE() AND EXTRA LIKE '%auto_increment%'";
const ENGINES: &str = "SELECT TABLE_NAME, COALESCE(ENGINE, '') FROM information_schema.TABLES \
    WHERE TABLE_SCHEMA = DATABASE()";
const TRIGGERS: &str = "SELECT EVENT_OBJECT_TABLE, CONCAT(ACTION_TIMING, ' ', TRIGGER_NAME) \
    FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = DATABASE() AND EVENT_MANIPULATION = 'INSERT' ORDER BY 1, 2";
const VARIABLES: &str = "SHOW GLOBAL VARIABLES WHERE Variable_name IN \
    ('read_only', 'wsrep_on', 'wsrep_OSU_method', 'group_replication_single_primary_mode')";

/// Reads the counters of a database of MySQL or MariaDB and its tags. Writes nothing, and needs only `SELECT`.
///
/// The options are those of a segment generator; tables and tags are chosen as for an audit. A replica may be read.
/// Raises `invalid_config` and `store_unavailable`.
pub fn read(
    database: Database<'_>,
    options: impl IntoIterator<Item = (String, OptionValue)>,
    request: AuditRequest,
) -> Result<Pending<Counters>> {
    begin(OfMySql::named(database, options)?, request)
}

/// Not generic: the work is compiled once, here, and not in each binding at the level of its fast paths.
fn begin(found: OfMySql, request: AuditRequest) -> Result<Pending<Counters>> {
    Pending::spawn(LONGEST, async move {
        let Some(reader) = found.reader().await? else { return Err(counts_by_itself()) };
        let counters = read_all(&reader, request).await;
        reader.close().await;
        counters
    })
}

fn counts_by_itself() -> Error {
    let text = "AUTO_INCREMENT is MySQL's and MariaDB's: name the database by mysql://";
    Error::new(ErrorKind::InvalidConfig, text)
}

/// A database that may be one of MySQL or MariaDB.
pub(super) struct OfMySql {
    store: StoreConfig,
    /// The table of tags.
    table: String,
}

impl OfMySql {
    pub(super) fn named(
        database: Database<'_>,
        options: impl IntoIterator<Item = (String, OptionValue)>,
    ) -> Result<Self> {
        let SegmentConfig { store, table, .. } = SegmentConfig::of(database, options)?;
        Ok(Self { store, table })
    }

    /// Returns what reads it; `None` if it is another database.
    pub(super) async fn reader(self) -> Result<Option<MySqlReader>> {
        let (StoreConfig::MySql(settings) | StoreConfig::Borrowed(settings, _)) = self.store else { return Ok(None) };
        if settings.lender.is_some() && Product::ask(&settings).await? != Product::MySql {
            return Ok(None);
        }
        Ok(Some(MySqlReader::new(settings.of_replica(), self.table)))
    }
}

/// Returns the names of the columns that the server counts.
pub(super) async fn counting(reader: &MySqlReader) -> Result<HashSet<(String, String)>> {
    Ok(reader.rows(COUNTED).await?.into_iter().collect())
}

async fn read_all(reader: &MySqlReader, request: AuditRequest) -> Result<Counters> {
    let listed = reader.listed().await?.spelt();
    let request = &request.spelt_as(&listed.tables());
    let mut counted = counted(&listed, request);
    let counting = counting(reader).await?;
    counted.retain(|(column, _)| counting.contains(&(column.table.clone(), column.name.clone())));
    let absent = absent(&counted, request);
    if counted.is_empty() {
        let text = "no table that is asked for has an AUTO_INCREMENT, as far as this account may see";
        return Err(Error::new(ErrorKind::InvalidConfig, text));
    }
    let unread = read_rows(reader, &mut counted).await?;
    read_counters(reader, &mut counted).await?;
    let is_new = !describe(reader, &mut counted).await?;
    read_tags(reader, &mut counted).await?;
    let tables = counted.into_iter().map(|(_, table)| table).collect();
    let chosen = Chosen { tables: request.tables.clone(), tags: request.tags.clone() };
    let server = server(&reader.rows(VARIABLES).await?);
    Ok(Counters { scope: reader.scope(), server, tables, unread, absent, chosen, is_new })
}

/// Returns what was asked for and is not there.
fn absent(counted: &Counted, request: &AuditRequest) -> Vec<String> {
    let is_there = |pattern: &String| {
        let one = AuditRequest { tables: vec![pattern.clone()], ..AuditRequest::default() };
        counted.iter().any(|(_, table)| one.takes(&table.table))
    };
    request.tables.iter().filter(|pattern| !is_there(pattern)).cloned().collect()
}

type Counted = Vec<(Column, CountedTable)>;

/// Returns the columns that the server counts for.
fn counted(listed: &Listed, request: &AuditRequest) -> Counted {
    let taken = listed.columns.iter().filter(|column| column.is_counted && request.takes(&column.table));
    taken.filter_map(|found| Some((found.column()?, counted_by(found, listed, request)?))).collect()
}

fn counted_by(found: &ListedColumn, listed: &Listed, request: &AuditRequest) -> Option<CountedTable> {
    let points_here = listed.references.iter().filter(|it| it.to.0 == found.table && it.to.1 == found.name);
    let from = points_here
        .filter_map(|it| listed.columns.iter().find(|other| (&other.table, &other.name) == (&it.from.0, &it.from.1)));
    let narrow = from.filter(|other| other.largest < found.largest).min_by_key(|other| other.largest);
    Some(CountedTable {
        table: found.table.clone(),
        column: found.name.clone(),
        data_type: found.data_type.clone(),
        largest: narrow.and_then(|narrow| narrow.largest).or(found.largest)?,
        narrow: narrow.map(|narrow| format!("{}.{} {}", narrow.table, narrow.name, narrow.data_type)),
        tag: request.tag_of(&found.table).to_owned(),
        ..CountedTable::default()
    })
}

/// Reads the highest rows, before the counters, which only rise. Returns the tables that cannot be read.
async fn read_rows(reader: &MySqlReader, counted: &mut Counted) -> Result<Vec<String>> {
    let mut unread = Vec::new();
    for (column, table) in counted.iter_mut() {
        match if_allowed(reader.highest(column).await)? {
            Some(highest) => table.highest = highest,
            None => unread.push(table.table.clone()),
        }
    }
    counted.retain(|(_, table)| !unread.contains(&table.table));
    Ok(unread)
}

/// Reads the counters. A table that never had a row has none.
async fn read_counters(reader: &MySqlReader, counted: &mut Counted) -> Result<()> {
    let counters = reader.counters().await?;
    let next: HashMap<_, _> = counters.into_iter().filter_map(next_of).collect();
    for (column, table) in counted {
        table.counter = next.get(&(column.table.clone(), column.name.clone())).copied().unwrap_or(1);
    }
    Ok(())
}

pub(super) fn next_of(found: ListedCounter) -> Option<((String, String), u64)> {
    match found.course {
        Course::Up(counter) => Some(((found.column.table, found.column.name), counter.next)),
        Course::Otherwise | Course::Unread(_) => None,
    }
}

/// Reads engines and triggers. Returns whether the table of tags is there, as far as this account may see.
async fn describe(reader: &MySqlReader, counted: &mut Counted) -> Result<bool> {
    let engines: HashMap<String, String> = reader.rows(ENGINES).await?.into_iter().collect();
    let triggers: Vec<(String, String)> = reader.rows(TRIGGERS).await?;
    for (_, table) in counted {
        table.engine = engines.get(&table.table).cloned().unwrap_or_default();
        let its = triggers.iter().filter(|(of, _)| *of == table.table);
        table.triggers = its.map(|(_, trigger)| trigger.clone()).collect();
    }
    // Of another schema nothing is listed.
    let tags = reader.table();
    Ok(tags.contains('.') || engines.keys().any(|table| table.eq_ignore_ascii_case(tags)))
}

/// Reads the tags, and the first row above each that is not its own: one that was there before the tag came so far.
async fn read_tags(reader: &MySqlReader, counted: &mut Counted) -> Result<()> {
    let mut tags = stored(reader).await?;
    for _ in 0..MOST_LOOKS {
        for (column, table) in counted.iter_mut() {
            let Some(tag) = tag_named(&tags, &table.tag) else { continue };
            table.tag = tag.name.clone();
            table.stored = Some(StoredTag { next: tag.next, lease: tag.lease, genes: tag.genes });
            table.above = reader.first_id_from(column, tag.next).await?;
        }
        tags = stored(reader).await?;
        let is_passed = |(_, table): &(Column, CountedTable)| {
            tag_named(&tags, &table.tag).is_some_and(|tag| table.above.is_some_and(|above| above < tag.next))
        };
        if !counted.iter().any(is_passed) {
            break;
        }
    }
    Ok(())
}

async fn stored(reader: &MySqlReader) -> Result<Vec<Tag>> {
    Ok(if_allowed(reader.tags().await)?.unwrap_or_default())
}

fn server(variables: &[(String, String)]) -> ServerFacts {
    let is = |name: &str, value: &str| variables.iter().any(|(known, set)| known == name && set == value);
    let read_only = variables.iter().find(|(name, _)| name == "read_only");
    let is_galera = is("wsrep_on", "ON");
    ServerFacts {
        is_read_only: read_only.is_some_and(|(_, value)| value != "OFF" && value != "0"),
        is_galera,
        keeps_changes: is_galera && is("wsrep_OSU_method", "RSU"),
        has_many_primaries: is("group_replication_single_primary_mode", "OFF"),
    }
}

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
    /// What was asked for.
    pub chosen: Chosen,
    /// The table of tags is missing.
    pub is_new: bool,
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
    /// Returns a command of this move that looks at this table.
    pub(super) fn command(&self, words: &str) -> ShellCommand {
        Chosen::one(&self.table, &self.tag).command(words)
    }

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
    use crate::audit::ListedReference;

    fn listed(table: &str, name: &str, largest: u64, is_counted: bool) -> ListedColumn {
        let (table, name) = (table.to_owned(), name.to_owned());
        ListedColumn { table, name, largest: Some(largest), is_counted, ..ListedColumn::default() }
    }

    #[test]
    fn the_narrowest_column_that_points_to_a_key_bounds_it() {
        let columns = vec![
            listed("orders", "id", 1000, true),
            listed("lines", "order_id", 100, false),
            listed("notes", "order_id", 500, false),
        ];
        let reference = |from: &str| ListedReference {
            from: (from.to_owned(), "order_id".to_owned()),
            to: ("orders".to_owned(), "id".to_owned()),
        };
        let references = vec![reference("notes"), reference("lines")];
        let found = counted(&Listed { columns, references, ..Listed::default() }, &AuditRequest::default());
        assert_eq!((found.len(), found[0].1.largest), (1, 100));
        assert_eq!(found[0].1.narrow.as_deref(), Some("lines.order_id "));
    }

    #[test]
    fn a_node_of_galera_is_one_by_its_variables() {
        let variables = |on: &str| {
            let pairs = [("wsrep_on", on), ("wsrep_OSU_method", "RSU"), ("read_only", "ON")];
            server(&pairs.map(|(name, value)| (name.to_owned(), value.to_owned())))
        };
        assert!(variables("ON").keeps_changes && variables("ON").is_read_only);
        assert!(!variables("OFF").is_galera && !variables("OFF").keeps_changes);
    }

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
