//! Worker ids for the past in a directory: `<id>.past` has the counters of the blocks, next to the two files that every
//! worker id has.
//!
//! A worker id is taken for the past under its lock, while it has no other file. Whatever becomes of its state file
//! later, a start that finds `<id>.past` leaves the worker id alone; and without a state file of this directory that
//! says so, and names the generation of the counters, nothing is leased of it.

use super::home::{Home, check_origin};
use super::settings::DirectorySettings;
use crate::worker_files::directory_identity::DirectoryIdentity;
use crate::worker_files::file_error::describe_file_error;
use crate::worker_files::lock_and_state::{StateFile, WorkerFiles};
use crate::worker_files::lock_file::{LockFile, Named, Taken};
use crate::worker_files::worker_state::WorkerState;
use crate::worker_files::{lock_and_state, past_file};
use leafmint_engine::holder::lease::lost;
use leafmint_engine::holder::past::{BlockLease, END_OF_TIME, PAST_OWNER, PastWorker, refused, without_counters};
use leafmint_engine::holder::{Generation, PastBlock, PastLease, Token};
use leafmint_ids::error::Result;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Leases sequence numbers of a block: all that it needs of one worker id for the past if one has them, else what the
/// highest one has left, else those of one that is taken for this. `None` if another process is leasing just now.
pub(super) fn lease(settings: &DirectorySettings, home: &Home, block: PastBlock) -> Result<Option<PastLease>> {
    if settings.on_host.is_some() || settings.workers.only().is_some() {
        return Err(refused(&format!("{}:", settings.name)));
    }
    let here = home.open(settings)?;
    check_origin(settings, &here)?;
    let known = known(settings)?;
    let mut left = 0;
    for worker in &known {
        match lease_of(settings, home, *worker, block, block.count)? {
            Found::Leased(lease) => return Ok(Some(lease)),
            Found::Left(numbers) => left += numbers,
            Found::Held => return Ok(None),
        }
    }
    let workers = settings.workers.upper_half();
    let held = lock_and_state::known(&settings.directory);
    let mut held = held.map_err(|error| describe_file_error(&settings.directory, &error, ""))?;
    held.retain(|worker_id| workers.contains(*worker_id));
    let scope = settings.directory.display().to_string();
    block.check_capacity(left, workers.count() - held.len() as i64, &settings.workers, &scope)?;
    for worker in known {
        if let Found::Leased(lease) = lease_of(settings, home, worker, block, 1)? {
            return Ok(Some(lease));
        }
    }
    for worker_id in workers.descending().filter(|worker_id| held.binary_search(worker_id).is_err()) {
        if let Some(worker) = claim(settings, worker_id, &here)? {
            home.remember(settings, &here)?;
            return Ok(match lease_of(settings, home, worker, block, 1)? {
                Found::Leased(lease) => Some(lease),
                Found::Left(_) | Found::Held => None,
            });
        }
        if path(settings, worker_id).symlink_metadata().is_ok() {
            // Another process has just taken it.
            return Ok(None);
        }
    }
    Ok(None)
}

/// What one worker id had to give.
enum Found {
    Leased(PastLease),
    /// Number of sequence numbers that are left: fewer than were asked for.
    Left(i64),
    /// Another process is leasing just now.
    Held,
}

/// Returns the worker ids for the past, the highest one first.
fn known(settings: &DirectorySettings) -> Result<Vec<PastWorker>> {
    let directory = &settings.directory;
    let ids = lock_and_state::known(directory).map_err(|error| describe_file_error(directory, &error, ""))?;
    let allowed = ids.into_iter().rev().filter(|worker_id| settings.workers.contains(*worker_id));
    let worker = |worker_id| Some(PastWorker { worker_id, generation: said_generation(settings, worker_id)? });
    Ok(allowed.filter_map(worker).collect())
}

/// Returns whether a worker id is one for the past.
pub(super) fn is_for_the_past(settings: &DirectorySettings, worker_id: i64) -> bool {
    path(settings, worker_id).symlink_metadata().is_ok() || is_said_to_be(settings, worker_id)
}

