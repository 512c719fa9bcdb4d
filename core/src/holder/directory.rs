//! Worker ids of one host: a lock file and a state file per id in a directory. Serves `local`, `worker_map` and `fixed`.

use super::state_file::place;
use super::{
    Damaged, Endpoint, LockFile, Pace, State, StateFile, Token, WorkerIdHolder, WorkerLease, lost, millis, name_file_error,
};
use crate::background::files;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::events::{self, EventKind};
use crate::mutants::weaken;
use crate::store::Answer;
use crate::sync::Mutex;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How a directory of worker ids is used.
#[derive(Clone, Debug)]
pub struct DirectorySettings {
    /// The directory of one namespace; made where it is missing.
    pub directory: PathBuf,
    /// The worker ids that may be taken, in the order in which they are tried.
    pub workers: Vec<i64>,
    /// The layout's fingerprint: the same for everyone in the directory.
    pub layout: String,
    /// Who claims, for messages to others.
    pub endpoint: Endpoint,
    /// How far ahead time is reserved, and how often.
    pub pace: Pace,
    /// `local` or `fixed`, for `stats` and messages.
    pub name: &'static str,
}

/// Worker ids in a directory of this host.
///
/// Scope: the processes that share that directory, on one host (advisory locks do not hold over network file systems).
#[derive(Clone)]
pub struct DirectoryHolder {
    inner: Arc<Inner>,
}

struct Inner {
    settings: DirectorySettings,
    clock: Arc<dyn Clock>,
    held: Mutex<Option<Held>>,
}

/// The present lease and its lock.
struct Held {
    lock: LockFile,
    worker_id: i64,
    token: Token,
    /// What the state file holds.
    horizon: i64,
}

/// A lock that was taken, and from when on its worker id is free.
struct Candidate {
    worker_id: i64,
    lock: LockFile,
    floor: i64,
}

impl DirectoryHolder {
    /// Names the directory; nothing is read or written.
    pub fn new(settings: DirectorySettings, clock: Arc<dyn Clock>) -> Self {
        Self { inner: Arc::new(Inner { settings, clock, held: Mutex::default() }) }
    }

    /// Runs file work in the lane of files.
    fn run<'a, T: Send + 'static>(&self, work: impl FnOnce(&Inner) -> Result<T> + Send + 'static) -> Answer<'a, T> {
        let inner = self.inner.clone();
        Box::pin(files().run(move || work(&inner)))
    }
}

impl Inner {
    fn lock_path(&self, worker_id: i64) -> PathBuf {
        self.settings.directory.join(format!("{worker_id}.lock"))
    }

    fn state_file(&self, worker_id: i64) -> StateFile {
        StateFile::new(self.settings.directory.join(format!("{worker_id}.state")))
    }

    /// Makes the directory, and refuses one that holds ids of another layout.
    fn check_directory(&self) -> Result<()> {
        let Settings { directory, layout, .. } = &self.settings;
        let path = directory.join("layout");
        let written = fs::create_dir_all(directory).and_then(|()| write_once(&path, layout));
        written.and_then(|()| fs::read_to_string(&path)).map_err(|error| self.name(&path, &error)).and_then(|found| {
            if weaken!("directory-of-another-layout", true, found == *layout) {
                return Ok(());
            }
            Err(Error::new(
                ErrorKind::InvalidConfig,
                format!(
                    "{} holds worker ids of the layout {found:?}, not of {layout:?}: use the same layout and epoch, or another namespace",
                    directory.display()
                ),
            ))
        })
    }

    /// Takes the first free worker id whose floor has passed; else the free one whose floor passes first.
    fn choose(&self) -> Result<Candidate> {
        let now = self.clock.wall();
        let mut best: Option<Candidate> = None;
        for &worker_id in &self.settings.workers {
            let path = self.lock_path(worker_id);
            let Some(lock) = LockFile::take(&path).map_err(|error| self.name(&path, &error))? else { continue };
            let floor = self.floor(worker_id, lock.fresh, now)?;
            if best.as_ref().is_none_or(|best| floor < best.floor) {
                best = Some(Candidate { worker_id, lock, floor });
            }
            if floor <= now {
                break;
            }
        }
        best.ok_or_else(|| self.all_held())
    }

