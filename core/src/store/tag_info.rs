//! A tag as the store has it, and what keeps leafmint from leasing its ids.

use super::tag_rules::{check_gene_bits, check_room, check_step, check_tag};
use crate::error::Result;

/// The end of the year 9999 in Unix milliseconds: a later time is an error in the row.
const LAST_TIME: i64 = 253_402_300_799_999;

/// A tag as the store has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagInfo {
    /// Its name, as stored.
    pub biz_tag: String,
    /// The next number to lease; `None` if the row holds no whole number of 64 bits.
    pub max_id: Option<i64>,
    /// The `step` column; `None` as above.
    pub step: Option<i64>,
    /// The description; `None` if there is none, or no such column.
    pub description: Option<String>,
    /// When the row was changed last, in Unix milliseconds; `None` if there is no such column.
    pub update_time: Option<i64>,
    /// The gene bits, 0 for none; `None` if the account may not read them.
    pub gene_bits: Option<i64>,
    /// Why no id of this tag can be leased, and what to do; `None` if ids can be leased.
    pub problem: Option<String>,
}

impl TagInfo {
    /// Drops a time that no row was written at, and notes the first problem: of the name, of the row or of the gene
    /// bits. `row` is what the store finds wrong with the numbers.
    pub(super) fn judged(mut self, row: Result<()>) -> Self {
        self.update_time = self.update_time.filter(|time| (1..=LAST_TIME).contains(time));
        let sound = check_tag(&self.biz_tag).and(row);
        let sound = sound.and_then(|()| check_gene_bits(&self.biz_tag, self.gene_bits.unwrap_or(0)));
        self.problem = sound.err().map(|error| error.message().to_owned());
        self
    }

    /// Does the same for a row whose numbers are whole.
    pub(super) fn judged_by_numbers(self, max_id: i64, step: i64, store: &str) -> Self {
        let row = check_step(&self.biz_tag, step, store).and_then(|()| check_room(&self.biz_tag, max_id, step));
        Self { max_id: Some(max_id), step: Some(step), ..self }.judged(row)
    }
}
