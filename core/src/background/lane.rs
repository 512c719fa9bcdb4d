//! Lanes: blocking work off the runtime's one thread, each kind on threads of its own.
//!
//! Work that blocks in one lane does not delay another: a silent name server must not delay a heartbeat.

use super::failure::{no_answer, not_started};
use super::runtime::{Drive, driven};
use crate::error::{Error, ErrorKind, Result};
use crate::panics;
use crate::process::start_thread;
use crate::sync::{Condvar, Mutex};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Time after which a thread without work ends.
const KEPT: Duration = Duration::from_secs(10);

type Job = Box<dyn FnOnce() + Send>;

/// A queue of blocking work and the few threads that do it. A thread is started if there is work and no thread is free.
pub(crate) struct Lane {
    queue: Arc<Queue>,
}

struct Queue {
    name: &'static str,
    most_threads: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    /// Threads that do a job. The others check the queue before they sleep or end.
    busy: usize,
    closed: bool,
}

impl Lane {
    /// Makes a lane, without a thread. Dropping it ends its threads once the queue is empty.
    pub(crate) fn new(name: &'static str, most_threads: usize) -> Self {
        let queue = Queue { name, most_threads, state: Mutex::default(), changed: Condvar::new() };
        Self { queue: Arc::new(queue) }
    }

    /// Returns whether there is neither work nor a thread.
    pub(super) fn is_idle(&self) -> bool {
        let state = self.queue.state.lock();
        state.threads == 0 && state.jobs.is_empty()
    }

    /// Does blocking work, to its end even if the caller stops waiting.
    ///
    /// Raises `store_unavailable` if there is no thread to do it, or if it panics.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let ((sender, answer), drive) = (oneshot::channel(), driven());
        self.push(move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            let answer =
                done.unwrap_or_else(|panic| Err(Error::new(ErrorKind::StoreUnavailable, panics::message_of(panic))));
            Drive::wake_on(drive.as_deref(), || drop(sender.send(answer)));
        })?;
        answer.await.unwrap_or_else(|_| Err(no_answer()))
    }

    /// Queues a job. Raises `store_unavailable` if there is no thread to do it.
    pub(crate) fn push(&self, job: impl FnOnce() + Send + 'static) -> Result<()> {
        let mut state = self.queue.state.lock();
        state.jobs.push_back(Box::new(job));
        let free = state.threads - state.busy;
        if state.jobs.len() > free && state.threads < self.queue.most_threads {
            let queue = self.queue.clone();
            match start_thread(self.queue.name, move || queue.work()) {
                Ok(()) => state.threads += 1,
                // Without any thread the job would stay queued for ever.
                Err(error) if state.threads == 0 => {
                    state.jobs.pop_back();
                    return Err(not_started("a background thread", &error));
                }
                Err(_) => {}
            }
        }
        self.queue.changed.notify_all();
        Ok(())
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.queue.state.lock().closed = true;
        self.queue.changed.notify_all();
    }
}

impl Queue {
    /// Does jobs until the queue has been empty for a while.
    fn work(&self) {
        while let Some(job) = self.next() {
            // The caller that waits for the job sees that it ended without an answer.
            let _ = catch_unwind(AssertUnwindSafe(job)).map_err(panics::message_of);
            self.state.lock().busy -= 1;
        }
    }

    /// Waits for a job. `None` ends the thread.
    fn next(&self) -> Option<Job> {
        let until = Instant::now() + KEPT;
        loop {
            let mut state = self.state.lock();
            if let Some(job) = state.jobs.pop_front() {
                state.busy += 1;
                return Some(job);
            }
            if state.closed || Instant::now() >= until {
                state.threads -= 1;
                return None;
            }
            self.changed.wait_while(state, until, |state| state.jobs.is_empty() && !state.closed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    const LONG: Duration = Duration::from_secs(20);

    /// Queues `count` jobs that do not end before the returned sender is dropped, and waits until `inside` of them are
    /// running.
    fn stuck(lane: &Lane, count: usize, inside: usize) -> mpsc::Sender<()> {
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        let (entered, entries) = mpsc::channel();
        for _ in 0..count {
            let (held, entered) = (held.clone(), entered.clone());
            lane.push(move || {
                let _ = entered.send(());
                let _ = held.lock().map(|held| held.recv());
            })
            .unwrap();
        }
        (0..inside).for_each(|_| entries.recv_timeout(LONG).unwrap());
        hold
    }

    fn threads(lane: &Lane) -> usize {
        lane.queue.state.lock().threads
    }

    #[test]
    fn stuck_work_in_one_lane_does_not_delay_another() {
        let (names, files) = (Lane::new("names", 2), Lane::new("files", 2));
        let _hold = stuck(&names, 9, 2);
        let (done, heartbeat) = mpsc::channel();
        files.push(move || done.send(7).unwrap()).unwrap();
        assert_eq!(heartbeat.recv_timeout(LONG), Ok(7));
    }

    #[test]
    fn a_lane_starts_a_thread_only_if_none_is_free_and_never_more_than_its_limit() {
        let lane = Lane::new("lane", 3);
        assert_eq!(threads(&lane), 0);
        for _ in 0..100 {
            let (done, answer) = mpsc::channel();
            lane.push(move || done.send(()).unwrap()).unwrap();
            answer.recv_timeout(LONG).unwrap();
            while lane.queue.state.lock().busy > 0 {}
        }
        assert_eq!(threads(&lane), 1);
        let _hold = stuck(&lane, 9, 3);
        assert_eq!(threads(&lane), 3);
    }

    #[test]
    fn queued_work_is_done_in_order_even_after_the_lane_is_gone() {
        let lane = Lane::new("lane", 1);
        let (done, answers) = mpsc::channel();
        for number in 0..5 {
            let done = done.clone();
            lane.push(move || done.send(number).unwrap()).unwrap();
        }
        drop((lane, done));
        assert_eq!(answers.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_panic_is_an_error_and_the_thread_goes_on() {
        let lane = Lane::new("lane", 1);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let error = runtime.block_on(lane.run(|| -> Result<()> { panic!("seven") })).unwrap_err();
        assert!(error.message().ends_with("leafmint panicked, which is a bug in it: seven"), "{error}");
        assert_eq!(runtime.block_on(lane.run(|| Ok(7))), Ok(7));
        assert_eq!(threads(&lane), 1);
    }
}
