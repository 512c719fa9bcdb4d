//! Keeps a fixed worker id to one process of the host at a time, whatever its user and the directory of its state file.
//!
//! The name of an abstract socket can be bound once in a network namespace, by any user, and is free again when the
//! process that has bound it ends. Nothing is sent over the socket: a connection only reports which process it is.

use leafmint_engine::clock::MOST_LEAD;
use leafmint_engine::runtime::process::{ForkGuard, OwnDescriptor, PerProcess};
use leafmint_ids::error::{Error, ErrorKind, Result};
use rustix::io::Errno;
use rustix::net;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use std::fmt::Display;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

/// Maximum number of processes that can learn who holds the name between two heartbeats.
const MOST_QUESTIONS: u8 = 64;

/// Longest tick that a start waits for, to be apart from an owner with another directory.
const LONGEST_TICK: Duration = Duration::from_millis(100);

/// The worker ids that no two processes of the host may have at a time.
#[derive(Clone, Debug)]
pub struct HostScope {
    /// Worker ids of different namespaces are independent of one another.
    pub namespace: String,
    /// The length of a tick of the layout.
    pub tick: Duration,
}

/// The bound name of a worker id, until it is dropped or the process ends. A forked child does not hold it.
pub(super) struct HostGuard {
    socket: PerProcess<OwnDescriptor<OwnedFd>>,
}

impl HostScope {
    /// Binds the name of a worker id. Raises `worker_id_unavailable`, with its owner, if another process has bound it.
    pub(super) fn take(&self, worker_id: i64) -> Result<HostGuard> {
        let _guard = ForkGuard::enter();
        let failed = |error: Errno| self.failed(worker_id, error);
        let name = format!("leafmint/fixed/{}/{worker_id}", self.namespace);
        let address = SocketAddrUnix::new_abstract_name(name.as_bytes()).map_err(failed)?;
        let socket = socket().map_err(failed)?;
        match net::bind(&socket, &address) {
            Err(Errno::ADDRINUSE) => return Err(self.held(worker_id, &owner_of(&address))),
            bound => {
                bound.and_then(|()| net::listen(&socket, i32::from(MOST_QUESTIONS))).map_err(failed)?;
            }
        }
        // No room to register it: thousands of worker ids are held.
        let socket = OwnDescriptor::new(socket).ok_or(Errno::MFILE).map_err(failed)?;
        Ok(HostGuard { socket: PerProcess::new(socket) })
    }

    /// Returns the first millisecond after all that an owner with another directory may have stamped just before it
    /// ended, if its clock was not set back.
    pub(super) fn floor(&self, now: i64) -> i64 {
        if self.tick <= LONGEST_TICK { now.saturating_add(MOST_LEAD + 1) } else { i64::MIN }
    }

    fn held(&self, worker_id: i64, owner: &dyn Display) -> Error {
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "worker id {worker_id} of the namespace {} is held on this host by {owner}, with another state_dir: both would mint \
                 the same ids; end that process, use another worker id, or another namespace if their ids may be the same",
                self.namespace
            ),
        )
    }

    fn failed(&self, worker_id: i64, error: Errno) -> Error {
        let (kind, advice) = match error {
            Errno::ACCESS | Errno::PERM | Errno::AFNOSUPPORT => (
                ErrorKind::InvalidConfig,
                "allow this process Unix sockets (for systemd, AF_UNIX in RestrictAddressFamilies)",
            ),
            _ => (ErrorKind::StoreUnavailable, "no worker id was taken"),
        };
        let text = format!(
            "the socket that keeps worker id {worker_id} of the namespace {} to one process of this host cannot be created: {error}: \
             {advice}",
            self.namespace
        );
        Error::new(kind, text)
    }
}

impl HostGuard {
    /// Drops the connections of processes that asked who holds the name. They would fill the queue, and then no other
    /// process could ask.
    pub(super) fn forget_questions(&self) {
        let Some(socket) = self.socket.get_if_set().and_then(OwnDescriptor::get) else { return };
        for _ in 0..=MOST_QUESTIONS {
            if net::accept(socket).is_err() {
                return;
            }
        }
    }
}

/// Makes a socket that no call waits on, and that a program started by this one does not inherit.
fn socket() -> rustix::io::Result<OwnedFd> {
    net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)
}

/// Describes the process that has bound a name.
fn owner_of(address: &SocketAddrUnix) -> String {
    let asked = socket().and_then(|socket| net::connect(&socket, address).map(|()| socket));
    match asked.ok().and_then(|socket| credentials(&socket)) {
        Some(libc::ucred { pid: 0, uid, .. }) => format!("a process of user {uid} in another container"),
        Some(libc::ucred { pid, uid, .. }) => format!("process {pid} of user {uid}"),
        None => "an unknown process (ss -xlp may show it)".to_owned(),
    }
}

/// Returns who listened on the other end. `rustix` has this too, but its process id cannot be 0, as that of another
/// container is.
#[allow(unsafe_code)]
fn credentials(socket: &OwnedFd) -> Option<libc::ucred> {
    let mut credentials = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the descriptor is open, and the kernel writes at most `length` bytes into the struct.
    let answer = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut credentials).cast(),
            &raw mut length,
        )
    };
    (answer == 0).then_some(credentials)
}
