//! Looking at the worker ids of a directory, without taking one.

use super::home::{check_existing_layout, check_origin};
use super::past;
use super::settings::DirectorySettings;
use crate::worker_files::directory_identity::DirectoryIdentity;
use crate::worker_files::file_error::describe_file_error;
use crate::worker_files::worker_state::WorkerState;
use crate::worker_files::{lock_and_state, private_file};
use leafmint_engine::holder::past::{END_OF_TIME, is_for_the_past};
use leafmint_engine::holder::worker_ids::check_allowed;
use leafmint_engine::holder::{SnowflakeCheck, WorkerInfo};
use leafmint_engine::runtime::trusted_path;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::io;

/// Lists the worker ids that were taken at least once.
pub(super) fn list(settings: &DirectorySettings) -> Result<Vec<WorkerInfo>> {
    let DirectorySettings { directory, workers, .. } = settings;
    let known = lock_and_state::known(directory).map_err(|error| describe_file_error(directory, &error, ""))?;
    known.into_iter().filter(|worker_id| workers.contains(*worker_id)).map(|id| info(settings, id)).collect()
}

fn info(settings: &DirectorySettings, worker_id: i64) -> Result<WorkerInfo> {
    let directory = &settings.directory;
    let held = lock_and_state::are_held(directory, worker_id)? || past::is_for_the_past(settings, worker_id);
    let state = lock_and_state::peek(directory, worker_id).and_then(|text| WorkerState::parse(&text));
    Ok(WorkerInfo {
        worker_id,
        held,
        horizon: state.as_ref().map(|state| state.horizon).filter(|horizon| *horizon != END_OF_TIME),
        endpoint: state.map_or_else(String::new, |state| state.owner),
        updated: lock_and_state::written_at(directory, worker_id),
    })
}

/// Checks that this process may write in the directory, and if it is there, whether it may be used, and its layout.
pub(super) fn check(settings: &DirectorySettings) -> Result<SnowflakeCheck> {
    let DirectorySettings { directory, workers, .. } = settings;
    trusted_path::check_directory(directory)?;
    let is_new = !check_existing_layout(settings)?;
    private_file::check_writable(directory).map_err(|error| describe_file_error(directory, &error, ""))?;
    if !is_new {
        let here = DirectoryIdentity::of(directory).map_err(|error| describe_file_error(directory, &error, ""))?;
        check_origin(settings, &here)?;
    }
    let held: Vec<i64> = list(settings)?.iter().filter(|worker| worker.held).map(|worker| worker.worker_id).collect();
    let free_workers = match private_file::check_room(directory) {
        Err(error) if workers.count() > held.len() as i64 => {
            let describe = |error: io::Error| describe_file_error(directory, &error, "");
            let written = lock_and_state::with_state(directory).map_err(describe)?;
            let free = written.iter().filter(|id| workers.contains(**id) && !held.contains(id)).count();
            if free == 0 {
                return Err(describe(error));
            }
            free as i64
        }
        _ => workers.count() - held.len() as i64,
    };
    Ok(SnowflakeCheck { is_new, workers: workers.count(), free_workers, ..SnowflakeCheck::default() })
}

/// A lock cannot be taken from a process, and a worker id without a lock is free: so nothing is ever freed here.
pub(super) fn release(settings: &DirectorySettings, worker_id: i64) -> Result<bool> {
    check_allowed(&settings.workers, worker_id)?;
    if past::is_for_the_past(settings, worker_id) {
        return Err(is_for_the_past(worker_id, &settings.directory.display().to_string()));
    }
    let worker = info(settings, worker_id)?;
    if !worker.held {
        return Ok(false);
    }
    let text = format!(
        "worker id {worker_id} of {} is held by {}, a process of this host: end that process, which frees it",
        settings.directory.display(),
        if worker.endpoint.is_empty() { "a process that is just starting" } else { &worker.endpoint },
    );
    Err(Error::new(ErrorKind::WorkerIdUnavailable, text))
}
