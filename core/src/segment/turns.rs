//! Whose turn it is to ask the store: every tag's while it answers, one tag's at a time while it is away.

use crate::backoff::Outage;
use crate::error::Error;
use crate::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore, SemaphorePermit};

/// The longest pause of all tags together while a caller waits, and while none does.
const LONGEST_PAUSE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(5)];

/// What the tags of a generator share while their store is away.
pub(crate) struct Turns {
    outage: Mutex<(Outage, Option<Error>)>,
    /// While the store is away: tags in the order in which they came. The first one pauses, and asks.
    queue: Semaphore,
    /// Ends the queue.
    recovered: Notify,
    /// Callers that wait for an id of any tag.
    waiting: AtomicUsize,
    /// Shortens the pause.
    nudge: Notify,
}

/// The right to ask the store once.
pub(super) struct Turn<'a> {
    began: Instant,
    _place: Option<SemaphorePermit<'a>>,
}

impl Turns {
    pub(super) fn new() -> Self {
        Self {
            outage: Mutex::default(),
            queue: Semaphore::new(1),
            recovered: Notify::new(),
            waiting: AtomicUsize::new(0),
            nudge: Notify::new(),
        }
    }

    /// Waits for a turn.
    pub(super) async fn take(&self) -> Turn<'_> {
        // Made before the look, so that no recovery is missed.
        let recovered = self.recovered.notified();
        if !self.outage.lock().0.is_on() {
            return Turn { began: Instant::now(), _place: None };
        }
        tokio::select! {
            () = recovered => Turn { began: Instant::now(), _place: None },
            place = self.first_in_queue() => Turn { began: Instant::now(), _place: place },
        }
    }

    async fn first_in_queue(&self) -> Option<SemaphorePermit<'_>> {
        let place = self.queue.acquire().await.ok();
        while let Some(left) = self.left() {
            tokio::select! {
                () = tokio::time::sleep(left) => {}
                () = self.nudge.notified() => {}
            }
        }
        place
    }

    fn left(&self) -> Option<Duration> {
        let is_waited_for = self.waiting.load(Ordering::Relaxed) > 0;
        self.outage.lock().0.left(Instant::now(), LONGEST_PAUSE[usize::from(!is_waited_for)])
    }

    /// Notes that the store answered: every tag may ask it.
    pub(super) fn note_answer(&self) {
        let mut outage = self.outage.lock();
        if outage.0.note_answer(Instant::now()) {
            outage.1 = None;
            self.recovered.notify_waiters();
        }
    }

    /// Notes that the store failed. Returns false if it answered other tags meanwhile, so that this one has to pause by itself.
    pub(super) fn note_failure(&self, turn: &Turn<'_>, error: &Error) -> bool {
        let mut outage = self.outage.lock();
        let is_the_stores = outage.0.note_failure(turn.began, Instant::now(), fastrand::f64());
        if is_the_stores {
            outage.1 = Some(error.clone());
        }
        is_the_stores
    }

    /// Returns why the store is away, if it is.
    pub(super) fn error(&self) -> Option<Error> {
        self.outage.lock().1.clone()
    }

    /// Notes that a caller begins to wait.
    pub(super) fn note_waiting(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.nudge.notify_one();
    }

    /// Notes that a caller waits no more.
    pub(super) fn note_waited(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
