//! The tags of a generator by name.

use super::series::SeriesTag;
use super::shared::Shared;
use super::tag::Tag;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// Number of names from which on unused tags are removed.
const FEWEST: usize = 1024;

/// Every tag that has a handle or has leased ids. Other tags are kept until the next sweep.
pub(super) struct Tags {
    by_name: HashMap<String, Arc<Tag>>,
    sweep_at: usize,
}

impl Tags {
    pub(super) fn new() -> Self {
        Self { by_name: HashMap::new(), sweep_at: FEWEST }
    }

    /// Returns the tag of that name: the same one as long as it has a handle or has leased ids.
    pub(super) fn get(
        &mut self,
        name: &str,
        gene_bits: i64,
        series: Option<Arc<SeriesTag>>,
        shared: &Arc<Shared>,
    ) -> Result<Arc<Tag>> {
        if let Some(tag) = self.by_name.get(name).filter(|tag| !is_replaced(tag, series.as_deref())) {
            if series.as_ref().is_some_and(|series| !tag.is_of(series)) {
                let text = format!("tag {name:?} is used in this generator without the series that it belongs to");
                return Err(Error::new(ErrorKind::InvalidArgument, text));
            }
            if tag.gene_bits != gene_bits {
                let text = format!("tag {name:?} has gene_bits={} in this generator, not {gene_bits}", tag.gene_bits);
                return Err(Error::new(ErrorKind::InvalidArgument, text));
            }
            return Ok(tag.clone());
        }
        if self.by_name.len() >= self.sweep_at {
            self.sweep();
        }
        let tag = Arc::new(Tag::new(name, gene_bits, series, shared.clone()));
        self.by_name.insert(name.to_owned(), tag.clone());
        Ok(tag)
    }

    /// Removes the tags without a handle that have never leased. A tag that has leased stays: a restored table is
    /// recognised by the end of its last lease.
    fn sweep(&mut self) {
        // A new handle is made under the lock that guards this map, or cloned from another handle: a tag without one
        // gets none now.
        self.by_name.retain(|_, tag| Arc::strong_count(tag) > 1 || tag.counts().leased > 0);
        self.sweep_at = FEWEST.max(2 * self.by_name.len());
        self.by_name.shrink_to(self.sweep_at);
    }

    /// Removes a tag that has no handle, and returns it.
    pub(super) fn forget(&mut self, name: &str) -> Option<Arc<Tag>> {
        let is_unused = self.by_name.get(name).is_some_and(|tag| Arc::strong_count(tag) == 1);
        if is_unused { self.by_name.remove(name) } else { None }
    }

    /// Removes this very tag. Returns whether it was there.
    pub(super) fn remove(&mut self, tag: &Arc<Tag>) -> bool {
        let is_there = self.by_name.get(&tag.name).is_some_and(|known| Arc::ptr_eq(known, tag));
        is_there && self.by_name.remove(&tag.name).is_some()
    }

    /// Returns whether there is a tag of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Returns all tags, sorted by name: a simulation repeats itself.
    pub(super) fn all(&self) -> Vec<Arc<Tag>> {
        let mut all: Vec<Arc<Tag>> = self.by_name.values().cloned().collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }
}

/// Returns whether a tag that never leased, because its series was refused, makes room for that of another rule.
fn is_replaced(tag: &Tag, series: Option<&SeriesTag>) -> bool {
    let is_refused =
        tag.series.is_some() && series.is_some_and(|series| !tag.is_of(series)) && tag.counts().leased == 0;
    if is_refused {
        // A call that still waits fails.
        tag.shut();
    }
    is_refused
}
