//! The tags that ask one store: all of them while it is well, else one at a time.

use super::fairness::Standing;
use super::store_health::StoreHealth;
use crate::runtime::background::{Timeline, nudge};
use crate::sync::Mutex;
use leafmint_ids::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore, SemaphorePermit};

/// The queue of the tags of one generator, and the health of the store that they ask.
pub(crate) struct StoreQueue {
    timeline: Arc<dyn Timeline>,
    health: Mutex<StoreHealth>,
    /// The tags in order of arrival. The first one pauses, then asks.
    queue: Semaphore,
    /// The tags in the queue, without the first one.
    queued: Mutex<Vec<Queued>>,
    /// The tag that waits for its locked row while others have their turns: only one, since an overloaded store keeps
    /// rows locked too.
    aside: Semaphore,
    /// Calls that wait for an id of any tag.
    waiting: AtomicUsize,
    /// Shortens the pause.
    nudge: Notify,
}

/// The right to ask the store once.
pub(super) struct Admission<'a> {
    began: Instant,
    /// Others wait until it is noted how the attempt ended.
    is_turn: bool,
    _permit: Option<SemaphorePermit<'a>>,
}

impl Admission<'_> {
    /// Returns whether others wait for the end of the attempt.
    pub(super) fn is_turn(&self) -> bool {
        self.is_turn
    }
}

/// What a tag in the queue has.
#[derive(Clone, Copy, PartialEq)]
struct Queued {
    /// Until when its supply lasts.
    until: Instant,
    /// It is owed ids, see [`Standing`].
    is_owed: bool,
}

/// A place in the queue.
struct Place<'a> {
    queue: &'a Mutex<Vec<Queued>>,
    tag: Queued,
}

impl StoreQueue {
    /// `budget` is the longest outage that supply is meant to last for.
    pub(crate) fn new(timeline: Arc<dyn Timeline>, budget: Duration) -> Self {
        Self {
            timeline,
            health: Mutex::new(StoreHealth::new(budget)),
            queue: Semaphore::new(1),
            queued: Mutex::default(),
            aside: Semaphore::new(1),
            waiting: AtomicUsize::new(0),
            nudge: Notify::new(),
        }
    }

    /// Waits until a tag may ask. `lasts` returns how long its supply lasts, or `None` if a call waits for ids.
    ///
    /// Returns `None` if the tag has supply and the store answers, again or slowly: tags without supply ask first. A
    /// tag that has leased since the store was last well goes to the end once, if another one has not.
    pub(super) async fn enter(
        &self,
        may_wait: bool,
        standing: &Standing,
        lasts: impl Fn() -> Option<Duration>,
    ) -> Option<Admission<'_>> {
        if self.health.lock().is_well() {
            return Some(Admission { began: self.timeline.now(), is_turn: false, _permit: None });
        }
        let is_owed = self.health.lock().fairness.owes(standing);
        // Only once: the row of the other one may be locked.
        let mut yields = !is_owed;
        loop {
            let until = self.timeline.now() + lasts().unwrap_or_default();
            let place = Place::take(&self.queued, Queued { until, is_owed });
            // The first one may have to ask earlier now.
            self.nudge.notify_one();
            let permit = self.queue.acquire().await.ok();
            drop(place);
            if self.rest(yields, is_owed, &lasts).await {
                yields = false;
                continue;
            }
            let can_wait = may_wait && lasts().is_some();
            if can_wait && self.health.lock().error().is_none() {
                return None;
            }
            if !can_wait || !self.has_dry() {
                return Some(Admission { began: self.timeline.now(), is_turn: true, _permit: permit });
            }
        }
    }

    /// Leaves the store alone for as long as it must be. Returns true at once if the first tag yields and an owed one
    /// is in the queue.
    async fn rest(&self, yields: bool, is_owed: bool, lasts: impl Fn() -> Option<Duration>) -> bool {
        loop {
            let has_owed = self.queued.lock().iter().any(|tag| tag.is_owed);
            if yields && has_owed {
                return true;
            }
            let Some(left) = self.left(lasts().unwrap_or_default(), is_owed || has_owed) else { return false };
            tokio::select! {
                biased;
                () = self.timeline.sleep(left) => {}
                () = self.nudge.notified() => {}
            }
        }
    }

    /// Returns how long the store must still be left alone, if the supply of the first tag lasts for this long.
    /// `is_owed` says whether a tag is owed ids.
    fn left(&self, lasts: Duration, is_owed: bool) -> Option<Duration> {
        let (health, now) = (self.health.lock(), self.timeline.now());
        let least = || self.queued.lock().iter().fold(lasts, |least, tag| least.min(tag.until.duration_since(now)));
        let has_waiting = self.waiting.load(Ordering::Relaxed) > 0;
        health.left(now, (!has_waiting).then(least), is_owed)
    }

    /// Returns until when a refill that became due at `due` should be put off, if supply lasts for this long. `is_last`
    /// says that others should come first.
    pub(super) fn put_off(&self, due: Instant, lasts: Duration, is_last: bool) -> Instant {
        let health = self.health.lock();
        let share = if is_last && health.is_slow() { fastrand::f64() } else { 0.0 };
        health.fairness.put_off(due, self.timeline.now(), lasts, share)
    }

    /// Records how an attempt ended. A refusal is an answer too. Returns false if it failed although the store answers,
    /// so that this tag has to pause by itself.
    pub(super) fn note(&self, admission: Admission<'_>, failure: Option<&Error>) -> bool {
        let (mut health, now, jitter) = (self.health.lock(), self.timeline.now(), fastrand::f64());
        match failure.filter(|failure| failure.kind().retryable()) {
            Some(failure) if failure.is_of_one_tag() => {
                health.note_refusal(now);
                false
            }
            Some(failure) => health.note_failure(admission.began, now, jitter, failure),
            None => {
                health.note_end(failure);
                health.note_answer(admission.began, now, jitter, !self.queued.lock().is_empty());
                failure.is_none()
            }
        }
    }

    /// Lets a tag whose turn showed that its row is locked wait for the row, unless another one does.
    pub(super) fn step_aside(&self) -> Option<Admission<'_>> {
        let permit = self.aside.try_acquire().ok()?;
        Some(Admission { began: self.timeline.now(), is_turn: false, _permit: Some(permit) })
    }

    /// Records how many leases a second others had of a tag since its last one.
    pub(super) fn note_others(&self, a_second: f64) {
        self.health.lock().fairness.note_others(a_second);
    }

    /// Returns the last error of the store while it is away.
    pub(crate) fn error(&self) -> Option<Error> {
        self.health.lock().error().cloned()
    }

    /// Returns why the store refuses every tag, if it does.
    pub(crate) fn refusal(&self) -> Option<Error> {
        self.health.lock().refusal().cloned()
    }

    /// Counts a call that begins to wait.
    pub(crate) fn note_waiting(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        nudge(&self.nudge);
    }

    /// Counts a call that no longer waits.
    pub(crate) fn note_done_waiting(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns whether a tag in the queue has no supply.
    fn has_dry(&self) -> bool {
        let now = self.timeline.now();
        self.queued.lock().iter().any(|tag| tag.until <= now)
    }
}

impl<'a> Place<'a> {
    fn take(queue: &'a Mutex<Vec<Queued>>, tag: Queued) -> Self {
        queue.lock().push(tag);
        Self { queue, tag }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut queue = self.queue.lock();
        if let Some(at) = queue.iter().position(|tag| *tag == self.tag) {
            queue.swap_remove(at);
        }
    }
}
