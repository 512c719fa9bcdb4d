//! The series of a generator by name and key, of which each has a bounded number of keys.

use super::declaration::Declaration;
use super::group::SeriesGroup;
use super::packed::PackedSeries;
use super::state::SeriesState;
use super::width::Outlook;
use crate::clock::Clock;
use crate::segment::open_tags::OpenTags;
use crate::store::SeriesRule;
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use leafmint_ids::format::Format;
use std::collections::HashMap;
use std::sync::Arc;

/// Number of keys from which on those are packed that have no handle.
const FEWEST: usize = 64;

/// The share of the keys that make room for others at once.
const SHARE: usize = 10;

/// The series of a generator in one process.
pub(crate) struct SeriesByName {
    by_name: HashMap<String, Keys>,
    /// The option `max_keys`.
    most_keys: usize,
}

/// What a caller asks for.
pub(super) struct Asked<'a> {
    pub(super) rule: &'a SeriesRule,
    pub(super) label: &'a str,
    pub(super) step: i64,
    pub(super) format: Option<&'a Format>,
    pub(super) clock: &'a Arc<dyn Clock>,
    pub(super) tags: &'a Arc<OpenTags>,
}

/// The groups of series that are forgotten: what is left of them is to be given back.
pub(super) type Forgotten = Vec<Arc<SeriesGroup>>;

impl SeriesByName {
    pub(crate) fn new(most_keys: usize) -> Self {
        Self { by_name: HashMap::new(), most_keys }
    }

    /// Returns the series of that name and key, and what is forgotten on the way. Raises `invalid_argument` if this
    /// generator knows it by another rule, and `invalid_config` if its keys with a handle are as many as there may be.
    pub(super) fn get(&mut self, asked: &Asked<'_>) -> Result<(Arc<SeriesState>, Forgotten)> {
        let mut forgotten = self.take_others(asked);
        let keys = match self.by_name.get_mut(&asked.rule.name) {
            Some(keys) => keys,
            None => {
                let declaration = Arc::new(Declaration::new(asked.rule.clone(), asked.clock.clone()));
                self.by_name.entry(asked.rule.name.clone()).or_insert_with(|| Keys::new(declaration))
            }
        };
        keys.declaration.rule.check_same(asked.rule)?;
        if let Some(format) = asked.format {
            keys.declaration.note_format(format);
        }
        let series = keys.get(asked, self.most_keys, &mut forgotten)?;
        Ok((series, forgotten))
    }

    /// Forgets the series of that name if it has another rule and no handle, such as one that the store refused.
    fn take_others(&mut self, asked: &Asked<'_>) -> Forgotten {
        let is_other =
            |keys: &Keys| keys.declaration.rule != *asked.rule && !keys.by_label.values().any(Key::has_handle);
        match self.by_name.get_mut(&asked.rule.name).filter(|keys| is_other(keys)) {
            Some(keys) => {
                let forgotten = keys.forget(asked.tags, |_| true);
                self.by_name.remove(&asked.rule.name);
                forgotten
            }
            None => Vec::new(),
        }
    }

    /// Returns how full the formats are, by the names of their figures.
    pub(crate) fn outlooks(&self) -> HashMap<String, Outlook> {
        let outlook = |keys: &Keys| {
            let declaration = &keys.declaration;
            Some((declaration.figures(), declaration.width.outlook(declaration.time())?))
        };
        self.by_name.values().filter_map(outlook).collect()
    }

    /// Makes tags of all series that are packed, which the close gives back.
    pub(crate) fn unpack_all(&mut self, tags: &Arc<OpenTags>) {
        for keys in self.by_name.values_mut() {
            for (label, key) in &mut keys.by_label {
                if let State::Packed(packed) = &mut key.state
                    && packed.holds_numbers()
                {
                    // The tag stays among the open ones.
                    let _ = packed.unpack(label, &keys.declaration, tags);
                }
            }
        }
    }
}

/// One series, for all its keys. The rule belongs to the name.
struct Keys {
    declaration: Arc<Declaration>,
    by_label: HashMap<Box<str>, Key>,
    /// Counts the calls, to know which key was used last.
    calls: u64,
    /// Keys that are not packed.
    live: usize,
    pack_at: usize,
}

