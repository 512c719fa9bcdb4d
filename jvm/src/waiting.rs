//! Natives of calls for ids that may have to wait. Java polls them, whichever generator they belong to.

use crate::errors::Failure;
use crate::natives::{natives, quick_natives};
use crate::waking::Waiter;
use crate::{NOT_YET, array, handle};
use jni::Env;
use jni::objects::JLongArray;
use jni::sys::{jdouble, jint, jlong};
use leafmint::Want;
use leafmint::binding::{Pollable, timeout_from_seconds};
use leafmint::segment::Wait;
use std::task::Waker;
use std::time::Duration;

/// What Java owns while a call waits.
type Waiting = Box<dyn Pollable<Answer = Vec<jlong>>>;

/// A call for ranges, whose answer is start and end of each.
pub(crate) struct Edges(pub(crate) Wait);

impl Pollable for Edges {
    type Answer = Vec<jlong>;

    fn poll(&mut self) -> leafmint::Result<Option<Vec<jlong>>> {
        let ranges = self.0.poll()?;
        Ok(ranges.map(|ranges| ranges.iter().flat_map(|range| [range.start, range.end]).collect()))
    }

    fn due(&self) -> Option<Duration> {
        self.0.due()
    }

    fn wake(&mut self, waker: Waker) {
        self.0.wake(waker);
    }
}

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
    mut call: impl Pollable<Answer = Vec<jlong>> + 'static,
) -> Result<JLongArray<'local>, Failure> {
    match call.poll()? {
        Some(answer) => array::write(env, &answer),
        None => array::write(env, &[NOT_YET, handle::give::<Waiting>(Box::new(call))]),
    }
}

fn waiting<'a>(handle: jlong) -> &'a mut Waiting {
    // SAFETY: Java polls and ends a call on one thread at a time, and does not use it after its end.
    unsafe { handle::borrow_mut(handle) }
}

fn nanoseconds(duration: Duration) -> jlong {
    jlong::try_from(duration.as_nanos()).unwrap_or(jlong::MAX)
}

natives!(
    /// Returns the answer of a call, `null` before it has one.
    fn waitPoll(env: &mut Env, wait: jlong) -> JLongArray {
        match waiting(wait).poll()? {
            Some(answer) => array::write(env, &answer),
            None => Ok(JLongArray::default()),
        }
    }
);

quick_natives!(
    /// Returns for how many nanoseconds the call may stay unpolled if nothing wakes it.
    fn waitDue(wait: jlong) -> jlong {
        Ok(waiting(wait).due().map_or(jlong::MAX, nanoseconds))
    }
);

natives!(
    /// Makes `wakerTake` return the number of the call whenever the call may have progressed.
    fn waitWake(wait: jlong, number: jlong) {
        waiting(wait).wake(Waiter::new(number).into());
        Ok(())
    },
    /// Ends a call, with or without an answer.
    fn waitEnd(wait: jlong) {
        // SAFETY: Java ends each call once, and does not use it afterwards.
        unsafe { handle::take_back::<Waiting>(wait) };
        Ok(())
    }
);
