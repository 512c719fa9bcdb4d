//! Work that goes on in the background, and that a caller may wait for in slices.

use super::{panicked, runtime, started};
use crate::error::{Error, ErrorKind, Result};
use crate::panics;
use crate::process::PerProcess;
use std::future::Future;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;
use tokio::runtime::Handle;

/// Work that goes on in the background, and that a caller may wait for in slices.
///
/// The slices are what lets a face look after its own signals between them.
pub struct Pending<T> {
    answer: PerProcess<Receiver<Result<T>>>,
}

impl<T: Send + 'static> Pending<T> {
    /// Raises `store_unavailable` if the background thread cannot be started.
    pub(crate) fn spawn(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<Self> {
        Ok(Self::spawn_on(&runtime()?, work))
    }

    fn spawn_on(runtime: &Handle, work: impl Future<Output = Result<T>> + Send + 'static) -> Self {
        let (sender, answer) = sync_channel(1);
        runtime.spawn(async move {
            let _ = sender.send(panics::caught(work).await);
        });
        Self { answer: PerProcess::new(answer) }
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

impl Pending<()> {
    /// Begins work that ends what others have begun in the background. In a process where nothing ever was there is none, and
    /// nothing is started for it: so it cannot fail.
    pub(crate) fn ending(work: impl Future<Output = Result<()>> + Send + 'static) -> Self {
        match started() {
            Some(runtime) => Self::spawn_on(&runtime, work),
            None => Self::done(()),
        }
    }
}

/// The child of a fork does not continue a call that its parent began.
pub(crate) fn begun_by_parent() -> Error {
    Error::new(
        ErrorKind::Closed,
        "this call was begun before the process was forked: only the parent goes on with it; call again",
    )
}
