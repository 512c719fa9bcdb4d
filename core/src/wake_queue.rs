//! Wakes an event loop: a queue of the calls to poll again, and a descriptor that is readable while there are any.

use crate::background::not_started;
use crate::error::Result;
use crate::process::PerProcess;
use crate::sync::Mutex;
use crate::wake_descriptor::WakeDescriptor;
use std::mem::take;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Wake, Waker};

/// The calls of one event loop that may have progressed, by number. The loop watches the descriptor, and needs no
/// thread.
///
/// Any thread may wake a call; that never blocks. A forked child does not touch the queue of its parent, with which it
/// shares the descriptor.
pub struct WakeQueue {
    queue: PerProcess<Arc<Queue>>,
    descriptor: RawFd,
}

struct Queue {
    woken: Mutex<Vec<Arc<Entry>>>,
    descriptor: WakeDescriptor,
}

/// A call that can be woken.
struct Entry {
    /// Weak, since the queue refers to its entries.
    queue: Weak<Queue>,
    number: u64,
    queued: AtomicBool,
}

impl WakeQueue {
    /// Makes an empty queue. Raises `store_unavailable` if there is no descriptor for it.
    pub fn new() -> Result<Self> {
        let descriptor = WakeDescriptor::new().map_err(|error| not_started("the wait on an event loop", &error))?;
        let number = descriptor.as_fd().as_raw_fd();
        let queue = PerProcess::new(Arc::new(Queue { woken: Mutex::default(), descriptor }));
        Ok(Self { queue, descriptor: number })
    }

    /// Returns the descriptor, which is readable while calls are queued.
    pub fn descriptor(&self) -> RawFd {
        self.descriptor
    }

    /// Makes a waker that queues the call of this number.
    pub fn waker(&self, number: u64) -> Waker {
        match self.queue.get_if_set() {
            Some(queue) => {
                Arc::new(Entry { queue: Arc::downgrade(queue), number, queued: AtomicBool::new(false) }).into()
            }
            None => Waker::noop().clone(),
        }
    }

    /// Takes the numbers of the calls that were woken, in the order in which they were. Never blocks. Poll them after
    /// this: what changes later queues them again.
    pub fn take(&self) -> Vec<u64> {
        let Some(queue) = self.queue.get_if_set() else { return Vec::new() };
        // Before the calls are taken: a call that is queued in between leaves the descriptor readable.
        queue.descriptor.lower();
        let woken = take(&mut *queue.woken.lock());
        woken.into_iter().map(Entry::unqueue).collect()
    }
}

impl Queue {
    fn push(&self, entry: Arc<Entry>) {
        let is_first = {
            let mut woken = self.woken.lock();
            woken.push(entry);
            woken.len() == 1
        };
        if is_first {
            self.descriptor.raise();
        }
    }
}

impl Entry {
    fn unqueue(self: Arc<Self>) -> u64 {
        self.queued.store(false, Ordering::Release);
        self.number
    }
}

impl Wake for Entry {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.queued.swap(true, Ordering::AcqRel) {
            return;
        }
        if let Some(queue) = self.queue.upgrade() {
            queue.push(self.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    fn is_readable(queue: &WakeQueue) -> bool {
        let descriptor = &queue.queue.get_if_set().unwrap().descriptor;
        poll(&mut [PollFd::new(descriptor, PollFlags::IN)], Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).unwrap() == 1
    }

    #[test]
    fn the_descriptor_is_readable_while_calls_are_queued_and_each_is_queued_once() {
        let queue = WakeQueue::new().unwrap();
        let wakers = [7, 8].map(|number| queue.waker(number));
        assert!(!is_readable(&queue) && queue.take().is_empty());
        wakers[1].wake_by_ref();
        wakers[0].wake_by_ref();
        wakers[1].wake_by_ref();
        assert!(is_readable(&queue));
        assert_eq!(queue.take(), [8, 7]);
        assert!(!is_readable(&queue) && queue.take().is_empty());
        wakers[1].wake_by_ref();
        assert!(is_readable(&queue));
        assert_eq!(queue.take(), [8]);
    }

    #[test]
    fn a_waker_outlives_its_queue_and_a_queue_with_woken_calls_is_closed() {
        let queue = WakeQueue::new().unwrap();
        let waker = queue.waker(1);
        let inner = Arc::downgrade(queue.queue.get_if_set().unwrap());
        waker.wake_by_ref();
        drop(queue);
        assert_eq!(inner.strong_count(), 0);
        waker.wake();
    }

    #[test]
    fn no_wake_is_lost_between_threads() {
        let queue = Arc::new(WakeQueue::new().unwrap());
        let wakers: Vec<Waker> = (0..4).map(|number| queue.waker(number)).collect();
        std::thread::scope(|scope| {
            for waker in &wakers {
                scope.spawn(|| (0..10_000).for_each(|_| waker.wake_by_ref()));
            }
            (0..10_000).for_each(|_| drop(queue.take()));
        });
        let left = queue.take();
        assert!(left.len() <= 4 && !is_readable(&queue), "{left:?}");
        wakers.iter().for_each(Waker::wake_by_ref);
        assert_eq!(queue.take(), [0, 1, 2, 3]);
    }
}
