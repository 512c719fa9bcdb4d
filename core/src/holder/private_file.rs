//! Opens the files of worker ids, in a directory where another user of the host may have prepared something else.
//!
//! Links are not followed, and whatever is no regular file is refused without waiting for it: a named pipe would block for ever,
//! a device has no end.

use crate::error::{Error, ErrorKind, Result};
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// No file of ours is longer.
const MOST_BYTES: u64 = 65_536;

const BY_GROUP: u32 = 0o020;
const BY_ALL: u32 = 0o002;

/// Opens a file that exists.
pub(super) fn open(path: &Path, to_write: bool) -> io::Result<File> {
    check(options().write(to_write).open(path)?)
}

/// Makes a file that must not exist. Only its user may read and write it, and the group if it may write in the directory.
pub(super) fn make(path: &Path) -> io::Result<File> {
    let file = check(options().write(true).create_new(true).open(path)?)?;
    let directory = path.parent().unwrap_or(Path::new(".")).metadata()?;
    if directory.mode() & BY_GROUP != 0 {
        file.set_permissions(Permissions::from_mode(0o660))?;
    }
    Ok(file)
}

/// Reads a short text.
pub(super) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path, false)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// Makes a directory that only its user may enter, unless it is there. Refuses one in which other users may replace the files.
pub(super) fn make_directory(path: &Path, name: impl Fn(&io::Error) -> Error) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| name(&error))?;
    let mode = path.metadata().map_err(|error| name(&error))?.mode();
    if mode & BY_ALL != 0 {
        let text = format!(
            "{}: every user of this host may write there (mode {:o}), so anyone could take the worker ids away or repeat them: run \
             chmod o-w; to share it, give its group the right to write",
            path.display(),
            mode & 0o7777
        );
        return Err(Error::new(ErrorKind::InvalidConfig, text));
    }
    Ok(())
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options
}

fn check(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file")),
    }
}
