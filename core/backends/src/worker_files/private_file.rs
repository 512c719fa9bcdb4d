//! Opens the files of worker ids, in a directory in which another user of the host may have prepared something else.
//!
//! Links are not followed, and anything but a regular file is refused without waiting for it: a named pipe would block
//! for ever, a device has no end.

use leafmint_ids::error::{Error, Result};
use rustix::fs::{Access, access, statvfs};
use rustix::process::geteuid;
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Bytes for the files of one more worker id, and of the first one of a directory.
const ROOM: u64 = 32_768;

/// Maximum length of a file.
const MOST_BYTES: u64 = 65_536;

const BY_GROUP: u32 = 0o020;
/// A user who may read a file may lock it.
const FOR_ALL: u32 = 0o007;

/// Opens a file that exists.
pub(super) fn open(path: &Path, to_write: bool) -> io::Result<File> {
    check(options().write(to_write).open(path)?)
}

/// Creates a file that must not exist. Only its user may read and write it, and the group if it may write in the
/// directory.
pub fn make(path: &Path) -> io::Result<File> {
    let file = check(options().write(true).create_new(true).open(path)?)?;
    let directory = path.parent().unwrap_or(Path::new(".")).metadata()?;
    if directory.mode() & BY_GROUP != 0 {
        file.set_permissions(Permissions::from_mode(0o660))?;
    }
    Ok(file)
}

/// Reads a short text.
pub fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path, false)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// Returns the error that writing in a directory would have, also in one that would have to be created. Writes nothing.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    Ok(access(existing(path), Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Returns the error that new files in a directory would have if the disk is full. Writes nothing. Files that exist are
/// as long as they ever will be, so they can still be written.
pub(crate) fn check_room(path: &Path) -> io::Result<()> {
    let disk = statvfs(existing(path))?;
    // Some file systems keep blocks for root alone.
    let blocks = if geteuid().is_root() { disk.f_bfree } else { disk.f_bavail };
    // 0 files in all: the file system does not count them.
    let is_full = blocks.saturating_mul(disk.f_frsize) < ROOM || (disk.f_files > 0 && disk.f_favail == 0);
    if is_full { Err(io::Error::from_raw_os_error(libc::ENOSPC)) } else { Ok(()) }
}

/// Returns the directory, or the one that it would be created in.
fn existing(path: &Path) -> &Path {
    path.ancestors().find(|above| above.exists()).unwrap_or_else(|| Path::new("."))
}

/// Creates a directory that only its user may enter, unless it exists.
pub(crate) fn make_directory(path: &Path, describe: impl Fn(&io::Error) -> Error) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| describe(&error))
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options
}

fn check(file: File) -> io::Result<File> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"));
    }
    let mode = metadata.mode() & 0o7777;
    if mode & FOR_ALL != 0 {
        // A restore or a chmod may have opened it. This fails for a file of another member of the group.
        let _ = file.set_permissions(Permissions::from_mode(mode & !FOR_ALL));
    }
    Ok(file)
}
