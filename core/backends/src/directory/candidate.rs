//! The choice of a worker id in a directory.

use super::home::check_origin;
use super::host_guard::HostGuard;
use super::lead_note::LeadNote;
use super::settings::DirectorySettings;
use super::{past, refusals};
use crate::worker_files::directory_identity::DirectoryIdentity;
use crate::worker_files::lock_and_state::{ReadState, StateFile, WorkerFiles};
use crate::worker_files::worker_state::WorkerState;
use leafmint_engine::clock::Clock;
use leafmint_engine::holder::{Pace, Token};
use leafmint_engine::runtime::events;
use leafmint_engine::runtime::events::EventKind;
use leafmint_ids::error::{ErrorKind, Result};
use leafmint_ids::text::beginning;

/// A worker id that was locked, and from when on it is free.
pub(super) struct Candidate {
    pub(super) worker: LockedWorker,
    pub(super) floor: i64,
}

impl Candidate {
    /// Takes the first free worker id whose floor has passed; else the free one whose floor passes first.
    ///
    /// The end of the wait is durable then, also if nothing else says it.
    pub(super) fn choose(settings: &DirectorySettings, here: &DirectoryIdentity, clock: &dyn Clock) -> Result<Self> {
        let now = clock.wall();
        check_origin(settings, here)?;
        let mut best: Option<Candidate> = None;
        let mut refused = None;
        for worker_id in settings.workers.iter() {
            let Some(worker) = LockedWorker::take(settings, worker_id, here)? else { continue };
            if past::is_for_the_past(settings, worker_id) {
                continue;
            }
            let floor = match worker.floor(settings, now) {
                Err(error) if error.kind() == ErrorKind::WorkerIdUnavailable => {
                    refused = Some(error);
                    continue;
                }
                floor => floor?.max(settings.on_host.as_ref().map_or(i64::MIN, |host| host.floor(clock.wall()))),
            };
            if best.as_ref().is_none_or(|best| floor < best.floor) {
                best = Some(Candidate { worker, floor });
            }
            if floor <= now {
                break;
            }
        }
        let best = best.ok_or_else(|| refused.unwrap_or_else(|| refusals::all_held(settings, now)))?;
        best.worker.keep_floor(settings, best.floor)?;
        Ok(best)
    }
}

/// Code points of an owner's name that are kept.
const LONGEST_OWNER: usize = 500;

/// A worker id whose files this process has locked.
pub(super) struct LockedWorker {
    /// Goes first: a process that finds the files unlocked finds the name free as well.
    pub(super) guard: Option<HostGuard>,
    pub(super) worker_id: i64,
    pub(super) state: StateFile,
    note: LeadNote,
}

impl LockedWorker {
    /// Locks the files of a worker id, and takes its name on the host. `None` if another process holds the files.
    pub(super) fn take(settings: &DirectorySettings, worker_id: i64, here: &DirectoryIdentity) -> Result<Option<Self>> {
        let Some(files) = WorkerFiles::take(&settings.directory, worker_id, "")? else { return Ok(None) };
        let note = LeadNote::parse(&files.read_note()?);
        let guard = settings.on_host.as_ref().map(|host| host.take(worker_id)).transpose()?;
        Ok(Some(Self { guard, worker_id, state: StateFile::new(files, here.clone()), note }))
    }

    /// Returns the first millisecond that no earlier lease of the worker id may have stamped.
    pub(super) fn floor(&self, settings: &DirectorySettings, now: i64) -> Result<i64> {
        let files = &self.state.files;
        match self.state.read()? {
            ReadState::State(state) => return Ok(state.horizon),
            ReadState::Copied => return Err(refusals::copied(files.state_path())),
            // No process has ever held an id whose lock file was made just now.
            ReadState::Nothing if files.is_fresh() => return Ok(i64::MIN),
            ReadState::Nothing => {}
            ReadState::Damaged => {
                let text = format_args!(
                    "{} is damaged: its worker id is not used for as long as its owner may have reserved",
                    files.state_path().display()
                );
                // What damages one file often damages all of a directory.
                events::emit(EventKind::StateFileDamaged, &settings.directory.display().to_string(), text);
            }
        }
        // Its last owner cannot have reserved more than this.
        let usual = now.saturating_add(settings.usually_reserved());
        match self.note {
            LeadNote::Never if !files.is_fresh() => Ok(usual),
            LeadNote::Until(until) => Ok(usual.max(until)),
            LeadNote::Never | LeadNote::Unknown => Err(refusals::unknown(files.state_path())),
        }
    }

    /// Writes the floor where the next start finds it, if the state file does not say one. Otherwise every start would
    /// wait anew for all that a lost state may have reserved, and one that gives up sooner would never succeed.
    pub(super) fn keep_floor(&self, settings: &DirectorySettings, floor: i64) -> Result<()> {
        match self.state.read()? {
            ReadState::Nothing | ReadState::Damaged if !self.state.files.is_fresh() => {
                self.write(settings, Token::fresh()?, floor)
            }
            _ => Ok(()),
        }
    }

    /// Makes a horizon durable. Raises `lease_lost` if the locks exclude no process any more.
    pub(super) fn reserve(&mut self, settings: &DirectorySettings, now: i64, token: Token, horizon: i64) -> Result<()> {
        let is_new = self.state.files.is_new();
        let reserved = self.note_and_write(settings, now, token, horizon);
        if reserved.is_err() && is_new {
            // On a full disk each attempt would leave another worker id with a damaged state.
            self.state.undo();
        }
        reserved
    }

    fn note_and_write(&mut self, settings: &DirectorySettings, now: i64, token: Token, horizon: i64) -> Result<()> {
        let usual = now.saturating_add(settings.pace.reserved().min(Pace::LOCAL.reserved()));
        if horizon > usual && !self.note.covers(horizon) {
            let (note, text) = LeadNote::covering(horizon);
            self.state.files.write_note(&text)?;
            self.note = note;
        }
        self.write(settings, token, horizon)
    }

    fn write(&self, settings: &DirectorySettings, token: Token, horizon: i64) -> Result<()> {
        self.state.write(WorkerState {
            token,
            horizon,
            owner: beginning(settings.endpoint.as_str(), LONGEST_OWNER).to_owned(),
            directory_identity: String::new(),
            seen: String::new(),
            layout: settings.layout.clone(),
            row: None,
        })
    }
}
