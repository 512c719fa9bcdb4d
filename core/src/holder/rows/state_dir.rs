//! The state directory of a namespace on this host: who may go on with a worker id at once, and from where.
//!
//! The registry's row reserves far ahead; under it the state file reserves a few seconds at a time. Whoever holds the lock of a
//! worker id, and a state file of this host whose marks the row still shows, goes on from the file's horizon. Everybody else
//! starts at the row's.

use super::memo::Memo;
use crate::background::files;
use crate::error::Result;
use crate::events::{self, EventKind};
use crate::holder::{Content, DirectoryIdentity, WorkerFiles, name_file_error, private_file, worker_files};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone)]
pub(super) struct StateDir {
    folder: PathBuf,
    /// This host, the registry and the layout, and for fixed worker ids the endpoint. `None` where the host has no name of its
    /// own: then nothing is taken over.
    owner: Option<String>,
}

/// The locked files of one worker id.
pub(super) struct Slot {
    files: WorkerFiles,
    directory: DirectoryIdentity,
    owner: Option<String>,
}

const ADVICE: &str = ", or set state_dir=none";

impl StateDir {
    /// Names the directory; nothing is written.
    pub(super) fn new(root: &Path, registry: &str, layout: &str, endpoint: Option<&str>) -> Self {
        let plain: String = registry.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        // Different names may look the same once they are plain, or be cut.
        let folder = root.join(format!("{:.100}-{:08x}", plain, crc32fast::hash(registry.as_bytes())));
        let owner = host().map(|host| format!("{host}; {registry}; {layout}; {}", endpoint.unwrap_or("any endpoint")));
        Self { folder, owner: owner.map(|owner| owner.replace('\n', " ")) }
    }

    /// Takes the lock of a worker id; `None` where another process of this host holds it.
    pub(super) fn lock(&self, worker_id: i64) -> Result<Option<Slot>> {
        let name = |error: io::Error| name_file_error(&self.folder, &error, ADVICE);
        private_file::make_directory(&self.folder, |error| name_file_error(&self.folder, error, ADVICE))?;
        let Some(files) = WorkerFiles::take(&self.folder, worker_id, ADVICE)? else { return Ok(None) };
        let directory = DirectoryIdentity::of(&self.folder).map_err(name)?;
        Ok(Some(Slot { files, directory, owner: self.owner.clone() }))
    }

    /// Returns the worker ids that have a state file, in ascending order.
    pub(super) fn known(&self) -> Result<Vec<i64>> {
        worker_files::known(&self.folder).map_err(|error| name_file_error(&self.folder, &error, ADVICE))
    }
}

impl Slot {
    /// Reads what this host wrote last; `None` if that is missing, damaged, copied, or another host's or layout's.
    pub(super) fn read(&self) -> Result<Option<Memo>> {
        let memo = match self.files.read()? {
            None => return Ok(None),
            Some(Content::Text(text)) => Memo::parse(&text),
            Some(Content::Nothing | Content::Damaged) => None,
        };
        let Some(memo) = memo else {
            let path = self.files.state_path().display().to_string();
            let text = format_args!("{path} is damaged: what was reserved there counts as reserved up to the row's horizon");
            events::emit(EventKind::StateFileDamaged, &path, text);
            return Ok(None);
        };
        let is_original = || self.directory.is_seen_at(&memo.seen) || self.directory.twin().is_none();
        let is_ours = Some(&memo.owner) == self.owner.as_ref() && self.directory.is_named_by(&memo.directory) && is_original();
        Ok(is_ours.then_some(memo))
    }

    /// Tells whether a state was written in this boot of the host, on the device that holds it now.
    pub(super) fn is_of_this_boot(&self, memo: &Memo) -> bool {
        self.directory.is_seen_at(&memo.seen)
    }

    /// Writes the state; once it returns, the state survives a crash. Raises `lease_lost` if the locks keep nobody out.
    pub(super) fn write(&self, mut memo: Memo) -> Result<()> {
        memo.owner = self.owner.clone().unwrap_or_default();
        memo.directory = self.directory.text.clone();
        memo.seen = self.directory.seen.clone();
        self.files.write(&memo.to_text())
    }

    /// Removes the state: the row is released, so there is nothing to go on with.
    pub(super) fn forget(&self) {
        self.files.remove_state();
    }
}

/// Writes the state, where there is a state file.
pub(super) async fn write(slot: Option<&Arc<Slot>>, memo: Memo) -> Result<()> {
    match slot.cloned() {
        Some(slot) => files().run(move || slot.write(memo)).await,
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
