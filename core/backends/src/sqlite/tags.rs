//! The table of segments, and the statements other than leases.

use super::errors::SqliteFailure;
use super::schema;
use crate::tables::stored_row::StoredRow;
use crate::tables::{gapless, names};
use leafmint_engine::store::tag_rules::{other_gene_bits, unknown_tag, unusable_step};
use leafmint_engine::store::{GaplessRow, NewTagOptions, SegmentCheck, SeriesRule, StoredSeries, TagChange, TagInfo};
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::text::pasted::SqlDialect;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use std::ops::Range;
use std::path::PathBuf;

/// A table of segments.
pub(super) struct SqliteTable {
    pub(super) name: String,
    /// The name, quoted for SQL.
    pub(super) quoted: String,
    /// The table of the gene bits, quoted for SQL.
    pub(super) genes: String,
    /// The table of the series, quoted for SQL.
    pub(super) series: String,
    /// What errors call the place: the file, and who shares it.
    pub(super) scope: String,
    /// The file as the user named it.
    pub(super) path: PathBuf,
}

pub(super) type SqliteOutcome<T> = std::result::Result<T, SqliteFailure>;

impl SqliteTable {
    pub(super) fn new(name: String, scope: String, path: PathBuf) -> Self {
        let [quoted, genes, series] =
            [&name, &names::genes(&name), &names::series(&name)].map(|name| SqlDialect::Sqlite.quoted(name));
        Self { name, quoted, genes, series, scope, path }
    }

    /// Creates the table, and the one of the gene bits, if they are not there.
    pub(super) fn create(&self, connection: &Connection) -> SqliteOutcome<()> {
        Ok(connection.execute_batch(&schema::all(&self.name))?)
    }

    /// Reads the stored gene bits; `None` if there are none.
    pub(super) fn gene_bits(&self, connection: &Connection, tag: &str) -> SqliteOutcome<Option<i64>> {
        let sql = format!("SELECT gene_bits FROM {} WHERE biz_tag = ?1", self.genes);
        Ok(connection.prepare_cached(&sql)?.query_row([tag], |row| row.get(0)).optional()?)
    }

    pub(super) fn create_tag(
        &self,
        connection: &mut Connection,
        tag: &str,
        new: &NewTagOptions,
    ) -> SqliteOutcome<bool> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let insert = format!(
            "INSERT INTO {} (biz_tag, max_id, step, description) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            self.quoted
        );
        let inserted = transaction.execute(&insert, params![tag, new.start, new.step, new.description])? == 1;
        if new.gene_bits != 0 {
            match self.gene_bits(&transaction, tag)? {
                Some(bits) if bits == new.gene_bits => {}
                None if inserted => {
                    let sql = format!("INSERT INTO {} (biz_tag, gene_bits) VALUES (?1, ?2)", self.genes);
                    transaction.execute(&sql, params![tag, new.gene_bits])?;
                }
                stored => return Err(other_gene_bits(tag, stored.unwrap_or(0), new.gene_bits).into()),
            }
        }
        transaction.commit()?;
        Ok(inserted)
    }

    pub(super) fn give_back(&self, connection: &Connection, tag: &str, tail: &Range<i64>) -> SqliteOutcome<bool> {
        let sql = format!("UPDATE {} SET max_id = ?1 WHERE biz_tag = ?2 AND max_id = ?3", self.quoted);
        Ok(connection.execute(&sql, params![tail.start, tag, tail.end])? == 1)
    }
}

impl SqliteTable {
    /// Lists the tags, sorted by name. Each is judged by a lease that is taken back.
    pub(super) fn list(&self, connection: &mut Connection) -> SqliteOutcome<Vec<TagInfo>> {
        self.listed(connection)?
            .into_iter()
            .map(|(info, is_text)| {
                let row = if is_text { self.judge(connection, &info.biz_tag) } else { Err(self.no_text(&info)) };
                Ok(info.judged(row))
            })
            .collect()
    }

    /// Lists the tags without a lease; none if there is no table of tags.
    pub(super) fn as_stored(&self, connection: &Connection) -> SqliteOutcome<Vec<TagInfo>> {
        let names = [self.name.clone(), names::genes(&self.name)];
        let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (?1, ?2)";
        match connection.query_row(sql, names, |row| row.get(0))? {
            2 => Ok(self.listed(connection)?.into_iter().map(|(info, _)| info).collect()),
            _ => Ok(Vec::new()),
        }
    }

