//! Finds the rows that old writers may have inserted while a table moves: those beyond the room of its tag.

use super::read::{LONGEST, OfMySql, counting, next_of};
use crate::audit::{Column, ListedColumn, MySqlReader, Reader, least_room_of};
use leafmint::config::{Database, OptionValue};
use leafmint_engine::runtime::background::Pending;
use leafmint_ids::error::Result;

/// Maximum number of rows that are read to find a room.
const MOST_PROBES: u64 = 1000;

/// Leases of a tag that may leave no row. A stretch of twice as many is a room, also one that is almost used up.
const LEASES_WITHOUT_ROWS: u64 = 20;

/// What is known of the tag of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownTag {
    /// The table of its rows.
    pub table: String,
    /// The column of its ids.
    pub column: String,
    /// The highest id that the tag has leased, as far as that is known.
    pub highest: u64,
    /// Ids of one lease.
    pub lease: u64,
    /// The first id that is not the tag's, if that is known.
    pub end: Option<u64>,
}

/// Numbers that may be those of old writers, above a room without rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The first of them: of a row, or the next one of the counter.
    pub first: u64,
    /// The highest one that was given out; less than `first` if none was.
    pub last: u64,
    /// The highest row below them.
    pub below: Option<u64>,
    /// The number of ids that the tag needs below them, so that both writers may insert.
    pub least_room: u64,
}

/// Looks for numbers of old writers in a column that `AUTO_INCREMENT` of MySQL or MariaDB counts. Writes nothing.
///
/// Returns `None` if that is another database, the column is not counted, or no room is above what the tag has leased.
/// Raises `invalid_config` and `store_unavailable`.
pub fn beyond(
    database: Database<'_>,
    options: impl IntoIterator<Item = (String, OptionValue)>,
    known: KnownTag,
) -> Result<Pending<Option<Beyond>>> {
    begin(OfMySql::named(database, options)?, known)
}

/// Not generic: the work is compiled once, here, and not in each binding at the level of its fast paths.
fn begin(found: OfMySql, known: KnownTag) -> Result<Pending<Option<Beyond>>> {
    Pending::spawn(LONGEST, async move {
        let Some(reader) = found.reader().await? else { return Ok(None) };
        let beyond = find(&reader, &known).await;
        reader.close().await;
        beyond
    })
}

async fn find(reader: &MySqlReader, known: &KnownTag) -> Result<Option<Beyond>> {
    let name = (known.table.clone(), known.column.clone());
    if !counting(reader).await?.contains(&name) {
        return Ok(None);
    }
    let columns = reader.listed().await?.spelt().columns;
    let named = columns.iter().find(|column| (&column.table, &column.name) == (&name.0, &name.1));
    let Some(column) = named.and_then(ListedColumn::column) else { return Ok(None) };
    // Rows are read before the counter, which only rises.
    let highest = reader.highest(&column).await?.unwrap_or(0);
    let mut counters = reader.counters().await?.into_iter().filter_map(next_of);
    let counter =
        counters.find(|(column, _)| *column == name).map_or(1, |(_, next)| next).max(highest.saturating_add(1));
    let first = match known.end {
        Some(end) => Some(end),
        None => end_of_room(reader, &column, known, counter).await?,
    };
    let Some(first) = first else { return Ok(None) };
    let (below, least_room) = (reader.last_id_below(&column, first).await?, least_room_of(known.lease));
    Ok(Some(Beyond { first, last: counter - 1, below, least_room }))
}

/// Returns the number at the end of the last room above what the tag has leased: at least two strides without a row.
async fn end_of_room(reader: &MySqlReader, column: &Column, known: &KnownTag, counter: u64) -> Result<Option<u64>> {
    let mut at = known.highest.max(reader.lowest(column).await?.unwrap_or(0));
    let stride = known.lease.saturating_mul(LEASES_WITHOUT_ROWS).max(counter.saturating_sub(at) / MOST_PROBES);
    let mut end = None;
    loop {
        let probe = at.saturating_add(stride);
        let row = reader.first_id_from(column, probe).await?;
        let next = row.unwrap_or(counter);
        if next.saturating_sub(probe) >= stride {
            end = Some(next);
        }
        match row {
            Some(row) => at = row,
            None => return Ok(end),
        }
    }
}
