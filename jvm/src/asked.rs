//! What waits for answers of Java's threads: the core must not call into the JVM.

use crate::natives::{handles, natives};
use jni::sys::jlong;
use leafmint::binding::borrowed::Lender;
use leafmint::{OptionValue, Pending};
use std::any::Any;
use std::sync::Arc;
use std::task::Wake;
use std::time::Duration;

/// The questions of one generator, or of one audit.
pub(crate) trait Asked: Any + Send + Sync {
    /// Ends the questions, and the waits for one.
    fn end(&self);

    /// Returns the option by which the core asks, if that is an option.
    fn option(self: Arc<Self>) -> Option<(String, OptionValue)> {
        None
    }

    /// Returns the lender that asks, if these are questions for connections.
    fn lender(self: Arc<Self>) -> Option<Arc<dyn Lender>> {
        None
    }
}

/// Ends the questions when it is woken.
struct Ending(Arc<dyn Asked>);

impl Wake for Ending {
    fn wake(self: Arc<Self>) {
        self.0.end();
    }
}

/// Ends the questions of a generator after its close, which may still ask. Its tags may keep what asks for longer, and
/// the threads that answer keep their class loader. Does nothing without a handle.
pub(crate) fn end_after(close: leafmint::Result<Pending<()>>, handle: jlong) {
    if handle == 0 {
        return;
    }
    let ending = Arc::new(Ending(asked(handle).clone()));
    let goes_on = close.is_ok_and(|close| {
        close.wake(ending.clone().into());
        close.wait_for(Duration::ZERO).is_none()
    });
    if !goes_on {
        ending.wake();
    }
}

/// Returns the option by which the core asks; none without a handle.
pub(crate) fn option(handle: jlong) -> Option<(String, OptionValue)> {
    if handle == 0 { None } else { asked(handle).clone().option() }
}

/// Returns the lender that asks for connections; none without a handle.
pub(crate) fn lender(handle: jlong) -> Option<Arc<dyn Lender>> {
    if handle == 0 { None } else { asked(handle).clone().lender() }
}

/// Returns the questions of a kind.
///
/// # Panics
///
/// If Java passes the handle of questions of another kind.
pub(crate) fn questions<'a, T: Asked>(handle: jlong) -> &'a T {
    let any: &dyn Any = &**asked(handle);
    any.downcast_ref().expect("the questions are of the native's kind")
}

handles!(asked: Arc<dyn Asked>, askedFree);

natives!(
    /// Ends the questions, and the waits for one.
    fn askedEnd(handle: jlong) {
        asked(handle).end();
        Ok(())
    }
);
