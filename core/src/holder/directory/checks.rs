//! Whether a directory may be used: its layout, and whether it is a copy.

use super::refusals;
use super::settings::DirectorySettings;
use crate::error::Result;
use crate::holder::directory_identity::DirectoryIdentity;
use crate::holder::file_error::describe_file_error;
use crate::holder::lease::other_layout;
use crate::holder::worker_state::WorkerState;
use crate::holder::{Token, private_file, worker_files};
use crate::trusted_path;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

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
    let known = worker_files::with_state(directory).map_err(|error| describe_file_error(directory, &error, ""))?;
    let read =
        |worker_id| WorkerState::parse(&worker_files::peek(directory, worker_id)?).map(|state| (worker_id, state));
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
