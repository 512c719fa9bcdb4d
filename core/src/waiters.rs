//! Wakes what waits for a change: threads that block here, and wakers of calls that a binding parks.

use crate::sync::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::sync::MutexGuard;
use std::task::Waker;
use std::time::Instant;

/// The threads and wakers that wait for one thing to change.
pub(crate) struct Waiters {
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
    pub(crate) fn notify_all(&self) {
        self.blocked.notify_all();
        for waker in self.wakers.lock().by_number.values() {
            waker.wake_by_ref();
        }
    }

    /// Waits while `idle` holds, until the deadline at the latest.
    pub(crate) fn wait_while<T>(&self, guard: MutexGuard<'_, T>, until: Instant, idle: impl FnMut(&mut T) -> bool) {
        self.blocked.wait_while(guard, until, idle);
    }

    /// Adds a waker, until [`Waiters::remove`] of the returned number.
    pub(crate) fn add(&self, waker: Waker) -> u64 {
        let mut wakers = self.wakers.lock();
        wakers.last += 1;
        let number = wakers.last;
        wakers.by_number.insert(number, waker);
        number
    }

    /// Removes a waker.
    pub(crate) fn remove(&self, number: u64) {
        self.wakers.lock().by_number.remove(&number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::Wake;

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
