//! The figures of series, which add up over the periods and the keys.

use crate::segment::TagStats;
use crate::segment::tag::Tag;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The figures of the tags of series that are forgotten, by the name of their series.
#[derive(Clone, Default)]
pub(crate) struct Totals(BTreeMap<String, TagStats>);

impl Totals {
    /// Adds the figures of a tag that is forgotten.
    pub(crate) fn forget(&mut self, tag: &Tag) {
        let Some(series) = &tag.series else { return };
        let past = TagStats {
            supply_seconds: None,
            failures_in_a_row: 0,
            last_error: None,
            last_error_code: None,
            last_error_at: None,
            ..tag.stats()
        };
        self.add(series.figures(), past);
    }

    /// Records ids of a forgotten tag that were given back later.
    pub(crate) fn note_given_back(&mut self, tag: &Tag, count: i64) {
        if let Some(total) = tag.series.as_ref().and_then(|series| self.0.get_mut(&series.figures())) {
            total.given_back += count;
            total.unused -= count;
        }
    }

    /// Records numbers of a forgotten tag that another one has in hand now.
    pub(crate) fn note_unpacked(&mut self, tag: &Tag, count: i64) {
        if let Some(total) = tag.series.as_ref().and_then(|series| self.0.get_mut(&series.figures())) {
            total.leased -= count;
            total.unused -= count;
        }
    }

    fn add(&mut self, name: String, stats: TagStats) {
        match self.0.get_mut(&name) {
            Some(total) => total.add(&stats),
            None => drop(self.0.insert(name, stats)),
        }
    }

    /// Returns the figures of these tags by name. Those of a series are one.
    pub(crate) fn with(mut self, tags: &[Arc<Tag>]) -> Vec<(String, TagStats)> {
        for tag in tags {
            let name = tag.series.as_ref().map_or_else(|| tag.name.clone(), |series| series.figures());
            self.add(name, tag.stats());
        }
        self.0.into_iter().collect()
    }
}
