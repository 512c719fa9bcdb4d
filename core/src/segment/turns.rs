//! Turns at asking the store: every tag may ask while it answers, one tag at a time while it is away.

use crate::backoff::Outage;
use crate::error::Error;
use crate::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore, SemaphorePermit};

/// The longest pause that all tags share: while a call waits, and while none does.
const LONGEST_PAUSE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(5)];

/// The turns of the tags of one generator.
pub(super) struct Turns {
    /// The outage, and the last error during it.
    outage: Mutex<(Outage, Option<Error>)>,
    /// The tags in order of arrival, while the store is away. The first one pauses, then asks.
    queue: Semaphore,
    /// Ends the queue.
    recovered: Notify,
    /// Calls that wait for an id of any tag.
    waiting: AtomicUsize,
    /// Shortens the pause.
    nudge: Notify,
}

/// The right to ask the store once.
pub(super) struct Turn<'a> {
    began: Instant,
    _permit: Option<SemaphorePermit<'a>>,
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
        // Before the check, so that no recovery is missed.
        let recovered = self.recovered.notified();
        if !self.outage.lock().0.is_on() {
            return Turn { began: Instant::now(), _permit: None };
        }
        tokio::select! {
            () = recovered => Turn { began: Instant::now(), _permit: None },
            permit = self.first_in_queue() => Turn { began: Instant::now(), _permit: permit },
        }
    }

    /// Waits until the caller is first in the queue and its pause is over.
    async fn first_in_queue(&self) -> Option<SemaphorePermit<'_>> {
        let permit = self.queue.acquire().await.ok();
        while let Some(left) = self.left() {
            tokio::select! {
                () = tokio::time::sleep(left) => {}
                () = self.nudge.notified() => {}
            }
        }
        permit
    }

    fn left(&self) -> Option<Duration> {
        let has_waiters = self.waiting.load(Ordering::Relaxed) > 0;
        self.outage.lock().0.left(Instant::now(), LONGEST_PAUSE[usize::from(!has_waiters)])
    }

    /// Records that the store answered: every tag may ask it.
    pub(super) fn note_answer(&self) {
        let mut outage = self.outage.lock();
        if outage.0.note_answer(Instant::now()) {
            outage.1 = None;
            self.recovered.notify_waiters();
        }
    }

    /// Records that the store failed. Returns false if it answered other tags meanwhile, so that this one has to pause
    /// by itself.
    pub(super) fn note_failure(&self, turn: &Turn<'_>, error: &Error) -> bool {
        let mut outage = self.outage.lock();
        let is_outage = outage.0.note_failure(turn.began, Instant::now(), fastrand::f64());
        if is_outage {
            outage.1 = Some(error.clone());
        }
        is_outage
    }

    /// Returns the last error of the store while it is away.
    pub(super) fn error(&self) -> Option<Error> {
        self.outage.lock().1.clone()
    }

    /// Counts a call that begins to wait.
    pub(super) fn note_waiting(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.nudge.notify_one();
    }

    /// Counts a call that no longer waits.
    pub(super) fn note_done_waiting(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
