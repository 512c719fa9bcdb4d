//! The ids that a fleet minted, and what is wrong with them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::sync::Mutex;

/// The ids that a fleet minted.
#[derive(Default)]
pub(crate) struct Ledger(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    /// The ranges of each tag, by their starts.
    ranges: BTreeMap<String, BTreeMap<i64, i64>>,
    flakes: HashSet<i64>,
    /// Who minted what lately: each tag, and `""` for snowflakes.
    who: BTreeSet<(usize, String)>,
    twice: Vec<String>,
}

impl Ledger {
    pub(crate) fn note_ranges(&self, process: usize, tag: &str, ranges: Vec<Range<i64>>) {
        let mut entries = self.0.lock().expect("no panic");
        entries.who.insert((process, tag.to_owned()));
        for range in ranges {
            let known = entries.ranges.entry(tag.to_owned()).or_default();
            let below = known.range(..range.end).next_back().is_some_and(|(_, end)| *end > range.start);
            known.insert(range.start, range.end);
            if below {
                entries.twice.push(format!("{range:?} of {tag}"));
            }
        }
    }

    pub(crate) fn note_flake(&self, process: usize, id: i64) {
        let mut entries = self.0.lock().expect("no panic");
        entries.who.insert((process, String::new()));
        if !entries.flakes.insert(id) {
            entries.twice.push(format!("snowflake {id}"));
        }
    }

    /// Forgets who minted: only what is minted from now on counts as recovered.
    pub(crate) fn forget_who(&self) {
        self.0.lock().expect("no panic").who.clear();
    }

    /// Returns what is wrong: ids that came twice, or fewer processes that mint than there should be.
    pub(crate) fn verdict(&self, processes: usize, tags: usize) -> Result<(), String> {
        let entries = self.0.lock().expect("no panic");
        if let Some(first) = entries.twice.first() {
            return Err(format!("{} ids came twice, first {first}", entries.twice.len()));
        }
        let expected = processes * (tags + 1);
        match entries.who.len() {
            minting if minting == expected => Ok(()),
            minting => Err(format!("{minting} of {expected} tags and generators recovered: {:?}", entries.who)),
        }
    }
}
