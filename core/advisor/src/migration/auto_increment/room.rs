//! How far a counter is to be raised, and where its tag begins. Plain arithmetic.

use super::read::CountedTable;
use crate::audit::least_room_of;

/// Ids that a tag gets below the counter unless another number is asked for.
pub const ROOM: u64 = 1_000_000_000;

/// The step of a tag that does not exist yet.
const STEP: u64 = 1000;

/// Part of the room that the counter may use up between the plan and the change of the counter.
const MARGIN: u64 = 1000;

/// The first number that JavaScript rounds, and the first that leafmint refuses.
const EXACT_END: u64 = 1 << 53;
const END: u64 = 1 << 61;

/// What a table needs so that its counter and its tag never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The first id of the tag, if the tag has to be made or raised.
    pub start: Option<u64>,
    /// The number that the counter is raised to.
    pub counter: u64,
    /// The number of ids between them.
    pub room: u64,
}

impl CountedTable {
    /// Returns the highest id that may be planned with: none that a column or leafmint refuses, or JavaScript rounds.
    pub(super) fn last(&self) -> u64 {
        let end = if self.used() < EXACT_END { EXACT_END } else { END };
        self.largest.min(end - 1)
    }

    /// Returns the number of ids that may still be planned with.
    pub(super) fn left(&self) -> u64 {
        self.last().saturating_sub(self.used())
    }

    /// Returns whether ids end at the last one that JavaScript does not round, though the column goes on.
    pub(super) fn ends_with_exact_ids(&self) -> bool {
        self.last() < self.largest && self.last() == EXACT_END - 1
    }

    /// Returns the number of ids that the tag needs at least.
    pub(super) fn least_room(&self) -> u64 {
        least_room_of(self.stored.map_or(STEP, |tag| tag.lease))
    }

    /// Returns whether no id of the tag can be one of the counter's.
    pub fn is_apart(&self) -> bool {
        self.room().is_some_and(|room| room >= self.least_room())
    }
}

/// Plans the room of a table: `asked` ids, or half of those left if that is less. `None` if too few are left.
///
/// ```
/// use leafmint_advisor::migration::auto_increment::{CountedTable, plan};
/// let orders = CountedTable { counter: 1001, largest: i64::MAX as u64, ..CountedTable::default() };
/// let planned = plan(&orders, 1_000_000_000).unwrap();
/// assert_eq!((planned.start, planned.counter), (Some(1_001_001), 1_001_001_001));
/// ```
pub fn plan(table: &CountedTable, asked: u64) -> Option<Planned> {
    let room = asked.max(table.least_room()).min(table.left() / 2);
    if room < table.least_room() {
        return None;
    }
    let next = table.used() + 1;
    let goes_on = table.stored.is_some_and(|tag| tag.next == next);
    // Each number of a tag makes one id for each gene, so it cannot begin between them.
    let genes = table.stored.map_or(1, |tag| tag.genes);
    let start = if goes_on { next } else { (next + room / MARGIN).next_multiple_of(genes) };
    Some(Planned { start: (!goes_on).then_some(start), counter: start + room, room })
}

#[cfg(test)]
mod tests {
    use super::super::read::StoredTag;
    use super::*;

    #[test]
    fn the_counter_may_go_on_a_little_before_it_is_raised() {
        let planned = plan(&CountedTable::untouched(), ROOM).unwrap();
        assert_eq!(planned, Planned { start: Some(1_001_001), counter: 1_001_001_001, room: ROOM });
    }

    #[test]
    fn a_tag_above_all_rows_stays_and_the_counter_is_raised_over_it() {
        let stored = Some(StoredTag { next: 5001, lease: 1000, genes: 1 });
        let alone = CountedTable { highest: Some(5000), counter: 5001, stored, ..CountedTable::untouched() };
        assert_eq!(plan(&alone, ROOM), Some(Planned { start: None, counter: 5001 + ROOM, room: ROOM }));
    }

    #[test]
    fn a_tag_below_rows_is_raised() {
        let stored = Some(StoredTag { next: 500, lease: 1000, genes: 1 });
        let behind = CountedTable { stored, ..CountedTable::untouched() };
        assert_eq!(plan(&behind, ROOM).unwrap().start, Some(1_001_001));
    }

    #[test]
    fn a_narrow_column_gives_half_of_what_is_left() {
        let largest = i32::MAX as u64;
        let narrow = CountedTable { largest, counter: 2_000_000_000, ..CountedTable::untouched() };
        let planned = plan(&narrow, ROOM).unwrap();
        assert_eq!(planned.room, (largest - 1_999_999_999) / 2);
        assert!(planned.counter + planned.room / 2 < largest, "{planned:?}");
        assert_eq!(plan(&CountedTable { counter: 2_146_000_000, ..narrow }, ROOM), None);
    }

    #[test]
    fn a_room_has_its_least_size_if_less_is_asked_for() {
        assert_eq!(plan(&CountedTable::untouched(), 1).unwrap().room, least_room_of(STEP));
    }

    #[test]
    fn numbers_that_javascript_rounds_are_left_out_unless_some_are_there() {
        let near = CountedTable { counter: EXACT_END - 3_000_000, ..CountedTable::untouched() };
        assert!(plan(&near, ROOM).unwrap().counter < EXACT_END);
        assert_eq!(plan(&CountedTable { counter: EXACT_END + 1, ..near }, ROOM).unwrap().room, ROOM);
    }
}
