//! Natives of calls for ids that may have to wait. Java polls them, whichever generator they belong to.

use crate::errors::{Failure, call, quick};
use crate::waking::Waiter;
use crate::{NOT_YET, array, handle};
use jni::objects::{JClass, JLongArray};
use jni::sys::{JNIEnv, jclass, jdouble, jint, jlong};
use jni::{Env, EnvUnowned};
use leafmint::binding::{SnowflakeWait, Wait, Want, timeout_from_seconds};
use std::task::Waker;
use std::time::Duration;

/// A call of either kind of generator.
pub(crate) trait Call: Send {
    /// Returns the answer, `None` while the call has to wait.
    fn poll(&mut self) -> leafmint::Result<Option<Vec<jlong>>>;

    /// Returns the time until there will be an answer, if it is known.
    fn due(&self) -> Option<Duration>;

    /// Returns the rest of the timeout.
    fn left(&self) -> Duration;

    /// Wakes `waker` whenever the call may have progressed.
    fn wake(&mut self, waker: Waker);
}

/// Its answer is start and end of each range.
impl Call for Wait {
    fn poll(&mut self) -> leafmint::Result<Option<Vec<jlong>>> {
        let ranges = Wait::poll(self)?;
        Ok(ranges.map(|ranges| ranges.iter().flat_map(|range| [range.start, range.end]).collect()))
    }

    fn due(&self) -> Option<Duration> {
        None
    }

    fn left(&self) -> Duration {
        Wait::left(self)
    }

    fn wake(&mut self, waker: Waker) {
        Wait::wake(self, waker);
    }
}

/// Its answer is the ids.
impl Call for SnowflakeWait {
    fn poll(&mut self) -> leafmint::Result<Option<Vec<jlong>>> {
        SnowflakeWait::poll(self)
    }

    fn due(&self) -> Option<Duration> {
        self.next_tick_in()
    }

    fn left(&self) -> Duration {
        SnowflakeWait::left(self)
    }

    fn wake(&mut self, waker: Waker) {
        SnowflakeWait::wake(self, waker);
    }
}

/// What Java owns while a call waits.
struct Waiting(Box<dyn Call>);

/// Returns what a caller wants, by the numbers in `Native.java`.
pub(crate) fn want(number: jint, count: jlong) -> Want {
    match number {
        0 => Want::One,
        1 => Want::Many(count),
        2 => Want::Run(count),
        _ => panic!("a caller cannot want number {number}"),
    }
}

/// Reads a timeout. NaN stands for the generator's option.
pub(crate) fn timeout(seconds: jdouble) -> leafmint::Result<Option<Duration>> {
    if seconds.is_nan() { Ok(None) } else { timeout_from_seconds(seconds).map(Some) }
}

/// Returns the answer of a call, which is never below 0, or else [`NOT_YET`] and a handle to poll and to end.
pub(crate) fn begin<'local>(
    env: &mut Env<'local>,
    mut call: impl Call + 'static,
) -> Result<JLongArray<'local>, Failure> {
    match call.poll()? {
        Some(answer) => array::write(env, &answer),
        None => array::write(env, &[NOT_YET, handle::give(Waiting(Box::new(call)))]),
    }
}

fn waiting<'a>(handle: jlong) -> &'a mut dyn Call {
    // SAFETY: Java polls and ends a call on the thread that began it, and does not use it after its end.
    &mut *unsafe { handle::borrow_mut::<Waiting>(handle) }.0
}

fn nanoseconds(duration: Duration) -> jlong {
    jlong::try_from(duration.as_nanos()).unwrap_or(jlong::MAX)
}

/// Returns the answer of a call, `null` before it has one.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitPoll<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    wait: jlong,
) -> JLongArray<'local> {
    call(env, |env| match waiting(wait).poll()? {
        Some(answer) => array::write(env, &answer),
        None => Ok(JLongArray::default()),
    })
}

/// Returns the nanoseconds until the call will have an answer, [`NOT_YET`] if that is not known.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitDue(env: *mut JNIEnv, _class: jclass, wait: jlong) -> jlong {
    quick(env, || Ok(waiting(wait).due().map_or(NOT_YET, nanoseconds)))
}

/// Returns the nanoseconds that are left of the call's timeout.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitLeft(env: *mut JNIEnv, _class: jclass, wait: jlong) -> jlong {
    quick(env, || Ok(nanoseconds(waiting(wait).left())))
}

/// Makes `wakerTake` return the number of the waiting thread whenever the call may have progressed.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitWake(
    env: *mut JNIEnv,
    _class: jclass,
    wait: jlong,
    number: jlong,
) {
    quick(env, || {
        waiting(wait).wake(Waiter::new(number).into());
        Ok(0)
    });
}

/// Ends a call, with or without an answer.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitEnd(env: EnvUnowned<'_>, _class: JClass<'_>, wait: jlong) {
    call(env, |_| {
        // SAFETY: Java ends each call once, and does not use it afterwards.
        unsafe { handle::take_back::<Waiting>(wait) };
        Ok::<(), Failure>(())
    })
}
