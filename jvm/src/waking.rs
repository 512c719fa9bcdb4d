//! Wakes the Java threads that wait for ids. The core may not call into the virtual machine, so it queues the numbers of those to wake, and a
//! thread of Java's takes them, see `Waker.java`.

use crate::errors::{call, quick};
use crate::{array, handle};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray};
use jni::sys::{JNIEnv, jclass, jlong};
use leafmint::binding::{SnowflakeWait, Wait};
use parking_lot::{Condvar, Mutex};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Wake;
use std::time::Duration;

static QUEUE: Mutex<Vec<Arc<Waiter>>> = Mutex::new(Vec::new());
static FILLED: Condvar = Condvar::new();

/// A Java thread that waits, by its number.
struct Waiter {
    number: jlong,
    queued: AtomicBool,
}

impl Waiter {
    fn new(number: jlong) -> Arc<Self> {
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

/// Has the thread of that number woken whenever a call for ids of a tag may have come further.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitWake(env: *mut JNIEnv, _class: jclass, wait: jlong, number: jlong) {
    quick(env, || {
        // SAFETY: Java polls and ends a call on the thread that began it, in this order.
        unsafe { handle::borrow_mut::<Wait>(wait) }.wake(Waiter::new(number).into());
        Ok(0)
    });
}

/// Does the same for snowflakes.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeWaitWake(
    env: *mut JNIEnv,
    _class: jclass,
    wait: jlong,
    number: jlong,
) {
    quick(env, || {
        // SAFETY: as above.
        unsafe { handle::borrow_mut::<SnowflakeWait>(wait) }.wake(Waiter::new(number).into());
        Ok(0)
    });
}

/// Returns how many nanoseconds of a call's timeout are left.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitLeft(env: *mut JNIEnv, _class: jclass, wait: jlong) -> jlong {
    // SAFETY: as above.
    quick(env, || Ok(nanoseconds(unsafe { handle::borrow_mut::<Wait>(wait) }.left())))
}

/// Does the same for snowflakes.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeWaitLeft(env: *mut JNIEnv, _class: jclass, wait: jlong) -> jlong {
    // SAFETY: as above.
    quick(env, || Ok(nanoseconds(unsafe { handle::borrow_mut::<SnowflakeWait>(wait) }.left())))
}

fn nanoseconds(duration: Duration) -> jlong {
    jlong::try_from(duration.as_nanos()).unwrap_or(jlong::MAX)
}

/// Returns the numbers of the threads to wake; none if nothing changed within so many milliseconds. It blocks, for a thread made for it.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_wakersTake<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    millis: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        let numbers: Vec<jlong> = take(Duration::from_millis(millis.unsigned_abs())).into_iter().map(number).collect();
        array::write(env, &numbers)
    })
}

fn take(patience: Duration) -> Vec<Arc<Waiter>> {
    let mut queue = QUEUE.lock();
    FILLED.wait_while_for(&mut queue, |queue| queue.is_empty(), patience);
    mem::take(&mut *queue)
}

/// From here on a change queues the thread again: it looks only after this.
fn number(waiter: Arc<Waiter>) -> jlong {
    waiter.queued.store(false, Ordering::Release);
    waiter.number
}
