//! The two files of a worker id on one host, both locked by its owner: `<id>.lock` and `<id>.state`.
//!
//! The state is written in place, through the locked file itself. So an owner whose files were removed or replaced
//! writes to a file that no process reads, and never over what its successor wrote. There are two locks, so that
//! removing either file frees nothing: as long as the owner has the other one, no other process gets the worker id.

use super::directory_identity::DirectoryIdentity;
use super::durable_file::Content;
use super::file_error::describe_file_error;
use super::lock_file::{LockFile, Named, Taken};
use super::worker_state::WorkerState;
use super::{durable_file, lock_file, private_file};
use leafmint_engine::holder::lease::lost;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::UNIX_EPOCH;
use std::{fs, io};

/// An owner whose state file was removed creates another one. If that is removed again and again, the lease is lost.
const MOST_ATTEMPTS: usize = 3;

/// The locked files of one worker id.
pub struct WorkerFiles {
    lock: LockFile,
    lock_path: PathBuf,
    /// `None` until there is one: a worker id that is only inspected gets no state file.
    state: Mutex<Option<LockFile>>,
    state_path: PathBuf,
    directory: PathBuf,
    /// A state or a note was written.
    is_used: AtomicBool,
    /// What else to do about a file that cannot be used.
    advice: &'static str,
}

impl WorkerFiles {
    /// Locks the files of a worker id. `None` if another process holds either of them.
    pub fn take(directory: &Path, worker_id: i64, advice: &'static str) -> Result<Option<Self>> {
        let lock_path = lock_path(directory, worker_id);
        let state_path = state_path(directory, worker_id);
        let Some(lock) = LockFile::take(&lock_path).map_err(|error| describe_file_error(&lock_path, &error, advice))?
        else {
            return Ok(None);
        };
        let (directory, is_used) = (directory.to_owned(), AtomicBool::new(false));
        let mut files = Self { lock, lock_path, state: Mutex::default(), state_path, directory, is_used, advice };
        files.state = match LockFile::take_existing(&files.state_path) {
            Ok(Taken::Ours(state)) => Mutex::new(Some(state)),
            Ok(Taken::Missing) => Mutex::default(),
            Ok(Taken::Held) => return Ok(None),
            Err(error) => return Err(files.describe(&files.state_path, &error)),
        };
        Ok(Some(files))
    }

    /// Returns whether the lock file had to be created.
    pub(crate) fn is_fresh(&self) -> bool {
        self.lock.fresh
    }

    /// Returns whether there is neither a state file nor was there a lock file: no process has ever held the worker id.
    pub(crate) fn is_new(&self) -> bool {
        self.is_fresh() && self.state.lock().is_none()
    }

    /// Returns the path of the state file, for messages.
    pub(crate) fn state_path(&self) -> &Path {
        &self.state_path
    }

    /// Reads the state; `None` if there is no state file.
    pub fn read(&self) -> Result<Option<Content>> {
        let state = self.state.lock();
        let content = state.as_ref().map(|state| state.file().and_then(durable_file::read)).transpose();
        content.map_err(|error| self.describe(&self.state_path, &error))
    }

    /// Raises `lease_lost` if the locks exclude no process any more.
    pub fn check(&self) -> Result<()> {
        self.check_lock()?;
        match self.names(&self.state.lock())? {
            Named::Ours | Named::Nothing => Ok(()),
            Named::Another => Err(replaced(&self.state_path)),
        }
    }

    /// Writes the state; once it returns, the state survives a crash. Raises `lease_lost` if the locks exclude no
    /// process any more.
    pub fn write(&self, text: &str) -> Result<()> {
        self.is_used.store(true, Ordering::Relaxed);
        let mut state = self.state.lock();
        for _ in 0..MOST_ATTEMPTS {
            self.check_lock()?;
            if self.names(&state)? == Named::Nothing {
                *state = Some(self.make_state()?);
            }
            if self.names(&state)? == Named::Ours {
                let written = state.as_ref().map(|state| state.file().and_then(|file| durable_file::write(file, text)));
                written.transpose().map_err(|error| self.describe(&self.state_path, &error))?;
            }
            // A process that locks the files that the paths name from here on reads what was just written, if they are
            // still these.
            self.check_lock()?;
            match self.names(&state)? {
                Named::Ours => return Ok(()),
                Named::Nothing => {}
                Named::Another => break,
            }
        }
        Err(replaced(&self.state_path))
    }

