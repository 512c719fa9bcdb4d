//! Turns at asking the store: every tag may ask while it answers, one tag at a time while it is away or slow.

use super::outage::Outage;
use super::recovery::Recovery;
use crate::background::{Timeline, nudge};
use crate::error::Error;
use crate::sync::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore, SemaphorePermit};

/// Bounds of the longest pause that all tags share while a call waits: a twentieth of the outage so far.
const LONGEST_PAUSE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(5)];

/// The same while no call waits: as long as all refills can be put off. So the processes of a fleet find out one after
/// another that their store is back.
const LONGEST_IDLE_PAUSE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(120)];

/// The turns of the tags of one generator.
pub(super) struct Turns {
    timeline: Arc<dyn Timeline>,
    store: Mutex<StoreState>,
    /// The tags in order of arrival, while the store is away or slow. The first one pauses, then asks.
    queue: Semaphore,
    /// Until when the supply of the tags in the queue lasts, without the first one.
    queued: Mutex<Vec<Instant>>,
    /// Calls that wait for an id of any tag.
    waiting: AtomicUsize,
    /// Shortens the pause.
    nudge: Notify,
}

/// The share of the time for which supply lasts by which a refill can be put off.
const SPARE: f64 = 0.75;

/// Supply that lasts longer is no reason to put a refill off for longer.
const LONGEST_SUPPLY: Duration = Duration::from_secs(600);

/// A refill is put off for less than it could be by this much: an application may take ids for many seconds at once.
const RESERVE: Duration = Duration::from_secs(30);

/// What the attempts show of the store.
struct StoreState {
    outage: Outage,
    recovery: Recovery,
    /// The last error while it is away.
    error: Option<Error>,
}

/// The right to ask the store once.
pub(super) struct Turn<'a> {
    began: Instant,
    _permit: Option<SemaphorePermit<'a>>,
}

/// A place in the queue.
struct Place<'a> {
    queue: &'a Mutex<Vec<Instant>>,
    until: Instant,
}

impl Turns {
    /// `budget` is the longest outage that supply is meant to last for.
    pub(super) fn new(timeline: Arc<dyn Timeline>, budget: Duration) -> Self {
        let store = StoreState { outage: Outage::default(), recovery: Recovery::new(budget), error: None };
        Self {
            timeline,
            store: Mutex::new(store),
            queue: Semaphore::new(1),
            queued: Mutex::default(),
            waiting: AtomicUsize::new(0),
            nudge: Notify::new(),
        }
    }

    /// Waits for a turn. `lasts` returns how long the tag's supply lasts, or `None` if a call waits for ids.
    ///
    /// Returns `None` if the tag has supply and the store answers, again or slowly: tags without supply ask first.
    pub(super) async fn take(&self, may_wait: bool, lasts: impl Fn() -> Option<Duration>) -> Option<Turn<'_>> {
        if !self.store.lock().outage.is_on() {
            return Some(Turn { began: self.timeline.now(), _permit: None });
        }
        loop {
            let place = Place::take(&self.queued, self.timeline.now() + lasts().unwrap_or_default());
            // The first one may have to ask earlier now.
            self.nudge.notify_one();
            let permit = self.queue.acquire().await.ok();
            drop(place);
            while let Some(left) = self.left(&lasts) {
                tokio::select! {
                    biased;
                    () = self.timeline.sleep(left) => {}
                    () = self.nudge.notified() => {}
                }
            }
            let can_wait = may_wait && lasts().is_some();
            if can_wait && !self.store.lock().outage.is_away() {
                return None;
            }
            if !can_wait || !self.has_dry() {
                return Some(Turn { began: self.timeline.now(), _permit: permit });
            }
        }
    }

    fn left(&self, lasts: impl Fn() -> Option<Duration>) -> Option<Duration> {
        let lasts = lasts().unwrap_or_default();
        let (store, now) = (self.store.lock(), self.timeline.now());
        let longest = if self.has_waiting() {
            (store.recovery.lasted(now) / 20).clamp(LONGEST_PAUSE[0], LONGEST_PAUSE[1])
        } else {
            let least = self.queued.lock().iter().fold(lasts, |least, until| least.min(until.duration_since(now)));
            least.mul_f64(SPARE).saturating_sub(RESERVE).clamp(LONGEST_IDLE_PAUSE[0], LONGEST_IDLE_PAUSE[1])
        };
        store.outage.left(now, longest)
    }

    /// Returns until when a refill that became due at `due` should be put off, if supply lasts for this long. `is_last`
    /// says that others should come first.
    pub(super) fn put_off(&self, due: Instant, lasts: Duration, is_last: bool) -> Instant {
        let (store, now) = (self.store.lock(), self.timeline.now());
        let spare = lasts.min(LONGEST_SUPPLY).mul_f64(SPARE);
        let late = if is_last && store.outage.is_slow() { spare.mul_f64(fastrand::f64()) } else { Duration::ZERO };
        store.recovery.comes_at(due).unwrap_or(now).min(now + spare.saturating_sub(RESERVE)).max(now + late)
    }

    /// Records that the store answered: unless it was slow, or other tags are in the queue, every tag may ask it.
    pub(super) fn note_answer(&self, turn: &Turn<'_>) {
        let (mut store, now) = (self.store.lock(), self.timeline.now());
        let waiting = !self.queued.lock().is_empty();
        store.outage.note_answer(turn.began, now, fastrand::f64(), waiting);
        store.recovery.note_answer(now);
        store.error = None;
    }

    /// Records that the store failed. Returns false if it answered other tags meanwhile, so that this one has to pause
    /// by itself.
    pub(super) fn note_failure(&self, turn: &Turn<'_>, error: &Error) -> bool {
        let mut store = self.store.lock();
        let is_outage = store.outage.note_failure(turn.began, self.timeline.now(), fastrand::f64());
        if is_outage {
            store.recovery.note_failure(turn.began);
            store.error = Some(error.clone());
        }
        is_outage
    }

    /// Returns the last error of the store while it is away.
    pub(super) fn error(&self) -> Option<Error> {
        self.store.lock().error.clone()
    }

    /// Counts a call that begins to wait.
    pub(super) fn note_waiting(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        nudge(&self.nudge);
    }

    /// Returns whether a tag in the queue has no supply.
    fn has_dry(&self) -> bool {
        let now = self.timeline.now();
        self.queued.lock().iter().any(|until| *until <= now)
    }

    fn has_waiting(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Counts a call that no longer waits.
    pub(super) fn note_done_waiting(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<'a> Place<'a> {
    fn take(queue: &'a Mutex<Vec<Instant>>, until: Instant) -> Self {
        queue.lock().push(until);
        Self { queue, until }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut queue = self.queue.lock();
        if let Some(at) = queue.iter().position(|until| *until == self.until) {
            queue.swap_remove(at);
        }
    }
}
