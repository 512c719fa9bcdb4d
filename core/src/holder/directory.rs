//! Worker ids of one host: a lock file and a state file per id in a directory. Serves `local`, `worker_map` and `fixed`.

use super::lead_note::LeadNote;
use super::state_file::State;
use super::{
    Content, DirectoryIdentity, Endpoint, HostGuard, HostScope, Pace, Token, WorkerFiles, WorkerIdHolder, WorkerLease, Workers,
    lost, millis, name_file_error, private_file, worker_files,
};
use crate::answer::Answer;
use crate::background::files;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::events::{self, EventKind};
use crate::mutants::weaken;
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
    /// The worker ids that may be taken; the first ones are tried first.
    pub workers: Workers,
    /// The layout's fingerprint: the same for everyone in the directory.
    pub layout: String,
    /// Who claims, for messages to others.
    pub endpoint: Endpoint,
    /// How far ahead time is reserved, and how often.
    pub pace: Pace,
    /// `local` or `fixed`, for `stats` and messages.
    pub name: &'static str,
    /// Keeps the worker ids to one process of the host each, in whatever directory; `None` if only this directory counts.
    pub on_host: Option<HostScope>,
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
    held: Mutex<Option<HeldLease>>,
}

/// A worker id whose files this process has locked.
struct LockedWorker {
    /// Goes first: a process that finds the files unlocked finds the name free as well.
    guard: Option<HostGuard>,
    worker_id: i64,
    files: WorkerFiles,
    directory: DirectoryIdentity,
    note: LeadNote,
}

/// The present lease.
struct HeldLease {
    worker: LockedWorker,
    token: Token,
    /// What the state file holds.
    horizon: i64,
}

