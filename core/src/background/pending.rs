//! Background work that a caller may wait for in slices.

use super::failure::{begun_by_parent, no_answer};
use super::limit::Limit;
use super::runtime::{Work, spawn};
use super::timeline::Timeline;
use crate::error::Result;
use crate::panics;
use crate::process::PerProcess;
use crate::sync::Mutex;
use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::task::Waker;
use std::time::Duration;

/// Background work that a caller may wait for in slices.
///
/// Between two slices a binding handles its language's signals.
pub struct Pending<T> {
    answer: PerProcess<Receiver<Result<T>>>,
    waker: Arc<WakerSlot>,
    limit: Limit,
}

type WakerSlot = Mutex<Option<Waker>>;

/// What the work answers with. Wakes the waker when it is dropped, so however the work ends.
struct Answering<T> {
    sender: Option<SyncSender<Result<T>>>,
    waker: Arc<WakerSlot>,
}

impl<T> Answering<T> {
    fn answer(self, answer: Result<T>) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(answer);
        }
    }
}

impl<T> Drop for Answering<T> {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(waker) = self.waker.lock().take() {
            waker.wake();
        }
    }
}

impl<T: Send + 'static> Pending<T> {
    /// Begins work that takes at most `longest`. Raises `store_unavailable` if the background thread cannot be started.
    pub(crate) fn spawn(longest: Duration, work: impl Future<Output = Result<T>> + Send + 'static) -> Result<Self> {
        Self::spawn_on(longest, work, spawn)
    }

    fn spawn_on(
        longest: Duration,
        work: impl Future<Output = Result<T>> + Send + 'static,
        spawn: impl FnOnce(Work) -> Result<()>,
    ) -> Result<Self> {
        let (sender, answer) = sync_channel(1);
        let waker = Arc::<WakerSlot>::default();
        let answering = Answering { sender: Some(sender), waker: waker.clone() };
        spawn(Box::pin(async move { answering.answer(panics::caught(work).await) }))?;
        Ok(Self { answer: PerProcess::new(answer), waker, limit: Limit::new(longest) })
    }

    /// Makes work that has ended already; it needs no thread.
    pub(crate) fn done(answer: T) -> Self {
        let (sender, receiver) = sync_channel(1);
        let _ = sender.send(Ok(answer));
        Self { answer: PerProcess::new(receiver), waker: Arc::default(), limit: Limit::new(Duration::ZERO) }
    }

    /// Waits for at most `slice`. Returns `None` while the work goes on.
    pub fn wait_for(&self, slice: Duration) -> Option<Result<T>> {
        let Some(answer) = self.answer.get_if_set() else { return Some(Err(begun_by_parent())) };
        match answer.recv_timeout(slice.min(self.limit.left())) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) => self.limit.check().err().map(Err),
            Err(RecvTimeoutError::Disconnected) => Some(Err(no_answer())),
        }
    }

    /// Wakes `waker` when the work has ended. Look once more after this.
    pub fn wake(&self, waker: Waker) {
        if self.answer.get_if_set().is_some() {
            *self.waker.lock() = Some(waker);
        }
    }

    /// Returns how long to wait at most before the next look, if nothing wakes the caller.
    pub(crate) fn left(&self) -> Duration {
        self.limit.left()
    }

    /// Waits until the work has ended.
    pub fn wait(&self) -> Result<T> {
        loop {
            if let Some(answer) = self.wait_for(Duration::MAX) {
                return answer;
            }
        }
    }
}

impl Pending<()> {
    /// Begins work that ends other background work. If none was ever begun there is nothing to end: so this cannot
    /// fail.
    pub(crate) fn ending(
        timeline: &dyn Timeline,
        longest: Duration,
        work: impl Future<Output = Result<()>> + Send + 'static,
    ) -> Self {
        if !timeline.is_started() {
            return Self::done(());
        }
        Self::spawn_on(longest, work, |work| timeline.spawn(work)).unwrap_or_else(|_| Self::done(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::Sender;
    use std::task::Wake;
    use tokio::sync::oneshot;

    const LONG: Duration = Duration::from_secs(60);

    struct WakeReport(Sender<()>);

    impl Wake for WakeReport {
        fn wake(self: Arc<Self>) {
            let _ = self.0.send(());
        }
    }

    /// Returns what is woken at the end of this work.
    fn watched<T: Send + 'static>(pending: &Pending<T>) -> Receiver<()> {
        let (sender, woken) = std::sync::mpsc::channel();
        pending.wake(Arc::new(WakeReport(sender)).into());
        woken
    }

    #[test]
    fn the_end_of_the_work_wakes_and_the_answer_is_there_then() {
        let (go, may_go) = oneshot::channel();
        let pending = Pending::spawn(LONG, async move { Ok(may_go.await.unwrap()) }).unwrap();
        let woken = watched(&pending);
        assert_eq!(pending.wait_for(Duration::ZERO), None);
        assert!(woken.try_recv().is_err());
        go.send(7).unwrap();
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(pending.wait_for(Duration::ZERO), Some(Ok(7)));
    }

    #[test]
    fn work_that_is_given_up_wakes_too() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let pending: Pending<()> = Pending::spawn_on(LONG, std::future::pending(), |work| {
            runtime.spawn(work);
            Ok(())
        })
        .unwrap();
        let woken = watched(&pending);
        drop(runtime);
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(pending.wait_for(Duration::ZERO), Some(Err(no_answer())));
    }

    #[test]
    fn work_that_never_ends_or_is_lost_is_an_error_after_its_longest_time() {
        let forget = |work| {
            std::mem::forget(work);
            Ok(())
        };
        let pending: Pending<()> = Pending::spawn_on(Duration::ZERO, std::future::pending(), forget).unwrap();
        assert_eq!(pending.wait_for(Duration::ZERO), None, "a process that was stopped has time to answer");
        let error = pending.wait().unwrap_err();
        assert!(error.message().contains("descriptors"), "{error}");
    }
}
