//! The tags that open generators of this process have leased ids of. None of them is created anew if its row is gone:
//! its ids would begin again.

use crate::runtime::process::PerProcess;
use crate::sync::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// By scope and table.
static TABLES: PerProcess<Tables> = PerProcess::unset(Mutex::new(None));

type Tables = Mutex<Option<HashMap<(String, String), Weak<KnownTags>>>>;

/// What the open generators over one table have leased.
#[derive(Default)]
pub(super) struct KnownTags {
    /// The end of the highest lease, by tag.
    ends: Mutex<HashMap<String, i64>>,
}

impl KnownTags {
    /// Returns those of a table, which all generators over it share.
    pub(super) fn of(scope: String, table: &str) -> Arc<Self> {
        let mut tables = TABLES.get(|_| Mutex::default()).lock();
        let tables = tables.get_or_insert_default();
        tables.retain(|_, known| known.strong_count() > 0);
        let known = tables.entry((scope, table.to_owned())).or_default();
        known.upgrade().unwrap_or_else(|| {
            let made = Arc::default();
            *known = Arc::downgrade(&made);
            made
        })
    }

    /// Notes a lease.
    pub(super) fn note(&self, tag: &str, end: i64) {
        let mut ends = self.ends.lock();
        match ends.get_mut(tag) {
            Some(known) => *known = end.max(*known),
            None => drop(ends.insert(tag.to_owned(), end)),
        }
    }

    /// Forgets a tag of a period that is over.
    pub(super) fn forget(&self, tag: &str) {
        self.ends.lock().remove(tag);
    }

    /// Returns the end of the highest lease of a tag, if it was leased from.
    pub(super) fn end_of(&self, tag: &str) -> Option<i64> {
        self.ends.lock().get(tag).copied()
    }
}
