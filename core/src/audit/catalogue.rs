//! What a database says about its keys, in the same words for every engine.

/// Up to here every whole number is exact in JavaScript, and in JSON for many readers.
pub(super) const EXACT: u64 = 1 << 53;

/// What a database says about its keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Catalogue {
    pub(super) keys: Vec<Key>,
    pub(super) references: Vec<Reference>,
}

/// A column of whole numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Column {
    /// The table as people name it.
    pub(crate) table: String,
    /// The table as statements name it, quoted.
    pub(crate) quoted: String,
    /// Empty for a sequence that fills no column.
    pub(crate) name: String,
    pub(super) data_type: String,
    /// The highest number that fits.
    pub(super) largest: u64,
}

/// A column whose numbers identify rows, and can be read by an index from the highest down.
#[derive(Clone, Debug, Default)]
pub(super) struct Key {
    pub(super) column: Column,
    /// The highest number in the table; `None` for an empty table.
    pub(super) highest: Option<u64>,
    /// The lowest number, if the numbers are taken for snowflakes.
    pub(super) lowest: Option<u64>,
    pub(super) counter: Option<Counter>,
    /// A column with the time of each row's insertion, if its name says so.
    pub(super) time_column: Option<String>,
    pub(super) growth: Option<Growth>,
}

/// What the engine takes the next number from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    /// The number that the next row gets.
    pub(crate) next: u64,
    /// The highest number that it counts to.
    pub(super) largest: u64,
    /// The statement that raises it, up to the number; `None` if the engine raises it by itself.
    pub(super) raise: Option<String>,
}

/// Numbers used in a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Growth {
    pub(super) ids: u64,
    pub(super) millis: u64,
}

/// A foreign key's column, and the column that it points to.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) from: Column,
    pub(super) to: Column,
}

/// A tag of leafmint's or Leaf's.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    /// The next number to lease, with its gene bits.
    pub(crate) next: u64,
    /// Ids of a lease of the stored step.
    pub(crate) lease: u64,
}

impl Key {
    /// Returns the highest number used: that of a row, or one that the counter gave out.
    pub(super) fn used(&self) -> u64 {
        let counted = self.counter.as_ref().map_or(0, |counter| counter.next.saturating_sub(1));
        self.highest.unwrap_or(0).max(counted.min(self.largest()))
    }

    /// Returns the highest number that can be used.
    pub(super) fn largest(&self) -> u64 {
        self.counter.as_ref().map_or(self.column.largest, |counter| counter.largest.min(self.column.largest))
    }

    /// Returns the days until the numbers run out at the present rate; `None` if none is known.
    pub(super) fn days_left(&self) -> Option<f64> {
        let growth = self.growth.filter(|growth| growth.ids > 0 && growth.millis > 0)?;
        let left = self.largest().saturating_sub(self.used()) as f64;
        Some(left / growth.ids as f64 * growth.millis as f64 / MILLIS_OF_A_DAY)
    }
}

const MILLIS_OF_A_DAY: f64 = 86_400_000.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_days_left_follow_from_the_growth() {
        let column = Column { largest: 1100, ..Column::default() };
        let growth = Some(Growth { ids: 10, millis: 2 * 86_400_000 });
        let key = Key { column, highest: Some(100), growth, ..Key::default() };
        assert_eq!(key.days_left(), Some(200.0));
        assert_eq!(Key { growth: None, ..key.clone() }.days_left(), None);
        assert_eq!(Key { growth: Some(Growth { ids: 0, millis: 1 }), ..key }.days_left(), None);
    }

    #[test]
    fn a_number_that_was_given_out_is_used_though_its_row_is_gone() {
        let counter = Counter { next: 51, largest: 127, raise: None };
        let column = Column { largest: 255, ..Column::default() };
        let key = Key { column, highest: Some(7), counter: Some(counter), ..Key::default() };
        assert_eq!((key.used(), key.largest()), (50, 127));
    }
}
