//! What callers see of a store whose leases panic or fail.

use super::known_tags::KnownTags;
use super::{SegmentGenerator, SegmentSettings, StepPolicy};
use crate::answer::Answer;
use crate::runtime::background::{Hasty, Timeline, real_time};
use crate::store::{Checked, MemoryStore, NewTagOptions, SegmentCheck, SegmentStore, TagChange, TagInfo};
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use std::future::{pending, ready};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// A store that does something before each lease of one tag, which may fail.
struct Faulty<F> {
    store: MemoryStore,
    before: F,
}

const TAG: &str = "order";

impl<F: Fn() -> Result<()> + Send + Sync + 'static> SegmentStore for Faulty<F> {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        self.store.step(tag)
    }

    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>> {
        self.store.gene_bits(tag)
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Vec<Range<i64>>> {
        match if tag == TAG { (self.before)() } else { Ok(()) } {
            Ok(()) => self.store.lease(tag, step),
            Err(error) if error.reason() == Some(Reason::Locked) => Box::pin(pending()),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn lease_unless_locked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            tokio::select! {
                biased;
                answer = self.lease_checked(tag, gene_bits, amount) => answer,
                // Nothing else makes it wait.
                () = ready(()) => Err(locked()),
            }
        })
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

fn locked() -> Error {
    Error::new(ErrorKind::StoreUnavailable, "locked").because(Some(Reason::Locked)).of_one_tag()
}

fn open(store: impl SegmentStore) -> SegmentGenerator {
    open_on(store, real_time())
}

fn open_on(store: impl SegmentStore, timeline: Arc<dyn Timeline>) -> SegmentGenerator {
    let settings = SegmentSettings {
        policy: StepPolicy {
            max_step: 1000,
            max_unused: None,
            segment_duration: Duration::from_secs(900),
            outage_budget: Duration::from_secs(600),
        },
        timeout: Duration::from_secs(20),
        auto_create: Some(true),
        default_step: 10,
        default_start: 1,
        max_keys: 10_000,
        table: String::new(),
        close_at_exit: false,
    };
    SegmentGenerator::new(Arc::new(store), settings, None, timeline)
}

/// Returns whether one of the first calls is left.
fn take_one(left: &AtomicU32) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left: u32| left.checked_sub(1)).is_ok()
}

#[test]
fn a_call_that_waits_for_a_refill_that_panics_gets_an_error_and_a_later_call_an_id() {
    let panics = Arc::new(AtomicBool::new(true));
    let is_set = panics.clone();
    let before = move || {
        assert!(!is_set.load(Ordering::SeqCst), "a lease of {TAG:?}");
        Ok(())
    };
    let ids = open(Faulty { store: MemoryStore::open("panicking"), before });
    let tag = ids.biz_tag(TAG).unwrap();
    let panicked = "leafmint panicked, which is a bug in it: a lease of \"order\"";
    // On a busy machine a call may end before the first attempt has.
    let call = || tag.next_id_within(Duration::from_millis(300)).unwrap_err();
    let error = std::iter::repeat_with(call).find(|error| error.message().contains(panicked)).unwrap();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    panics.store(false, Ordering::SeqCst);
    assert_eq!(ids.biz_tag("parcel").unwrap().next_id(), Ok(1));
    assert_eq!(tag.next_id(), Ok(1));
    assert!(ids.stats().tags.iter().find(|(name, _)| name == TAG).unwrap().1.refill_failures > 0);
}

#[test]
fn a_tag_that_another_generator_created_during_a_lease_is_leased_again() {
    let store = || MemoryStore::open("created meanwhile");
    let first = open(store());
    first.create_tag_with(TAG, NewTagOptions::new().start(11)).unwrap().wait().unwrap();
    let left = AtomicU32::new(1);
    // The statement looked before the row was there, and its answer comes after the other one's lease.
    let before = move || {
        if take_one(&left) {
            KnownTags::of(store().scope(), "").note(TAG, 11);
            return Err(Error::new(ErrorKind::UnknownTag, String::new()));
        }
        Ok(())
    };
    let second = open(Faulty { store: MemoryStore::open("created meanwhile"), before });
    assert_eq!(second.biz_tag(TAG).unwrap().next_id(), Ok(11));
    assert_eq!(second.stats().tags[0].1.refill_failures, 0, "nothing is said to be gone");
}

