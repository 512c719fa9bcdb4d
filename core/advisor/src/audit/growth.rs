//! How fast the keys grow: by an earlier report, else by the times in the rows.

use super::catalogue::{Growth, Key};
use super::judge;
use super::reader::{Reader, if_allowed};
use super::request::{AuditRequest, Earlier};
use leafmint_ids::error::Result;

/// The growth is that of the last 30 days.
const WINDOW: i64 = 30 * 86_400_000;

/// A table that is younger says little: an import may have filled it.
const SHORTEST: i64 = 7 * 86_400_000;

/// A report that is younger says little, as one batch may have been all.
const SHORTEST_SINCE: u64 = 3_600_000;

/// A key of which less is used, in percent, has no end in sight, and its rows are not read.
const IN_SIGHT: f64 = 1.0;

/// Finds the growth of each key whose end is in sight.
pub(super) async fn read(reader: &impl Reader, keys: &mut [Key], request: &AuditRequest, now: i64) -> Result<()> {
    for key in keys {
        key.growth = match &request.since {
            Some(earlier) => since(key, earlier, now),
            None => None,
        };
        if key.growth.is_none() && judge::percent(key.used(), key.largest()) >= IN_SIGHT {
            key.growth = if_allowed(by_rows(reader, key, now).await)?.flatten();
        }
    }
    Ok(())
}

/// Returns the growth since an earlier report.
fn since(key: &Key, earlier: &Earlier, now: i64) -> Option<Growth> {
    let is_its = |entry: &&(String, String, u64)| key.column.is(&entry.0, &entry.1);
    let (_, _, before) = earlier.used.iter().find(is_its)?;
    let millis = u64::try_from(now - earlier.read_at).ok().filter(|millis| *millis >= SHORTEST_SINCE)?;
    Some(Growth { ids: key.used().checked_sub(*before)?, millis })
}

/// Returns the growth by the rows: the first one of the last 30 days is found by halving, a read of one row each time.
/// Rows without a time count as older ones.
async fn by_rows(reader: &impl Reader, key: &Key, now: i64) -> Result<Option<Growth>> {
    let (Some(time_column), Some(highest)) = (&key.time_column, key.highest) else { return Ok(None) };
    let Some((lowest, first)) = reader.first_from(&key.column, time_column, 0).await? else { return Ok(None) };
    let begin = first.unwrap_or(0).max(now - WINDOW);
    if now - begin < SHORTEST {
        return Ok(None);
    }
    let (mut before, mut after) = (lowest, highest);
    while before < after {
        let middle = before + (after - before) / 2;
        match reader.first_from(&key.column, time_column, middle).await? {
            Some((_, time)) if time.is_some_and(|time| time >= begin) => after = middle,
            Some((id, _)) if id < highest => before = id + 1,
            // The newest row is older.
            _ => return Ok(None),
        }
    }
    Ok(Some(Growth { ids: highest - after, millis: now.abs_diff(begin) }))
}
