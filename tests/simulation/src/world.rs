//! Simulated time: what would happen in hours happens at once, and in the same order in each run.

use super::executor::Executor;
use super::process::Process;
use std::sync::Arc;
use std::time::Duration;

/// A simulated world: its time, and its processes.
pub struct World(Arc<Executor>);

impl World {
    /// Makes a world without a process, at its beginning.
    pub fn new() -> Self {
        Self(Arc::new(Executor::new()))
    }

    /// Begins a process.
    pub fn process(&self) -> Arc<Process> {
        Arc::new(Process::new(self.0.clone(), self.0.add_process()))
    }

    /// Returns the time since the beginning.
    pub fn passed(&self) -> Duration {
        self.0.passed()
    }

    /// Runs all processes until this time since the beginning.
    pub fn run_until(&self, end: Duration) {
        self.0.run_until(end);
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

/// Ends all processes.
impl Drop for World {
    fn drop(&mut self) {
        self.0.end();
    }
}
