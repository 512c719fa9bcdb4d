//! A tag's row as these products answer it.

use crate::portable::session::{Session, Values};
use crate::portable::text::text;
use crate::tables::stored_row::{MOST_SHOWN, StoredRow};
use crate::tables::table::Table;
use leafmint_ids::text::beginning;

/// A tag's row, and the name in it.
pub(super) struct NamedRow {
    pub(super) row: StoredRow,
    pub(super) name: Option<String>,
}

impl NamedRow {
    /// Returns the name in the row, if it is spelled otherwise than the tag.
    pub(super) fn other_name(&self, tag: &str) -> Option<String> {
        self.name.clone().filter(|name| name != tag)
    }

    /// Takes what [`Session::read_row`] reads. Returns `None` if the tag has no row.
    pub(super) fn take(rows: Vec<Values>) -> Option<Self> {
        Self::of(&mut rows.into_iter().next()?)
    }

    /// Takes the number of rows, the name, `max_id` and `step` out of the first columns of a row.
    pub(super) fn of(values: &mut Values) -> Option<Self> {
        let rows = values.number(0).filter(|rows| *rows > 0)?;
        let (name, whole_step) = (values.text(1), values.number(3).unwrap_or(0));
        let is_number = values.number(2).is_some();
        let [max_id, step] = [2, 3].map(|at| values.text(at).map(|shown| beginning(&shown, MOST_SHOWN).to_owned()));
        let is_whole = is_number || max_id.as_deref().is_some_and(is_long_number);
        Some(Self { row: StoredRow { max_id, is_whole, step, whole_step, rows, genes: 0 }, name })
    }
}

/// Returns whether a text is a whole number that no lease can be taken of.
fn is_long_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl Session {
    /// Returns the question for the row of a tag, which counts its rows. Numbers that round are not whole as text.
    pub(super) fn read_row(&self, table: &Table, tag: &str) -> String {
        let (place, tag) = (self.at(&table.quoted), text(tag));
        format!("SELECT COUNT(*), MIN(biz_tag), MIN(max_id), MIN(step) FROM {place} WHERE biz_tag = {tag}")
    }

    /// Returns a statement that changes nothing, and keeps the row of a tag from others until the transaction ends.
    pub(super) fn lock_row(&self, table: &Table, tag: &str) -> String {
        format!("UPDATE {} SET max_id = max_id WHERE biz_tag = {}", self.at(&table.quoted), text(tag))
    }

    /// Returns the condition that the tag has one row.
    pub(super) fn is_one(&self, table: &Table, tag: &str) -> String {
        format!("1 = (SELECT COUNT(*) FROM {} WHERE biz_tag = {})", self.at(&table.quoted), text(tag))
    }

    /// Returns the part of a SELECT that finds the gene bits of a tag. They are stored under the name in its row, which
    /// may equal the tag only by the rules of the column's collation.
    pub(super) fn genes_clause(&self, table: &Table, tag: &str) -> String {
        let (genes, place, tag) = (self.at(&table.genes), self.at(&table.quoted), text(tag));
        format!(
            "FROM {genes} WHERE biz_tag = COALESCE((SELECT MIN(biz_tag) FROM {place} WHERE biz_tag = {tag}), {tag})"
        )
    }
}
