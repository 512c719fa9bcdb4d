//! What an operator should know: events with a name, for the `log` crate and for the faces.
//!
//! Nobody tells of an event while holding a lock of the core: a logger may call leafmint. The same event of the same subject is
//! told at most once in ten seconds, and more and more rarely while it goes on.

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

/// Tells of an event. The subject is what repetitions are counted by: a tag, a worker id.
pub(crate) fn tell(kind: EventKind, subject: &str, text: fmt::Arguments<'_>) {
    let logged = log::log_enabled!(target: kind.target(), kind.level());
    let wake = WAKE.get();
    if !logged && wake.is_none() {
        return;
    }
    process::count_forks();
    let desk = DESK.get(|_| Desk::new());
    let passed = desk.limit.lock().pass(kind, subject, Instant::now());
    let Some(left_out) = passed else { return };
    let text = match left_out {
        0 => text.to_string(),
        _ => format!("{text} ({left_out} more like this were left out)"),
    };
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
    if let Some(desk) = DESK.get_made() {
        desk.limit.lock().end(kind, subject);
    }
}
