//! Whether the descriptors that the runtime waits on are still its own.
//!
//! A program may close descriptors that it has not opened (`os.closerange`, `closefrom`). Their numbers soon belong to
//! something else. On an epoll instance of the application the runtime would take the application's data for pointers
//! of its own, and its wake-ups would be written into files of the application.

use rustix::event::{EventfdFlags, eventfd};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::{fs, io};
use tokio::net::UnixDatagram;
use tokio::runtime::Runtime;

/// The epoll instance by which a runtime waits, and a mark that is registered with it.
pub(super) struct OwnPoll {
    /// One of its numbers; `None` if `/proc` does not show it.
    poll: Option<RawFd>,
    mark: OwnedFd,
}

impl OwnPoll {
    /// Finds that of a runtime.
    pub(super) fn of(runtime: &Runtime) -> io::Result<Self> {
        let mark = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let poll = {
            let _entered = runtime.enter();
            let registered = UnixDatagram::unbound()?;
            poll_with(registered.as_raw_fd())
        };
        let found = Self { poll, mark };
        if let Some(poll) = poll {
            found.set(poll, libc::EPOLL_CTL_ADD)?;
        }
        Ok(found)
    }

    /// Returns whether both are as they were: only then can the mark be set again.
    pub(super) fn is_whole(&self) -> bool {
        self.poll.is_none_or(|poll| self.set(poll, libc::EPOLL_CTL_MOD).is_ok())
    }

    /// Sets the mark, which waits for no event.
    #[allow(unsafe_code)]
    fn set(&self, poll: RawFd, operation: libc::c_int) -> io::Result<()> {
        let mut nothing = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: the event is valid for the call, and the kernel checks both numbers.
        match unsafe { libc::epoll_ctl(poll, operation, self.mark.as_raw_fd(), &raw mut nothing) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Returns a number of the epoll instance that a descriptor is registered with.
fn poll_with(registered: RawFd) -> Option<RawFd> {
    let open = fs::read_dir("/proc/self/fd").ok()?;
    let mut numbers = open.filter_map(|entry| {
        let entry = entry.ok()?;
        let is_poll = fs::read_link(entry.path()).ok()?.as_os_str() == "anon_inode:[eventpoll]";
        is_poll.then(|| entry.file_name().to_str()?.parse().ok()).flatten()
    });
    numbers.find(|poll| is_registered(*poll, registered))
}

fn is_registered(poll: RawFd, registered: RawFd) -> bool {
    let registered = registered.to_string();
    let lines = fs::read_to_string(format!("/proc/self/fdinfo/{poll}")).unwrap_or_default();
    lines.lines().any(|line| {
        let mut words = line.split_ascii_whitespace();
        words.next() == Some("tfd:") && words.next() == Some(registered.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::runtime::Builder;

    #[test]
    fn the_descriptors_of_a_runtime_are_found_and_their_loss_is_noticed() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let own = OwnPoll::of(&runtime).unwrap();
        let other = Builder::new_current_thread().enable_all().build().unwrap();
        assert!(own.poll.is_some() && own.is_whole());
        let theirs = OwnPoll::of(&other).unwrap();
        assert_ne!(own.poll, theirs.poll);
        let replaced = OwnPoll { poll: theirs.poll, mark: own.mark.try_clone().unwrap() };
        assert!(!replaced.is_whole(), "another epoll instance has the number");
        assert!(theirs.is_whole());
    }
}
