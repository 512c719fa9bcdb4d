//! The memory store, for tests and examples. Its ids start again with the process.

use super::tag_rules::{check_room, leased, other_gene_bits, unknown_tag};
use super::{NewTagOptions, SegmentCheck, SegmentStore, SeriesRule, StoredSeries, TagChange, TagInfo};
use crate::answer::Answer;
use crate::clock::Clock;
use crate::runtime::process::PerProcess;
use crate::sync::Mutex;
use leafmint_ids::error::Result;
use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::ops::Range;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Segments in the memory of this process. Stores of the same name share their tags.
///
/// Scope: this process.
#[derive(Clone)]
pub struct MemoryStore {
    name: String,
    rows: Arc<Mutex<HashMap<String, MemoryTag>>>,
    series: Arc<Mutex<BTreeMap<String, StoredSeries>>>,
    /// A clock of its own, as a server has one.
    clock: Option<Arc<dyn Clock>>,
}

struct MemoryTag {
    max_id: i64,
    step: i64,
    description: String,
    gene_bits: i64,
    /// In Unix milliseconds.
    update_time: i64,
}

impl MemoryTag {
    fn info(&self, tag: &str, store: &str) -> TagInfo {
        let known = TagInfo {
            biz_tag: tag.to_owned(),
            description: Some(self.description.clone()),
            update_time: Some(self.update_time),
            gene_bits: Some(self.gene_bits),
            ..TagInfo::default()
        };
        known.judged_by_numbers(self.max_id, self.step, store)
    }
}

type Stores = Mutex<BTreeMap<String, MemoryStore>>;

/// The stores of this process by name: two generators with the same name share one id space.
static STORES: PerProcess<Stores> = PerProcess::first(Stores::new(BTreeMap::new()));

impl MemoryStore {
    /// Opens the store of that name, `""` for the nameless one.
    pub fn open(name: &str) -> Self {
        let new = || MemoryStore { name: name.to_owned(), rows: Arc::default(), series: Arc::default(), clock: None };
        STORES.get(|_| Stores::default()).lock().entry(name.to_owned()).or_insert_with(new).clone()
    }

    /// Opens the store of that name as one with this clock.
    pub fn with_clock(name: &str, clock: Arc<dyn Clock>) -> Self {
        Self { clock: Some(clock), ..Self::open(name) }
    }

    /// Forgets the store of that name. The next one that is opened has no tags, so the name must not come again unless
    /// ids may.
    pub fn forget(name: &str) {
        STORES.get(|_| Stores::default()).lock().remove(name);
    }
}

impl MemoryStore {
    /// Changes the row of a tag. Raises `unknown_tag`.
    fn change<T>(&self, tag: &str, change: impl FnOnce(&mut MemoryTag) -> T) -> Result<T> {
        let mut rows = self.rows.lock();
        let row = rows.get_mut(tag).ok_or_else(|| unknown_tag(tag, &self.scope()))?;
        row.update_time = now();
        Ok(change(row))
    }
}

/// Returns the present time in Unix milliseconds.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

impl SegmentStore for MemoryStore {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        let row = self.rows.lock().get(tag).map(|row| row.step);
        Box::pin(ready(row.ok_or_else(|| unknown_tag(tag, &self.scope()))))
    }

    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>> {
        let bits = self.rows.lock().get(tag).map_or(0, |row| row.gene_bits);
        Box::pin(ready(Ok(Some(bits))))
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Vec<Range<i64>>> {
        let mut rows = self.rows.lock();
        let answer = rows.get_mut(tag).ok_or_else(|| unknown_tag(tag, &self.scope())).and_then(|row| {
            check_room(tag, row.max_id, step)?;
            row.max_id += step;
            row.update_time = now();
            Ok(vec![leased(row.max_id, step)])
        });
        Box::pin(ready(answer))
    }

    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool> {
        let mut rows = self.rows.lock();
        let given = match rows.get_mut(tag) {
            Some(row) if row.max_id == tail.end => {
                row.max_id = tail.start;
                true
            }
            _ => false,
        };
        Box::pin(ready(Ok(given)))
    }

    fn create_tag<'a>(&'a self, tag: &'a str, new: &'a NewTagOptions) -> Answer<'a, bool> {
        let mut rows = self.rows.lock();
        let created = match rows.get(tag) {
            None => {
                let NewTagOptions { step, start, description, gene_bits } = new.clone();
                rows.insert(
                    tag.to_owned(),
                    MemoryTag { max_id: start, step, description, gene_bits, update_time: now() },
                );
                Ok(true)
            }
            Some(row) if new.gene_bits != 0 && row.gene_bits != new.gene_bits => {
                Err(other_gene_bits(tag, row.gene_bits, new.gene_bits))
            }
            Some(_) => Ok(false),
        };
        Box::pin(ready(created))
    }

    fn declare_series<'a>(&'a self, rule: &'a SeriesRule, format: Option<&'a str>) -> Answer<'a, StoredSeries> {
        let (period, zone) = (rule.period.to_string(), rule.zone.clone());
        let new = || StoredSeries { period, zone, format: format.map(str::to_owned), clock: None };
        let stored = self.series.lock().entry(rule.name.clone()).or_insert_with(new).clone();
        let clock = self.clock.as_ref().map(|clock| clock.wall());
        Box::pin(ready(Ok(StoredSeries { clock, ..stored })))
    }

    fn set_series_format<'a>(&'a self, name: &'a str, format: &'a str) -> Answer<'a, ()> {
        if let Some(stored) = self.series.lock().get_mut(name) {
            stored.format = Some(format.to_owned());
        }
        Box::pin(ready(Ok(())))
    }

    fn list_series(&self) -> Answer<'_, Vec<(String, StoredSeries)>> {
        let series = self.series.lock().iter().map(|(name, stored)| (name.clone(), stored.clone())).collect();
        Box::pin(ready(Ok(series)))
    }

    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>> {
        let (rows, scope) = (self.rows.lock(), self.scope());
        let mut tags: Vec<TagInfo> = rows.iter().map(|(tag, row)| row.info(tag, &scope)).collect();
        tags.sort_by(|a, b| a.biz_tag.cmp(&b.biz_tag));
        Box::pin(ready(Ok(tags)))
    }

    fn set_tag<'a>(&'a self, change: &'a TagChange) -> Answer<'a, ()> {
        let changed = self.change(&change.tag, |row| {
            row.step = change.step.unwrap_or(row.step);
            if let Some(text) = &change.description {
                row.description.clone_from(text);
            }
        });
        Box::pin(ready(changed))
    }

    fn raise_tag<'a>(&'a self, tag: &'a str, max_id: i64) -> Answer<'a, i64> {
        let raised = self.change(tag, |row| {
            row.max_id = row.max_id.max(max_id);
            row.max_id
        });
        Box::pin(ready(raised))
    }

    fn next_number<'a>(&'a self, tag: &'a str) -> Option<Answer<'a, i64>> {
        Some(self.raise_tag(tag, 0))
    }

    fn check(&self) -> Answer<'_, SegmentCheck> {
        let tags = self.rows.lock().len() as i64;
        Box::pin(ready(Ok(SegmentCheck { tags, creates_tags: true, ..SegmentCheck::default() })))
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    fn scope(&self) -> String {
        format!("memory://{} (scope: this process)", self.name)
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    /// The child has memory of its own, so its ids start again.
    fn in_child(&self) -> Arc<dyn SegmentStore> {
        Arc::new(Self::open(&self.name))
    }
}
