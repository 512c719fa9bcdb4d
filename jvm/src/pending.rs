//! Natives of a generator's work in the background. Java polls it.

use crate::errors::{Failure, call};
use crate::{NOT_YET, handle};
use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::jlong;
use leafmint::Result;
use leafmint::binding::Pending;
use std::time::Duration;

/// Work in progress. Its answer is whether it changed something.
struct Work(Box<dyn Fn() -> Option<Result<bool>> + Send>);

/// Passes ownership of work to Java.
pub(crate) fn give<T: Send + 'static>(pending: Pending<T>, answer: fn(T) -> bool) -> jlong {
    let poll = move || pending.wait_for(Duration::ZERO).map(|done| done.map(answer));
    handle::give(Work(Box::new(poll)))
}

/// Returns 0 or 1 once the work is done, [`NOT_YET`] before.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_pendingPoll(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    pending: jlong,
) -> jlong {
    call(env, |_| {
        // SAFETY: Java polls and ends the work on the thread that began it, in this order.
        let work = unsafe { handle::borrow_mut::<Work>(pending) };
        match (work.0)() {
            Some(answer) => Ok(jlong::from(answer?)),
            None => Ok(NOT_YET),
        }
    })
}

/// Frees the handle; the work itself goes on to its end.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_pendingEnd(env: EnvUnowned<'_>, _class: JClass<'_>, pending: jlong) {
    call(env, |_| {
        // SAFETY: Java ends each work once, and does not use it afterwards.
        unsafe { handle::take_back::<Work>(pending) };
        Ok::<(), Failure>(())
    })
}
