//! The mode `lease`: any free worker id of a namespace, which is free again when its horizon has passed.

use super::holder_state::HolderState;
use super::row::{Survey, WorkerRow};
use leafmint_engine::holder::lease::millis;
use leafmint_engine::holder::past::reserved;
use leafmint_engine::holder::{Pace, WorkerLease};
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of lost races before giving up. Each time the choice is wider, so that many processes that start on
/// an empty registry spread.
const MOST_ATTEMPTS: u32 = 40;

impl HolderState {
    pub(super) async fn acquire_any(self: &Arc<Self>, survey: Survey) -> Result<WorkerLease> {
        if let Some(lease) = self.restart_any(&survey, false).await? {
            return Ok(lease);
        }
        match self.lease_free(survey).await {
            Err(error) if error.kind() == ErrorKind::WorkerIdUnavailable && self.state_dir.is_some() => {
                self.restart_any(&self.survey().await?, true).await?.ok_or(error)
            }
            other => other,
        }
    }

    /// Continues a lease of this host: one whose floor is near, or with `far` also one whose floor is far ahead of the
    /// clock.
    async fn restart_any(self: &Arc<Self>, survey: &Survey, far: bool) -> Result<Option<WorkerLease>> {
        for worker_id in self.workers_with_state().await? {
            if let Some(plan) = self.plan_restart(worker_id, survey).await?
                && (far || self.is_near(plan.floor))
                && let Some(lease) = self.claim(plan, survey.row(worker_id)).await?
            {
                return Ok(Some(lease));
            }
        }
        Ok(None)
    }

    /// Takes a free worker id: the first one, or after lost races one of the first few.
    async fn lease_free(self: &Arc<Self>, mut survey: Survey) -> Result<WorkerLease> {
        for attempt in 0..MOST_ATTEMPTS {
            let mut free = self.free(&survey);
            let mut first: Vec<(i64, i64)> = free.by_ref().take(1 << attempt.min(10)).collect();
            if first.is_empty() {
                break;
            }
            let chosen = fastrand::usize(..first.len());
            first.swap(0, chosen);
            for (worker_id, floor) in first.into_iter().chain(free) {
                let Some(plan) = self.plan_takeover(worker_id, floor).await? else { continue };
                if let Some(lease) = self.claim(plan, survey.row(worker_id)).await? {
                    return Ok(lease);
                }
                break;
            }
            self.timeline.sleep(Duration::from_millis(fastrand::u64(..20))).await;
            survey = self.survey().await?;
        }
        Err(self.none_free(&survey))
    }

    /// Returns the free worker ids with their floors, in the order in which to try them. There may be very many, of
    /// which the caller takes a few.
    pub(crate) fn free<'a>(&'a self, survey: &'a Survey) -> impl Iterator<Item = (i64, i64)> + Send + 'a {
        let (wall, workers) = (self.clock.wall(), &self.settings.workers);
        let at_once = workers.iter().filter_map(move |worker_id| match survey.row(worker_id) {
            None => Some((worker_id, i64::MIN)),
            Some(row) => (row.horizon <= survey.now && row.horizon <= wall).then_some((worker_id, row.horizon)),
        });
        let allowed = move || survey.rows.iter().filter(|row| workers.contains(row.worker_id));
        // A floor ahead of this host's clock means waiting.
        let ahead = allowed().filter(move |row| row.horizon <= survey.now && row.horizon > wall);
        let mut free = at_once.chain(ahead.map(move |row| (row.worker_id, row.horizon))).peekable();
        let mut nearly: Vec<(i64, i64)> = Vec::new();
        if free.peek().is_none() {
            // Rows without an owner whose horizon lies ahead: an owner with a fast clock released them, or they were
            // evicted. Those further ahead than the largest allowed clock skew stay reserved.
            let most = self.settings.pace.reserved().saturating_add(millis(self.settings.max_clock_skew));
            let near = survey.now.saturating_add(most);
            let is_released = move |row: &&WorkerRow| row.token.is_none() && (survey.now..=near).contains(&row.horizon);
            let released = allowed().filter(is_released);
            nearly.extend(released.map(|row| (row.worker_id, row.horizon)));
            nearly.sort_by_key(|&(_, floor)| floor);
        }
        free.chain(nearly)
    }

    pub(crate) fn none_free(&self, survey: &Survey) -> Error {
        let workers = &self.settings.workers;
        let mut held: Vec<(i64, i64, &str)> = survey
            .rows
            .iter()
            .filter(|row| workers.contains(row.worker_id) && row.horizon > survey.now)
            .map(|row| (row.horizon, row.worker_id, row.endpoint.as_str()))
            .collect();
        held.sort_unstable();
        let named: Vec<String> = held
            .iter()
            .take(16)
            .map(|(horizon, worker_id, endpoint)| {
                format!("{worker_id} by {endpoint} ({})", reserved(*horizon, survey.now))
            })
            .collect();
        let more = if held.len() > named.len() { ", …" } else { "" };
        // Those that the registry calls free are locked, or were taken since the rows were read.
        let starting = match workers.count() - held.len() as i64 {
            0 => String::new(),
            count => format!("; {count} by processes that are just starting, or that are suspended on this host"),
        };
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "all {} worker ids of {} are held: {}{more}{starting}; end one of these processes, wait for the first of them to \
                 expire, or allow more with the option workers",
                workers.count(),
                self.name(),
                named.join(", "),
            ),
        )
    }

    /// Returns whether a floor is so near that it is waited for even if another worker id is free.
    fn is_near(&self, floor: i64) -> bool {
        floor.saturating_sub(self.clock.wall()) <= 2 * Pace::LOCAL.reserved()
    }
}
