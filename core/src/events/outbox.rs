//! The events of one process: how often each was reported, and those that the binding has yet to take.

use super::event::Event;
use super::kind::EventKind;
use super::limit::{Limit, Passed};
use super::ring::Ring;
use crate::process::{self, PerProcess};
use crate::sync::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

struct Outbox {
    limit: Mutex<Limit>,
    ring: Mutex<Ring>,
    waiting: AtomicBool,
}

impl Outbox {
    const fn new() -> Self {
        Self { limit: Mutex::new(Limit::new()), ring: Mutex::new(Ring::new()), waiting: AtomicBool::new(false) }
    }
}

static OUTBOX: PerProcess<Outbox> = PerProcess::unset(Outbox::new());

/// The function of the binding that is called for each event.
static WAKE: OnceLock<fn()> = OnceLock::new();

/// Keeps events for [`take`] from now on, and calls `wake` after each one, on the thread on which it happened.
///
/// For a binding that passes events on to its language; the first listener stays. At most 256 events are kept.
pub fn listen(wake: fn()) {
    process::count_forks();
    let _ = WAKE.set(wake);
}

/// Takes the events of this process that have not been taken yet, the oldest first.
pub fn take() -> Vec<Event> {
    let Some(outbox) = OUTBOX.get_if_set() else { return Vec::new() };
    outbox.waiting.store(false, Ordering::SeqCst);
    outbox.ring.lock().take()
}

/// Returns whether there is something to take.
pub fn waiting() -> bool {
    OUTBOX.get_if_set().is_some_and(|outbox| outbox.waiting.load(Ordering::SeqCst))
}

/// Returns whether a binding listens.
pub(super) fn is_heard() -> bool {
    WAKE.get().is_some()
}

/// Decides whether to report an event; `None` leaves it out.
pub(super) fn pass(kind: EventKind, scope: &str, name: &str) -> Option<Passed> {
    process::count_forks();
    OUTBOX.get(|_| Outbox::new()).limit.lock().pass(kind, scope, name, Instant::now())
}

/// Keeps an event for the binding, if one listens, and wakes it.
pub(super) fn push(event: Event) {
    let Some(wake) = WAKE.get() else { return };
    let outbox = OUTBOX.get(|_| Outbox::new());
    outbox.ring.lock().push(event);
    outbox.waiting.store(true, Ordering::SeqCst);
    wake();
}

/// Notes that what went on has ended.
pub(super) fn end(kind: EventKind, scope: &str, name: &str) {
    if let Some(outbox) = OUTBOX.get_if_set() {
        outbox.limit.lock().end(kind, scope, name);
    }
}