#[test]
fn a_tag_that_another_process_created_is_leased_as_soon_as_its_row_is_visible() {
    let store = || MemoryStore::open("not visible yet");
    open(store()).create_tag_with(TAG, NewTagOptions::new().start(11)).unwrap().wait().unwrap();
    let left = AtomicU32::new(4);
    let before = move || match take_one(&left) {
        true => Err(Error::new(ErrorKind::UnknownTag, String::new())),
        false => Ok(()),
    };
    let ids = open(Faulty { store: store(), before });
    assert_eq!(ids.biz_tag(TAG).unwrap().next_id(), Ok(11));
    assert_eq!(ids.stats().tags[0].1.refill_failures, 0);
}

#[test]
fn a_tag_whose_row_is_locked_when_the_store_is_back_holds_up_no_other_tag() {
    let (well, away, has_locked) = (0, 1, 2);
    let store_is = Arc::new(AtomicU32::new(well));
    let asked = Arc::new(AtomicU32::new(0));
    let (seen, asks) = (store_is.clone(), asked.clone());
    let before = move || match seen.load(Ordering::SeqCst) {
        0 => Ok(()),
        1 => Err(Error::new(ErrorKind::StoreUnavailable, "away")),
        _ => {
            asks.fetch_add(1, Ordering::SeqCst);
            Err(locked())
        }
    };
    let ids = open(Faulty { store: MemoryStore::open("locked"), before });
    let tag = ids.biz_tag(TAG).unwrap();
    tag.next_id().unwrap();
    store_is.store(away, Ordering::SeqCst);
    while tag.next_id_within(Duration::from_millis(50)).is_ok() {}
    store_is.store(has_locked, Ordering::SeqCst);
    while asked.load(Ordering::SeqCst) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(ids.biz_tag("parcel").unwrap().next_id(), Ok(1));
}

#[test]
fn a_refusal_of_the_server_counts_and_ends_without_a_call_once_it_is_undone() {
    for (kind, reason, lasts) in [
        (ErrorKind::InvalidConfig, Some(Reason::MissingTable), true),
        (ErrorKind::InvalidConfig, Some(Reason::LogInRefused), true),
        (ErrorKind::InvalidConfig, None, false), // of this row alone
        (ErrorKind::UnknownTag, None, false),
    ] {
        let (is_refused, asked) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU32::new(0)));
        let (refused, asks) = (is_refused.clone(), asked.clone());
        let before = move || {
            asks.fetch_add(1, Ordering::SeqCst);
            let error = Error::new(kind, "refused").because(reason);
            if refused.load(Ordering::SeqCst) { Err(error) } else { Ok(()) }
        };
        let store = MemoryStore::open(&format!("refused {kind:?} {reason:?}"));
        let ids = open_on(Faulty { store, before }, Arc::new(Hasty::default()));
        let (tag, other) = (ids.biz_tag(TAG).unwrap(), ids.biz_tag("not asked").unwrap());
        // Without `auto_create`, an unknown tag is one.
        let refusal = std::iter::repeat_with(|| tag.next_id()).find_map(Result::err).unwrap();
        assert_eq!((refusal.kind(), refusal.reason()), (kind, reason));
        let (stats, calls) = (tag.stats(), asked.load(Ordering::SeqCst));
        assert_eq!(stats.failures_in_a_row > 0, lasts, "{kind:?} {reason:?} {stats:?}");
        assert_eq!(stats.last_error_code, Some(kind.code()));
        assert_eq!(other.stats().failures_in_a_row > 0, lasts, "{kind:?} {reason:?}");
        if lasts {
            wait_for(|| asked.load(Ordering::SeqCst) > calls + 1);
            assert!(tag.stats().failures_in_a_row > stats.failures_in_a_row);
            is_refused.store(false, Ordering::SeqCst);
            wait_for(|| tag.stats().unused > 0);
            // The lease is in hand a moment before the store is known to give any.
            wait_for(|| [&tag, &other].iter().all(|tag| tag.stats().failures_in_a_row == 0));
        }
    }
}

fn wait_for(is_there: impl Fn() -> bool) {
    while !is_there() {
        std::thread::sleep(Duration::from_millis(1));
    }
}
