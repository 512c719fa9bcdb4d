//! The state directory of a namespace on this host: which process may continue with a worker id at once, and from
//! where.
//!
//! The registry's row reserves far ahead; under it the state file reserves a few seconds at a time. A process that
//! holds the lock of a worker id, and finds a state file of this host with a version that the row still shows,
//! continues from the file's horizon. Every other process starts at the row's.

use crate::worker_files::directory_identity::DirectoryIdentity;
use crate::worker_files::file_error::describe_file_error;
use crate::worker_files::lock_and_state::{ReadState, StateFile, WorkerFiles};
use crate::worker_files::worker_state::{RowState, WorkerState};
use crate::worker_files::{lock_and_state, private_file};
use leafmint_engine::holder::Token;
use leafmint_engine::runtime::background::{Lane, files};
use leafmint_engine::runtime::events::EventKind;
use leafmint_engine::runtime::{events, trusted_path};
use leafmint_ids::error::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

#[derive(Clone)]
pub(super) struct StateDir {
    folder: PathBuf,
    layout: String,
    /// This host, the registry and the layout, and for fixed worker ids the endpoint. `None` if the host has no name of
    /// its own: then no lease is continued.
    owner: Option<String>,
}

/// The locked state file of one worker id.
pub(super) struct RowFile {
    file: StateFile,
    folder: PathBuf,
    layout: String,
    owner: Option<String>,
}

/// What a state file says about a row that this host may continue with.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The first Unix millisecond that no process of this host may have stamped.
    pub(super) horizon: i64,
    pub(super) row: RowState,
    /// It was written in this boot of the host, on the device that holds it now.
    pub(super) is_of_this_boot: bool,
}

const ADVICE: &str = ", or set state_files=false";

impl StateDir {
    /// Names the directory; nothing is written.
    pub(super) fn new(root: &Path, registry: &str, layout: &str, endpoint: Option<&str>) -> Self {
        let plain: String =
            registry.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        // Different names may look the same once they are plain, or be cut.
        let folder = root.join(format!("{:.100}-{:08x}", plain, crc32fast::hash(registry.as_bytes())));
        let owner = host().map(|host| format!("{host}; {registry}; {layout}; {}", endpoint.unwrap_or("any endpoint")));
        let owner =
            owner.map(|owner| owner.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect());
        Self { folder, layout: layout.to_owned(), owner }
    }

    /// Returns where its files are read and written.
    pub(super) fn lane(&self) -> Arc<Lane> {
        files(&self.folder)
    }

    /// Raises the error of a directory that this process may not write in, or that has no room for another worker id
    /// and no free one. Writes nothing.
    pub(super) fn check(&self) -> Result<()> {
        let describe = |error: io::Error| describe_file_error(&self.folder, &error, ADVICE);
        trusted_path::check_directory(&self.folder)?;
        private_file::check_writable(&self.folder).map_err(describe)?;
        let Err(full) = private_file::check_room(&self.folder) else { return Ok(()) };
        for worker_id in self.workers()? {
            if !lock_and_state::are_held(&self.folder, worker_id)? {
                return Ok(());
            }
        }
        Err(describe(full))
    }

    /// Takes the lock of a worker id; `None` if another process of this host holds it.
    pub(super) fn lock(&self, worker_id: i64) -> Result<Option<RowFile>> {
        let describe = |error: &io::Error| describe_file_error(&self.folder, error, ADVICE);
        trusted_path::check(&self.folder)?;
        private_file::make_directory(&self.folder, describe)?;
        trusted_path::check_directory(&self.folder)?;
        let Some(files) = WorkerFiles::take(&self.folder, worker_id, ADVICE)? else { return Ok(None) };
        let here = DirectoryIdentity::settle(&self.folder).map_err(|error| describe(&error))?;
        let (file, folder) = (StateFile::new(files, here), self.folder.clone());
        Ok(Some(RowFile { file, folder, layout: self.layout.clone(), owner: self.owner.clone() }))
    }

    /// Returns the worker ids that have a state file, in ascending order.
    pub(super) fn workers(&self) -> Result<Vec<i64>> {
        lock_and_state::with_state(&self.folder).map_err(|error| describe_file_error(&self.folder, &error, ADVICE))
    }
}

