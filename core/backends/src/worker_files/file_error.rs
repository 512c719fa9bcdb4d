//! Errors of the files of worker ids.

use leafmint_ids::error::{Error, ErrorKind};
use std::io;
use std::path::Path;

/// Describes what failed with a file, and what to do about it.
pub(crate) fn describe_file_error(path: &Path, error: &io::Error, or: &str) -> Error {
    let (kind, advice) = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            (ErrorKind::InvalidConfig, "this process must be able to write there")
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => (ErrorKind::InvalidConfig, "name a directory"),
        io::ErrorKind::InvalidData => (ErrorKind::InvalidConfig, "remove it"),
        _ if error.raw_os_error() == Some(libc::ELOOP) => {
            (ErrorKind::InvalidConfig, "it must not be a symbolic link: remove it")
        }
        io::ErrorKind::StorageFull => (ErrorKind::StoreUnavailable, "the disk is full"),
        _ => (ErrorKind::StoreUnavailable, "no time was reserved"),
    };
    let text = format!("{}: {error}: {advice}{or}", path.display());
    Error::new(kind, text).with_io_source(error).during(format_args!("using the file {}", path.display()))
}
