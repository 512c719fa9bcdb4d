//! A tag as the store has it, and what keeps leafmint from leasing its ids.

use super::tag_rules::{
    MAX_STEP, USUAL_STEP, check_description, check_gene_bits, check_new_step, check_room, check_step, check_tag,
    other_gene_bits,
};
use crate::limit_cell::FIRST_REFUSED;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::MAX_GENE_BITS;

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
    pub fn judged(mut self, row: Result<()>) -> Self {
        self.update_time = self.update_time.filter(|time| (1..=LAST_TIME).contains(time));
        let sound = check_tag(&self.biz_tag).and(row);
        let sound = sound.and_then(|()| check_gene_bits(&self.biz_tag, self.gene_bits.unwrap_or(0)));
        self.problem = sound.err().map(|error| error.message().to_owned());
        self
    }

    /// Does the same for a row whose numbers are whole.
    pub fn judged_by_numbers(self, max_id: i64, step: i64, store: &str) -> Self {
        let row = check_step(&self.biz_tag, step, store).and_then(|()| check_room(&self.biz_tag, max_id, step));
        Self { max_id: Some(max_id), step: Some(step), ..self }.judged(row)
    }
}

/// A change of a tag's `step` or description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagChange {
    /// Its name.
    pub tag: String,
    /// The new `step`, 1 to 2^30; `None` leaves it as it is.
    pub step: Option<i64>,
    /// The new description, at most 256 code points; `None` leaves it as it is.
    pub description: Option<String>,
}

impl TagChange {
    /// Describes a change that is about to be made. Raises `invalid_argument`.
    pub fn checked(tag: &str, step: Option<i64>, description: Option<&str>) -> Result<Self> {
        check_tag(tag)?;
        step.map_or(Ok(()), |step| check_new_step(tag, step))?;
        description.map_or(Ok(()), |text| check_description(tag, text))?;
        if step.is_none() && description.is_none() {
            let text = format!("nothing to change of tag {tag:?}: pass a step, a description or both");
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        }
        Ok(Self { tag: tag.to_owned(), step, description: description.map(str::to_owned) })
    }
}

/// Returns the lowest number whose ids are above an id, whatever their genes. Raises `invalid_argument`.
pub(crate) fn number_above(tag: &str, id: i64, gene_bits: i64) -> Result<i64> {
    if id < 0 {
        let text = format!("id={id} of tag {tag:?} is negative: name the highest id in use");
        return Err(Error::new(ErrorKind::InvalidArgument, text));
    }
    let number = (id >> gene_bits.clamp(0, MAX_GENE_BITS)).saturating_add(1);
    check_raise(tag, number).map(|()| number)
}

/// Checks the value to raise a `max_id` to. Raises `invalid_argument`.
pub(crate) fn check_raise(tag: &str, max_id: i64) -> Result<()> {
    check_tag(tag)?;
    if (0..=FIRST_REFUSED - MAX_STEP).contains(&max_id) {
        return Ok(());
    }
    let text = format!("max_id={max_id} of tag {tag:?} is out of range (0 to {})", FIRST_REFUSED - MAX_STEP);
    Err(Error::new(ErrorKind::InvalidArgument, text))
}

/// The options of a tag that is created, see
/// [`SegmentGenerator::create_tag_with`](crate::segment::SegmentGenerator::create_tag_with).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTagOptions {
    pub step: i64,
    pub start: i64,
    pub description: String,
    pub gene_bits: i64,
}

impl NewTagOptions {
    /// Returns the default options: `step` 1000, `start` 1, no description, no gene bits.
    pub const fn new() -> Self {
        Self { step: USUAL_STEP, start: 1, description: String::new(), gene_bits: 0 }
    }

    /// Sets the `step` column: 1 to 2^30.
    pub const fn step(mut self, step: i64) -> Self {
        self.step = step;
        self
    }

    /// Sets the first id. With gene bits, the first number before the gene is added.
    pub const fn start(mut self, start: i64) -> Self {
        self.start = start;
        self
    }

    /// Sets the description: at most 256 code points.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the number of gene bits, see [`TagOptions::gene_bits`](crate::segment::TagOptions::gene_bits).
    pub const fn gene_bits(mut self, gene_bits: i64) -> Self {
        self.gene_bits = gene_bits;
        self
    }

    /// Checks the options and the name. Raises `invalid_argument`.
    pub fn check(&self, tag: &str) -> Result<()> {
        check_tag(tag)?;
        check_gene_bits(tag, self.gene_bits)?;
        check_new_step(tag, self.step)?;
        if !(0..=FIRST_REFUSED - MAX_STEP).contains(&self.start) {
            let (start, highest) = (self.start, FIRST_REFUSED - MAX_STEP);
            let text = format!("start={start} of tag {tag:?} is out of range (0 to {highest})");
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        }
        check_description(tag, &self.description)
    }

    /// Returns whether the tag, which has gene bits, is created already. `stored` are the bits that are stored under
    /// its name.
    pub fn is_created(&self, tag: &str, has_row: bool, stored: Option<i64>) -> Result<bool> {
        match stored {
            Some(stored) if stored != self.gene_bits => Err(other_gene_bits(tag, stored, self.gene_bits)),
            None if has_row => Err(other_gene_bits(tag, 0, self.gene_bits)),
            _ => Ok(has_row),
        }
    }
}

impl Default for NewTagOptions {
    fn default() -> Self {
        Self::new()
    }
}
