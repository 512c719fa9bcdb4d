//! Worker ids for the past in a directory: `<id>.past` has the counters of the blocks, next to the two files that every
//! worker id has.
//!
//! A worker id is taken for the past under its lock, while it has no other file. Whatever becomes of its state file
//! later, a start that finds `<id>.past` leaves the worker id alone; and without a state file of this directory that
//! says so, nothing is leased of it.

use super::checks::check_origin;
use super::home::Home;
use super::settings::DirectorySettings;
use crate::error::Result;
use crate::holder::file_error::describe_file_error;
use crate::holder::lease::lost;
use crate::holder::lock_file::{LockFile, Named, Taken};
use crate::holder::past::{END_OF_TIME, PAST_OWNER, PastBlock, PastLease, none_left, refused};
use crate::holder::state_file::StateFile;
use crate::holder::worker_files::{self, WorkerFiles};
use crate::holder::worker_state::WorkerState;
use crate::holder::{Token, directory_identity::DirectoryIdentity, past_file};
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What came of an attempt to lease.
pub(super) enum Attempt {
    Leased(PastLease),
    /// Another process is leasing just now.
    Held,
}

/// What one worker id had to give.
enum Found {
    Sequences(Range<i64>),
    Nothing,
    Held,
}

/// Leases sequence numbers of a block, with the highest worker id for the past that has some left.
pub(super) fn lease(settings: &DirectorySettings, home: &Home, block: PastBlock) -> Result<Attempt> {
    if settings.on_host.is_some() || settings.workers.only().is_some() {
        return Err(refused(&format!("{}:", settings.name)));
    }
    let here = home.open(settings)?;
    check_origin(settings, &here)?;
    let scope = settings.directory.display().to_string();
    for worker_id in settings.workers.descending() {
        let is_there = path(settings, worker_id).symlink_metadata().is_ok();
        if !is_there && !claim(settings, worker_id, &here)? {
            continue;
        }
        home.remember(settings, &here)?;
        match lease_of(settings, worker_id, block)? {
            Found::Sequences(sequences) => {
                home.check(settings)?;
                return Ok(Attempt::Leased(PastLease { worker_id, sequences }));
            }
            Found::Held => return Ok(Attempt::Held),
            Found::Nothing => {}
        }
    }
    Err(none_left(&scope))
}

/// Returns whether a worker id is one for the past.
pub(super) fn is_for_the_past(settings: &DirectorySettings, worker_id: i64) -> bool {
    path(settings, worker_id).symlink_metadata().is_ok() || is_said_to_be(settings, worker_id)
}

/// Takes a worker id that has no file yet. Returns false if it has one: some process has taken it before.
fn claim(settings: &DirectorySettings, worker_id: i64, here: &DirectoryIdentity) -> Result<bool> {
    let (directory, path) = (&settings.directory, path(settings, worker_id));
    if worker_files::has_any(directory, worker_id) {
        return Ok(false);
    }
    let Some(files) = WorkerFiles::take(directory, worker_id, "")? else { return Ok(false) };
    // Another process may have come and gone since the look.
    if !files.is_fresh() || files.read()?.is_some() || is_for_the_past(settings, worker_id) {
        return Ok(false);
    }
    let made = LockFile::make(&path).and_then(|made| File::open(directory)?.sync_all().map(|()| made));
    let made = made.map_err(|error| describe_file_error(&path, &error, ""))?;
    let file = StateFile::new(files, here.clone());
    let written = file.write(WorkerState {
        token: Token::PAST,
        horizon: END_OF_TIME,
        owner: PAST_OWNER.to_owned(),
        directory_identity: String::new(),
        seen: String::new(),
        layout: settings.layout.clone(),
        row: None,
    });
    if let (Err(_), Taken::Ours(past)) = (&written, &made) {
        undo(past, &path, &file);
    }
    written.map(|()| true)
}

/// Gives back a worker id whose first state could not be written: on a full disk each attempt would take another one.
/// Nothing was leased of it, as `<id>.past` is locked.
fn undo(past: &LockFile, path: &Path, file: &StateFile) {
    if past.named().is_ok_and(|named| named == Named::Ours) && fs::remove_file(path).is_ok() {
        file.undo();
    }
}

fn lease_of(settings: &DirectorySettings, worker_id: i64, block: PastBlock) -> Result<Found> {
    let path = path(settings, worker_id);
    let describe = |error| describe_file_error(&path, &error, "");
    let file = match LockFile::take_existing(&path).map_err(describe)? {
        Taken::Ours(file) => file,
        Taken::Held => return Ok(Found::Held),
        Taken::Missing => return Ok(Found::Nothing),
    };
    if !is_said_to_be(settings, worker_id) {
        return Ok(Found::Nothing);
    }
    let leased = file.file().and_then(|file| past_file::lease(file, block)).map_err(describe)?;
    // The next process leases from the file that the path names.
    match file.named().map_err(describe)? {
        Named::Ours => Ok(leased.map_or(Found::Nothing, Found::Sequences)),
        Named::Another | Named::Nothing => {
            Err(lost(format!("{} was removed or replaced: nothing was leased", path.display())))
        }
    }
}

/// Returns whether the state file says that the worker id is one for the past.
fn is_said_to_be(settings: &DirectorySettings, worker_id: i64) -> bool {
    let state = worker_files::peek(&settings.directory, worker_id).and_then(|text| WorkerState::parse(&text));
    state.is_some_and(|state| state.token == Token::PAST)
}

fn path(settings: &DirectorySettings, worker_id: i64) -> PathBuf {
    settings.directory.join(format!("{worker_id}.past"))
}
