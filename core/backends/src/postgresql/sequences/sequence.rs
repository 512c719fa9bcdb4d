//! What a sequence is, and which ones this generator knows.

use leafmint_engine::sync::Mutex;
use std::collections::HashMap;

/// What the catalogue says of a sequence. Whatever changes one of these makes another file of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) oid: i64,
    /// It is a sequence.
    pub(super) is_sequence: bool,
    /// The write-ahead log covers it, for all sessions.
    pub(super) is_lasting: bool,
    /// The account may draw from it.
    pub(super) is_allowed: bool,
    pub(super) file: i64,
    pub(super) start: i64,
    pub(super) maximum: i64,
    pub(super) increment: i64,
    pub(super) is_cycle: bool,
    pub(super) cache: i64,
}

impl Facts {
    /// The number of facts, as an array of numbers.
    const COUNT: usize = 10;

    /// Reads them, in the order of [`columns`](super::draw).
    pub(super) fn from_array(found: &[i64]) -> Option<Self> {
        let [oid, is_sequence, is_lasting, is_allowed, file, start, maximum, increment, is_cycle, cache]: [i64;
            Self::COUNT] = found.try_into().ok()?;
        let [is_sequence, is_lasting, is_allowed, is_cycle] =
            [is_sequence, is_lasting, is_allowed, is_cycle].map(|flag| flag == 1);
        Some(Self { oid, is_sequence, is_lasting, is_allowed, file, start, maximum, increment, is_cycle, cache })
    }

    pub(super) fn to_array(self) -> Vec<i64> {
        let flags = [self.is_sequence, self.is_lasting, self.is_allowed, self.is_cycle].map(i64::from);
        let [is_sequence, is_lasting, is_allowed, is_cycle] = flags;
        let Self { oid, file, start, maximum, increment, cache, .. } = self;
        vec![oid, is_sequence, is_lasting, is_allowed, file, start, maximum, increment, is_cycle, cache]
    }

    /// Returns whether a value is one of the start and what follows on it.
    pub(super) fn is_on_grid(&self, value: i64) -> bool {
        (i128::from(value) - i128::from(self.start)) % i128::from(self.increment.max(1)) == 0
    }
}

/// The sequences as they were when they were last judged, by name.
#[derive(Default)]
pub(super) struct Known(Mutex<HashMap<String, Facts>>);

impl Known {
    pub(super) fn get(&self, name: &str) -> Option<Facts> {
        self.0.lock().get(name).copied()
    }

    pub(super) fn set(&self, name: &str, facts: Facts) {
        self.0.lock().insert(name.to_owned(), facts);
    }

    pub(super) fn increment(&self, name: &str) -> Option<i64> {
        self.get(name).map(|facts| facts.increment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_an_array_and_back() {
        let found: Vec<i64> = vec![16385, 1, 0, 1, 16386, 1, i64::MAX, 50, 1, 7];
        let facts = Facts::from_array(&found).unwrap();
        assert!(facts.is_sequence && !facts.is_lasting && facts.is_allowed && facts.is_cycle);
        assert_eq!((facts.increment, facts.to_array()), (50, found));
        assert_eq!(Facts::from_array(&[1, 2]), None);
    }

    #[test]
    fn the_grid_has_the_start_and_what_follows_by_the_increment() {
        let fifty = Facts { increment: 50, start: 1, ..Facts::default() };
        assert!(fifty.is_on_grid(1) && fifty.is_on_grid(-49) && fifty.is_on_grid(151));
        assert!(!fifty.is_on_grid(150) && !fifty.is_on_grid(i64::MIN + 3));
    }
}