/// A worker id that was locked, and from when on it is free.
struct Candidate {
    worker: LockedWorker,
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
    /// Makes the directory, and refuses one that holds ids of another layout.
    fn check_directory(&self) -> Result<()> {
        let Settings { directory, layout, .. } = &self.settings;
        let path = directory.join("layout");
        private_file::make_directory(directory, |error| self.name(directory, error))?;
        write_once(&path, layout).and_then(|()| private_file::read(&path)).map_err(|error| self.name(&path, &error)).and_then(|found| {
            if weaken!("directory-of-another-layout", found == *layout, without = true) {
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

    /// Refuses a directory that is a copy, also for worker ids that were not in use when it was made.
    fn check_origin(&self, here: &DirectoryIdentity) -> Result<()> {
        let directory = &self.settings.directory;
        let known = worker_files::known(directory).map_err(|error| self.name(directory, &error))?;
        let read = |worker_id| State::parse(&worker_files::look(directory, worker_id)?).map(|state| (worker_id, state));
        let states: Vec<(i64, State)> = known.into_iter().filter_map(read).collect();
        if let Some((worker_id, _)) = states.iter().find(|(_, state)| !here.is_named_by(&state.directory)) {
            return Err(self.copied(&directory.join(format!("{worker_id}.state"))));
        }
        // Of two volumes that are copies of one another, the one that was in use first in this boot is the original.
        if states.is_empty() || states.iter().any(|(_, state)| here.is_seen_at(&state.seen)) {
            return Ok(());
        }
        here.twin().map_or(Ok(()), |twin| Err(self.cloned(&twin)))
    }

    /// Takes the first free worker id whose floor has passed; else the free one whose floor passes first.
    fn choose(&self) -> Result<Candidate> {
        let now = self.clock.wall();
        let directory = &self.settings.directory;
        let here = DirectoryIdentity::of(directory).map_err(|error| self.name(directory, &error))?;
        self.check_origin(&here)?;
        let mut best: Option<Candidate> = None;
        let mut refused = None;
        for worker_id in self.settings.workers.iter() {
            let Some(files) = WorkerFiles::take(directory, worker_id, "")? else { continue };
            let note = LeadNote::parse(&files.read_note()?);
            let guard = self.settings.on_host.as_ref().map(|host| host.take(worker_id)).transpose()?;
            let worker = LockedWorker { guard, worker_id, files, directory: here.clone(), note };
            let floor = match self.floor(&worker, now) {
                Err(error) if error.kind() == ErrorKind::WorkerIdUnavailable => {
                    refused = Some(error);
                    continue;
                }
                floor => floor?.max(self.settings.on_host.as_ref().map_or(i64::MIN, |host| host.floor(self.clock.wall()))),
            };
            if best.as_ref().is_none_or(|best| floor < best.floor) {
                best = Some(Candidate { worker, floor });
            }
            if floor <= now {
                break;
            }
        }
        best.ok_or_else(|| refused.unwrap_or_else(|| self.all_held()))
    }

    /// Returns the first millisecond that no earlier lease of the worker id may have stamped. Its files are locked.
    fn floor(&self, worker: &LockedWorker, now: i64) -> Result<i64> {
        let files = &worker.files;
        let content = files.read()?;
        let state = match &content {
            Some(Content::Text(text)) => State::parse(text),
            _ => None,
        };
        match state {
            Some(state) if worker.directory.is_named_by(&state.directory) => {
                return Ok(weaken!("directory-floor-is-now", state.horizon, without = now));
            }
            Some(_) => return Err(self.copied(files.state_path())),
            // Nobody ever held an id whose lock file we have just made.
            None if content.is_none() && files.is_fresh() => return Ok(i64::MIN),
            None => {}
        }
        if content.is_some() {
            let path = files.state_path().display().to_string();
            let text = format_args!("{path} is damaged: its worker id is left alone for as long as its owner may have reserved");
            events::emit(EventKind::StateFileDamaged, &path, text);
        }
        // Whoever held it cannot have reserved more than this.
        let usual = weaken!("lost-state-file-is-fresh", now.saturating_add(self.usually_reserved()), without = i64::MIN);
        match worker.note {
            LeadNote::Never if !files.is_fresh() => Ok(usual),
            LeadNote::Until(until) => Ok(usual.max(until)),
            LeadNote::Never | LeadNote::Unknown => Err(self.unknown(files.state_path())),
        }
    }

    /// Returns how far ahead of the clock an owner reserves without a note, whatever its settings. Milliseconds.
    fn usually_reserved(&self) -> i64 {
        self.settings.pace.reserved().max(Pace::LOCAL.reserved())
    }

    fn unknown(&self, path: &Path) -> Error {
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "{} is damaged, and so is the lock file beside it, or that was removed: nothing says how far the ids of this worker \
                 id are ahead of the clock; use another worker id, or remove both files once no process has used it for longer than \
                 max_clock_lead",
                path.display()
            ),
        )
    }

    /// Locking a copied directory does not exclude users of the original.
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

    fn cloned(&self, twin: &Path) -> Error {
        Error::new(
            ErrorKind::InvalidConfig,
            format!(
                "{} was copied with its volume: the one mounted at {} holds the same directory, whose worker ids may be in use; \
                 unmount the copy of the two; or, to use both, remove the .state files of the copy",
                self.settings.directory.display(),
                twin.display()
            ),
        )
    }

    fn reserve(&self, candidate: Candidate) -> Result<WorkerLease> {
        let Candidate { mut worker, floor } = candidate;
        let token = Token::fresh()?;
        let horizon = self.settings.pace.aim(self.clock.wall(), floor);
        self.write(&mut worker, token, horizon)?;
        let worker_id = worker.worker_id;
        *self.held.lock() = Some(HeldLease { worker, token, horizon });
        Ok(WorkerLease { worker_id, token, floor, horizon })
    }

    /// Makes a horizon durable. Raises `lease_lost` if the locks keep nobody out.
    fn write(&self, worker: &mut LockedWorker, token: Token, horizon: i64) -> Result<()> {
        let usual = self.clock.wall().saturating_add(self.settings.pace.reserved().min(Pace::LOCAL.reserved()));
        if horizon > weaken!("lead-not-noted", usual, without = i64::MAX) && !worker.note.covers(horizon) {
            let (note, text) = LeadNote::covering(horizon);
            worker.files.write_note(&text)?;
            worker.note = note;
        }
        let DirectoryIdentity { text: directory, seen, .. } = &worker.directory;
        let state = State {
            token,
            horizon,
            owner: self.settings.endpoint.to_string(),
            directory: directory.clone(),
            seen: seen.clone(),
            layout: self.settings.layout.clone(),
        };
        worker.files.write(&state.to_text())
    }

    fn all_held(&self) -> Error {
        let settings = &self.settings;
        let now = self.clock.wall();
        let holders: Vec<String> = settings
            .workers
            .iter()
            .take(16)
            .map(|worker_id| match worker_files::look(&settings.directory, worker_id).and_then(|text| State::parse(&text)) {
                Some(state) => {
                    format!("{worker_id} by {} (reserved for another {} ms)", state.owner, (state.horizon - now).max(0))
                }
                None => format!("{worker_id} by a process that is just starting"),
            })
            .collect();
        if let Some(only) = settings.workers.only() {
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
        let more = if settings.workers.count() > holders.len() as i64 { ", …" } else { "" };
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "all {} worker ids of {} are held: {}{more}; end one of these processes or allow more with the option workers",
                settings.workers.count(),
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

/// Returns the lease that is held, if it is still this one.
fn present<'a>(held: &'a mut Option<HeldLease>, lease: &WorkerLease) -> Result<&'a mut HeldLease> {
    let held = held.as_mut().filter(|held| (held.worker.worker_id, held.token) == (lease.worker_id, lease.token));
    held.ok_or_else(|| lost(format!("worker id {} is not held any more", lease.worker_id)))
}

/// Writes a file that is whole as soon as it is there, unless it is there already.
fn write_once(path: &Path, text: &str) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    let beside = path.with_extension(format!("{}.new", Token::fresh().map_err(io::Error::other)?));
    let mut file = private_file::make(&beside)?;
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
            if ahead > 0 && ahead <= 2 * self.inner.usually_reserved() {
                tokio::time::sleep(Duration::from_millis(ahead.unsigned_abs())).await;
            }
            self.run(move |inner| inner.reserve(candidate)).await
        })
    }

    fn extend<'a>(&'a self, lease: &'a WorkerLease, horizon: i64) -> Answer<'a, i64> {
        let lease = lease.clone();
        self.run(move |inner| {
            let mut held = inner.held.lock();
            let held = present(&mut held, &lease)?;
            held.worker.guard.as_ref().inspect(|guard| guard.forget_questions());
            if horizon <= held.horizon {
                held.worker.files.check()?;
                return Ok(held.horizon);
            }
            inner.write(&mut held.worker, lease.token, horizon)?;
            held.horizon = horizon;
            Ok(horizon)
        })
    }

    fn release<'a>(&'a self, lease: &'a WorkerLease, used: i64) -> Answer<'a, ()> {
        let lease = lease.clone();
        self.run(move |inner| {
            let mut guard = inner.held.lock();
            let held = present(&mut guard, &lease)?;
            let least = weaken!("release-below-the-floor", lease.floor, without = i64::MIN);
            inner.write(&mut held.worker, lease.token, used.min(held.horizon).max(least))?;
            // The locks go last: whoever takes them reads what was written.
            *guard = None;
            Ok(())
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
    pub const LOCAL: Pace = Pace { lease_duration: Duration::from_secs(3), heartbeat: Duration::from_secs(1) };

    /// Returns the pace of state files for a layout: two ticks or more are reserved at any time, however long a tick is.
    pub fn local(tick: Duration) -> Self {
        let Pace { lease_duration, heartbeat } = Self::LOCAL;
        Self { lease_duration: lease_duration.max(2 * tick + heartbeat), heartbeat }
    }

    /// Returns `lease_duration` in milliseconds.
    pub fn lease_millis(&self) -> i64 {
        millis(self.lease_duration)
    }
}
