//! Runs an audit: chooses the engine, reads in the order that makes races harmless, and judges.

use super::assemble::{self, ListedCounter};
use super::catalogue::{Catalogue, EXACT, Key, Tag};
use super::mysql::MySqlReader;
use super::postgres::PostgresReader;
use super::reader::{Reader, Sight, if_allowed, sight};
use super::report::{AuditReport, KeyUse};
use super::request::{AuditRequest, is_alike};
use super::sqlite::SqliteReader;
use super::{growth, judge, tags};
use leafmint::config::{Database, OptionValue, SegmentConfig, StoreConfig};
use leafmint_backends::by_product::Product;
use leafmint_engine::clock::{Clock, SystemClock};
use leafmint_engine::runtime::background::Pending;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

/// The longest audit. Each statement ends within `connect_timeout`, but a database may have thousands of tables.
const LONGEST: Duration = Duration::from_secs(1800);

/// Reads how far the keys of a database are used, and judges it. Writes nothing, and needs only `SELECT`.
///
/// The options are those of a segment generator; `connect_timeout` is the longest wait for one statement. No table is
/// scanned. Raises `invalid_config` and `store_unavailable`.
pub fn audit(
    database: Database<'_>,
    options: impl IntoIterator<Item = (String, OptionValue)>,
    request: AuditRequest,
) -> Result<Pending<AuditReport>> {
    begin(SegmentConfig::of(database, options)?, request)
}

/// Not generic: the work is compiled once, here, and not in each binding at the level of its fast paths.
fn begin(config: SegmentConfig, request: AuditRequest) -> Result<Pending<AuditReport>> {
    let SegmentConfig { store, table, .. } = config;
    match store {
        StoreConfig::Sqlite { path, busy_timeout } => {
            start(SqliteReader::new(&path, &table, busy_timeout)?, table, request)
        }
        StoreConfig::MySql(settings) => start(MySqlReader::new(settings.of_replica(), table.clone()), table, request),
        StoreConfig::Postgres(settings) | StoreConfig::Sequence(settings, ..) => {
            start(PostgresReader::new(settings.of_replica(), table.clone()), table, request)
        }
        StoreConfig::Borrowed(settings, _) => Pending::spawn(LONGEST, async move {
            let settings = settings.of_replica();
            match Product::ask(&settings).await? {
                Product::MySql => read_and_close(MySqlReader::new(settings, table.clone()), &table, request).await,
                Product::Postgres => {
                    read_and_close(PostgresReader::new(settings, table.clone()), &table, request).await
                }
                Product::Portable => {
                    let text = "an audit reads MySQL, MariaDB and PostgreSQL, and a file of SQLite by its URL, sqlite:///file.db";
                    Err(Error::new(ErrorKind::InvalidConfig, text))
                }
            }
        }),
        _ => {
            let text = "an audit reads a database: name it by mysql://, postgresql:// or sqlite://";
            Err(Error::new(ErrorKind::InvalidConfig, text))
        }
    }
}

/// Stands among the unread tables for those that the account does not even see.
const ALL_TABLES: &str = "*";

/// Looks at the rows above the tags while those go on leasing.
const MOST_LOOKS: usize = 5;

/// Number of times that the counters are listed again.
const MOST_LISTINGS: usize = 9;

fn start(reader: impl Reader, tags: String, request: AuditRequest) -> Result<Pending<AuditReport>> {
    Pending::spawn(LONGEST, async move { read_and_close(reader, &tags, request).await })
}

async fn read_and_close(reader: impl Reader, tags: &str, request: AuditRequest) -> Result<AuditReport> {
    let report = read(&reader, tags, request).await;
    reader.close().await;
    report
}

/// Reads and judges. Rows are read before the counters and the tags, which only rise: so a row that is inserted
/// meanwhile makes neither of them look behind. `tag_table` is the table of the tags.
async fn read(reader: &impl Reader, tag_table: &str, request: AuditRequest) -> Result<AuditReport> {
    let listed = reader.listed().await?.spelt();
    let request = &request.spelt_as(&listed.tables());
    if !listed.sees_nothing {
        request.check_listed(&listed.tables())?;
    }
    let mut catalogue = assemble::assemble(&listed, request);
    let read_at = SystemClock.wall();
    let mut unread: BTreeSet<String> = listed.damaged.iter().filter(|table| request.takes(table)).cloned().collect();
    if listed.sees_nothing {
        unread.insert(ALL_TABLES.to_owned());
    }
    read_highest(reader, &mut catalogue, &mut unread).await?;
    let takes = |table: &str| request.takes(table) && !unread.contains(table);
    let unread_counters = assemble::add_counters(&mut catalogue, counters(reader).await?, takes);
    unread.extend(unread_counters);
    read_targets(reader, &mut catalogue, &mut unread).await?;
    // An account that may read nothing of a table is refused too if there is none.
    let has_tags = listed.columns.iter().any(|column| is_alike(&column.table, tag_table));
    let mut unread_tags = BTreeSet::new();
    let mut tags = or_unread(reader.tags().await, tag_table, &mut unread_tags)?.unwrap_or_default();
    read_above(reader, &mut catalogue, &mut tags, request).await?;
    unread.extend(unread_tags.into_iter().filter(|_| has_tags));
    if request.layout.is_some() {
        read_lowest(reader, &mut catalogue, &mut unread).await?;
    }
    growth::read(reader, &mut catalogue.keys, request, read_at).await?;
    let mut keys: Vec<KeyUse> = catalogue.keys.iter().map(KeyUse::of).collect();
    keys.sort_by(|a, b| judge::percent(b.used, b.largest).total_cmp(&judge::percent(a.used, a.largest)));
    let findings = judge::judge(&catalogue, &tags, request, read_at);
    Ok(AuditReport { scope: reader.scope(), read_at, keys, findings, unread: unread.into_iter().collect() })
}

