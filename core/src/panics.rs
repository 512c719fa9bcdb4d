//! Panics: each one is a bug in leafmint, and an error of whoever called, not the end of a process or of a background task.

use crate::error::{Error, ErrorKind, Result};
use crate::printable::printable;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::future::{Future, poll_fn};
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::pin::pin;
use std::sync::{Mutex, Once};
use std::task::Poll;

/// How the message of every panic begins.
pub(crate) const IS_A_BUG: &str = "leafmint panicked, which is a bug in it: ";

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
    printable(format!("{IS_A_BUG}{message}"))
}

/// Lets each place in the code print its panic once.
///
/// For bindings, whose copy of Rust's standard library is their own. The exception carries every message; a server whose answers make
/// the driver panic must not flood standard error.
pub fn print_each_place_once() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        panic::set_hook(Box::new(|panic| {
            if is_first_of_its_place(panic) {
                print(panic);
            }
        }));
    });
}

/// Prints a panic as Rust does, but in one line without control characters: the message may hold what a server sent.
fn print(panic: &PanicHookInfo<'_>) {
    let payload = panic.payload();
    let message = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    let thread = std::thread::current();
    let place = panic.location().map_or_else(String::new, |place| format!(" at {place}"));
    let text = format!("thread {:?} panicked{place}: {}", thread.name().unwrap_or_default(), message.unwrap_or("no message"));
    // A closed standard error must not make it a second panic.
    let _ = writeln!(io::stderr(), "{}", printable(text));
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        let _ = writeln!(io::stderr(), "{trace}");
    }
}

fn is_first_of_its_place(panic: &PanicHookInfo<'_>) -> bool {
    static SEEN: Mutex<Vec<(String, u32)>> = Mutex::new(Vec::new());
    let Some(place) = panic.location().map(|place| (place.file().to_owned(), place.line())) else { return true };
    // A child of a fork may have inherited the lock from a thread that is not there.
    let Ok(mut seen) = SEEN.try_lock() else { return true };
    let is_first = !seen.contains(&place);
    if is_first {
        seen.push(place);
    }
    is_first
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
