//! The holder over a directory.

use super::candidate::{Candidate, LockedWorker};
use super::home::Home;
use super::settings::DirectorySettings;
use super::{listing, past};
use leafmint_engine::answer::Answer;
use leafmint_engine::clock::Clock;
use leafmint_engine::holder::lease::not_held;
use leafmint_engine::holder::{
    Pace, PastBlock, PastLease, SnowflakeCheck, Token, WorkerIdHolder, WorkerInfo, WorkerLease,
};
use leafmint_engine::round_trip::RoundTrip;
use leafmint_engine::runtime::background::files;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::Result;
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Worker ids in a directory of this host.
///
/// Scope: the processes that share that directory, on one host (advisory locks do not hold over network file systems).
#[derive(Clone)]
pub struct DirectoryHolder {
    state: Arc<HolderState>,
}

struct HolderState {
    settings: DirectorySettings,
    clock: Arc<dyn Clock>,
    home: Home,
    held: Mutex<Option<DirectoryLease>>,
    heartbeat: Mutex<RoundTrip>,
}

/// The lease that is held.
struct DirectoryLease {
    worker: LockedWorker,
    token: Token,
    /// What the state file holds.
    horizon: i64,
}

impl DirectoryHolder {
    /// Names the directory; nothing is read or written.
    pub fn new(settings: DirectorySettings, clock: Arc<dyn Clock>) -> Self {
        Self::at_home(settings, clock, Home::default())
    }

    fn at_home(settings: DirectorySettings, clock: Arc<dyn Clock>, home: Home) -> Self {
        let (held, heartbeat) = (Mutex::default(), Mutex::default());
        Self { state: Arc::new(HolderState { settings, clock, home, held, heartbeat }) }
    }

    /// Runs file work in the lane of the directory's files.
    fn run<'a, T: Send + 'static>(
        &self,
        work: impl FnOnce(&HolderState) -> Result<T> + Send + 'static,
    ) -> Answer<'a, T> {
        let state = self.state.clone();
        Box::pin(async move {
            let used = state.clone();
            files(&state.settings.directory).run(move || work(&used)).await
        })
    }
}

impl HolderState {
    fn reserve(&self, candidate: Candidate) -> Result<WorkerLease> {
        let Candidate { mut worker, floor } = candidate;
        self.home.remember(&self.settings, worker.state.directory())?;
        let token = Token::fresh()?;
        let horizon = self.settings.pace.aim(self.clock.wall(), floor);
        worker.reserve(&self.settings, self.clock.wall(), token, horizon)?;
        let worker_id = worker.worker_id;
        *self.held.lock() = Some(DirectoryLease { worker, token, horizon });
        Ok(WorkerLease { worker_id, token, floor, horizon })
    }
}

/// Returns the lease that is held, if it is still this one.
fn held<'a>(held: &'a mut Option<DirectoryLease>, lease: &WorkerLease) -> Result<&'a mut DirectoryLease> {
    let held = held.as_mut().filter(|held| (held.worker.worker_id, held.token) == (lease.worker_id, lease.token));
    held.ok_or_else(|| not_held(lease))
}

impl WorkerIdHolder for DirectoryHolder {
    fn acquire(&self) -> Answer<'_, WorkerLease> {
        Box::pin(async move {
            let candidate = self
                .run(|state| {
                    *state.held.lock() = None;
                    let here = state.home.open(&state.settings)?;
                    Candidate::choose(&state.settings, &here, &*state.clock)
                })
                .await?;
            // What a crashed owner had reserved is waited for, so that crashes in a row do not add up. No time is
            // reserved before, and a floor that is further ahead is the business of the clock policy.
            let ahead = candidate.floor.saturating_sub(self.state.clock.wall());
            if ahead > 0 && ahead <= 2 * self.state.settings.usually_reserved() {
                tokio::time::sleep(Duration::from_millis(ahead.unsigned_abs())).await;
            }
            self.run(move |state| state.reserve(candidate)).await
        })
    }

    fn extend<'a>(&'a self, lease: &'a WorkerLease, horizon: i64) -> Answer<'a, i64> {
        let lease = lease.clone();
        self.run(move |state| {
            let mut guard = state.held.lock();
            let held = held(&mut guard, &lease)?;
            held.worker.guard.as_ref().inspect(|guard| guard.forget_questions());
            if horizon <= held.horizon {
                held.worker.state.files.check()?;
                return Ok(held.horizon);
            }
            let began = Instant::now();
            held.worker.reserve(&state.settings, state.clock.wall(), lease.token, horizon)?;
            state.heartbeat.lock().note(began.elapsed());
            held.horizon = horizon;
            Ok(horizon)
        })
    }

    fn release<'a>(&'a self, lease: &'a WorkerLease, used: i64) -> Answer<'a, ()> {
        let lease = lease.clone();
        self.run(move |state| {
            let mut guard = state.held.lock();
            let held = held(&mut guard, &lease)?;
            let used = used.min(held.horizon).max(lease.floor);
            let written = held.worker.reserve(&state.settings, state.clock.wall(), lease.token, used);
            // The locks go last: a process that takes them reads what was written. They go also if nothing could be
            // written: the horizon of before stays.
            *guard = None;
            written
        })
    }

    fn lease_past(&self, block: PastBlock) -> Answer<'_, Option<PastLease>> {
        self.run(move |state| past::lease(&state.settings, &state.home, block))
    }

    fn list_workers(&self) -> Answer<'_, Vec<WorkerInfo>> {
        self.run(|state| state.home.check(&state.settings).and_then(|()| listing::list(&state.settings)))
    }

    fn release_worker(&self, worker_id: i64, _force: bool) -> Answer<'_, bool> {
        self.run(move |state| {
            state.home.check(&state.settings)?;
            listing::release(&state.settings, worker_id)
        })
    }

    fn check(&self) -> Answer<'_, SnowflakeCheck> {
        self.run(|state| state.home.check(&state.settings).and_then(|()| listing::check(&state.settings)))
    }

    fn pace(&self) -> Pace {
        self.state.settings.pace
    }

    fn heartbeat_millis(&self) -> Option<f64> {
        self.state.heartbeat.lock().millis()
    }

    fn name(&self) -> &'static str {
        self.state.settings.name
    }

    fn namespace(&self) -> &str {
        self.state.settings.directory.file_name().and_then(OsStr::to_str).unwrap_or_default()
    }

    fn scope(&self) -> String {
        let DirectorySettings { name, directory, .. } = &self.state.settings;
        format!("{name}:{} (scope: the processes of this host that share that directory)", directory.display())
    }

    fn in_child(&self) -> Arc<dyn WorkerIdHolder> {
        let HolderState { settings, clock, home, .. } = &*self.state;
        let endpoint = settings.endpoint.in_child();
        Arc::new(Self::at_home(DirectorySettings { endpoint, ..settings.clone() }, clock.clone(), home.clone()))
    }
}
