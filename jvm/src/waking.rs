//! Wakes the calls that wait for ids. The core must not call into the JVM, so it queues the numbers of the calls to
//! wake, and a Java thread takes them: see `Waker.java`.

use crate::array;
use crate::natives::natives;
use jni::sys::jlong;
use parking_lot::{Condvar, Mutex};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Wake;
use std::time::Duration;

static QUEUE: Mutex<Vec<Arc<Waiter>>> = Mutex::new(Vec::new());
static FILLED: Condvar = Condvar::new();

/// A call that waits, by its number.
pub(crate) struct Waiter {
    number: jlong,
    queued: AtomicBool,
}

impl Waiter {
    pub(crate) fn new(number: jlong) -> Arc<Self> {
        Arc::new(Self { number, queued: AtomicBool::new(false) })
    }
}

impl Wake for Waiter {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.queued.swap(true, Ordering::AcqRel) {
            QUEUE.lock().push(self.clone());
            FILLED.notify_one();
        }
    }
}

natives!(
    /// Waits up to `nanos` nanoseconds for calls to wake, and returns their numbers. It blocks, on a thread made for
    /// it.
    fn wakerTake(env: &mut Env, nanos: jlong) -> JLongArray {
        let numbers: Vec<jlong> = take(Duration::from_nanos(nanos.unsigned_abs())).into_iter().map(number).collect();
        array::write(env, &numbers)
    },
    /// Queues a number.
    fn wakerWake(number: jlong) {
        Waiter::new(number).wake();
        Ok(())
    }
);

fn take(patience: Duration) -> Vec<Arc<Waiter>> {
    let mut queue = QUEUE.lock();
    FILLED.wait_while_for(&mut queue, |queue| queue.is_empty(), patience);
    mem::take(&mut *queue)
}

/// Returns the number of a waiter. A later change queues the waiter again, because it looks for changes only after
/// this.
fn number(waiter: Arc<Waiter>) -> jlong {
    waiter.queued.store(false, Ordering::Release);
    waiter.number
}
