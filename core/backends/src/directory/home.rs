//! The directory that a holder has taken a worker id from. Whatever its path names later, the holder uses no other one.
//!
//! A directory that was moved, unmounted or hidden may be in use elsewhere, with all that is reserved in it. A process
//! that went on in a new one at the old path would begin at the clock, and repeat the ids of that other user.

use super::refusals;
use super::settings::DirectorySettings;
use crate::worker_files::directory_identity::DirectoryIdentity;
use crate::worker_files::file_error::describe_file_error;
use crate::worker_files::worker_state::WorkerState;
use crate::worker_files::{lock_and_state, private_file};
use leafmint_engine::holder::Token;
use leafmint_engine::holder::lease::other_layout;
use leafmint_engine::runtime::trusted_path;
use leafmint_ids::error::Result;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;
use std::{fs, io};

/// The directory of a holder, from its first lease on. The holder of a forked child remembers that of its parent.
#[derive(Clone, Default)]
pub(super) struct Home(OnceLock<DirectoryIdentity>);

impl Home {
    /// Returns the directory that the path names, which is created before the first lease. Raises what
    /// [`Home::check`] raises, and the errors of a directory that may not be used.
    pub(super) fn open(&self, settings: &DirectorySettings) -> Result<DirectoryIdentity> {
        self.check(settings)?;
        let directory = &settings.directory;
        if self.first().is_none() {
            trusted_path::check(directory)?;
            private_file::make_directory(directory, |error| describe_file_error(directory, error, ""))?;
        }
        check_layout(settings)?;
        DirectoryIdentity::settle(directory).map_err(|error| describe_file_error(directory, &error, ""))
    }

    /// Raises `store_unavailable` if the path names another directory than that of the first lease, or none.
    pub(super) fn check(&self, settings: &DirectorySettings) -> Result<()> {
        self.first().map_or(Ok(()), |first| confirm(settings, first))
    }

    /// Remembers the directory of a lease, whose files are locked. Raises `store_unavailable` if the path names another
    /// one by now.
    pub(super) fn remember(&self, settings: &DirectorySettings, here: &DirectoryIdentity) -> Result<()> {
        confirm(settings, here)?;
        self.0.get_or_init(|| here.clone());
        Ok(())
    }

    fn first(&self) -> Option<&DirectoryIdentity> {
        self.0.get()
    }
}

/// Raises `store_unavailable` unless the path names this directory.
fn confirm(settings: &DirectorySettings, known: &DirectoryIdentity) -> Result<()> {
    let directory = &settings.directory;
    match DirectoryIdentity::of(directory) {
        Ok(here) if here.is_same(known) => Ok(()),
        Err(error) if !is_gone(&error) => Err(describe_file_error(directory, &error, "")),
        Ok(_) | Err(_) => Err(refusals::moved(directory)),
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Refuses a directory in which other users may replace the files, and one that holds ids of another layout.
pub(super) fn check_layout(settings: &DirectorySettings) -> Result<()> {
    let DirectorySettings { directory, layout, .. } = settings;
    let path = directory.join("layout");
    trusted_path::check_directory(directory)?;
    let found = write_once(&path, layout).and_then(|()| private_file::read(&path));
    let found = found.map_err(|error| describe_file_error(&path, &error, ""))?;
    if found == *layout {
        return Ok(());
    }
    Err(other_layout(&directory.display(), &found, layout))
}

/// Returns whether the directory is there and has been used, and refuses one that may not be used or that holds ids of
/// another layout. Creates nothing.
pub(super) fn check_existing_layout(settings: &DirectorySettings) -> Result<bool> {
    if !settings.directory.join("layout").exists() {
        return Ok(false);
    }
    check_layout(settings).map(|()| true)
}

/// Refuses a directory that is a copy, also for worker ids that were not in use when it was made.
pub(super) fn check_origin(settings: &DirectorySettings, here: &DirectoryIdentity) -> Result<()> {
    let directory = &settings.directory;
    let known = lock_and_state::with_state(directory).map_err(|error| describe_file_error(directory, &error, ""))?;
    let read =
        |worker_id| WorkerState::parse(&lock_and_state::peek(directory, worker_id)?).map(|state| (worker_id, state));
    let states: Vec<(i64, WorkerState)> = known.into_iter().filter_map(read).collect();
    if let Some((worker_id, _)) = states.iter().find(|(_, state)| !here.is_named_by(&state.directory_identity)) {
        return Err(refusals::copied(&directory.join(format!("{worker_id}.state"))));
    }
    // Of two volumes that are copies of one another, the one that was in use first in this boot is the original.
    if states.is_empty() || states.iter().any(|(_, state)| here.is_seen_at(&state.seen)) {
        return Ok(());
    }
    here.twin().map_or(Ok(()), |twin| Err(refusals::cloned(directory, &twin)))
}

/// Writes a file that is complete as soon as it exists, unless it exists already.
fn write_once(path: &Path, text: &str) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    let temporary = path.with_extension(format!("{}.new", Token::fresh().map_err(io::Error::other)?));
    let mut file = private_file::make(&temporary)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let linked = written.and_then(|()| fs::hard_link(&temporary, path));
    // Also if the disk is full: each attempt would leave another one.
    fs::remove_file(&temporary)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
