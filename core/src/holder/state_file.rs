//! The locked state file of one worker id, which belongs to its directory.

use super::directory_identity::DirectoryIdentity;
use super::durable_file::Content;
use super::worker_files::WorkerFiles;
use super::worker_state::WorkerState;
use crate::error::Result;

/// The state file of a worker id, and its lock file, both locked by this process.
pub(super) struct StateFile {
    pub(super) files: WorkerFiles,
    directory: DirectoryIdentity,
}

/// What a state file was found to hold.
pub(super) enum ReadState {
    /// There is no state file.
    Nothing,
    /// It cannot be read.
    Damaged,
    /// It was written in another directory, and copied into this one.
    Copied,
    State(Box<WorkerState>),
}

impl StateFile {
    pub(super) fn new(files: WorkerFiles, directory: DirectoryIdentity) -> Self {
        Self { files, directory }
    }

    /// Returns the directory that the file was found in.
    pub(super) fn directory(&self) -> &DirectoryIdentity {
        &self.directory
    }

    pub(super) fn read(&self) -> Result<ReadState> {
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
    pub(super) fn write(&self, mut state: WorkerState) -> Result<()> {
        state.directory_identity = self.directory.text.clone();
        state.seen = self.directory.seen.clone();
        self.files.write(&state.to_text())
    }

    /// Removes the files of a worker id whose first state could not be written: it was never held.
    pub(super) fn undo(&self) {
        self.files.undo();
    }

    /// Returns whether a state was written in this boot of the host, on the device that holds its directory now.
    pub(super) fn is_of_this_boot(&self, state: &WorkerState) -> bool {
        self.directory.is_seen_at(&state.seen)
    }

    /// Returns whether the directory may be the copy of another one: a second mounted volume holds the same directory.
    pub(super) fn may_be_cloned(&self) -> bool {
        self.directory.twin().is_some()
    }
}
