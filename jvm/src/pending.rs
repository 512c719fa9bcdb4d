//! Natives of a generator's work in the background. Java polls it.

use crate::natives::natives;
use crate::{NOT_YET, handle, text};
use jni::sys::jlong;
use leafmint::{Pending, Result};
use std::time::Duration;

/// The components of records, one after the other; `null` for `None`.
pub(crate) type Texts = Vec<Option<String>>;

type Poll = dyn Fn(&mut Texts) -> Option<Result<bool>> + Send;

/// Work in progress. Its answer is whether it changed something, and perhaps texts.
struct Work {
    poll: Box<Poll>,
    texts: Texts,
}

/// Passes ownership of work to Java.
pub(crate) fn give<T: Send + 'static>(pending: Pending<T>, answer: fn(T) -> bool) -> jlong {
    let poll = move |_: &mut Texts| pending.wait_for(Duration::ZERO).map(|done| done.map(answer));
    handle::give(Work { poll: Box::new(poll), texts: Texts::new() })
}

/// Passes ownership of work to Java whose answer is texts.
pub(crate) fn give_texts<T: Send + 'static>(
    pending: Pending<T>,
    answer: impl Fn(T) -> Texts + Send + 'static,
) -> jlong {
    let poll = move |texts: &mut Texts| {
        pending.wait_for(Duration::ZERO).map(|done| {
            *texts = answer(done?);
            Ok(true)
        })
    };
    handle::give(Work { poll: Box::new(poll), texts: Texts::new() })
}

natives!(
    /// Returns 0 or 1 once the work is done, [`NOT_YET`] before.
    fn pendingPoll(pending: jlong) -> jlong {
        // SAFETY: Java polls and ends the work on one thread at a time, in this order.
        let work = unsafe { handle::borrow_mut::<Work>(pending) };
        match (work.poll)(&mut work.texts) {
            Some(answer) => Ok(jlong::from(answer?)),
            None => Ok(NOT_YET),
        }
    },
    /// Returns the texts of work that is done.
    fn pendingTexts(env: &mut Env, pending: jlong) -> JObject {
        // SAFETY: as above.
        let work = unsafe { handle::borrow_mut::<Work>(pending) };
        Ok(text::write_all(env, &work.texts)?)
    },
    /// Frees the handle; the work itself goes on to its end.
    fn pendingEnd(pending: jlong) {
        // SAFETY: Java ends each work once, and does not use it afterwards.
        unsafe { handle::take_back::<Work>(pending) };
        Ok(())
    }
);
