//! What an application does with a tag: it takes ids at a rate, and waits if there are none.

use leafmint::{BizTag, Want};
use leafmint_simulation::Process;
use std::future::poll_fn;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

/// The longest time between two looks of an application at its work.
const LONGEST_PAUSE: f64 = 10.0;

/// What the applications of a fleet saw.
#[derive(Default)]
pub(crate) struct Meter {
    /// Waits since the last [`Meter::take`], in seconds.
    waits: Mutex<Vec<f32>>,
    errors: AtomicU64,
    /// Tags whose last call failed or still waits.
    pub(crate) unserved: AtomicU64,
    /// Phases begun, and how many of the tags that had no ids then have had none since.
    phase: AtomicU64,
    owed: AtomicU64,
    /// Nanoseconds since the beginning at which the last of them got one.
    all_served: AtomicU64,
}

/// What was seen since the last look.
#[derive(Default)]
pub(crate) struct Seen {
    /// In ascending order, in seconds.
    pub(crate) waits: Vec<f32>,
    pub(crate) errors: u64,
}

impl Meter {
    /// Returns what was seen since the last look.
    pub(crate) fn take(&self) -> Seen {
        let mut waits = std::mem::take(&mut *self.waits.lock().expect("no panic"));
        waits.sort_by(f32::total_cmp);
        Seen { waits, errors: self.errors.swap(0, Ordering::Relaxed) }
    }

    /// Begins to look at how long it takes until the tags that have no ids now get some.
    pub(crate) fn begin_phase(&self, unserved: u64) {
        self.owed.store(unserved, Ordering::Relaxed);
        self.all_served.store(0, Ordering::Relaxed);
        self.phase.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns when the last of these tags got an id; `None` if one still has none.
    pub(crate) fn all_served(&self) -> Option<Duration> {
        let is_over = self.owed.load(Ordering::Relaxed) == 0;
        is_over.then(|| Duration::from_nanos(self.all_served.load(Ordering::Relaxed)))
    }

    fn note_wait(&self, took: Duration) {
        self.waits.lock().expect("no panic").push(took.as_secs_f32());
    }

    /// Records that a tag got an id that had none since this phase.
    fn note_served(&self, since: u64, now: Duration) {
        self.unserved.fetch_sub(1, Ordering::Relaxed);
        if since < self.phase.load(Ordering::Relaxed) && self.owed.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.all_served.store(now.as_nanos() as u64, Ordering::Relaxed);
        }
    }
}

/// Takes `rate` ids a second from a tag, for ever.
pub(crate) async fn use_ids(process: Arc<Process>, tag: BizTag, rate: f64, meter: Arc<Meter>) {
    // The phase since which there are no ids.
    let (began, mut taken, mut dry_since, mut failed) = (process.passed(), 0.0, Some(0), 0.0);
    loop {
        let elapsed = (process.passed() - began).as_secs_f64();
        let pause = (elapsed / 20.0).min(LONGEST_PAUSE).max(1.0 / rate);
        let pause = if dry_since.is_none() { pause } else { 0.01 };
        process.sleep(Duration::from_secs_f64(pause * (0.5 + fastrand::f64()))).await;
        let count = (rate * (process.passed() - began).as_secs_f64() - taken).floor();
        if count < 1.0 && dry_since.is_none() {
            continue;
        }
        // A call that failed is made again.
        let (count, asked) = (if failed > 0.0 { failed } else { count.max(1.0) }, process.passed());
        let answer = next_ids(&process, &tag, count as i64, || {
            dry_since.get_or_insert_with(|| {
                meter.unserved.fetch_add(1, Ordering::Relaxed);
                meter.phase.load(Ordering::Relaxed)
            });
        })
        .await;
        let now = process.passed();
        if now > asked {
            meter.note_wait(now - asked);
        }
        match &answer {
            Ok(_) => {
                if let Some(since) = dry_since.take() {
                    meter.note_served(since, now);
                }
            }
            Err(_) => _ = meter.errors.fetch_add(1, Ordering::Relaxed),
        }
        failed = if answer.is_ok() { 0.0 } else { count };
        // What was missed during a wait is not made up for.
        taken = if now > asked { rate * (now - began).as_secs_f64() } else { taken + count };
    }
}

/// Takes ids, waiting for at most the option `timeout`. Calls `waits` if it has to wait.
pub(crate) async fn next_ids(
    process: &Process,
    tag: &BizTag,
    count: i64,
    waits: impl FnOnce(),
) -> leafmint::Result<Vec<Range<i64>>> {
    if let Some(range) = tag.run_in_hand(count) {
        return Ok(vec![range]);
    }
    let mut wait = tag.begin(Want::Many(count), None)?;
    if let Some(ranges) = wait.poll()? {
        return Ok(ranges);
    }
    waits();
    let mut timeout = process.sleep(wait.left());
    let mut is_watched = false;
    poll_fn(|context| {
        if !std::mem::replace(&mut is_watched, true) {
            wait.wake(context.waker().clone());
        }
        match wait.poll() {
            Ok(Some(ranges)) => return Poll::Ready(Ok(ranges)),
            Ok(None) => {}
            Err(error) => return Poll::Ready(Err(error)),
        }
        // Wakes this task at the end of the timeout.
        let _ = timeout.as_mut().poll(context);
        Poll::Pending
    })
    .await
}
