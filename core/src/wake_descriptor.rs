//! A descriptor that an event loop watches: readable from the moment it is raised until it is lowered.

use std::os::fd::{AsFd, BorrowedFd};

#[cfg(target_os = "linux")]
pub(crate) use eventfd::Eventfd as WakeDescriptor;
#[cfg(not(target_os = "linux"))]
pub(crate) use pipe::Pipe as WakeDescriptor;

#[cfg(target_os = "linux")]
mod eventfd {
    use super::{AsFd, BorrowedFd};
    use crate::process::Inode;
    use rustix::event::{EventfdFlags, eventfd};
    use rustix::io::{read, write};
    use std::io;
    use std::mem::ManuallyDrop;
    use std::os::fd::{AsRawFd, OwnedFd};

    /// The kernel's counter with a descriptor. Raising and lowering never block.
    ///
    /// If the program has closed it, its number may be a file's, which is neither written to nor closed. All eventfds
    /// have one inode, so that another eventfd of the program is not recognised.
    pub(crate) struct Eventfd {
        open: ManuallyDrop<OwnedFd>,
        inode: Inode,
    }

    impl Eventfd {
        pub(crate) fn new() -> io::Result<Self> {
            let open = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
            let inode = Inode::of_descriptor(open.as_raw_fd())?;
            Ok(Self { open: ManuallyDrop::new(open), inode })
        }

        pub(crate) fn raise(&self) {
            if self.is_ours() {
                // It cannot fail: the counter would have to reach 2^64 - 1.
                let _ = write(&*self.open, &1_u64.to_ne_bytes());
            }
        }

        pub(crate) fn lower(&self) {
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
    pub(crate) struct Pipe {
        reader: PipeReader,
        writer: PipeWriter,
    }

    impl Pipe {
        pub(crate) fn new() -> io::Result<Self> {
            let (reader, writer) = io::pipe()?;
            fcntl_setfl(&reader, OFlags::NONBLOCK)?;
            fcntl_setfl(&writer, OFlags::NONBLOCK)?;
            Ok(Self { reader, writer })
        }

        pub(crate) fn raise(&self) {
            // It fails if the pipe is full, and then it is readable.
            let _ = (&self.writer).write(&[1]);
        }

        pub(crate) fn lower(&self) {
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

    fn is_readable(descriptor: &impl AsFd) -> bool {
        poll(&mut [PollFd::new(descriptor, PollFlags::IN)], Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).unwrap() == 1
    }

    fn is_readable_while_raised(descriptor: &impl AsFd, raise: impl Fn(), lower: impl Fn()) {
        assert!(!is_readable(descriptor));
        lower();
        // As often as a pipe has no room for.
        for times in [1, 2, 200_000] {
            (0..times).for_each(|_| raise());
            assert!(is_readable(descriptor));
            lower();
            assert!(!is_readable(descriptor), "raised {times} times");
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
        let file = crate::process::Inode::of(&theirs.metadata().unwrap());
        assert_eq!(crate::process::Inode::of_descriptor(number).unwrap(), file);
    }
}
