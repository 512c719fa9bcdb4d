//! The worker ids that a process may take: ranges, because a layout may have hundreds of millions of them.

use leafmint_ids::error::{Error, ErrorKind, Result};
use std::ops::RangeInclusive;

/// A set of worker ids, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workers {
    /// Ascending and apart: no two overlap or touch.
    ranges: Vec<RangeInclusive<i64>>,
}

impl Workers {
    /// Returns the ids in order.
    pub fn iter(&self) -> impl Iterator<Item = i64> {
        self.ranges.iter().cloned().flatten()
    }

    /// Returns the ids in descending order.
    pub fn descending(&self) -> impl Iterator<Item = i64> {
        self.ranges.iter().rev().flat_map(|range| range.clone().rev())
    }

    /// Returns the highest ids: half of all, rounded down.
    pub fn upper_half(&self) -> Self {
        let mut wanted = self.count() / 2;
        let mut highest = |range: &RangeInclusive<i64>| {
            let first = (range.end() - wanted + 1).max(*range.start());
            wanted -= range.end() - first + 1;
            first..=*range.end()
        };
        self.ranges.iter().rev().map(&mut highest).collect()
    }

    /// Returns the number of ids.
    pub fn count(&self) -> i64 {
        self.ranges.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    /// Returns whether an id is one of them.
    pub fn contains(&self, worker_id: i64) -> bool {
        let at = self.ranges.partition_point(|range| *range.end() < worker_id);
        self.ranges.get(at).is_some_and(|range| range.contains(&worker_id))
    }

    /// Returns the range from the first id to the last; an empty one if there is no id.
    pub fn span(&self) -> RangeInclusive<i64> {
        match (self.ranges.first(), self.ranges.last()) {
            (Some(first), Some(last)) => *first.start()..=*last.end(),
            _ => RangeInclusive::new(1, 0),
        }
    }

    /// Returns the id if there is no other.
    pub fn only(&self) -> Option<i64> {
        self.iter().next().filter(|_| self.count() == 1)
    }
}

/// Raises `invalid_argument` unless an id is one of those that may be taken.
pub fn check_allowed(workers: &Workers, worker_id: i64) -> Result<()> {
    if workers.contains(worker_id) {
        return Ok(());
    }
    let text = format!("worker_id={worker_id} is not one that the layout and the option workers allow");
    Err(Error::new(ErrorKind::InvalidArgument, text))
}

/// Empty ranges add nothing.
impl FromIterator<RangeInclusive<i64>> for Workers {
    fn from_iter<T: IntoIterator<Item = RangeInclusive<i64>>>(ranges: T) -> Self {
        let mut given: Vec<RangeInclusive<i64>> = ranges.into_iter().filter(|range| !range.is_empty()).collect();
        given.sort_unstable_by_key(|range| *range.start());
        let mut ranges: Vec<RangeInclusive<i64>> = Vec::new();
        for range in given {
            match ranges.last_mut() {
                Some(last) if *range.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => ranges.push(range),
            }
        }
        Self { ranges }
    }
}

impl FromIterator<i64> for Workers {
    fn from_iter<T: IntoIterator<Item = i64>>(ids: T) -> Self {
        ids.into_iter().map(|id| id..=id).collect()
    }
}

impl From<i64> for Workers {
    fn from(only: i64) -> Self {
        Self { ranges: vec![only..=only] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_order_and_each_is_there_once_however_they_were_given() {
        let workers: Workers = [5..=7, 0..=1, 2..=2, 6..=9].into_iter().collect();
        assert_eq!(workers.iter().collect::<Vec<_>>(), [0, 1, 2, 5, 6, 7, 8, 9]);
        assert_eq!((workers.count(), workers.only()), (8, None));
        let inside: Vec<i64> = (-1..=12).filter(|&id| workers.contains(id)).collect();
        assert_eq!(inside, workers.iter().collect::<Vec<_>>());
        assert!(workers.descending().eq(inside.into_iter().rev()));
        assert_eq!(workers, [9, 8, 7, 6, 5, 2, 1, 0].into_iter().collect());
        let (halved, other) = (workers.upper_half(), Workers::from_iter([0..=2, 9..=10]).upper_half());
        assert_eq!((halved, other), ([6..=9].into_iter().collect(), [9..=10].into_iter().collect()));
        let (one, three) = (Workers::from(7).upper_half(), Workers::from_iter([0, 5, 9]).upper_half());
        assert_eq!((one, three), (Workers::default(), Workers::from(9)));
    }

    #[test]
    fn one_id_is_the_only_one_and_none_is_none() {
        assert_eq!(Workers::from(7).only(), Some(7));
        assert_eq!((Workers::default().only(), Workers::default().count()), (None, 0));
    }

    #[test]
    fn all_ids_of_the_widest_layout_are_one_range() {
        let workers: Workers = [0..=(1_i64 << 28) - 1].into_iter().collect();
        assert_eq!((workers.count(), workers.ranges.len(), workers.iter().next()), (1 << 28, 1, Some(0)));
        assert!(workers.contains((1 << 28) - 1) && !workers.contains(1 << 28));
    }
}