impl RowFile {
    /// Returns where the file is read and written.
    pub(super) fn lane(&self) -> Arc<Lane> {
        files(&self.folder)
    }

    /// Reads what this host wrote last; `None` if that is missing, damaged, copied, or another host's or layout's.
    pub(super) fn read(&self) -> Result<Option<Kept>> {
        let state = match self.file.read()? {
            ReadState::Nothing | ReadState::Copied => return Ok(None),
            ReadState::State(state) => state,
            ReadState::Damaged => {
                let text = format_args!(
                    "{} is damaged: the time up to the row's horizon counts as reserved, not only what it said",
                    self.file.files.state_path().display()
                );
                events::emit(EventKind::StateFileDamaged, &self.folder.display().to_string(), text);
                return Ok(None);
            }
        };
        let is_of_this_boot = self.file.is_of_this_boot(&state);
        let is_ours = Some(&state.owner) == self.owner.as_ref() && (is_of_this_boot || !self.file.may_be_cloned());
        Ok(state.row.filter(|_| is_ours).map(|row| Kept { horizon: state.horizon, row, is_of_this_boot }))
    }

    /// Writes the state; once it returns, the state survives a crash. Raises `lease_lost` if the locks exclude no
    /// process any more.
    fn write(&self, token: Token, horizon: i64, row: RowState) -> Result<()> {
        let is_new = self.file.files.is_new();
        let written = self.file.write(WorkerState {
            token,
            horizon,
            owner: self.owner.clone().unwrap_or_default(),
            directory_identity: String::new(),
            seen: String::new(),
            layout: self.layout.clone(),
            row: Some(row),
        });
        if written.is_err() && is_new {
            // The row is claimed only after this.
            self.file.undo();
        }
        written
    }

    /// Removes the state: the row is released, so there is nothing to continue with.
    pub(super) fn forget(&self) {
        self.file.files.remove_state();
    }
}

/// Writes the state, if there is a state file.
pub(super) async fn write(file: Option<&Arc<RowFile>>, token: Token, horizon: i64, row: RowState) -> Result<()> {
    match file.cloned() {
        Some(file) => file.lane().run(move || file.write(token, horizon, row)).await,
        None => Ok(()),
    }
}

/// Names this host: by its name and by the id that its installation was given.
fn host() -> Option<String> {
    let name = read_line("/proc/sys/kernel/hostname").or_else(|| read_line("/etc/hostname"))?;
    Some(format!("{name} {}", read_line("/etc/machine-id").unwrap_or_default()))
}

fn read_line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker_files::durable_file::Content;
    use crate::worker_files::worker_state::RowVersion;

    fn state_dir(root: &Path) -> StateDir {
        StateDir::new(root, "mysql://h/db, namespace n", "leaf", None)
    }

    #[test]
    fn what_this_host_wrote_is_read_back() {
        let root = tempfile::tempdir().unwrap();
        let file = state_dir(root.path()).lock(5).unwrap().unwrap();
        assert!(file.read().unwrap().is_none());
        let token = Token::fresh().unwrap();
        let row = RowState { known: Some(RowVersion { token, horizon: 9 }), ..RowState::default() };
        file.write(token, 7, row.clone()).unwrap();
        let kept = file.read().unwrap().unwrap();
        assert_eq!((kept.horizon, kept.row, kept.is_of_this_boot), (7, row, true));
    }

    #[test]
    fn a_state_of_another_host_or_directory_is_not_continued() {
        let root = tempfile::tempdir().unwrap();
        let file = state_dir(root.path()).lock(5).unwrap().unwrap();
        file.write(Token::fresh().unwrap(), 7, RowState::default()).unwrap();
        let Some(Content::Text(text)) = file.file.files.read().unwrap() else { panic!("it was written") };
        for (line, other) in [("owner ", "owner elsewhere "), ("directory inode ", "directory inode 1")] {
            // With a checksum that holds.
            file.file.files.write(&text.replace(line, other)).unwrap();
            assert!(file.read().unwrap().is_none(), "{other}");
        }
        file.file.files.write(&text).unwrap();
        assert!(file.read().unwrap().is_some());
    }
}
