//! The identity of a file on this host.

use std::fs::Metadata;
use std::os::fd::RawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::{fs, io, mem};

/// Device and inode number: what locks belong to, whatever the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Inode {
    device: u64,
    number: u64,
}

impl Inode {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), number: metadata.ino() }
    }

    /// Returns the inode that a path names, without following a link at its end.
    pub(super) fn of_path(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|metadata| Self::of(&metadata))
    }

    /// Returns the inode that is open as this descriptor.
    #[allow(unsafe_code, clippy::unnecessary_cast)]
    pub(super) fn of_descriptor(descriptor: RawFd) -> io::Result<Self> {
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
