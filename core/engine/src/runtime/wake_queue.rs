//! Wakes an event loop: a queue of the calls to poll again, and a descriptor that is readable while there are any.

use crate::runtime::background::not_started;
use crate::runtime::process::PerProcess;
use crate::sync::Mutex;
use leafmint_ids::error::Result;
use std::mem::take;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Wake, Waker};

#[cfg(target_os = "linux")]
pub use eventfd::Eventfd as WakeDescriptor;
#[cfg(not(target_os = "linux"))]
pub use pipe::Pipe as WakeDescriptor;

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

#[cfg(target_os = "linux")]
mod eventfd {
    use super::{AsFd, BorrowedFd};
    use crate::runtime::process::Inode;
    use rustix::event::{EventfdFlags, eventfd};
    use rustix::io::{read, write};
    use std::io;
    use std::mem::ManuallyDrop;
    use std::os::fd::{AsRawFd, OwnedFd};

    /// The kernel's counter with a descriptor. Raising and lowering never block.
    ///
    /// If the program has closed it, its number may be a file's, which is neither written to nor closed. All eventfds
    /// have one inode, so that another eventfd of the program is not recognised.
    pub struct Eventfd {
        open: ManuallyDrop<OwnedFd>,
        inode: Inode,
    }

    impl Eventfd {
        pub fn new() -> io::Result<Self> {
            let open = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
            let inode = Inode::of_descriptor(open.as_raw_fd())?;
            Ok(Self { open: ManuallyDrop::new(open), inode })
        }

        pub fn raise(&self) {
            if self.is_ours() {
                // It cannot fail: the counter would have to reach 2^64 - 1.
                let _ = write(&*self.open, &1_u64.to_ne_bytes());
            }
        }

        pub fn lower(&self) {
            if self.is_ours() {
                let _ = read(&*self.open, &mut [0; 8]);
            }
        }

        fn is_ours(&self) -> bool {
            Inode::of_descriptor(self.open.as_raw_fd()).ok() == Some(self.inode)
        }
    }

    impl Drop for Eventfd {
        #[allow(unsafe_code)]
        fn drop(&mut self) {
            if self.is_ours() {
                // SAFETY: it is dropped here alone, and not used after it.
                unsafe { ManuallyDrop::drop(&mut self.open) };
            }
        }
    }

    impl AsFd for Eventfd {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.open.as_fd()
        }
    }
}

/// Platforms without eventfd. Compiled for tests everywhere.
#[cfg(any(test, not(target_os = "linux")))]
mod pipe {
    use super::{AsFd, BorrowedFd};
    use rustix::fs::{OFlags, fcntl_setfl};
    use std::io::{self, PipeReader, PipeWriter, Read, Write};

    /// A pipe with bytes in it while it is raised. Raising and lowering never block.
    pub(super) struct Pipe {
        reader: PipeReader,
        writer: PipeWriter,
    }

    impl Pipe {
        pub(super) fn new() -> io::Result<Self> {
            let (reader, writer) = io::pipe()?;
            fcntl_setfl(&reader, OFlags::NONBLOCK)?;
            fcntl_setfl(&writer, OFlags::NONBLOCK)?;
            Ok(Self { reader, writer })
        }

        pub(super) fn raise(&self) {
            // It fails if the pipe is full, and then it is readable.
            let _ = (&self.writer).write(&[1]);
        }

        pub(super) fn lower(&self) {
            while matches!((&self.reader).read(&mut [0; 64]), Ok(64)) {}
        }
    }

    impl AsFd for Pipe {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.reader.as_fd()
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

    fn descriptor_is_readable(descriptor: &impl AsFd) -> bool {
        poll(&mut [PollFd::new(descriptor, PollFlags::IN)], Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).unwrap() == 1
    }

    fn is_readable_while_raised(descriptor: &impl AsFd, raise: impl Fn(), lower: impl Fn()) {
        assert!(!descriptor_is_readable(descriptor));
        lower();
        // As often as a pipe has no room for.
        for times in [1, 2, 200_000] {
            (0..times).for_each(|_| raise());
            assert!(descriptor_is_readable(descriptor));
            lower();
            assert!(!descriptor_is_readable(descriptor), "raised {times} times");
        }
    }

    #[test]
    fn it_is_readable_while_it_is_raised() {
        let native = WakeDescriptor::new().unwrap();
        is_readable_while_raised(&native, || native.raise(), || native.lower());
        let pipe = pipe::Pipe::new().unwrap();
        is_readable_while_raised(&pipe, || pipe.raise(), || pipe.lower());
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[allow(unsafe_code)]
    fn a_file_that_has_the_number_by_now_is_neither_written_to_nor_closed() {
        use std::os::fd::AsRawFd;
        let (native, theirs) = (WakeDescriptor::new().unwrap(), tempfile::tempfile().unwrap());
        let number = native.as_fd().as_raw_fd();
        // SAFETY: what was open at the number is not used again.
        assert_eq!(unsafe { libc::dup2(theirs.as_raw_fd(), number) }, number);
        native.raise();
        native.lower();
        drop(native);
        assert_eq!(theirs.metadata().unwrap().len(), 0);
        let file = crate::runtime::process::Inode::of(&theirs.metadata().unwrap());
        assert_eq!(crate::runtime::process::Inode::of_descriptor(number).unwrap(), file);
    }
}
