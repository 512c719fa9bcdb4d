//! What a value of a sequence is worth: the block of ids that it stands for.

use super::sequence::Facts;
use leafmint_engine::limit_cell::FIRST_REFUSED;
use std::ops::Range;

/// Which ids a value of a sequence stands for, by Hibernate's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceOptimizer {
    /// Itself, and the increment is 1.
    None,
    /// The ids up to it: `(v - increment, v]`. The first value of a sequence stands for itself alone.
    Pooled,
    /// The ids from it on: `[v, v + increment)`.
    PooledLo,
}

/// Values that were drawn one after the other, without another's in between.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) count: i64,
}

impl Run {
    /// Returns whether the values ascend by the increment, none left out.
    pub(super) fn is_whole(self, increment: i64) -> bool {
        i128::from(self.last) - i128::from(self.first) == i128::from(self.count - 1) * i128::from(increment)
    }
}

impl SequenceOptimizer {
    /// Returns the ids that values stand for, which begin with the first that the sequence gives since it was made or
    /// set if `is_fresh`.
    ///
    /// Values are congruent to the start, modulo the increment. So the blocks of all values are the cells of one
    /// partition, and those of different values share no id. They are cut at the end of the sequence and of all ids.
    pub(super) fn ids(self, run: Run, facts: &Facts, is_fresh: bool) -> Range<i64> {
        let Run { first, last, .. } = run;
        let behind = facts.increment - 1;
        // What lies below the value that a sequence begins with was never the sequence's to give.
        let is_first = is_fresh || first == facts.start;
        let (start, end) = match self {
            SequenceOptimizer::Pooled if is_first => (first, last),
            SequenceOptimizer::Pooled => (first.saturating_sub(behind), last),
            SequenceOptimizer::None | SequenceOptimizer::PooledLo => (first, last.saturating_add(behind)),
        };
        start.max(0)..end.min(facts.maximum).min(FIRST_REFUSED - 1) + 1
    }

    /// Returns the lowest value whose block, as every writer takes it, begins at an id or above.
    pub(super) fn value_from(self, id: i64, facts: &Facts) -> i64 {
        let increment = facts.increment.max(1);
        let least = if self == SequenceOptimizer::Pooled { id.saturating_add(increment - 1) } else { id };
        let past = (i128::from(least) - i128::from(facts.start)).rem_euclid(i128::from(increment));
        if past == 0 { least } else { least.saturating_add(increment - past as i64) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(start: i64, increment: i64) -> Facts {
        Facts { start, increment, maximum: i64::MAX, ..Facts::default() }
    }

    fn run(first: i64, count: i64, increment: i64) -> Run {
        Run { first, last: first + (count - 1) * increment, count }
    }

    #[test]
    fn a_value_stands_for_the_block_that_hibernate_takes() {
        use SequenceOptimizer::{None, Pooled, PooledLo};
        let (one, fifty) = (facts(1, 1), facts(1, 50));
        assert_eq!(None.ids(run(7, 3, 1), &one, false), 7..10);
        for optimizer in [Pooled, PooledLo] {
            assert_eq!(optimizer.ids(run(7, 3, 1), &one, false), 7..10, "with an increment of 1 all are the same");
        }
        assert_eq!(Pooled.ids(run(101, 1, 50), &fifty, false), 52..102);
        assert_eq!(Pooled.ids(run(101, 3, 50), &fifty, false), 52..202);
        assert_eq!(PooledLo.ids(run(101, 3, 50), &fifty, false), 101..251);
    }

    #[test]
    fn the_first_value_of_pooled_stands_for_itself() {
        let pooled = SequenceOptimizer::Pooled;
        assert_eq!(pooled.ids(run(1, 1, 50), &facts(1, 50), false), 1..2);
        assert_eq!(pooled.ids(run(1000, 2, 50), &facts(1000, 50), false), 1000..1051);
        assert_eq!(pooled.ids(run(2001, 2, 50), &facts(1, 50), true), 2001..2052, "after a RESTART");
        assert_eq!(SequenceOptimizer::PooledLo.ids(run(1, 1, 50), &facts(1, 50), true), 1..51);
    }

    #[test]
    fn a_block_is_cut_at_both_ends() {
        let (pooled_lo, pooled) = (SequenceOptimizer::PooledLo, SequenceOptimizer::Pooled);
        let narrow = Facts { maximum: 120, ..facts(1, 50) };
        assert_eq!(pooled_lo.ids(run(101, 1, 50), &narrow, false), 101..121);
        assert_eq!(pooled.ids(run(40, 1, 50), &facts(-10, 50), false), 0..41);
        let edge = FIRST_REFUSED - 10;
        assert_eq!(pooled_lo.ids(run(edge, 1, 50), &facts(edge, 50), false), edge..FIRST_REFUSED);
    }

    #[test]
    fn a_sequence_is_set_to_a_value_whose_block_has_no_lower_id() {
        let (pooled, fifty) = (SequenceOptimizer::Pooled, facts(1, 50));
        assert_eq!([102, 152, 153].map(|id| pooled.value_from(id, &fifty)), [151, 201, 251]);
        assert_eq!([101, 102].map(|id| SequenceOptimizer::PooledLo.value_from(id, &fifty)), [101, 151]);
        assert_eq!(SequenceOptimizer::None.value_from(102, &facts(7, 1)), 102);
        assert_eq!(pooled.value_from(-70, &fifty), 1, "a block of ids from -48 on");
    }

    #[test]
    fn blocks_of_different_values_share_no_id() {
        for optimizer in [SequenceOptimizer::Pooled, SequenceOptimizer::PooledLo] {
            let facts = facts(3, 10);
            let mut end = 0;
            for turn in 0..50 {
                let ids = optimizer.ids(run(3 + turn * 10, 1, 10), &facts, false);
                assert!(ids.start >= end && ids.end > ids.start, "{ids:?} after {end}");
                end = ids.end;
            }
        }
    }

    #[test]
    fn a_run_that_leaves_values_out_is_not_whole() {
        assert!(run(1, 3, 50).is_whole(50) && Run { first: 5, last: 5, count: 1 }.is_whole(50));
        assert!(!Run { first: 1, last: 201, count: 3 }.is_whole(50));
        assert!(!Run { first: i64::MIN, last: i64::MAX, count: 2 }.is_whole(50));
    }
}