/// One key in one process.
struct Key {
    last_call: u64,
    state: State,
}

enum State {
    Live(Arc<SeriesState>),
    /// It has no handle.
    Packed(Box<PackedSeries>),
}

impl Keys {
    fn new(declaration: Arc<Declaration>) -> Self {
        Self { declaration, by_label: HashMap::new(), calls: 0, live: 0, pack_at: FEWEST }
    }

    fn get(&mut self, asked: &Asked<'_>, most: usize, forgotten: &mut Forgotten) -> Result<Arc<SeriesState>> {
        self.calls += 1;
        if let Some(Key { last_call, state: State::Live(series) }) = self.by_label.get_mut(asked.label) {
            *last_call = self.calls;
            return Ok(series.clone());
        }
        if self.live >= self.pack_at {
            self.pack(asked.tags, forgotten);
        }
        let packed = self.by_label.remove(asked.label);
        if packed.is_none() && self.by_label.len() >= most {
            self.make_room(most, asked.tags, forgotten)?;
        }
        let series = Arc::new(SeriesState::new(asked.label, self.declaration.clone(), asked.step, asked.tags.clone()));
        if let Some(Key { state: State::Packed(mut packed), .. }) = packed
            && let Some(group) = packed.unpack(asked.label, &self.declaration, asked.tags)
        {
            series.put_group(group);
        }
        self.live += 1;
        let key = Key { last_call: self.calls, state: State::Live(series.clone()) };
        self.by_label.insert(asked.label.into(), key);
        Ok(series)
    }

    /// Packs the keys without a handle. Those of a period that is over are forgotten.
    fn pack(&mut self, tags: &Arc<OpenTags>, forgotten: &mut Forgotten) {
        // A new handle is made under the lock that guards this map: a series without one gets none now.
        for key in self.by_label.values_mut() {
            if let State::Live(series) = &key.state
                && Arc::strong_count(series) == 1
                && let Some((packed, others)) = series.pack(tags)
            {
                forgotten.extend(others);
                key.state = State::Packed(Box::new(packed));
            }
        }
        let now = self.declaration.time();
        forgotten.extend(self.forget(tags, |key| key.is_over(now)));
        self.pack_at = FEWEST.max(2 * self.live);
    }

    /// Forgets the keys without a handle that were used the longest ago. Raises `invalid_config` if there are none.
    fn make_room(&mut self, most: usize, tags: &Arc<OpenTags>, forgotten: &mut Forgotten) -> Result<()> {
        let mut calls: Vec<u64> =
            self.by_label.values().filter(|key| !key.has_handle()).map(|key| key.last_call).collect();
        if calls.is_empty() {
            let text = format!(
                "{} keys of series {:?} have a handle in this generator, as many as max_keys={most} allows: drop handles, or \
                 raise max_keys",
                self.by_label.len(),
                self.declaration.rule.name
            );
            return Err(Error::new(ErrorKind::InvalidConfig, text).because(Some(Reason::TooManyKeys)));
        }
        let last = (most / SHARE).min(calls.len() - 1);
        let (_, last, _) = calls.select_nth_unstable(last);
        let last = *last;
        forgotten.extend(self.forget(tags, |key| key.last_call <= last && !key.has_handle()));
        Ok(())
    }

    fn forget(&mut self, tags: &Arc<OpenTags>, is_forgotten: impl Fn(&Key) -> bool) -> Forgotten {
        let gone = self.by_label.extract_if(|_, key| is_forgotten(key));
        let groups = gone.flat_map(|(label, key)| match key.state {
            State::Live(series) => series.take_groups(),
            State::Packed(mut packed) => packed.forget(&label, &self.declaration, tags).into_iter().collect(),
        });
        let groups = groups.collect();
        self.live = self.by_label.values().filter(|key| matches!(key.state, State::Live(_))).count();
        groups
    }
}

impl Key {
    fn has_handle(&self) -> bool {
        matches!(&self.state, State::Live(series) if Arc::strong_count(series) > 1)
    }

    /// Returns whether it is packed, and its period is over.
    fn is_over(&self, now: i64) -> bool {
        matches!(&self.state, State::Packed(packed) if packed.ends <= now)
    }
}
