//! A simulated store: the rows of `leaf_alloc` behind a [`Link`], changed by the statements of every store.

use crate::link::{Link, ask};
use leafmint::Answer;
use leafmint::store::{
    Checked, NewTagOptions, SegmentCheck, SegmentStore, SeriesRule, StoredSeries, TagChange, TagInfo,
};
use leafmint_backends::rows::Network;
use leafmint_simulation::unavailable;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// `max_id` of each tag.
pub(crate) type Rows = Arc<Mutex<BTreeMap<String, i64>>>;

/// A store of one process, which reaches the rows by its link.
pub(crate) struct SimulatedStore {
    pub(crate) rows: Rows,
    pub(crate) link: Arc<Link>,
    /// The `step` column of every tag.
    pub(crate) step: i64,
}

impl SimulatedStore {
    async fn take(&self, tag: &str, step: i64) -> leafmint::Result<Range<i64>> {
        let (rows, tag) = (self.rows.clone(), tag.to_owned());
        ask(&self.link, move || {
            let mut rows = rows.lock().expect("no panic");
            let max_id = rows.entry(tag).or_insert(1);
            *max_id += step;
            *max_id - step..*max_id
        })
        .await
    }

    fn unknown<T>() -> leafmint::Result<T> {
        Err(unavailable("a simulated store does not do this"))
    }
}

impl SegmentStore for SimulatedStore {
    fn step<'a>(&'a self, _tag: &'a str) -> Answer<'a, i64> {
        Box::pin(async { ask(&self.link, || ()).await.map(|()| self.step) })
    }

    fn gene_bits<'a>(&'a self, _tag: &'a str) -> Answer<'a, Option<i64>> {
        Box::pin(async { Ok(Some(0)) })
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Vec<Range<i64>>> {
        Box::pin(async move { Ok(vec![self.take(tag, step).await?]) })
    }

    fn lease_checked<'a>(&'a self, tag: &'a str, _gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            let sent = self.link.passed();
            let range = self.take(tag, amount.unwrap_or(self.step)).await?;
            Ok(Checked {
                ranges: vec![range],
                step: self.step,
                round_trip: self.link.passed() - sent,
                other_name: None,
            })
        })
    }

    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool> {
        let (rows, tag) = (self.rows.clone(), tag.to_owned());
        Box::pin(ask(&self.link, move || match rows.lock().expect("no panic").get_mut(&tag) {
            Some(max_id) if *max_id == tail.end => {
                *max_id = tail.start;
                true
            }
            _ => false,
        }))
    }

    fn create_tag<'a>(&'a self, _tag: &'a str, _new: &'a NewTagOptions) -> Answer<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    fn declare_series<'a>(&'a self, rule: &'a SeriesRule, _format: Option<&'a str>) -> Answer<'a, StoredSeries> {
        Box::pin(async {
            ask(&self.link, || ()).await?;
            let clock = Some(self.link.server_clock());
            Ok(StoredSeries { period: rule.period.to_string(), zone: rule.zone.clone(), format: None, clock })
        })
    }

    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>> {
        Box::pin(async { Self::unknown() })
    }

    fn set_tag<'a>(&'a self, _change: &'a TagChange) -> Answer<'a, ()> {
        Box::pin(async { Self::unknown() })
    }

    fn raise_tag<'a>(&'a self, _tag: &'a str, _max_id: i64) -> Answer<'a, i64> {
        Box::pin(async { Self::unknown() })
    }

    fn check(&self) -> Answer<'_, SegmentCheck> {
        Box::pin(async { Self::unknown() })
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn scope(&self) -> String {
        self.link.scope()
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn in_child(&self) -> Arc<dyn SegmentStore> {
        Arc::new(Self { rows: self.rows.clone(), link: self.link.clone(), step: self.step })
    }
}
