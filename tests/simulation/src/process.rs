//! A simulated process: its tasks run in simulated time, and it can be paused and crash.

use super::executor::Executor;
use leafmint_engine::runtime::background::{Timeline, Work};
use leafmint_ids::error::Result;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A simulated process, whose tasks run in the time of its world.
pub struct Process {
    executor: Arc<Executor>,
    number: usize,
}

impl Process {
    pub(super) fn new(executor: Arc<Executor>, number: usize) -> Self {
        Self { executor, number }
    }

    /// Returns the number of this process in its world, from 0 on.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Runs a task of this process.
    pub fn run(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.executor.spawn(self.number, Box::pin(work));
    }

    /// Returns the time since the beginning of the world.
    pub fn passed(&self) -> Duration {
        self.executor.passed()
    }

    /// Waits for this long.
    pub fn sleep(&self, time: Duration) -> Work {
        self.executor.sleep(time)
    }

    /// Stops all tasks of this process where they wait, as SIGSTOP does. Time goes on.
    pub fn pause(&self) {
        self.executor.set_paused(self.number, true);
    }

    /// Lets the tasks of this process go on.
    pub fn resume(&self) {
        self.executor.set_paused(self.number, false);
    }

    /// Ends this process in the middle of what it is doing, as SIGKILL does.
    pub fn crash(&self) {
        self.executor.crash(self.number);
    }
}

impl Timeline for Process {
    fn now(&self) -> Instant {
        self.executor.now()
    }

    fn sleep(&self, time: Duration) -> Work {
        self.executor.sleep(time)
    }

    fn spawn(&self, work: Work) -> Result<()> {
        self.executor.spawn(self.number, work);
        Ok(())
    }

    fn is_started(&self) -> bool {
        self.executor.has_begun(self.number)
    }
}
