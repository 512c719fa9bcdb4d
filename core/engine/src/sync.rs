//! The locks and atomics of the core, and a wait that spins.
//!
//! Locks and atomics are the standard library's: a child of a fork forgets a lock that another thread held, together
//! with what it guards, and no other memory refers to it. `parking_lot` keeps a table of waiting threads for all locks;
//! the child would inherit it with threads that are gone, and whose stacks its own threads reuse.
//!
//! `tests/loom` compiles the limit cell, the segment buffer and the tickets against a `sync` of its own, so that what
//! is model-checked is what runs.

pub use std::sync::atomic::{AtomicI64, Ordering};

use std::sync::{MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// A mutex that a panic leaves usable: the guarded values are consistent between any two statements.
#[derive(Debug, Default)]
pub struct Mutex<T>(std::sync::Mutex<T>);

impl<T> Mutex<T> {
    /// Makes a mutex.
    pub const fn new(value: T) -> Self {
        Self(std::sync::Mutex::new(value))
    }

    /// Locks it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks it, unless it is locked.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Ok(guard) => Some(guard),
        }
    }
}

/// A condition that threads wait for.
#[derive(Debug, Default)]
pub struct Condvar(std::sync::Condvar);

impl Condvar {
    pub const fn new() -> Self {
        Self(std::sync::Condvar::new())
    }

    /// Wakes all threads that wait.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }

    /// Waits while `idle` holds, until the deadline at the latest.
    pub fn wait_while<T>(&self, guard: MutexGuard<'_, T>, until: Instant, idle: impl FnMut(&mut T) -> bool) {
        let left = until.saturating_duration_since(Instant::now());
        drop(self.0.wait_timeout_while(guard, left, idle));
    }
}

/// Pauses between two looks at the clock.
const PAUSES: u32 = 8;

/// Spins for this time, measured since processors pause for 1 to 140 cycles. The caller's next read begins after that.
///
/// Without the fence the processor mispredicts the end of the loop again and again and reads ahead, which takes the
/// cache line from the thread that the wait should leave it to.
pub(crate) fn spin(time: Duration) {
    let began = Instant::now();
    while began.elapsed() < time {
        (0..PAUSES).for_each(|_| std::hint::spin_loop());
    }
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: every processor of this architecture has the instruction.
    unsafe {
        std::arch::x86_64::_mm_lfence();
    }
}