    /// Reads the rows, and whether each is named by a text. Rows that a lease would take for one tag are one row of the
    /// list.
    fn listed(&self, connection: &Connection) -> SqliteOutcome<Vec<(TagInfo, bool)>> {
        let columns = self.columns(connection)?;
        let if_there = |name: &str, read: &'static str| if columns.iter().any(|it| it == name) { read } else { "NULL" };
        let sql = format!(
            "SELECT tags.biz_tag, max(max_id), step, {}, {}, gene_bits FROM {} AS tags \
             LEFT JOIN {} AS genes ON genes.biz_tag = tags.biz_tag GROUP BY tags.biz_tag ORDER BY tags.biz_tag",
            if_there("description", "description"),
            if_there("update_time", "CAST(strftime('%s', update_time) AS INTEGER) * 1000"),
            self.quoted,
            self.genes,
        );
        let mut statement = connection.prepare(&sql)?;
        let rows = statement.query_map([], info)?.collect::<rusqlite::Result<_>>()?;
        Ok(rows)
    }

    /// Returns what keeps the next lease of this tag from success. What a retry may mend is no problem of the row.
    fn judge(&self, connection: &mut Connection, tag: &str) -> Result<()> {
        let answer = self.try_lease(connection, tag).map_err(|failure| failure.named(&self.path));
        answer.or_else(|error| if error.kind().retryable() { Ok(()) } else { Err(error) })
    }

    fn no_text(&self, info: &TagInfo) -> Error {
        let text = format!("the tag {:?} in {} is no text: correct the row", info.biz_tag, self.scope);
        Error::new(ErrorKind::InvalidConfig, text)
    }

    /// Checks the columns that a lease needs, and tries one of the first tag whose row is fit for it.
    pub(super) fn check(&self, connection: &mut Connection) -> SqliteOutcome<SegmentCheck> {
        match self.first_fit(connection)? {
            Some(tag) => self.try_lease(connection, &tag)?,
            None => self.try_no_lease(connection)?,
        }
        let tags = connection.query_row(&format!("SELECT COUNT(*) FROM {}", self.quoted), [], |row| row.get(0))?;
        Ok(SegmentCheck { tags, creates_tags: true, ..SegmentCheck::default() })
    }

    fn first_fit(&self, connection: &Connection) -> SqliteOutcome<Option<String>> {
        let mut statement = connection.prepare(&format!("SELECT biz_tag FROM {}", self.quoted))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let tag = text(row.get_ref(0)?).unwrap_or_default();
            if self.fit_row(connection, &tag, None).is_ok() {
                return Ok(Some(tag));
            }
        }
        Ok(None)
    }

    /// Returns the names of the columns, in lower case.
    fn columns(&self, connection: &Connection) -> SqliteOutcome<Vec<String>> {
        let mut statement = connection.prepare("SELECT lower(name) FROM pragma_table_info(?1)")?;
        let names = statement.query_map([&self.name], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(names)
    }
}

fn info(row: &Row<'_>) -> rusqlite::Result<(TagInfo, bool)> {
    let info = TagInfo {
        biz_tag: text(row.get_ref(0)?).unwrap_or_default(),
        max_id: number(row.get_ref(1)?),
        step: number(row.get_ref(2)?),
        description: text(row.get_ref(3)?),
        update_time: number(row.get_ref(4)?),
        gene_bits: Some(number(row.get_ref(5)?).unwrap_or(0)),
        problem: None,
    };
    Ok((info, matches!(row.get_ref(0)?, ValueRef::Text(_))))
}

impl SqliteTable {
    /// Changes the `step` or the description of a tag.
    pub(super) fn set_tag(&self, connection: &Connection, change: &TagChange) -> SqliteOutcome<()> {
        let sql = format!(
            "UPDATE {} SET step = COALESCE(?1, step), description = COALESCE(?2, description), \
             update_time = CURRENT_TIMESTAMP WHERE biz_tag = ?3",
            self.quoted
        );
        match connection.execute(&sql, params![change.step, change.description, change.tag])? {
            0 => Err(unknown_tag(&change.tag, &self.scope).into()),
            _ => Ok(()),
        }
    }

    /// Raises `max_id` to at least this value, and returns the value that is stored now.
    pub(super) fn raise_tag(&self, connection: &mut Connection, tag: &str, max_id: i64) -> SqliteOutcome<i64> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = format!(
            "UPDATE {} SET max_id = ?1, update_time = CURRENT_TIMESTAMP WHERE biz_tag = ?2 AND max_id < ?1",
            self.quoted
        );
        transaction.execute(&sql, params![max_id, tag])?;
        let stored = StoredRow::raised(self.row(&transaction, tag)?, &self.scope, tag, max_id)?;
        transaction.commit()?;
        Ok(stored)
    }
}

