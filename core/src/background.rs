//! The one background runtime of a process: refills and everything else that waits for a store run here.

use crate::error::{Error, ErrorKind, Result};
use crate::panics;
use crate::process::{self, PerProcess};
use std::future::Future;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};

/// The runtime of this process. Two threads that are first at once start two, of which one ends again: nobody waits for anybody,
/// so a fork at that moment leaves the child nothing to wait for.
static RUNTIME: PerProcess<Started> = PerProcess::nobodys(Started(Err(String::new())));

struct Started(std::result::Result<Option<Runtime>, String>);

impl Started {
    fn new() -> Self {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).max_blocking_threads(4).thread_name("leafmint").enable_all().build();
        Self(runtime.map(Some).map_err(|error| error.to_string()))
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Dropping a runtime waits for its threads, which is not allowed everywhere.
        if let Ok(runtime) = &mut self.0
            && let Some(runtime) = runtime.take()
        {
            runtime.shutdown_background();
        }
    }
}

/// Returns the runtime of this process, starting its one thread on first use.
pub(crate) fn runtime() -> Result<&'static Handle> {
    process::count_forks();
    match &RUNTIME.get(|_| Started::new()).0 {
        Ok(Some(runtime)) => Ok(runtime.handle()),
        Ok(None) => Err(panicked()),
        Err(cause) => Err(Error::new(
            ErrorKind::StoreUnavailable,
            format!("the background thread could not be started: {cause}; raise the limit of threads for this process"),
        )),
    }
}

/// Work that goes on in the background, and that a caller may wait for in slices.
///
/// The slices are what lets a face look after its own signals between them.
pub struct Pending<T> {
    answer: PerProcess<Receiver<Result<T>>>,
}

impl<T: Send + 'static> Pending<T> {
    pub(crate) fn spawn(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<Self> {
        let (sender, answer) = sync_channel(1);
        runtime()?.spawn(async move {
            let _ = sender.send(panics::caught(work).await);
        });
        Ok(Self { answer: PerProcess::new(answer) })
    }

    /// Makes work that has ended already, without a thread to do it on.
    pub(crate) fn done(answer: T) -> Self {
        let (sender, receiver) = sync_channel(1);
        let _ = sender.send(Ok(answer));
        Self { answer: PerProcess::new(receiver) }
    }

    /// Waits for at most `slice`. Returns `None` while the work goes on.
    pub fn wait_for(&self, slice: Duration) -> Option<Result<T>> {
        let Some(answer) = self.answer.get_made() else { return Some(Err(begun_by_parent())) };
        match answer.recv_timeout(slice) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(panicked())),
        }
    }

    /// Waits until the work has ended. Everything that is done this way carries a deadline of its own.
    pub fn wait(&self) -> Result<T> {
        let answer = self.answer.get_made().ok_or_else(begun_by_parent)?;
        answer.recv().unwrap_or_else(|_| Err(panicked()))
    }
}

/// Nobody in the child of a fork goes on with what its parent has begun.
pub(crate) fn begun_by_parent() -> Error {
    Error::new(
        ErrorKind::Closed,
        "this call was begun before the process was forked: only the parent goes on with it; call again",
    )
}

fn panicked() -> Error {
    Error::new(ErrorKind::StoreUnavailable, "the background task ended without an answer: this is a bug in leafmint")
}

/// Returns the instant that lies `wait` after now, or a day after now where that is sooner.
pub(crate) fn deadline(wait: Duration) -> Instant {
    Instant::now() + wait.min(Duration::from_secs(86_400))
}
