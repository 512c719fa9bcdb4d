//! The sequences that this generator leases from.

use super::facts::Facts;
use crate::sync::Mutex;
use std::collections::HashMap;

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
