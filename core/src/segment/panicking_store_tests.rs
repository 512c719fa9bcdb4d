//! A refill that panics is a failed attempt: the calls that wait for it get an error, and the next attempt is made
//! after a pause.

use super::{SegmentGenerator, Settings, StepPolicy};
use crate::answer::Answer;
use crate::error::ErrorKind;
use crate::store::{MemoryStore, NewTagOptions, SegmentCheck, SegmentStore, TagChange, TagInfo};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A store whose first leases of one tag panic.
struct Panicking {
    store: MemoryStore,
    left: AtomicU32,
}

const TAG: &str = "order";

impl SegmentStore for Panicking {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        self.store.step(tag)
    }

    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>> {
        self.store.gene_bits(tag)
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Range<i64>> {
        let decrement = |left: u32| left.checked_sub(1);
        let panics = tag == TAG && self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, decrement).is_ok();
        assert!(!panics, "a lease of {tag:?}");
        self.store.lease(tag, step)
    }

    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool> {
        self.store.give_back(tag, tail)
    }

    fn create_tag<'a>(&'a self, tag: &'a str, new: &'a NewTagOptions) -> Answer<'a, bool> {
        self.store.create_tag(tag, new)
    }

    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>> {
        self.store.list_tags()
    }

    fn set_tag<'a>(&'a self, change: &'a TagChange) -> Answer<'a, ()> {
        self.store.set_tag(change)
    }

    fn raise_tag<'a>(&'a self, tag: &'a str, max_id: i64) -> Answer<'a, i64> {
        self.store.raise_tag(tag, max_id)
    }

    fn check(&self) -> Answer<'_, SegmentCheck> {
        self.store.check()
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        self.store.init_schema()
    }

    fn scope(&self) -> String {
        self.store.scope()
    }

    fn close(&self) -> Answer<'_, ()> {
        self.store.close()
    }

    fn in_child(&self) -> Arc<dyn SegmentStore> {
        self.store.in_child()
    }
}

#[test]
fn a_call_that_waits_for_a_refill_that_panics_gets_an_error_and_a_later_call_an_id() {
    let store = Panicking { store: MemoryStore::open("panicking"), left: AtomicU32::new(8) };
    let settings = Settings {
        policy: StepPolicy {
            max_step: 1000,
            max_unused: None,
            segment_duration: Duration::from_secs(900),
            outage_budget: Duration::from_secs(600),
        },
        timeout: Duration::from_secs(20),
        auto_create: true,
        default_step: 10,
        default_start: 1,
        table: String::new(),
        close_at_exit: false,
    };
    let ids = SegmentGenerator::new(Arc::new(store), settings, None, crate::background::real_time());
    let tag = ids.biz_tag(TAG).unwrap();
    let panicked = "leafmint panicked, which is a bug in it: a lease of \"order\"";
    // On a busy machine a call may end before the first attempt has.
    let call = || tag.next_id_within(Duration::from_millis(300)).unwrap_err();
    let error = std::iter::repeat_with(call).find(|error| error.message().contains(panicked)).unwrap();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    assert_eq!(ids.biz_tag("parcel").unwrap().next_id(), Ok(1));
    assert_eq!(tag.next_id(), Ok(1));
    assert_eq!(ids.stats().tags.iter().find(|(name, _)| name == TAG).unwrap().1.refill_failures, 8);
}
