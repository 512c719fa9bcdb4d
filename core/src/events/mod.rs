//! What an operator should know: events with a name, for the `log` crate and for the faces.
//!
//! Nobody tells of an event while holding a lock of the core: a logger may call leafmint. The same event of the same subject is
//! told at most once in ten seconds, and more and more rarely while it goes on; so are the events of all tags of one store.

mod kind;
mod limit;
mod ring;

pub use kind::EventKind;

use crate::printable::printable;
use crate::process::{self, PerProcess};
use crate::sync::Mutex;
use limit::Limit;
use ring::Ring;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// What kind of event.
    pub kind: EventKind,
    /// The whole of it, for people; never with credentials.
    pub text: String,
}

/// What one process has told and has still to tell.
struct Desk {
    limit: Mutex<Limit>,
    ring: Mutex<Ring>,
    waiting: AtomicBool,
}

impl Desk {
    const fn new() -> Self {
        Self { limit: Mutex::new(Limit::new()), ring: Mutex::new(Ring::new()), waiting: AtomicBool::new(false) }
    }
}

static DESK: PerProcess<Desk> = PerProcess::nobodys(Desk::new());

/// What a face wants to be called when there is something to take.
static WAKE: OnceLock<fn()> = OnceLock::new();

/// Keeps events for [`take`] from now on, and calls `wake` after each one, on whatever thread it happened.
///
/// For a face that hands them on to its language; the first one wins. At most 256 events are kept.
pub fn listen(wake: fn()) {
    process::count_forks();
    let _ = WAKE.set(wake);
}

/// Takes the events of this process that nobody has taken yet, the oldest first.
pub fn take() -> Vec<Event> {
    let Some(desk) = DESK.get_made() else { return Vec::new() };
    desk.waiting.store(false, Ordering::SeqCst);
    desk.ring.lock().take()
}

/// Tells whether there is something to take.
pub fn waiting() -> bool {
    DESK.get_made().is_some_and(|desk| desk.waiting.load(Ordering::SeqCst))
}

/// Reports an event. Repetitions are counted by the subject: a worker id, a file.
pub(crate) fn tell(kind: EventKind, subject: &str, text: fmt::Arguments<'_>) {
    tell_of(kind, subject, "", text);
}

/// Reports an event of one of many: a tag of a store. Beyond a few of the same scope, they are counted only.
pub(crate) fn tell_of(kind: EventKind, scope: &str, name: &str, text: fmt::Arguments<'_>) {
    let logged = log::log_enabled!(target: kind.target(), kind.level());
    let wake = WAKE.get();
    if !logged && wake.is_none() {
        return;
    }
    process::count_forks();
    let desk = DESK.get(|_| Desk::new());
    let passed = desk.limit.lock().pass(kind, scope, name, Instant::now());
    let Some(passed) = passed else { return };
    let mut text = text.to_string();
    if passed.left_out > 0 {
        text += &format!(" ({} more like this were left out)", passed.left_out);
    }
    if let Some(pause) = passed.last_for {
        text += &format!(" (more like this are left out for {} s)", pause.as_secs());
    }
    let text = printable(text);
    log::log!(target: kind.target(), kind.level(), "{text}");
    if let Some(wake) = wake {
        desk.ring.lock().push(Event { kind, text });
        desk.waiting.store(true, Ordering::SeqCst);
        wake();
    }
}

/// Notes that what went on has ended: when it happens again, that is news.
pub(crate) fn ended(kind: EventKind, subject: &str) {
    ended_of(kind, subject, "");
}

/// The same for one of many.
pub(crate) fn ended_of(kind: EventKind, scope: &str, name: &str) {
    if let Some(desk) = DESK.get_made() {
        desk.limit.lock().end(kind, scope, name);
    }
}
