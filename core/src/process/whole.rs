//! Work that a fork must not cut in two: a fork waits until it is done, for a while.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A fork waits no longer than this. Everything that is done whole takes microseconds, or the time of one write to the disk.
const PATIENCE: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_micros(50);

/// Pieces of work under way, and forks under way.
static INSIDE: AtomicU32 = AtomicU32::new(0);
static FORKING: AtomicU32 = AtomicU32::new(0);

/// The fork that made this process did not wait long enough.
static CUT: AtomicBool = AtomicBool::new(false);

/// A piece of work that is under way until this is dropped.
pub(crate) struct Whole(());

/// Begins a piece of work that a fork must not cut in two. It must not wait for anybody, nor fork.
pub(crate) fn whole() -> Whole {
    enter();
    Whole(())
}

/// Tells whether the fork that made this process has cut such a piece of work in two.
pub(crate) fn was_cut() -> bool {
    CUT.load(Ordering::Relaxed)
}

impl Whole {
    /// Sleeps in the middle of the work, at a point where a fork may cut it.
    pub(crate) fn pause(pause: Duration) {
        leave();
        thread::sleep(pause);
        enter();
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        leave();
    }
}

fn enter() {
    loop {
        INSIDE.fetch_add(1, Ordering::SeqCst);
        if FORKING.load(Ordering::SeqCst) == 0 {
            return;
        }
        leave();
        thread::sleep(LOOK_AGAIN);
    }
}

fn leave() {
    INSIDE.fetch_sub(1, Ordering::SeqCst);
}

/// Called before a fork, in the thread that forks.
pub(super) fn begin_fork() {
    FORKING.fetch_add(1, Ordering::SeqCst);
    if INSIDE.load(Ordering::SeqCst) == 0 {
        return;
    }
    let until = Instant::now() + PATIENCE;
    while INSIDE.load(Ordering::SeqCst) != 0 && Instant::now() < until {
        thread::sleep(LOOK_AGAIN);
    }
}

/// Called after a fork, in the parent.
pub(super) fn end_fork() {
    FORKING.fetch_sub(1, Ordering::SeqCst);
}

/// Called after a fork, in the child: nobody else is there.
pub(super) fn end_fork_in_child() {
    if INSIDE.swap(0, Ordering::SeqCst) != 0 {
        CUT.store(true, Ordering::Relaxed);
    }
    FORKING.store(0, Ordering::SeqCst);
}
