//! Natives of events. A Java thread waits here for events and logs them.

use crate::natives::natives;
use crate::text;
use leafmint::binding::events::{self, Event};
use parking_lot::{Condvar, Mutex};

/// Whether there may be events since the last wait.
static NEWS: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

/// Starts to queue events for Java.
pub(crate) fn listen() {
    events::listen(wake);
}

/// Ends the wait. The core calls this on threads that the JVM does not know; Java calls it too.
fn wake() {
    *NEWS.lock() = true;
    CHANGED.notify_all();
}

natives!(
    /// Waits until there are events, or until [`eventsWake`]. It blocks, on a thread made
    /// for it.
    fn eventsWait() {
        let mut news = NEWS.lock();
        CHANGED.wait_while(&mut news, |news| !*news);
        *news = false;
        Ok(())
    },
    /// Ends the current wait, or else the next one.
    fn eventsWake() {
        wake();
        Ok(())
    },
    /// Returns and forgets all queued events: name, level and text of each.
    fn eventsTake(env: &mut Env) -> JObject {
        let row = |event: Event| [event.kind.name().to_owned(), event.kind.level().as_str().to_owned(), event.text];
        let texts: Vec<_> = events::take().into_iter().flat_map(row).map(Some).collect();
        Ok(text::write_all(env, &texts)?)
    }
);
