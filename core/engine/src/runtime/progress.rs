//! Calls that wait for background work, in both modes: the progress that they watch, and their deadline.
//!
//! The work itself is a task: the refill of a tag, the keepalive of a worker id. It changes a state under a mutex and
//! announces the change; a call looks at the state, and waits for the next announcement until its timeout is over.

use crate::runtime::background;
use crate::runtime::process::Origin;
use crate::sync::{Condvar, Mutex};
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The part of a task's state that waiting calls look at.
#[derive(Default)]
pub struct Progress {
    /// The task is running.
    pub running: bool,
    /// No id is handed out any more.
    pub closed: bool,
    /// The last failure of the task.
    pub last_error: Option<Error>,
    /// When it occurred, in Unix milliseconds.
    pub last_error_at: Option<i64>,
    /// Calls that have had to wait.
    pub waits: i64,
    /// Calls that ended with an error.
    pub failed_calls: i64,
    /// Attempts begun, and the last one that failed.
    attempts: u64,
    failed_attempt: u64,
}

impl Progress {
    /// Counts an attempt that begins.
    pub(crate) fn begin_attempt(&mut self) {
        self.attempts += 1;
    }

    /// Records that the last attempt failed.
    pub(crate) fn fail_attempt(&mut self, error: Error) {
        self.failed_attempt = self.attempts;
        self.note_error(error);
    }

    /// Records a failure that is no attempt's.
    pub(crate) fn note_error(&mut self, error: Error) {
        self.last_error = Some(error);
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        self.last_error_at = since.ok().map(|since| since.as_millis() as i64);
    }

    /// Returns the result of a call, and counts it if it ended with an error other than that of a close.
    pub(crate) fn counted<T>(watched: &Watched<impl AsMut<Self>>, result: Result<T>) -> Result<T> {
        if let Err(error) = &result
            && error.kind() != ErrorKind::Closed
            && !watched.is_inherited()
        {
            watched.lock().as_mut().failed_calls += 1;
        }
        result
    }

    /// Returns the error of the last attempt if it failed for good.
    pub fn refusal(&self) -> Option<&Error> {
        let is_last = self.failed_attempt == self.attempts;
        self.last_error.as_ref().filter(|error| is_last && !error.kind().retryable())
    }
}

/// The state of a task, and the calls that wait for it to change.
pub struct Watched<S> {
    state: Mutex<S>,
    /// Changes announced. Written under the mutex.
    changes: AtomicU64,
    changed: Waiters,
    origin: Origin,
}

impl<S: AsMut<Progress>> Watched<S> {
    pub fn new(state: S) -> Self {
        Self { state: Mutex::new(state), changes: AtomicU64::new(0), changed: Waiters::new(), origin: Origin::here() }
    }

    pub fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock()
    }

    /// Returns the number of changes announced so far.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Announces a change of the state, whose mutex the caller holds: every waiting call looks again.
    pub fn announce(&self, _state: &mut S) {
        self.changes.fetch_add(1, Ordering::Release);
        self.changed.notify_all();
    }

    /// Returns whether the state is the parent's, in a forked child.
    pub(crate) fn is_inherited(&self) -> bool {
        self.origin.is_inherited()
    }
}

/// A call that may wait: its deadline, and the changes that it has seen.
pub struct Call {
    timeout: Duration,
    started: Instant,
    /// Attempts begun before the call. Their failures do not end it.
    attempts: u64,
    /// Changes announced before the call last looked.
    seen: u64,
    has_waited: bool,
    /// The number of the waker, if there is one.
    waker: Option<u64>,
}

impl Call {
    /// Begins a call at the moment `started`.
    pub fn new(timeout: Duration, started: Instant, progress: &Progress) -> Self {
        Self { timeout, started, attempts: progress.attempts, seen: 0, has_waited: false, waker: None }
    }

    /// Returns the timeout that the call began with.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Returns how much of the timeout is left.
    pub fn left(&self, now: Instant) -> Duration {
        self.timeout.saturating_sub(now.saturating_duration_since(self.started))
    }

    /// Looks at the state: [`Call::park`] then waits for later changes. Returns an error if the state is closed, or the
    /// parent's.
    pub fn look<S: AsMut<Progress>>(&mut self, watched: &Watched<S>) -> Result<()> {
        if watched.is_inherited() {
            return Err(background::begun_by_parent());
        }
        self.seen = watched.changes();
        if watched.lock().as_mut().closed { Err(Error::closed()) } else { Ok(()) }
    }

    /// Has [`Call::park`] wait for changes after this number of them: for a call that looked before it began.
    pub(crate) fn has_looked_at(&mut self, changes: u64) {
        self.seen = changes;
    }

