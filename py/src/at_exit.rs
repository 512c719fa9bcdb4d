//! Generators that are still open when the interpreter exits are closed then, so that what they have not used goes back.

use leafmint::{Pending, Result, SegmentGenerator, SnowflakeGenerator};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The exit waits no longer than this, for all of them together.
const PATIENCE: Duration = Duration::from_millis(500);

/// A generator of either mode.
pub(crate) trait Closes: Send + Sync {
    fn begin_close(&self) -> Result<Pending<()>>;
}

impl Closes for SegmentGenerator {
    fn begin_close(&self) -> Result<Pending<()>> {
        self.begin_close()
    }
}

impl Closes for SnowflakeGenerator {
    fn begin_close(&self) -> Result<Pending<()>> {
        self.begin_close()
    }
}

static OPEN: Mutex<Vec<Weak<dyn Closes>>> = Mutex::new(Vec::new());

/// Keeps a generator in mind, without keeping it open.
pub(crate) fn remember<G: Closes + 'static>(generator: &Arc<G>) {
    let weak: Weak<G> = Arc::downgrade(generator);
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|generator| generator.strong_count() > 0);
    open.push(weak);
}

/// Asks the interpreter to call [`close_open`] at its exit.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let hook = wrap_pyfunction!(close_open, module)?;
    module.py().import("atexit")?.call_method1("register", (hook,)).map(drop)
}

#[pyfunction]
fn close_open(py: Python<'_>) {
    let open = std::mem::take(&mut *OPEN.lock().unwrap_or_else(PoisonError::into_inner));
    py.detach(|| {
        let until = Instant::now() + PATIENCE;
        // What cannot be closed here, such as the generator of a parent process, is left alone.
        let closing: Vec<_> = open.iter().filter_map(Weak::upgrade).filter_map(|ids| ids.begin_close().ok()).collect();
        for pending in closing {
            let _ = pending.wait_for(until.saturating_duration_since(Instant::now()));
        }
    });
}
