//! A worker id whose files this process has locked.

use super::host_guard::HostGuard;
use super::lead_note::LeadNote;
use super::refusals;
use super::settings::DirectorySettings;
use crate::error::Result;
use crate::events::{self, EventKind};
use crate::holder::directory_identity::DirectoryIdentity;
use crate::holder::state_file::{ReadState, StateFile};
use crate::holder::worker_files::WorkerFiles;
use crate::holder::worker_state::WorkerState;
use crate::holder::{Pace, Token};

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
                let path = files.state_path().display().to_string();
                let text = format_args!(
                    "{path} is damaged: its worker id is not used for as long as its owner may have reserved"
                );
                events::emit(EventKind::StateFileDamaged, &path, text);
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
            owner: settings.endpoint.as_str().chars().take(LONGEST_OWNER).collect(),
            directory_identity: String::new(),
            seen: String::new(),
            layout: settings.layout.clone(),
            row: None,
        })
    }
}