    /// Removes the state file: there is nothing to continue with.
    pub(crate) fn remove_state(&self) {
        if self.names(&self.state.lock()).is_ok_and(|named| named == Named::Ours) {
            let _ = fs::remove_file(&self.state_path);
        }
    }

    /// Removes the state file, and at the end the lock file if it was made for this: the worker id was never held.
    pub(super) fn undo(&self) {
        self.remove_state();
        self.is_used.store(false, Ordering::Relaxed);
    }

    /// Reads what the lock file itself holds.
    pub(crate) fn read_note(&self) -> Result<Content> {
        self.lock.file().and_then(durable_file::read).map_err(|error| self.describe(&self.lock_path, &error))
    }

    /// Writes into the lock file itself.
    pub(crate) fn write_note(&self, text: &str) -> Result<()> {
        self.is_used.store(true, Ordering::Relaxed);
        let written = self.lock.file().and_then(|file| durable_file::write(file, text));
        written.map_err(|error| self.describe(&self.lock_path, &error))
    }

    fn make_state(&self) -> Result<LockFile> {
        match LockFile::make(&self.state_path) {
            Ok(Taken::Ours(state)) => {
                let synced = File::open(&self.directory).and_then(|directory| directory.sync_all());
                synced.map(|()| state).map_err(|error| self.describe(&self.directory, &error))
            }
            Ok(Taken::Held | Taken::Missing) => Err(replaced(&self.state_path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(replaced(&self.state_path)),
            Err(error) => Err(self.describe(&self.state_path, &error)),
        }
    }

    fn check_lock(&self) -> Result<()> {
        match self.lock.named().map_err(|error| self.describe(&self.lock_path, &error))? {
            Named::Ours => Ok(()),
            Named::Another | Named::Nothing if self.lock.has_a_name() => Err(moved(&self.lock_path)),
            Named::Another | Named::Nothing => Err(replaced(&self.lock_path)),
        }
    }

    fn names(&self, state: &Option<LockFile>) -> Result<Named> {
        let named = state.as_ref().map_or(Ok(Named::Nothing), LockFile::named);
        named.map_err(|error| self.describe(&self.state_path, &error))
    }

    fn describe(&self, path: &Path, error: &io::Error) -> Error {
        describe_file_error(path, error, self.advice)
    }
}

/// A start that was refused, or lost the worker id to another process, leaves no lock file: the next start would take
/// it for that of an owner.
impl Drop for WorkerFiles {
    fn drop(&mut self) {
        let is_vain = self.is_fresh() && !self.is_used.load(Ordering::Relaxed);
        if is_vain && self.lock.named().is_ok_and(|named| named == Named::Ours) {
            let _ = fs::remove_file(&self.lock_path);
        }
    }
}

/// Reads the state of a worker id that another process may hold.
pub fn peek(directory: &Path, worker_id: i64) -> Option<String> {
    match private_file::open(&state_path(directory, worker_id), false)
        .and_then(|file| durable_file::read(&file))
        .ok()?
    {
        Content::Text(text) => Some(text),
        Content::Nothing | Content::Damaged => None,
    }
}

/// Returns whether a process holds the files of a worker id.
pub(crate) fn are_held(directory: &Path, worker_id: i64) -> Result<bool> {
    let held = |path: &Path| lock_file::is_held(path).map_err(|error| describe_file_error(path, &error, ""));
    Ok(held(&lock_path(directory, worker_id))? || held(&state_path(directory, worker_id))?)
}

/// Returns when the state was written last, in Unix milliseconds.
pub(crate) fn written_at(directory: &Path, worker_id: i64) -> Option<i64> {
    let modified = fs::symlink_metadata(state_path(directory, worker_id)).ok()?.modified().ok()?;
    Some(modified.duration_since(UNIX_EPOCH).ok()?.as_millis() as i64)
}

/// Returns the worker ids that have a state file, in ascending order.
pub fn with_state(directory: &Path) -> io::Result<Vec<i64>> {
    with_extension(directory, &[".state"])
}

/// Returns whether a worker id has a file.
pub(crate) fn has_any(directory: &Path, worker_id: i64) -> bool {
    [lock_path(directory, worker_id), state_path(directory, worker_id)]
        .iter()
        .any(|path| path.symlink_metadata().is_ok())
}

/// Returns the worker ids that have a file, in ascending order.
pub fn known(directory: &Path) -> io::Result<Vec<i64>> {
    with_extension(directory, &[".state", ".lock", ".past"])
}

fn with_extension(directory: &Path, extensions: &[&str]) -> io::Result<Vec<i64>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let id_of = |name: &str| extensions.iter().find_map(|extension| name.strip_suffix(extension))?.parse().ok();
    let mut ids: Vec<i64> = entries.flatten().filter_map(|entry| id_of(entry.file_name().to_str()?)).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

fn lock_path(directory: &Path, worker_id: i64) -> PathBuf {
    directory.join(format!("{worker_id}.lock"))
}

fn state_path(directory: &Path, worker_id: i64) -> PathBuf {
    directory.join(format!("{worker_id}.state"))
}

fn moved(path: &Path) -> Error {
    lost(format!(
        "the file {} was moved, unmounted or hidden, with its directory or alone: another process may own the worker id",
        path.display()
    ))
}

fn replaced(path: &Path) -> Error {
    lost(format!("the file {} was removed or replaced: another process may own the worker id", path.display()))
}

/// The state file of a worker id, and its lock file, both locked by this process.
pub struct StateFile {
    pub files: WorkerFiles,
    directory: DirectoryIdentity,
}

/// What a state file was found to hold.
pub enum ReadState {
    /// There is no state file.
    Nothing,
    /// It cannot be read.
    Damaged,
    /// It was written in another directory, and copied into this one.
    Copied,
    State(Box<WorkerState>),
}

impl StateFile {
    pub fn new(files: WorkerFiles, directory: DirectoryIdentity) -> Self {
        Self { files, directory }
    }

    /// Returns the directory that the file was found in.
    pub fn directory(&self) -> &DirectoryIdentity {
        &self.directory
    }

    pub fn read(&self) -> Result<ReadState> {
        let state = match self.files.read()? {
            None => return Ok(ReadState::Nothing),
            Some(Content::Text(text)) => WorkerState::parse(&text),
            Some(Content::Nothing | Content::Damaged) => None,
        };
        Ok(match state {
            Some(state) if self.directory.is_named_by(&state.directory_identity) => ReadState::State(Box::new(state)),
            Some(_) => ReadState::Copied,
            None => ReadState::Damaged,
        })
    }

    /// Writes the state; once it returns, the state survives a crash. Raises `lease_lost` if the locks exclude no
    /// process any more.
    pub fn write(&self, mut state: WorkerState) -> Result<()> {
        state.directory_identity = self.directory.text.clone();
        state.seen = self.directory.seen.clone();
        self.files.write(&state.to_text())
    }

    /// Removes the files of a worker id whose first state could not be written: it was never held.
    pub fn undo(&self) {
        self.files.undo();
    }

    /// Returns whether a state was written in this boot of the host, on the device that holds its directory now.
    pub(crate) fn is_of_this_boot(&self, state: &WorkerState) -> bool {
        self.directory.is_seen_at(&state.seen)
    }

    /// Returns whether the directory may be the copy of another one: a second mounted volume holds the same directory.
    pub(crate) fn may_be_cloned(&self) -> bool {
        self.directory.twin().is_some()
    }
}
