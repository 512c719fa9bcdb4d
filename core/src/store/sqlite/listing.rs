//! The tags of the table, whatever their rows hold.

use super::row::{number, text};
use super::statements::{SqliteOutcome, SqliteTable};
use crate::error::{Error, ErrorKind, Result};
use crate::store::{SegmentCheck, TagInfo, schema};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

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
        let names = [self.name.clone(), schema::genes(&self.name)];
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
            "SELECT tags.biz_tag, max(max_id), step, {}, {}, gene_bits FROM \"{}\" AS tags \
             LEFT JOIN \"{}\" AS genes ON genes.biz_tag = tags.biz_tag GROUP BY tags.biz_tag ORDER BY tags.biz_tag",
            if_there("description", "description"),
            if_there("update_time", "CAST(strftime('%s', update_time) AS INTEGER) * 1000"),
            self.name,
            schema::genes(&self.name),
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
        let text = format!("the biz_tag {:?} in {} is no text: correct the row", info.biz_tag, self.scope);
        Error::new(ErrorKind::InvalidConfig, text)
    }

    /// Checks the columns that a lease needs, and tries one of the first tag whose row is fit for it.
    pub(super) fn check(&self, connection: &mut Connection) -> SqliteOutcome<SegmentCheck> {
        match self.first_fit(connection)? {
            Some(tag) => self.try_lease(connection, &tag)?,
            None => self.try_no_lease(connection)?,
        }
        let tags = connection.query_row(&format!("SELECT COUNT(*) FROM \"{}\"", self.name), [], |row| row.get(0))?;
        Ok(SegmentCheck { tags, creates_tags: true, ..SegmentCheck::default() })
    }

    fn first_fit(&self, connection: &Connection) -> SqliteOutcome<Option<String>> {
        let mut statement = connection.prepare(&format!("SELECT biz_tag FROM \"{}\"", self.name))?;
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
