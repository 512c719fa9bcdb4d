//! The series of a generator by name and key.

use super::declaration::Declaration;
use super::state::SeriesState;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::segment::open_tags::OpenTags;
use crate::store::SeriesRule;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// Number of series from which on those are forgotten that have no handle and whose period is over.
const FEWEST: usize = 1024;

/// The series of a generator in one process.
pub(in crate::segment) struct SeriesByName {
    by_label: HashMap<String, Arc<SeriesState>>,
    /// The rule belongs to the name, whatever the key.
    declarations: HashMap<String, Weak<Declaration>>,
    sweep_at: usize,
}

impl SeriesByName {
    pub(in crate::segment) fn new() -> Self {
        Self { by_label: HashMap::new(), declarations: HashMap::new(), sweep_at: FEWEST }
    }

    /// Takes out the series of that name that have another rule and no handle, such as one that the store refused.
    pub(super) fn take_others(&mut self, rule: &SeriesRule) -> Vec<Arc<SeriesState>> {
        let known = self.declarations.get(&rule.name).and_then(Weak::upgrade);
        if known.is_none_or(|known| known.rule == *rule) {
            return Vec::new();
        }
        let is_of_name = |series: &SeriesState| series.rule().name == rule.name;
        let unused = self.by_label.extract_if(|_, series| is_of_name(series) && Arc::strong_count(series) == 1);
        let unused = unused.map(|(_, series)| series).collect();
        if !self.by_label.values().any(|series| is_of_name(series)) {
            self.declarations.remove(&rule.name);
        }
        unused
    }

    /// Returns the series of that name and key, and those that are forgotten on the way. Raises `invalid_argument` if
    /// this generator knows it by another rule.
    pub(super) fn get(
        &mut self,
        rule: &SeriesRule,
        label: &str,
        step: i64,
        clock: &Arc<dyn Clock>,
        tags: &Arc<OpenTags>,
    ) -> Result<(Arc<SeriesState>, Vec<Arc<SeriesState>>)> {
        let declared = self.declarations.entry(rule.name.clone()).or_default();
        let declaration = declared.upgrade().unwrap_or_else(|| {
            let new = Arc::new(Declaration::new(rule.clone(), clock.clone()));
            *declared = Arc::downgrade(&new);
            new
        });
        let known = &declaration.rule;
        if known != rule {
            let text = format!(
                "series {:?} has period=\"{}\" and zone={:?} in this generator, not period=\"{}\" and zone={:?}",
                rule.name, known.period, known.zone, rule.period, rule.zone
            );
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        }
        if let Some(series) = self.by_label.get(label) {
            return Ok((series.clone(), Vec::new()));
        }
        let series = Arc::new(SeriesState::new(label, declaration, step, tags.clone()));
        let forgotten = if self.by_label.len() >= self.sweep_at { self.sweep() } else { Vec::new() };
        self.by_label.insert(label.to_owned(), series.clone());
        Ok((series, forgotten))
    }

    fn sweep(&mut self) -> Vec<Arc<SeriesState>> {
        // A new handle is made under the lock that guards this map: a series without one gets none now.
        let gone = self.by_label.extract_if(|_, series| Arc::strong_count(series) == 1 && series.is_over());
        let gone = gone.map(|(_, series)| series).collect();
        self.sweep_at = FEWEST.max(2 * self.by_label.len());
        self.by_label.shrink_to(self.sweep_at);
        self.declarations.retain(|_, declared| declared.strong_count() > 0);
        gone
    }
}
