//! Lanes: blocking work off the runtime's one thread, each kind on threads of its own.
//!
//! Work that blocks in one lane does not delay another: a silent name server must not delay a heartbeat.

use super::failure::{no_answer, not_started};
use super::reply::reply;
use crate::runtime::process;
use crate::runtime::process::{PerProcess, start_thread};
use crate::sync::{Condvar, Mutex};
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::panics;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Most threads that wait for the file system of one directory.
const FILE_THREADS: usize = 4;
/// Most threads that compute what would hold others up.
const COMPUTING_THREADS: usize = 2;
/// Most threads that wait for name servers.
const CONNECTING_THREADS: usize = 4;

/// The child of a fork begins without any.
static LANES: PerProcess<OnceLock<Lanes>> = PerProcess::unset(OnceLock::new());

struct Lanes {
    /// By directory: a file system that does not answer must not stop work in another one.
    files: Mutex<BTreeMap<PathBuf, Arc<Lane>>>,
    connecting: Lane,
    computing: Lane,
}

/// Returns the lane of the state files and lock files in a directory, which heartbeats wait for. Directories with one
/// parent share it.
pub fn files(directory: &Path) -> Arc<Lane> {
    let directory = directory.parent().unwrap_or(directory);
    let mut files = lanes().files.lock();
    if let Some(lane) = files.get(directory) {
        return lane.clone();
    }
    files.retain(|_, lane| Arc::strong_count(lane) > 1 || !lane.is_idle());
    files.entry(directory.to_owned()).or_insert_with(|| Arc::new(Lane::new("leafmint-files", FILE_THREADS))).clone()
}

/// Returns the lane of what a connection to a server needs first: addresses of host names, certificates.
pub fn connecting() -> &'static Lane {
    &lanes().connecting
}

/// Returns the lane of what computes for long: an event loop, or the background thread, goes on meanwhile.
pub(crate) fn computing() -> &'static Lane {
    &lanes().computing
}

fn lanes() -> &'static Lanes {
    process::count_forks();
    LANES.get(|_| OnceLock::new()).get_or_init(|| Lanes {
        files: Mutex::default(),
        connecting: Lane::new("leafmint-names", CONNECTING_THREADS),
        computing: Lane::new("leafmint-work", COMPUTING_THREADS),
    })
}

/// Time after which a thread without work ends.
const KEPT: Duration = Duration::from_secs(10);

type Job = Box<dyn FnOnce() + Send>;

/// A queue of blocking work and the few threads that do it. A thread is started if there is work and no thread is free.
pub struct Lane {
    queue: Arc<Queue>,
}

struct Queue {
    name: &'static str,
    most_threads: usize,
    state: Mutex<LaneState>,
    changed: Condvar,
}

#[derive(Default)]
struct LaneState {
    jobs: VecDeque<Job>,
    threads: usize,
    /// Threads that do a job. The others check the queue before they sleep or end.
    busy: usize,
    closed: bool,
}

impl Lane {
    /// Makes a lane, without a thread. Dropping it ends its threads once the queue is empty.
    pub fn new(name: &'static str, most_threads: usize) -> Self {
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
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let (reply, answer) = reply();
        self.push(move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            reply.send(
                done.unwrap_or_else(|panic| Err(Error::new(ErrorKind::StoreUnavailable, panics::message_of(panic)))),
            );
        })?;
        answer.await.unwrap_or_else(|_| Err(no_answer()))
    }

    /// Queues a job. Raises `store_unavailable` if there is no thread to do it.
    pub fn push(&self, job: impl FnOnce() + Send + 'static) -> Result<()> {
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
    use std::time::Duration;

    #[test]
    fn a_directory_whose_file_system_does_not_answer_stops_no_work_in_another_one() {
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        for _ in 0..=FILE_THREADS {
            let held = held.clone();
            files(Path::new("/stuck/default")).push(move || drop(held.lock().map(|held| held.recv()))).unwrap();
        }
        let (done, heartbeat) = mpsc::channel();
        files(Path::new("/other/default")).push(move || done.send(7).unwrap()).unwrap();
        assert_eq!(heartbeat.recv_timeout(Duration::from_secs(60)), Ok(7));
        drop(hold);
    }

    #[test]
    fn lanes_of_directories_that_are_used_no_more_are_forgotten() {
        let before = Arc::downgrade(&files(Path::new("/once/default")));
        files(Path::new("/later/default"));
        assert!(before.upgrade().is_none());
    }

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
