//! The state directory of a namespace on this host: who may go on with a worker id at once, and from where.
//!
//! The registry's row reserves far ahead; under it the state file reserves a few seconds at a time. Whoever holds the lock of a
//! worker id, and a state file of this host whose marks the row still shows, goes on from the file's horizon. Everybody else
//! starts at the row's.

use super::memo::Memo;
use crate::error::Result;
use crate::events::{self, EventKind};
use crate::holder::state_file::{place, write_durably};
use crate::holder::{LockFile, lost, name_file_error};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone)]
pub(super) struct StateDir {
    folder: PathBuf,
    /// This host, the registry and the layout, and for fixed worker ids the endpoint. `None` where the host has no name of its
    /// own: then nothing is taken over.
    owner: Option<String>,
    /// This boot of the host; empty where the system does not tell.
    pub(super) boot: String,
}

/// The lock of one worker id, with the place of its state file.
pub(super) struct Slot {
    lock: LockFile,
    lock_path: PathBuf,
    path: PathBuf,
    owner: Option<String>,
    boot: String,
}

impl StateDir {
    /// Names the directory; nothing is written.
    pub(super) fn new(root: &Path, registry: &str, layout: &str, endpoint: Option<&str>) -> Self {
        let plain: String = registry.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        // Different names may look the same once they are plain, or be cut.
        let folder = root.join(format!("{:.100}-{:08x}", plain, crc32fast::hash(registry.as_bytes())));
        let owner = host().map(|host| format!("{host}; {registry}; {layout}; {}", endpoint.unwrap_or("any endpoint")));
        let boot = read_line("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        Self { folder, owner: owner.map(|owner| owner.replace('\n', " ")), boot }
    }

    /// Takes the lock of a worker id; `None` where another process of this host holds it.
    pub(super) fn lock(&self, worker_id: i64) -> Result<Option<Slot>> {
        let lock_path = self.folder.join(format!("{worker_id}.lock"));
        let taken = fs::create_dir_all(&self.folder).and_then(|()| LockFile::take(&lock_path));
        let lock = taken.map_err(|error| name_file_error(&lock_path, &error, ", or set state_dir=none"))?;
        let Some(lock) = lock else { return Ok(None) };
        // The lock of a copy of the directory keeps nobody out who uses the original.
        let place = place(&self.folder).map_err(|error| name_file_error(&self.folder, &error, ", or set state_dir=none"))?;
        Ok(Some(Slot {
            lock,
            lock_path,
            path: self.folder.join(format!("{worker_id}.state")),
            owner: self.owner.as_ref().map(|owner| format!("{owner}; {place}")),
            boot: self.boot.clone(),
        }))
    }

    /// Returns the worker ids that have a state file, in ascending order.
    pub(super) fn known(&self) -> Result<Vec<i64>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| name_file_error(&self.folder, &error, ", or set state_dir=none"))?,
        };
        let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".state")?.parse().ok());
        let mut ids: Vec<i64> = ids.collect();
        ids.sort_unstable();
        Ok(ids)
    }
}

impl Slot {
    /// Reads what this host wrote last; `None` where that is missing, damaged, or another host's or layout's.
    pub(super) fn read(&self) -> Option<Memo> {
        let bytes = fs::read(&self.path).ok()?;
        let Some(memo) = Memo::parse(&bytes) else {
            let path = self.path.display().to_string();
            let text = format_args!("{path} is damaged: what was reserved there counts as reserved up to the row's horizon");
            events::tell(EventKind::StateFileDamaged, &path, text);
            return None;
        };
        (Some(&memo.owner) == self.owner.as_ref()).then_some(memo)
    }

    /// Writes the state; once it returns, the state survives a crash. Raises `lease_lost` where the lock keeps nobody out.
    pub(super) fn write(&self, mut memo: Memo) -> Result<()> {
        memo.owner = self.owner.clone().unwrap_or_default();
        memo.boot = self.boot.clone();
        self.check_in_place()?;
        write_durably(&self.path, memo.to_text().as_bytes()).map_err(|error| self.name(&error))?;
        // Whoever takes a new lock from here on reads what was just written.
        self.check_in_place()
    }

    /// Removes the state: the row is released, so there is nothing to go on with.
    pub(super) fn forget(&self) {
        let _ = fs::remove_file(&self.path);
    }

    fn check_in_place(&self) -> Result<()> {
        if self.lock.is_in_place().map_err(|error| self.name(&error))? {
            return Ok(());
        }
        let path = self.lock_path.display();
        Err(lost(format!("the lock file {path} was removed or replaced: another process may own the worker id")))
    }

    fn name(&self, error: &io::Error) -> crate::Error {
        name_file_error(&self.path, error, ", or set state_dir=none")
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
