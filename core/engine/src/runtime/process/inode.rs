//! The identity of a file, a directory or a socket on this host.

use std::fs::Metadata;
use std::os::fd::RawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::{fs, io, mem};

/// Device and inode number: what locks belong to, whatever the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inode {
    device: u64,
    number: u64,
}

impl Inode {
    pub fn of(metadata: &Metadata) -> Self {
        Self::new(metadata.dev(), metadata.ino())
    }

    pub(super) const fn new(device: u64, number: u64) -> Self {
        Self { device, number }
    }

    pub(super) fn parts(self) -> (u64, u64) {
        (self.device, self.number)
    }

    /// Returns the inode that a path names, without following a link at its end.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|metadata| Self::of(&metadata))
    }

    /// Returns the inode that is open as this descriptor. Allowed in a child of a multi-threaded process.
    #[allow(unsafe_code, clippy::unnecessary_cast)]
    pub fn of_descriptor(descriptor: RawFd) -> io::Result<Self> {
        // SAFETY: a `stat` of zeros is valid, and the call writes to it alone.
        let (answer, status) = unsafe {
            let mut status: libc::stat = mem::zeroed();
            (libc::fstat(descriptor, &raw mut status), status)
        };
        match answer {
            0 => Ok(Self { device: status.st_dev as u64, number: status.st_ino as u64 }),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