    /// Returns the error of an attempt that began after the call and failed for good.
    pub fn check(&self, progress: &Progress) -> Result<()> {
        match &progress.last_error {
            _ if progress.closed => Err(Error::closed()),
            Some(error) if progress.failed_attempt > self.attempts && !error.kind().retryable() => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// Counts the call among those that have had to wait. Returns whether it had not been counted before.
    pub(crate) fn begin_to_wait(&mut self, progress: &mut Progress) -> bool {
        let is_first = !std::mem::replace(&mut self.has_waited, true);
        progress.waits += i64::from(is_first);
        is_first
    }

    /// Returns whether the call has had to wait.
    pub fn has_waited(&self) -> bool {
        self.has_waited
    }

    /// Blocks until a change is announced that the call has not seen, or until the slice or the timeout is over.
    pub fn park<S: AsMut<Progress>>(&self, watched: &Watched<S>, slice: Duration) {
        if watched.is_inherited() {
            return;
        }
        let until = background::deadline(slice.min(self.left(Instant::now())));
        watched.changed.wait_while(watched.lock(), until, |_| watched.changes() == self.seen);
    }

    /// Wakes `waker` at every change from now on, until [`Call::end`].
    pub fn wake<S: AsMut<Progress>>(&mut self, watched: &Watched<S>, waker: Waker) {
        if self.waker.is_none() && !watched.is_inherited() {
            self.waker = Some(watched.changed.add(waker));
        }
    }

    /// Ends the call.
    pub fn end<S: AsMut<Progress>>(&mut self, watched: &Watched<S>) {
        if let Some(waker) = self.waker.take()
            && !watched.is_inherited()
        {
            watched.changed.remove(waker);
        }
    }
}

/// The threads and wakers that wait for one thing to change.
pub struct Waiters {
    blocked: Condvar,
    wakers: Mutex<Wakers>,
}

struct Wakers {
    last: u64,
    by_number: BTreeMap<u64, Waker>,
}

impl Waiters {
    /// Makes waiters without any.
    pub(crate) const fn new() -> Self {
        Self { blocked: Condvar::new(), wakers: Mutex::new(Wakers { last: 0, by_number: BTreeMap::new() }) }
    }

    /// Wakes all waiters. A waker must not block, because this may be called under a mutex.
    pub fn notify_all(&self) {
        self.blocked.notify_all();
        for waker in self.wakers.lock().by_number.values() {
            waker.wake_by_ref();
        }
    }

    /// Waits while `idle` holds, until the deadline at the latest.
    pub fn wait_while<T>(&self, guard: MutexGuard<'_, T>, until: Instant, idle: impl FnMut(&mut T) -> bool) {
        self.blocked.wait_while(guard, until, idle);
    }

    /// Adds a waker, until [`Waiters::remove`] of the returned number.
    pub fn add(&self, waker: Waker) -> u64 {
        let mut wakers = self.wakers.lock();
        wakers.last += 1;
        let number = wakers.last;
        wakers.by_number.insert(number, waker);
        number
    }

    /// Removes a waker.
    pub fn remove(&self, number: u64) {
        self.wakers.lock().by_number.remove(&number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leafmint_ids::error::ErrorKind;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::Wake;

    #[derive(Default)]
    struct State(Progress);

    impl AsMut<Progress> for State {
        fn as_mut(&mut self) -> &mut Progress {
            &mut self.0
        }
    }

    fn refused() -> Error {
        Error::new(ErrorKind::UnknownTag, "it is unknown")
    }

    #[test]
    fn an_attempt_that_fails_for_good_ends_the_calls_that_began_before_it() {
        let mut progress = Progress::default();
        let before = Call::new(Duration::from_secs(1), Instant::now(), &progress);
        progress.begin_attempt();
        let after = Call::new(Duration::from_secs(1), Instant::now(), &progress);
        progress.fail_attempt(refused());
        assert_eq!(before.check(&progress), Err(refused()));
        assert_eq!(after.check(&progress), Ok(()));
        assert_eq!(progress.refusal(), Some(&refused()));
        progress.begin_attempt();
        assert_eq!(progress.refusal(), None, "another attempt is under way");
        progress.fail_attempt(Error::new(ErrorKind::StoreUnavailable, "it is away"));
        assert_eq!(before.check(&progress), Ok(()), "the task keeps trying");
    }

    #[test]
    fn a_change_ends_a_park_and_only_a_change_after_the_look() {
        let watched = Arc::new(Watched::new(State::default()));
        let mut call = Call::new(Duration::from_secs(60), Instant::now(), &watched.lock().0);
        watched.announce(&mut watched.lock());
        call.park(&watched, Duration::from_secs(60));
        call.has_looked_at(0);
        call.park(&watched, Duration::from_secs(60));
        call.look(&watched).unwrap();
        let began = Instant::now();
        call.park(&watched, Duration::from_millis(20));
        assert!(began.elapsed() >= Duration::from_millis(20), "the call had seen that change");
        let announcing = {
            let watched = watched.clone();
            std::thread::spawn(move || watched.announce(&mut watched.lock()))
        };
        call.park(&watched, Duration::from_secs(60));
        announcing.join().unwrap();
        assert!(began.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn a_closed_state_ends_every_call_and_a_wait_is_counted_once() {
        let watched = Watched::new(State::default());
        let mut call = Call::new(Duration::ZERO, Instant::now(), &watched.lock().0);
        assert!(call.begin_to_wait(&mut watched.lock().0) && !call.begin_to_wait(&mut watched.lock().0));
        assert_eq!((watched.lock().0.waits, call.has_waited(), call.left(Instant::now())), (1, true, Duration::ZERO));
        watched.lock().0.closed = true;
        assert_eq!(call.look(&watched).unwrap_err().kind(), ErrorKind::Closed);
        assert_eq!(call.check(&watched.lock().0).unwrap_err().kind(), ErrorKind::Closed);
    }

    struct Count(AtomicU32);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_waker_is_woken_by_every_change_until_it_is_removed() {
        let (waiters, counts) = (Waiters::new(), [0; 2].map(|_| Arc::new(Count(AtomicU32::new(0)))));
        let numbers = counts.clone().map(|count| waiters.add(count.into()));
        waiters.notify_all();
        waiters.remove(numbers[0]);
        waiters.notify_all();
        assert_eq!(counts.map(|count| count.0.load(Ordering::Relaxed)), [1, 2]);
    }
}
