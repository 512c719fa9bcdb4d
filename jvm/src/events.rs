//! Events on their way to a thread of Java's, which waits here for them.

use crate::errors::{Failure, call};
use crate::text;
use jni::EnvUnowned;
use jni::objects::{JClass, JObject};
use leafmint::binding::events::{self, Event};
use parking_lot::{Condvar, Mutex};

/// Whether there may be something to look at since the last wait.
static NEWS: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

/// Begins to keep events for Java.
pub(crate) fn listen() {
    events::listen(wake);
}

/// Called by the core on threads that the virtual machine does not know, and by Java.
fn wake() {
    *NEWS.lock() = true;
    CHANGED.notify_all();
}

/// Waits until there are events, or until [`Java_io_github_leafmint_Native_eventsWake`]. It blocks, for a thread made for it.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_eventsWait(env: EnvUnowned<'_>, _class: JClass<'_>) {
    call(env, |_| {
        let mut news = NEWS.lock();
        CHANGED.wait_while(&mut news, |news| !*news);
        *news = false;
        Ok::<(), Failure>(())
    })
}

/// Ends the wait under way, or else the next one.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_eventsWake(env: EnvUnowned<'_>, _class: JClass<'_>) {
    call(env, |_| {
        wake();
        Ok::<(), Failure>(())
    })
}

/// Returns name, level and text of each event that nobody has taken yet.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_eventsTake<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
) -> JObject<'local> {
    call(env, |env| {
        let row = |event: Event| [event.kind.name().to_owned(), event.kind.level().as_str().to_owned(), event.text];
        let texts: Vec<_> = events::take().into_iter().flat_map(row).map(Some).collect();
        text::write_all(env, &texts)
    })
}