    /// Returns the first millisecond that no earlier lease of the worker id may have stamped. Its lock is held.
    fn floor(&self, worker_id: i64, fresh: bool, now: i64) -> Result<i64> {
        let file = self.state_file(worker_id);
        match file.read() {
            Ok(Some(Ok(state))) if self.is_in_place(&state) => Ok(weaken!("directory-floor-is-now", now, state.horizon)),
            Ok(Some(Ok(_))) => Err(self.copied(file.path())),
            // Nobody ever held an id whose lock file we have just made.
            Ok(None) if fresh => Ok(i64::MIN),
            // Whoever held it cannot have reserved more than this.
            Ok(None) => Ok(weaken!("lost-state-file-is-fresh", i64::MIN, now + self.settings.pace.reserved())),
            Ok(Some(Err(Damaged))) => {
                let path = file.path().display().to_string();
                let text =
                    format_args!("{path} is damaged: its worker id is left alone for as long as its owner may have reserved");
                events::tell(EventKind::StateFileDamaged, &path, text);
                Ok(now + self.settings.pace.reserved())
            }
            Err(error) => Err(self.name(file.path(), &error)),
        }
    }

    /// Tells whether a state was written in this directory, and not in one that this is a copy of.
    fn is_in_place(&self, state: &State) -> bool {
        weaken!("copied-directory", true, Some(state.place) == place(&self.settings.directory).ok())
    }

    /// The lock of a copy keeps nobody out who uses the original.
    fn copied(&self, path: &Path) -> Error {
        Error::new(
            ErrorKind::InvalidConfig,
            format!(
                "{} was copied from another directory, whose worker ids may be in use: name that directory; or, once no process \
                 uses it any more, remove the .state files of this one",
                path.display()
            ),
        )
    }

    fn reserve(&self, candidate: Candidate) -> Result<WorkerLease> {
        let Candidate { worker_id, lock, floor } = candidate;
        let token = Token::fresh()?;
        let horizon = self.settings.pace.aim(self.clock.wall(), floor);
        self.write(worker_id, token, horizon)?;
        *self.held.lock() = Some(Held { lock, worker_id, token, horizon });
        Ok(WorkerLease { worker_id, token, floor, horizon })
    }

    fn write(&self, worker_id: i64, token: Token, horizon: i64) -> Result<()> {
        let (owner, layout) = (self.settings.endpoint.to_string(), self.settings.layout.clone());
        let file = self.state_file(worker_id);
        let place = place(&self.settings.directory).map_err(|error| self.name(file.path(), &error))?;
        file.write(&State { token, horizon, owner, place, layout }).map_err(|error| self.name(file.path(), &error))
    }

    /// Does something to the present lease, while nobody else does. The lock is checked to still keep others out.
    fn on_held<T>(&self, lease: &WorkerLease, work: impl FnOnce(&mut Option<Held>) -> Result<T>) -> Result<T> {
        let mut held = self.held.lock();
        self.check_held(&held, lease)?;
        work(&mut held)
    }

    fn check_held(&self, held: &Option<Held>, lease: &WorkerLease) -> Result<()> {
        let Some(held) = held.as_ref().filter(|held| (held.worker_id, held.token) == (lease.worker_id, lease.token)) else {
            return Err(lost(format!("worker id {} is not held any more", lease.worker_id)));
        };
        let path = self.lock_path(lease.worker_id);
        if held.lock.is_in_place().map_err(|error| self.name(&path, &error))? {
            return Ok(());
        }
        Err(lost(format!("the lock file {} was removed or replaced: another process may own the worker id", path.display())))
    }

