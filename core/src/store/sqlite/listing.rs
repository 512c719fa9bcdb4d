//! The tags of the table, whatever their rows hold.

use super::statements::{Answer, Table};
use crate::error::{Error, ErrorKind};
use crate::store::{StoreCheck, TagInfo, schema};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, TransactionBehavior};

impl Table {
    /// Lists the tags, sorted by name.
    pub(super) fn list(&self, connection: &Connection) -> Answer<Vec<TagInfo>> {
        let columns = self.columns(connection)?;
        let if_there = |name: &str, read: &'static str| if columns.iter().any(|it| it == name) { read } else { "NULL" };
        let sql = format!(
            "SELECT tags.biz_tag, max_id, step, {}, {}, gene_bits FROM \"{}\" AS tags \
             LEFT JOIN \"{}\" AS genes ON genes.biz_tag = tags.biz_tag ORDER BY tags.biz_tag",
            if_there("description", "description"),
            if_there("update_time", "CAST(strftime('%s', update_time) AS INTEGER) * 1000"),
            self.name,
            schema::genes(&self.name),
        );
        let mut statement = connection.prepare(&sql)?;
        let tags = statement.query_map([], |row| self.info(row))?.collect::<Result<_, _>>()?;
        Ok(tags)
    }

    /// Checks the columns that a lease needs, and takes the write lock for a moment.
    pub(super) fn check(&self, connection: &mut Connection) -> Answer<StoreCheck> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = format!("SELECT biz_tag, max_id, step, update_time FROM \"{}\" WHERE FALSE", self.name);
        // Only a run notices a change of the table by another connection.
        transaction.prepare(&sql)?.exists([])?;
        let tags = transaction.query_row(&format!("SELECT COUNT(*) FROM \"{}\"", self.name), [], |row| row.get(0))?;
        Ok(StoreCheck { is_new: false, tags, creates_tags: true })
    }

    /// Returns the names of the columns, in lower case.
    fn columns(&self, connection: &Connection) -> Answer<Vec<String>> {
        let mut statement = connection.prepare("SELECT lower(name) FROM pragma_table_info(?1)")?;
        let names = statement.query_map([&self.name], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(names)
    }

    fn info(&self, row: &Row<'_>) -> rusqlite::Result<TagInfo> {
        let known = TagInfo {
            biz_tag: text(row.get_ref(0)?).unwrap_or_default(),
            max_id: number(row.get_ref(1)?),
            step: number(row.get_ref(2)?),
            description: text(row.get_ref(3)?),
            update_time: number(row.get_ref(4)?),
            gene_bits: Some(number(row.get_ref(5)?).unwrap_or(0)),
            problem: None,
        };
        Ok(match (row.get_ref(0)?, known.max_id, known.step) {
            (ValueRef::Text(_), Some(max_id), Some(step)) => known.judged_by_numbers(max_id, step, &self.scope),
            _ => {
                let problem = format!(
                    "the row of biz_tag {:?} in {} holds a biz_tag that is no text, or a max_id or step that is no whole \
                     number: correct the row",
                    known.biz_tag, self.scope
                );
                known.judged(Err(Error::new(ErrorKind::InvalidConfig, problem)))
            }
        })
    }
}

fn number(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        _ => None,
    }
}

fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
    }
}