/// Takes a worker id that has no file yet. `None` if it has one: some process has taken it before.
fn claim(settings: &DirectorySettings, worker_id: i64, here: &DirectoryIdentity) -> Result<Option<PastWorker>> {
    let (directory, path) = (&settings.directory, path(settings, worker_id));
    if lock_and_state::has_any(directory, worker_id) {
        return Ok(None);
    }
    let Some(files) = WorkerFiles::take(directory, worker_id, "")? else { return Ok(None) };
    // Another process may have come and gone since the look.
    if !files.is_fresh() || files.read()?.is_some() || is_for_the_past(settings, worker_id) {
        return Ok(None);
    }
    let generation = Generation::fresh()?;
    let made = make(&path, directory, generation).map_err(|error| describe_file_error(&path, &error, ""))?;
    let file = StateFile::new(files, here.clone());
    let written = file.write(WorkerState {
        token: Token::past(generation),
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
    written.map(|()| Some(PastWorker { worker_id, generation }))
}

/// Makes the file of the counters, with its mark, and locks it.
fn make(path: &Path, directory: &Path, generation: Generation) -> io::Result<Taken> {
    let made = LockFile::make(path)?;
    if let Taken::Ours(past) = &made {
        let marked = past.file().and_then(|file| past_file::mark(file, generation));
        if let Err(error) = marked.and_then(|()| File::open(directory)?.sync_all()) {
            let _ = fs::remove_file(path);
            return Err(error);
        }
    }
    Ok(made)
}

/// Gives back a worker id whose first state could not be written: on a full disk each attempt would take another one.
/// Nothing was leased of it, as `<id>.past` is locked.
fn undo(past: &LockFile, path: &Path, file: &StateFile) {
    // The state file first: one that says that the worker id is for the past, without its counters, has lost them.
    file.undo();
    if past.named().is_ok_and(|named| named == Named::Ours) {
        let _ = fs::remove_file(path);
    }
}

/// Leases of a worker id for the past, if it has `least` sequence numbers left. Raises `store_regressed` if its
/// counters are gone.
fn lease_of(
    settings: &DirectorySettings,
    home: &Home,
    worker: PastWorker,
    block: PastBlock,
    least: i64,
) -> Result<Found> {
    let PastWorker { worker_id, generation } = worker;
    let path = path(settings, worker_id);
    let describe = |error| describe_file_error(&path, &error, "");
    let gone = || without_counters(worker_id, &settings.directory.display().to_string());
    let file = match LockFile::take_existing(&path).map_err(describe)? {
        Taken::Ours(file) => file,
        Taken::Held => return Ok(Found::Held),
        Taken::Missing => return Err(gone()),
    };
    // A process that has just taken the worker id may have given it back meanwhile.
    if said_generation(settings, worker_id) != Some(generation) {
        return Ok(Found::Left(0));
    }
    let leased = file.file().and_then(|file| past_file::lease(file, generation, block, least)).map_err(describe)?;
    // The next process leases from the file that the path names.
    if file.named().map_err(describe)? != Named::Ours {
        return Err(lost(format!("{} was removed or replaced: nothing was leased", path.display())));
    }
    match leased {
        BlockLease::Leased(sequences) => {
            home.check(settings)?;
            Ok(Found::Leased(PastLease { worker_id, generation, sequences }))
        }
        BlockLease::Left(numbers) => Ok(Found::Left(numbers)),
        BlockLease::Unmarked => Err(gone()),
    }
}

/// Returns whether the state file says that the worker id is one for the past.
fn is_said_to_be(settings: &DirectorySettings, worker_id: i64) -> bool {
    said_generation(settings, worker_id).is_some()
}

/// Returns the generation of the counters, if the state file says that the worker id is one for the past.
fn said_generation(settings: &DirectorySettings, worker_id: i64) -> Option<Generation> {
    let state = lock_and_state::peek(&settings.directory, worker_id).and_then(|text| WorkerState::parse(&text));
    state?.token.generation()
}

fn path(settings: &DirectorySettings, worker_id: i64) -> PathBuf {
    settings.directory.join(format!("{worker_id}.past"))
}
