//! What a database says about its keys, in the same words for every engine.

use leafmint_ids::text::pasted::Sql;

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
pub struct Column {
    /// The table as people name it.
    pub table: String,
    /// The table as statements name it, quoted.
    pub quoted: String,
    /// Empty for a sequence that fills no column.
    pub name: String,
    pub(super) data_type: String,
    /// The highest number that fits.
    pub(super) largest: u64,
}

impl Column {
    /// Returns whether it is this column of this table.
    pub(super) fn is(&self, table: &str, name: &str) -> bool {
        self.table == table && self.name == name
    }
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
    /// The lowest number of a row that its tag has not leased; read only if `AUTO_INCREMENT` counts it.
    pub(super) above: Option<u64>,
    /// A column with the time of each row's insertion, if its name says so.
    pub(super) time_column: Option<String>,
    pub(super) growth: Option<Growth>,
}

/// What the engine takes the next number from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The number that the next row gets.
    pub next: u64,
    /// The highest number that it counts to.
    pub(super) largest: u64,
    /// How many numbers below `next` the server may still hold in a cache.
    pub(super) cached: u64,
    /// The statement that raises it, but for the number; `None` if the engine raises it by itself.
    pub(super) raise: Option<Sql>,
    /// It is an `AUTO_INCREMENT` of MySQL or MariaDB.
    pub(super) is_auto_increment: bool,
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
    /// An index begins with the column that it points to.
    pub(super) is_ordered: bool,
    /// The highest number that it can point to, if no key is that column.
    pub(super) highest: Option<u64>,
}

impl Reference {
    /// Returns whether it points to numbers that it cannot hold.
    pub(super) fn is_narrow(&self) -> bool {
        self.from.largest < self.to.largest
    }

    /// Returns the key that it points to.
    pub(super) fn target<'a>(&self, keys: &'a [Key]) -> Option<&'a Key> {
        keys.iter().find(|key| key.column.is(&self.to.table, &self.to.name))
    }
}

/// A tag of leafmint's or Leaf's.
#[derive(Clone, Debug)]
pub struct Tag {
    pub name: String,
    /// The next id, which the next number makes with the gene 0.
    pub next: u64,
    /// Ids of a lease of the stored step.
    pub lease: u64,
    /// Ids that one number makes: one for each gene.
    pub genes: u64,
}

/// Leases for which a tag needs room below the numbers of a counter.
const LEAST_LEASES: u64 = 1000;

/// Returns the number of ids that a tag needs at least below a counter, by the ids of one lease.
pub(crate) fn least_room_of(lease: u64) -> u64 {
    lease.saturating_mul(LEAST_LEASES)
}

impl Key {
    /// Returns the highest number used: that of a row, or one that the counter gave out.
    pub(super) fn used(&self) -> u64 {
        let counted =
            self.counter.as_ref().map_or(0, |counter| counter.next.saturating_sub(counter.cached.saturating_add(1)));
        self.highest.unwrap_or(0).max(counted.min(self.largest()))
    }

    /// Returns the highest number that can be used.
    pub(super) fn largest(&self) -> u64 {
        self.counter.as_ref().map_or(self.column.largest, |counter| counter.largest.min(self.column.largest))
    }

    /// Returns the number of ids that its tag may lease before it meets a row or `AUTO_INCREMENT`; `None` if those are
    /// too few for a move, or another counter fills it.
    pub(super) fn room_of(&self, tag: &Tag) -> Option<u64> {
        let counter = self.counter.as_ref().filter(|counter| counter.is_auto_increment)?;
        let room = self.above?.min(counter.next).saturating_sub(tag.next);
        (room >= least_room_of(tag.lease)).then_some(room)
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
impl Counter {
    /// A counter that gave no number yet.
    pub(super) fn up_to(largest: u64) -> Self {
        Self { next: 1, largest, cached: 0, raise: None, is_auto_increment: false }
    }
}

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
        let key = counted(0);
        assert_eq!((key.used(), key.largest()), (50, 127));
    }

    #[test]
    fn a_number_that_a_server_may_hold_in_its_cache_is_not_used() {
        assert_eq!(counted(20).used(), 30);
        assert_eq!(counted(1000).used(), 7);
    }

    fn counted(cached: u64) -> Key {
        let counter = Some(Counter { next: 51, cached, ..Counter::up_to(127) });
        let column = Column { largest: 255, ..Column::default() };
        Key { column, highest: Some(7), counter, ..Key::default() }
    }
}
