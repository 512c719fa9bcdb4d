//! Runs the tasks of all simulated processes on one thread. If none can go on, time moves to the next moment at which
//! one sleeps no longer.

use leafmint_engine::runtime::background::Work;
use leafmint_engine::sync::Mutex;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

/// The time of a world, and the tasks of its processes.
pub(super) struct Executor {
    began: Instant,
    /// Nanoseconds since the beginning.
    passed: AtomicU64,
    state: Mutex<ExecutorState>,
}

#[derive(Default)]
struct ExecutorState {
    /// Tasks that can go on, in the order in which they became able to.
    ready: VecDeque<Arc<Task>>,
    /// Tasks that sleep, by the moment at which they go on; those of one moment in the order in which they fell asleep.
    asleep: BinaryHeap<Reverse<Sleeper>>,
    sleeps: u64,
    /// What each process has of its tasks.
    processes: Vec<Tasks>,
}

/// The tasks of one process.
#[derive(Default)]
struct Tasks {
    all: BTreeMap<u64, Arc<Task>>,
    begun: u64,
    is_paused: bool,
    is_dead: bool,
    /// Those that could go on if it were not paused.
    held: Vec<Arc<Task>>,
}

struct Sleeper {
    until: u64,
    number: u64,
    waker: Waker,
}

/// A task of a process.
struct Task {
    executor: Arc<Executor>,
    process: usize,
    number: u64,
    work: Mutex<Progress>,
}

struct Progress {
    /// `None` while it runs, and once it has ended.
    work: Option<Work>,
    is_queued: bool,
}

impl Executor {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), passed: AtomicU64::new(0), state: Mutex::default() }
    }

    /// Adds a process, and returns its number.
    pub(super) fn add_process(&self) -> usize {
        let mut state = self.state.lock();
        state.processes.push(Tasks::default());
        state.processes.len() - 1
    }

    /// Runs all processes until this time since the beginning.
    pub(super) fn run_until(&self, end: Duration) {
        let end = nanos(end);
        loop {
            while let Some(task) = self.next() {
                task.go_on();
            }
            let Some(sleeper) = self.next_sleeper(end) else { break };
            self.passed.fetch_max(sleeper.until, Ordering::Relaxed);
            sleeper.waker.wake();
        }
        self.passed.fetch_max(end, Ordering::Relaxed);
    }

    fn next_sleeper(&self, end: u64) -> Option<Sleeper> {
        let mut state = self.state.lock();
        let is_due = state.asleep.peek().is_some_and(|Reverse(first)| first.until <= end);
        is_due.then(|| state.asleep.pop().map(|Reverse(sleeper)| sleeper)).flatten()
    }

    /// Drops the tasks of all processes.
    pub(super) fn end(&self) {
        let processes = self.state.lock().processes.len();
        (0..processes).for_each(|process| self.crash(process));
    }

    pub(super) fn now(&self) -> Instant {
        self.began + self.passed()
    }

    pub(super) fn passed(&self) -> Duration {
        Duration::from_nanos(self.passed.load(Ordering::Relaxed))
    }

    pub(super) fn sleep(self: &Arc<Self>, time: Duration) -> Work {
        let until = self.passed.load(Ordering::Relaxed).saturating_add(nanos(time));
        Box::pin(Sleep { executor: self.clone(), until, is_asleep: false })
    }

    /// Begins a task. A process that has crashed begins none.
    pub(super) fn spawn(self: &Arc<Self>, process: usize, work: Work) {
        let task = {
            let mut state = self.state.lock();
            let tasks = &mut state.processes[process];
            if tasks.is_dead {
                return;
            }
            tasks.begun += 1;
            let (number, progress) = (tasks.begun, Progress { work: Some(work), is_queued: false });
            let task = Arc::new(Task { executor: self.clone(), process, number, work: Mutex::new(progress) });
            tasks.all.insert(number, task.clone());
            task
        };
        task.wake();
    }

    pub(super) fn has_begun(&self, process: usize) -> bool {
        self.state.lock().processes[process].begun > 0
    }

    pub(super) fn set_paused(&self, process: usize, is_paused: bool) {
        let mut state = self.state.lock();
        state.processes[process].is_paused = is_paused;
        if !is_paused {
            let held = std::mem::take(&mut state.processes[process].held);
            state.ready.extend(held);
        }
    }

    /// Drops the tasks of a process, wherever they are.
    pub(super) fn crash(&self, process: usize) {
        let tasks = {
            let mut state = self.state.lock();
            let tasks = &mut state.processes[process];
            tasks.is_dead = true;
            tasks.held.clear();
            std::mem::take(&mut tasks.all)
        };
        for task in tasks.into_values() {
            let work = task.work.lock().work.take();
            drop(work);
        }
    }

    /// Returns the next task that can go on.
    fn next(&self) -> Option<Arc<Task>> {
        let mut state = self.state.lock();
        loop {
            let task = state.ready.pop_front()?;
            let tasks = &mut state.processes[task.process];
            if !tasks.is_paused {
                return Some(task);
            }
            tasks.held.push(task);
        }
    }
}

impl Task {
    fn go_on(self: Arc<Self>) {
        let work = {
            let mut progress = self.work.lock();
            progress.is_queued = false;
            progress.work.take()
        };
        let Some(mut work) = work else { return };
        let waker = Waker::from(self.clone());
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Pending => self.keep(work),
            Poll::Ready(()) => {
                self.executor.state.lock().processes[self.process].all.remove(&self.number);
            }
        }
    }

    /// Keeps what is left of the work, unless the process crashed while it ran.
    fn keep(&self, work: Work) {
        if !self.executor.state.lock().processes[self.process].is_dead {
            self.work.lock().work = Some(work);
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if !std::mem::replace(&mut self.work.lock().is_queued, true) {
            let executor = self.executor.clone();
            executor.state.lock().ready.push_back(self);
        }
    }
}

struct Sleep {
    executor: Arc<Executor>,
    until: u64,
    is_asleep: bool,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.executor.passed.load(Ordering::Relaxed) >= self.until {
            return Poll::Ready(());
        }
        if !std::mem::replace(&mut self.is_asleep, true) {
            let mut state = self.executor.state.lock();
            state.sleeps += 1;
            let sleeper = Sleeper { until: self.until, number: state.sleeps, waker: context.waker().clone() };
            state.asleep.push(Reverse(sleeper));
        }
        Poll::Pending
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl PartialEq for Sleeper {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Sleeper {}

impl PartialOrd for Sleeper {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sleeper {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.until, self.number).cmp(&(other.until, other.number))
    }
}