impl SqliteTable {
    /// Stores a rule unless one of its name is stored, and returns the stored one. A file has no clock of its own.
    pub(super) fn declare_series(
        &self,
        connection: &mut Connection,
        rule: &SeriesRule,
        format: Option<&str>,
    ) -> SqliteOutcome<StoredSeries> {
        let series = &self.series;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let insert =
            format!("INSERT INTO {series} (name, period, zone, format) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING");
        transaction.execute(&insert, params![rule.name, rule.period.to_string(), rule.zone, format])?;
        let read = format!("SELECT name, period, zone, format FROM {series} WHERE name = ?1");
        let (_, stored) = transaction.query_row(&read, [&rule.name], stored_series)?;
        transaction.commit()?;
        Ok(stored)
    }

    pub(super) fn set_series_format(&self, connection: &Connection, name: &str, format: &str) -> SqliteOutcome<()> {
        let sql = format!("UPDATE {} SET format = ?2 WHERE name = ?1", self.series);
        Ok(connection.execute(&sql, [name, format]).map(drop)?)
    }

    pub(super) fn list_series(&self, connection: &Connection) -> SqliteOutcome<Vec<(String, StoredSeries)>> {
        let sql = format!("SELECT name, period, zone, format FROM {}", self.series);
        let mut statement = connection.prepare(&sql)?;
        let rows = statement.query_map([], stored_series)?.collect::<rusqlite::Result<_>>()?;
        Ok(rows)
    }
}

impl SqliteTable {
    pub(super) fn list_gapless(&self, connection: &Connection) -> SqliteOutcome<Vec<GaplessRow>> {
        let facts = |row: &Row<'_>| Ok((row.get::<_, Option<String>>(0)?, row.get::<_, i64>(1)? > 0));
        let (trigger, is_unique) = connection.query_row(schema::GAPLESS_FACTS, [], facts)?;
        gapless::check(trigger.as_deref(), is_unique)?;
        let mut statement = connection.prepare("SELECT name, CAST(number AS TEXT) FROM main.leafmint_gapless")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
        Ok(rows)
    }
}

fn stored_series(row: &Row<'_>) -> rusqlite::Result<(String, StoredSeries)> {
    Ok((row.get(0)?, StoredSeries { period: row.get(1)?, zone: row.get(2)?, format: row.get(3)?, clock: None }))
}

impl SqliteTable {
    /// Reads the row of a tag, and counts its rows. It reads no gene bits.
    pub(super) fn row(&self, connection: &Connection, tag: &str) -> SqliteOutcome<Option<StoredRow>> {
        let sql = format!(
            "SELECT max_id, step, (SELECT count(*) FROM {0} WHERE biz_tag = ?1) FROM {0} WHERE biz_tag = ?1 LIMIT 1",
            self.quoted
        );
        Ok(connection.prepare_cached(&sql)?.query_row([tag], stored_row).optional()?)
    }

    /// Returns the name in the row of a tag, if it is spelled otherwise than the tag.
    pub(super) fn other_name(&self, connection: &Connection, tag: &str) -> SqliteOutcome<Option<String>> {
        let sql = format!("SELECT biz_tag FROM {} WHERE biz_tag = ?1 LIMIT 1", self.quoted);
        let name: Option<String> = connection.prepare_cached(&sql)?.query_row([tag], |row| row.get(0)).optional()?;
        Ok(name.filter(|name| name != tag))
    }

    /// Reads the `step` column of a tag.
    pub(super) fn step(&self, connection: &Connection, tag: &str) -> SqliteOutcome<i64> {
        let row = self.row(connection, tag)?.ok_or_else(|| unknown_tag(tag, &self.scope))?;
        match row.whole_step {
            0 => Err(unusable_step(tag, row.step.as_deref().unwrap_or("NULL"), &self.scope).into()),
            step => Ok(step),
        }
    }
}

fn stored_row(row: &Row<'_>) -> rusqlite::Result<StoredRow> {
    let (max_id, step) = (row.get_ref(0)?, row.get_ref(1)?);
    Ok(StoredRow {
        max_id: text(max_id),
        is_whole: number(max_id).is_some(),
        step: text(step),
        whole_step: number(step).unwrap_or(0),
        rows: row.get(2)?,
        genes: 0,
    })
}

/// Reads a value if it is a whole number.
pub(super) fn number(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        _ => None,
    }
}

/// Reads a value as text, whatever its type; `None` for NULL.
pub(super) fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
    }
}
