//! Panics: each one is a bug in leafmint, and becomes an error of the call. It ends neither the process nor a
//! background task.

use crate::error::{Error, ErrorKind, Result};
use crate::text::printable;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::pin::pin;
use std::sync::{Mutex, Once};
use std::task::Poll;

/// How the message of every panic begins.
pub const IS_A_BUG: &str = "leafmint panicked, which is a bug in it: ";

/// Returns the message of a panic.
pub fn message_of(panic: Box<dyn Any + Send>) -> String {
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

thread_local! {
    static IS_NO_BUG: Cell<Option<fn() -> bool>> = const { Cell::new(None) };
}

/// Has panics of this thread printed only while `is_no_bug` returns false.
pub fn print_unless(is_no_bug: fn() -> bool) {
    IS_NO_BUG.set(Some(is_no_bug));
}

/// Prints only the first panic of each line of code.
///
/// For bindings, which have their own copy of Rust's standard library. The exception carries every message; a server
/// whose answers make the driver panic must not flood standard error.
pub fn print_each_line_once() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        panic::set_hook(Box::new(|panic| {
            if !IS_NO_BUG.get().is_some_and(|is_no_bug| is_no_bug()) && is_first_of_its_line(panic) {
                print(panic);
            }
        }));
    });
}

/// Prints a panic as Rust does, but in one line without control characters: the message may contain what a server sent.
fn print(panic: &PanicHookInfo<'_>) {
    let payload = panic.payload();
    let message = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    let thread = std::thread::current();
    let location = panic.location().map_or_else(String::new, |location| format!(" at {location}"));
    let text = format!(
        "thread {:?} panicked{location}: {}",
        thread.name().unwrap_or_default(),
        message.unwrap_or("no message")
    );
    // A closed standard error must not make it a second panic.
    let _ = writeln!(io::stderr(), "{}", printable(text));
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        let _ = writeln!(io::stderr(), "{trace}");
    }
}

fn is_first_of_its_line(panic: &PanicHookInfo<'_>) -> bool {
    static SEEN: Mutex<Vec<(String, u32)>> = Mutex::new(Vec::new());
    let Some(line) = panic.location().map(|location| (location.file().to_owned(), location.line())) else {
        return true;
    };
    // A forked child may have inherited the lock from a thread that it does not have.
    let Ok(mut seen) = SEEN.try_lock() else { return true };
    let is_first = !seen.contains(&line);
    if is_first {
        seen.push(line);
    }
    is_first
}

/// Turns a panic of background work into an error of the call that waits for it, so that the work can be tried again.
pub async fn caught<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let mut work = pin!(work);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
        Ok(poll) => poll,
        Err(panic) => Poll::Ready(Err(Error::new(ErrorKind::StoreUnavailable, message_of(panic)))),
    })
    .await
}