    fn all_held(&self) -> Error {
        let settings = &self.settings;
        let now = self.clock.wall();
        let holders: Vec<String> = settings
            .workers
            .iter()
            .take(16)
            .map(|&worker_id| match self.state_file(worker_id).read() {
                Ok(Some(Ok(state))) => {
                    format!("{worker_id} by {} (reserved for another {} ms)", state.owner, (state.horizon - now).max(0))
                }
                _ => format!("{worker_id} by a process that is just starting"),
            })
            .collect();
        if let [only] = settings.workers.as_slice() {
            return Error::new(
                ErrorKind::WorkerIdUnavailable,
                format!(
                    "worker id {}, in {}: a worker id is for one process at a time, and a forked child cannot share its parent's; \
                     end that process, or use another id than {only}",
                    holders[0].replacen(" by ", " is held by ", 1),
                    settings.directory.display(),
                ),
            );
        }
        let more = if settings.workers.len() > holders.len() { ", …" } else { "" };
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "all {} worker ids of {} are held: {}{more}; end one of these processes or allow more with the option workers",
                settings.workers.len(),
                settings.directory.display(),
                holders.join(", "),
            ),
        )
    }

    fn name(&self, path: &Path, error: &io::Error) -> Error {
        name_file_error(path, error, "")
    }
}

type Settings = DirectorySettings;

/// Writes a file that is whole as soon as it is there, unless it is there already.
fn write_once(path: &Path, text: &str) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let beside = path.with_extension(format!("{}.new", Token::fresh().map_err(io::Error::other)?));
    let mut file = fs::File::create(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    let linked = fs::hard_link(&beside, path);
    fs::remove_file(&beside)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

impl WorkerIdHolder for DirectoryHolder {
    fn acquire(&self) -> Answer<'_, WorkerLease> {
        Box::pin(async move {
            let candidate = self
                .run(|inner| {
                    *inner.held.lock() = None;
                    inner.check_directory()?;
                    inner.choose()
                })
                .await?;
            // What a crashed owner had reserved is waited for, not led by: so that crashes in a row do not add up. Nothing is
            // written before, and a floor that is further ahead is the business of the clock policy.
            let ahead = candidate.floor.saturating_sub(self.inner.clock.wall());
            if ahead > 0 && ahead <= 2 * self.inner.settings.pace.reserved() {
                tokio::time::sleep(Duration::from_millis(ahead.unsigned_abs())).await;
            }
            self.run(move |inner| inner.reserve(candidate)).await
        })
    }

    fn extend<'a>(&'a self, lease: &'a WorkerLease, horizon: i64) -> Answer<'a, i64> {
        let lease = lease.clone();
        self.run(move |inner| {
            inner.on_held(&lease, |held| {
                let reserved = held.as_ref().map_or(lease.horizon, |held| held.horizon);
                if horizon <= reserved {
                    return Ok(reserved);
                }
                inner.write(lease.worker_id, lease.token, horizon)?;
                // Whoever takes a lock that was put in its place from here on reads what was just written.
                inner.check_held(held, &lease)?;
                if let Some(held) = held {
                    held.horizon = horizon;
                }
                Ok(horizon)
            })
        })
    }

    fn release<'a>(&'a self, lease: &'a WorkerLease, used: i64) -> Answer<'a, ()> {
        let lease = lease.clone();
        self.run(move |inner| {
            inner.on_held(&lease, |held| {
                let reserved = held.as_ref().map_or(lease.horizon, |held| held.horizon);
                let least = weaken!("release-below-the-floor", i64::MIN, lease.floor);
                inner.write(lease.worker_id, lease.token, used.min(reserved).max(least))?;
                // The lock goes last: whoever takes it reads what was written.
                *held = None;
                Ok(())
            })
        })
    }

    fn pace(&self) -> Pace {
        self.inner.settings.pace
    }

    fn name(&self) -> &'static str {
        self.inner.settings.name
    }

    fn scope(&self) -> String {
        let settings = &self.inner.settings;
        format!(
            "{}://{} (scope: the processes of this host that share that directory)",
            settings.name,
            settings.directory.display()
        )
    }

    fn in_child(&self) -> Arc<dyn WorkerIdHolder> {
        let Inner { settings, clock, .. } = &*self.inner;
        let endpoint = settings.endpoint.in_child();
        Arc::new(Self::new(DirectorySettings { endpoint, ..settings.clone() }, clock.clone()))
    }
}

impl Pace {
    /// The pace of state files: 3 seconds ahead, renewed every second.
    pub const LOCAL: Pace = Pace { window: Duration::from_secs(3), heartbeat: Duration::from_secs(1) };

    /// Returns the window in milliseconds.
    pub fn window_millis(&self) -> i64 {
        millis(self.window)
    }
}
