//! Runs an audit: chooses the engine, reads in the order that makes races harmless, and judges.

use super::assemble;
use super::catalogue::{Catalogue, EXACT};
use super::growth;
use super::judge;
use super::mysql::MySqlReader;
use super::postgres::PostgresReader;
use super::reader::{Reader, if_allowed};
use super::report::{AuditReport, KeyUse};
use super::request::AuditRequest;
use super::sqlite::SqliteReader;
use crate::background::Pending;
use crate::clock::{Clock, SystemClock};
use crate::config::{OptionValue, SegmentConfig, StoreConfig};
use crate::error::{Error, ErrorKind, Result};
use std::time::Duration;

/// The longest audit. Each statement ends within `connect_timeout`, but a database may have thousands of tables.
const LONGEST: Duration = Duration::from_secs(1800);

/// Reads how far the keys of a database are used, and judges it. Writes nothing, and needs only `SELECT`.
///
/// URL and options are those of a segment generator; `connect_timeout` is the longest wait for one statement. No table
/// is scanned. Raises `invalid_config` and `store_unavailable`.
pub fn audit(
    url: &str,
    options: impl IntoIterator<Item = (String, OptionValue)>,
    request: AuditRequest,
) -> Result<Pending<AuditReport>> {
    let SegmentConfig { store, table, .. } = SegmentConfig::parse(url, options)?;
    match store {
        StoreConfig::Sqlite { path, busy_timeout } => start(SqliteReader::new(&path, &table, busy_timeout)?, request),
        StoreConfig::MySql(settings) => start(MySqlReader::new(settings.of_replica(), table), request),
        StoreConfig::Postgres(settings) => start(PostgresReader::new(settings.of_replica(), table), request),
        StoreConfig::Memory { .. } | StoreConfig::Tickets(_) => {
            let text = "an audit reads a database: name it by mysql://, postgresql:// or sqlite://";
            Err(Error::new(ErrorKind::InvalidConfig, text))
        }
    }
}

fn start(reader: impl Reader, request: AuditRequest) -> Result<Pending<AuditReport>> {
    Pending::spawn(LONGEST, async move {
        let report = read(&reader, &request).await;
        reader.close().await;
        report
    })
}

/// Reads and judges. Rows are read before the counters and the tags, which only rise: so a row that is inserted
/// meanwhile makes neither of them look behind.
async fn read(reader: &impl Reader, request: &AuditRequest) -> Result<AuditReport> {
    let mut catalogue = assemble::assemble(&reader.listed().await?, request);
    let read_at = SystemClock.wall();
    let unread = read_highest(reader, &mut catalogue).await?;
    let takes = |table: &str| request.takes(table) && !unread.iter().any(|other| other == table);
    assemble::add_counters(&mut catalogue, reader.counters().await?, takes);
    let tags = if_allowed(reader.tags().await)?.unwrap_or_default();
    if request.layout.is_some() {
        read_lowest(reader, &mut catalogue).await?;
    }
    growth::read(reader, &mut catalogue.keys, request, read_at).await?;
    let mut keys: Vec<KeyUse> = catalogue.keys.iter().map(KeyUse::of).collect();
    keys.sort_by(|a, b| judge::percent(b.used, b.largest).total_cmp(&judge::percent(a.used, a.largest)));
    let findings = judge::judge(&catalogue, &tags, request, read_at);
    Ok(AuditReport { scope: reader.scope(), read_at, keys, findings, unread })
}

/// Reads the highest number of each key. Removes keys that cannot be read, and returns their tables.
async fn read_highest(reader: &impl Reader, catalogue: &mut Catalogue) -> Result<Vec<String>> {
    let mut unread = Vec::new();
    for key in &mut catalogue.keys {
        match if_allowed(reader.highest(&key.column).await)? {
            Some(highest) => key.highest = highest,
            None => unread.push(key.column.table.clone()),
        }
    }
    catalogue.keys.retain(|key| !unread.contains(&key.column.table));
    Ok(unread)
}

/// Reads the lowest number of each key that may hold snowflakes.
async fn read_lowest(reader: &impl Reader, catalogue: &mut Catalogue) -> Result<()> {
    for key in catalogue.keys.iter_mut().filter(|key| key.highest > Some(EXACT)) {
        key.lowest = if_allowed(reader.lowest(&key.column).await)?.flatten();
    }
    Ok(())
}
