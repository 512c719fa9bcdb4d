//! Panics: each one is a bug in leafmint, and an error of whoever called, not the end of a process or of a background task.

use crate::error::{Error, ErrorKind, Result};
use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Tells what a panic said.
pub fn told(panic: Box<dyn Any + Send>) -> String {
    let message = match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => match panic.downcast::<&'static str>() {
            Ok(text) => (*text).to_owned(),
            Err(panic) => {
                // Dropping a foreign value could panic again.
                std::mem::forget(panic);
                "no message".to_owned()
            }
        },
    };
    format!("leafmint panicked, which is a bug in it: {message}")
}

/// Turns a panic of background work into an error, so that whoever waits for it is told, and it can be tried again.
pub(crate) async fn caught<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let mut work = pin!(work);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
        Ok(poll) => poll,
        Err(panic) => Poll::Ready(Err(Error::new(ErrorKind::StoreUnavailable, told(panic)))),
    })
    .await
}
