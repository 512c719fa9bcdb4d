//! Time and tasks, given to the work in the background: the clock that it waits on, and what runs it.
//!
//! A process has one of its own. A simulation gives another one to each process that it simulates, so that the same
//! code runs in simulated time.

use super::failure::no_answer;
use super::runtime::{Work, is_started, spawn};
use leafmint_ids::error::Result;
use leafmint_ids::panics::caught;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The time that background work waits on, and what runs it. No id in hand costs a call of this.
pub trait Timeline: Send + Sync + 'static {
    /// Returns the current moment.
    fn now(&self) -> Instant;

    /// Waits for this long.
    fn sleep(&self, time: Duration) -> Work;

    /// Begins work that nothing waits for. Raises `store_unavailable` if nothing can run it.
    fn spawn(&self, work: Work) -> Result<()>;

    /// Returns whether work was ever begun: if not, nothing has been asked of a store or holder.
    fn is_started(&self) -> bool;
}

/// The time of this process, and its runtime.
struct RealTime;

impl Timeline for RealTime {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> Work {
        Box::pin(tokio::time::sleep(time))
    }

    fn spawn(&self, work: Work) -> Result<()> {
        spawn(work)
    }

    fn is_started(&self) -> bool {
        is_started()
    }
}

/// Returns the time of this process, and its runtime.
pub fn real_time() -> Arc<dyn Timeline> {
    Arc::new(RealTime)
}

/// Work in the background whose result is waited for. It comes to its end even if this is dropped.
pub struct Task<T>(oneshot::Receiver<Result<T>>);

impl<T: Send + 'static> Task<T> {
    /// Begins work. Raises what [`Timeline::spawn`] raises.
    pub fn spawn(timeline: &dyn Timeline, work: impl Future<Output = Result<T>> + Send + 'static) -> Result<Self> {
        let (sender, receiver) = oneshot::channel();
        timeline.spawn(Box::pin(async move { drop(sender.send(caught(work).await)) }))?;
        Ok(Self(receiver))
    }

    /// Returns whether the work has ended.
    pub fn is_finished(&self) -> bool {
        !self.0.is_empty()
    }
}

impl<T> Future for Task<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        Pin::new(&mut self.0).poll(context).map(|ended| ended.unwrap_or_else(|_| Err(no_answer())))
    }
}

/// Waits for work, for at most `longest`. Returns `None` if it has not ended by then.
pub async fn within<T>(timeline: &dyn Timeline, longest: Duration, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        result = work => Some(result),
        () = timeline.sleep(longest) => None,
    }
}