/// Reads the highest number of each key. Removes keys that cannot be read, and adds their tables to the unread ones,
/// unless they were dropped since they were listed.
async fn read_highest(reader: &impl Reader, catalogue: &mut Catalogue, unread: &mut BTreeSet<String>) -> Result<()> {
    let mut gone = HashSet::new();
    for key in &mut catalogue.keys {
        match sight(reader.highest(&key.column).await)? {
            Sight::Read(highest) => key.highest = highest,
            Sight::Gone => _ = gone.insert(key.column.table.clone()),
            Sight::Refused => _ = unread.insert(key.column.table.clone()),
        }
    }
    catalogue.keys.retain(|key| !unread.contains(&key.column.table) && !gone.contains(&key.column.table));
    Ok(())
}

/// Lists the counters, again if one of them was dropped meanwhile.
async fn counters(reader: &impl Reader) -> Result<Vec<ListedCounter>> {
    for _ in 0..MOST_LISTINGS {
        if let Some(counters) = if_allowed(reader.counters().await)? {
            return Ok(counters);
        }
    }
    reader.counters().await
}

/// Reads the highest number that a narrow foreign key can point to, if its target is no key.
async fn read_targets(reader: &impl Reader, catalogue: &mut Catalogue, unread: &mut BTreeSet<String>) -> Result<()> {
    let Catalogue { keys, references } = catalogue;
    for reference in references.iter_mut().filter(|it| it.is_narrow() && it.is_ordered && it.target(keys).is_none()) {
        reference.highest = or_unread(reader.highest(&reference.to).await, &reference.to.table, unread)?.flatten();
    }
    Ok(())
}

/// Reads the first row above each tag that is behind the rows of `AUTO_INCREMENT`: one that was there before the tag
/// came so far, and so is none of the tag's own.
async fn read_above(
    reader: &impl Reader,
    catalogue: &mut Catalogue,
    tags: &mut Vec<Tag>,
    request: &AuditRequest,
) -> Result<()> {
    let is_counted = |key: &&mut Key| key.counter.as_ref().is_some_and(|counter| counter.is_auto_increment);
    for _ in 0..MOST_LOOKS {
        let mut lowest = Vec::new();
        for key in catalogue.keys.iter_mut().filter(is_counted) {
            let Some(tag) = tags::behind(tags, key, request) else { continue };
            key.above = if_allowed(reader.first_id_from(&key.column, tag.next).await)?.flatten();
            lowest.extend(key.above.map(|above| (tag.name.clone(), above)));
        }
        if lowest.is_empty() {
            return Ok(());
        }
        let Some(again) = if_allowed(reader.tags().await)? else { return Ok(()) };
        *tags = again;
        if !lowest.iter().any(|(name, above)| tags::named(tags, name).is_some_and(|tag| *above < tag.next)) {
            return Ok(());
        }
    }
    Ok(())
}

/// Reads the lowest number of each key that may hold snowflakes.
async fn read_lowest(reader: &impl Reader, catalogue: &mut Catalogue, unread: &mut BTreeSet<String>) -> Result<()> {
    for key in catalogue.keys.iter_mut().filter(|key| key.highest > Some(EXACT)) {
        key.lowest = or_unread(reader.lowest(&key.column).await, &key.column.table, unread)?.flatten();
    }
    Ok(())
}

/// Returns what was read of a table, and adds the table to the unread ones if it cannot be read.
fn or_unread<T>(answer: Result<T>, table: &str, unread: &mut BTreeSet<String>) -> Result<Option<T>> {
    match sight(answer)? {
        Sight::Read(read) => Ok(Some(read)),
        Sight::Gone => Ok(None),
        Sight::Refused => {
            unread.insert(table.to_owned());
            Ok(None)
        }
    }
}
