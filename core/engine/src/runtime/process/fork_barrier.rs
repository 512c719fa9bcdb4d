//! Holds a fork back until work that it must not cut in two is done, for two seconds at most.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time that a fork is held back. Guarded work takes microseconds, or the time of one write to the disk.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_micros(50);

/// Number of guards held, and of forks under way.
static GUARDS: AtomicU32 = AtomicU32::new(0);
static FORKING: AtomicU32 = AtomicU32::new(0);

/// Set in a process whose fork did not wait for a guard.
static CUT: AtomicBool = AtomicBool::new(false);

/// Holds forks of this process back until it is dropped.
pub struct ForkGuard(());

/// Returns whether the fork that made this process cut guarded work in two.
pub fn was_cut_by_fork() -> bool {
    CUT.load(Ordering::Relaxed)
}

impl ForkGuard {
    /// Begins work that a fork must not cut in two. The work must neither wait for another thread nor fork.
    pub fn enter() -> Self {
        enter();
        Self(())
    }

    /// Sleeps in the middle of guarded work, at a point where a fork may cut it.
    pub fn pause(pause: Duration) {
        leave();
        thread::sleep(pause);
        enter();
    }
}

impl Drop for ForkGuard {
    fn drop(&mut self) {
        leave();
    }
}

fn enter() {
    loop {
        GUARDS.fetch_add(1, Ordering::SeqCst);
        if FORKING.load(Ordering::SeqCst) == 0 {
            return;
        }
        leave();
        thread::sleep(LOOK_AGAIN);
    }
}

fn leave() {
    GUARDS.fetch_sub(1, Ordering::SeqCst);
}

/// Waits for the guards. Called before a fork, in the thread that forks.
pub(super) fn begin_fork() {
    FORKING.fetch_add(1, Ordering::SeqCst);
    if GUARDS.load(Ordering::SeqCst) == 0 {
        return;
    }
    let until = Instant::now() + LONGEST_WAIT;
    while GUARDS.load(Ordering::SeqCst) != 0 && Instant::now() < until {
        thread::sleep(LOOK_AGAIN);
    }
}

/// Lets guarded work begin again. Called after a fork, in the parent.
pub(super) fn end_fork() {
    FORKING.fetch_sub(1, Ordering::SeqCst);
}

/// Forgets the guards of the parent's threads. Called after a fork, in the child, which has this one thread.
pub(super) fn end_fork_in_child() {
    if GUARDS.swap(0, Ordering::SeqCst) != 0 {
        CUT.store(true, Ordering::Relaxed);
    }
    FORKING.store(0, Ordering::SeqCst);
}
