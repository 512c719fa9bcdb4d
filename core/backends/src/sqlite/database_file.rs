//! The file of a database: the path under which SQLite finds its `-wal` and `-shm`, and the inode that is locked.

use super::{descriptors, file_system};
use leafmint_engine::runtime::process::Inode;
use leafmint_engine::runtime::trusted_path;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::ffi::{CString, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Maximum length of a chain of symbolic links.
const MOST_LINKS: usize = 40;

/// A regular file with one name, which is not known under another path.
pub(super) struct DatabaseFile {
    /// The path without symbolic links: every process that uses the file has its `-wal` and `-shm` next to this one.
    pub(super) path: PathBuf,
    pub(super) inode: Inode,
    pub(super) is_empty: bool,
    /// Distinguishes the file from one that is made later and repeats its inode number; `None` if the file system keeps
    /// no birth times.
    born: Option<SystemTime>,
}

/// One file, for as long as this process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(Inode, Option<SystemTime>);

impl DatabaseFile {
    /// Finds the file that the path names. A missing one is made if `create`. To be called within a `ForkGuard`.
    pub(super) fn find(named: &Path, create: bool) -> Result<Self> {
        trusted_path::check(named)?;
        let path = without_links(named).map_err(|error| unusable(named, &error))?;
        let metadata = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && create => {
                make(&path).and_then(|()| fs::symlink_metadata(&path))
            }
            metadata => metadata,
        };
        let metadata = match metadata {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !create => return Err(gone(named)),
            Err(error) => return Err(unusable(named, &error)),
        };
        check(named, &path, &metadata)?;
        let (inode, born) = (Inode::of(&metadata), metadata.created().ok());
        let found = Self { path, inode, is_empty: metadata.len() == 0, born };
        // SQLite makes them root's if root opens them.
        found.check_others()?;
        Ok(found)
    }

    pub(super) fn identity(&self) -> Identity {
        Identity(self.inode, self.born)
    }

    /// Returns whether the path that the user gave still leads to this file.
    pub(super) fn is_named_by(&self, named: &Path) -> Result<bool> {
        let Ok(metadata) = fs::metadata(named) else {
            return Ok(false);
        };
        check_links(named, &metadata)?;
        self.check_others()?;
        Ok(Inode::of(&metadata) == self.inode)
    }

    /// Refuses a `-wal` or `-shm` that another user has put next to the file.
    fn check_others(&self) -> Result<()> {
        ["-wal", "-shm"].into_iter().try_for_each(|suffix| {
            let mut path = OsString::from(&self.path);
            path.push(suffix);
            trusted_path::check(Path::new(&path))
        })
    }
}

/// Follows symbolic links, of a file that is not there yet as well: SQLite would make the file that they lead to.
fn without_links(named: &Path) -> io::Result<PathBuf> {
    let mut path = named.to_owned();
    for _ in 0..MOST_LINKS {
        match path.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            found => return found,
        }
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { break };
        let folder = folder.canonicalize()?;
        match fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => return Ok(folder.join(name)),
        }
    }
    Err(io::Error::from_raw_os_error(libc::ELOOP))
}

/// Makes an empty file, which is a database without tables. One that another process makes meanwhile is left as it is.
fn make(path: &Path) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let descriptor = descriptors::open(&path, libc::O_RDWR | libc::O_CREAT | libc::O_NOFOLLOW, 0o600);
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    descriptors::release(descriptor);
    Ok(())
}

fn check(named: &Path, path: &Path, metadata: &Metadata) -> Result<()> {
    if !metadata.is_file() {
        return Err(refused(named, "it is not a regular file"));
    }
    if let Some(system) = file_system::shared_between_hosts(path) {
        let problem = format!(
            "it is on a network file system ({system}), where SQLite's locks do not hold: use a local one, or a database server"
        );
        return Err(refused(named, &problem));
    }
    check_links(named, metadata)?;
    trusted_path::check_writers(path, metadata)?;
    if file_system::is_mount_point(path) {
        let problem = "it is a mount point of its own, and a process that uses it under its other path has another -wal and -shm: \
                       mount the directory that it is in";
        return Err(refused(named, problem));
    }
    Ok(())
}

fn check_links(named: &Path, metadata: &Metadata) -> Result<()> {
    let links = metadata.nlink();
    if links > 1 {
        let problem = format!(
            "it has {links} hard links, and a process that uses it under another one has another -wal and -shm: remove the others \
             (find -samefile names them)"
        );
        return Err(refused(named, &problem));
    }
    Ok(())
}

/// The file was removed while it was in use. An empty one in its place would begin at the first id again.
fn gone(named: &Path) -> Error {
    let problem = "it is gone, though this generator has used it: put it back, or open another generator to begin with an empty one";
    Error::new(ErrorKind::StoreUnavailable, format!("SQLite file {}: {problem}", named.display()))
}

/// The path names another file than the one that was used, which may be in use elsewhere: both would lease alike.
pub(super) fn another(named: &Path) -> Error {
    let problem = "it is not the file that this generator has leased from, which was moved, unmounted or replaced, and may be in use \
                   elsewhere; put that one back, or open another generator if no process uses it";
    Error::new(ErrorKind::StoreUnavailable, format!("SQLite file {}: {problem}", named.display()))
}

/// Refuses a path without a database, which a call that only reads must not make.
pub(super) fn check_written(named: &Path) -> Result<()> {
    match fs::metadata(named) {
        Ok(metadata) if metadata.len() > 0 => Ok(()),
        Ok(_) => Err(refused(named, "it is empty")),
        Err(error) => Err(unusable(named, &error)),
    }
}

fn refused(named: &Path, problem: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, format!("SQLite file {}: {problem}", named.display()))
}

fn unusable(named: &Path, error: &io::Error) -> Error {
    let advice = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "does its directory exist?",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "this process must be able to write the file and its directory"
        }
        io::ErrorKind::StorageFull => {
            return Error::new(
                ErrorKind::StoreUnavailable,
                format!("SQLite file {}: the disk is full", named.display()),
            );
        }
        _ if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) => {
            let text = format!("SQLite file {}: {error}: raise the limit of open files (ulimit -n)", named.display());
            return Error::new(ErrorKind::StoreUnavailable, text);
        }
        _ => "can its path be used?",
    };
    refused(named, &format!("{error}: {advice}"))
}
