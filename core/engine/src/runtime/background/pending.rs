//! Background work that a caller may wait for in slices.

use super::failure::{begun_by_parent, no_answer, overdue};
use super::runtime::{Work, spawn};
use super::timeline::Timeline;
use crate::runtime::process::PerProcess;
use crate::sync::{Condvar, Mutex};
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::panics;
use leafmint_ids::panics::caught;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::task::Waker;
use std::time::{Duration, Instant};

/// Background work that a caller may wait for in slices.
///
/// Between two slices a binding handles its language's signals.
pub struct Pending<T> {
    slot: PerProcess<Arc<Slot<T>>>,
    limit: Limit,
}

/// Where the answer is left. A channel of the standard library would be ten times the code for each type of answers.
struct Slot<T> {
    state: Mutex<PendingState<T>>,
    changed: Condvar,
}

struct PendingState<T> {
    answer: Option<Result<T>>,
    /// The work goes on.
    is_open: bool,
    waker: Option<Waker>,
}

impl<T> Slot<T> {
    fn new(answer: Option<Result<T>>) -> Arc<Self> {
        let state = PendingState { is_open: answer.is_none(), answer, waker: None };
        Arc::new(Self { state: Mutex::new(state), changed: Condvar::new() })
    }
}

/// What the work answers with. Wakes who waits when it is dropped, so however the work ends.
struct Answering<T>(Arc<Slot<T>>);

impl<T> Answering<T> {
    fn answer(self, answer: Result<T>) {
        self.0.state.lock().answer = Some(answer);
    }
}

impl<T> Drop for Answering<T> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.is_open = false;
        let waker = state.waker.take();
        drop(state);
        self.0.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T: Send + 'static> Pending<T> {
    /// Begins work that takes at most `longest`. Raises `store_unavailable` if the background thread cannot be started.
    pub fn spawn(longest: Duration, work: impl Future<Output = Result<T>> + Send + 'static) -> Result<Self> {
        Self::spawn_on(longest, work, spawn)
    }

    fn spawn_on(
        longest: Duration,
        work: impl Future<Output = Result<T>> + Send + 'static,
        spawn: impl FnOnce(Work) -> Result<()>,
    ) -> Result<Self> {
        let slot = Slot::new(None);
        let answering = Answering(slot.clone());
        spawn(Box::pin(async move { answering.answer(panics::caught(work).await) }))?;
        Ok(Self { slot: PerProcess::new(slot), limit: Limit::new(longest) })
    }

    /// Makes work that has ended already; it needs no thread.
    pub fn done(answer: T) -> Self {
        Self { slot: PerProcess::new(Slot::new(Some(Ok(answer)))), limit: Limit::new(Duration::ZERO) }
    }

    /// Waits for at most `slice`. Returns `None` while the work goes on.
    pub fn wait_for(&self, slice: Duration) -> Option<Result<T>> {
        let Some(slot) = self.slot.get_if_set() else { return Some(Err(begun_by_parent())) };
        let until = Instant::now() + slice.min(self.limit.left());
        slot.changed.wait_while(slot.state.lock(), until, |state| state.is_open && state.answer.is_none());
        let mut state = slot.state.lock();
        match state.answer.take() {
            Some(answer) => Some(answer),
            None if state.is_open => self.limit.check().err().map(Err),
            None => Some(Err(no_answer())),
        }
    }

    /// Wakes `waker` when the work has ended. Look once more after this.
    pub fn wake(&self, waker: Waker) {
        if let Some(slot) = self.slot.get_if_set() {
            slot.state.lock().waker = Some(waker);
        }
    }

    /// Returns how long to wait at most before the next look, if nothing wakes the caller.
    pub fn left(&self) -> Duration {
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
    pub fn ending(
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

/// Time that the background has, from the first look after the end of its own time: the process may have been stopped
/// meanwhile, or the machine is busy.
const GRACE: Duration = Duration::from_secs(3);

/// The longest wait for background work.
pub(super) struct Limit {
    until: Instant,
    /// Set by the first look after `until`.
    grace_ends: OnceLock<Instant>,
}

impl Limit {
    /// Makes the limit of work that ends within `longest`.
    pub(super) fn new(longest: Duration) -> Self {
        Self { until: deadline(longest), grace_ends: OnceLock::new() }
    }

    /// Returns how long to wait before the next look.
    pub(super) fn left(&self) -> Duration {
        let now = Instant::now();
        match self.grace_ends.get() {
            None if now < self.until => self.until - now,
            grace_ends => grace_ends.map_or(GRACE, |ends| ends.saturating_duration_since(now)),
        }
    }

    /// Looks at the time, if there is no answer. Raises `store_unavailable` if the background will not answer.
    pub(super) fn check(&self) -> Result<()> {
        let now = Instant::now();
        if now < self.until || now < *self.grace_ends.get_or_init(|| now + GRACE) {
            return Ok(());
        }
        Err(overdue())
    }
}

/// Returns the instant that lies `wait` after now, or a day after now if that is sooner.
pub fn deadline(wait: Duration) -> Instant {
    Instant::now() + wait.min(Duration::from_secs(86_400))
}

/// Waits for work of a store or a holder, for at most `timeout`. The work itself continues to its own end: if it were
/// cut off in the middle of a statement, its session would be left waiting.
pub async fn in_time<T: Send + 'static>(
    call: &'static str,
    timeout: Duration,
    scope: String,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    match tokio::time::timeout(timeout, tokio::spawn(caught(work))).await {
        Ok(Ok(answer)) => answer,
        _ => {
            let text =
                format!("no answer to {call} within timeout={timeout:?} from {scope}; it may still be carried out");
            Err(Error::new(ErrorKind::StoreUnavailable, text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender};
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
