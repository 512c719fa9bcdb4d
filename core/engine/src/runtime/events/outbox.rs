//! The events of one process: how often each was reported, and those that the binding has yet to take.

use super::kind::EventKind;
use super::limit::{Limit, Passed};
use crate::runtime::process;
use crate::runtime::process::PerProcess;
use crate::sync::Mutex;
use std::collections::VecDeque;
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

/// Something that happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event {
    /// What kind of event.
    pub kind: EventKind,
    /// The full text, for people; never with credentials.
    pub text: String,
}

/// Most events kept; beyond that the oldest are dropped.
const ROOM: usize = 256;

/// A bounded queue.
pub(super) struct Ring {
    events: VecDeque<Event>,
    dropped: u64,
}

impl Ring {
    pub(super) const fn new() -> Self {
        Self { events: VecDeque::new(), dropped: 0 }
    }

    pub(super) fn push(&mut self, event: Event) {
        if self.events.len() == ROOM {
            self.events.pop_front();
            self.dropped += 1;
        }
        self.events.push_back(event);
    }

    /// Takes all events, the oldest first; an event that counts the dropped ones precedes them.
    pub(super) fn take(&mut self) -> Vec<Event> {
        let dropped = std::mem::take(&mut self.dropped);
        let report = (dropped > 0).then(|| {
            let text = format!("{dropped} older events were dropped: they were not taken in time");
            Event { kind: EventKind::EventsDropped, text }
        });
        report.into_iter().chain(self.events.drain(..)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_dropped_and_counted() {
        let mut ring = Ring::new();
        for number in 0..258 {
            ring.push(Event { kind: EventKind::RefillFailed, text: number.to_string() });
        }
        let taken = ring.take();
        assert_eq!(taken.len(), 257);
        assert_eq!(taken[0].kind, EventKind::EventsDropped);
        assert!(taken[0].text.starts_with("2 older"));
        assert_eq!((taken[1].text.as_str(), taken[256].text.as_str()), ("2", "257"));
        assert!(ring.take().is_empty());
    }
}
