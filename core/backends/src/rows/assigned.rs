//! The modes `fixed` and `forever`: the worker id that a table, or Leaf's own nodes, assign to this endpoint.
//!
//! An owner reports its last time where its worker id is assigned. leafmint writes these reports for other programs,
//! such as Leaf, and reads what those wrote.

use super::holder_state::{ClaimPlan, HolderState};
use super::row::{Survey, WorkerRow};
use super::{Assigned, Assignments, Report};
use leafmint_engine::holder::WorkerLease;
use leafmint_engine::holder::lease::lost;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Maximum number of times that the row may change while it is being taken.
const MOST_ATTEMPTS: u32 = 5;

impl HolderState {
    pub(super) async fn acquire_assigned(
        self: &Arc<Self>,
        assignments: &dyn Assignments,
        mut survey: Survey,
    ) -> Result<WorkerLease> {
        let assigned = assignments.assign().await?;
        let worker_id = assigned.worker_id;
        for _ in 0..MOST_ATTEMPTS {
            let plan = match self.plan_restart(worker_id, &survey).await? {
                Some(plan) => plan,
                None => self.plan_claim(worker_id, &survey).await?,
            };
            let floor = plan.floor.max(self.reported_floor(assigned, &survey)?);
            if assignments.is_watched() {
                self.refuse_ahead(worker_id, floor)?;
            }
            if let Some(lease) = self.claim(ClaimPlan { floor, ..plan }, survey.row(worker_id)).await? {
                return Ok(lease);
            }
            survey = self.survey().await?;
        }
        Err(self.taken(worker_id, "another process that is just starting"))
    }

    /// Plans to take the worker id without a state file: it was never held here, was released, or its horizon has
    /// passed.
    async fn plan_claim(&self, worker_id: i64, survey: &Survey) -> Result<ClaimPlan> {
        let row = survey.row(worker_id);
        if let Some(row) = row.filter(|row| row.is_leased(survey.now)) {
            let text = format!("{} (reserved for another {} ms)", row.endpoint, row.horizon - survey.now);
            return Err(self.taken(worker_id, &text));
        }
        let plan = self.plan_takeover(worker_id, row.map_or(i64::MIN, |row| row.horizon)).await?;
        plan.ok_or_else(|| self.taken(worker_id, "another process of this host"))
    }

    /// Refuses a floor that is too far ahead to be waited for: a Leaf server that comes back on this endpoint begins at
    /// the clock, and would reach stamps ahead of it.
    fn refuse_ahead(&self, worker_id: i64, floor: i64) -> Result<()> {
        let ahead = floor.saturating_sub(self.clock.wall());
        if ahead > self.longest_wait() {
            let text = format!(
                "the worker id {worker_id} of {} in {} is free in {} s: the time until then may be used up, and beside Leaf \
                 servers no id is stamped ahead of the clock",
                self.settings.endpoint,
                self.name(),
                ahead.saturating_add(999) / 1000,
            );
            return Err(Error::new(ErrorKind::WorkerIdUnavailable, text));
        }
        Ok(())
    }

    fn taken(&self, worker_id: i64, by: &str) -> Error {
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "the worker id {worker_id} of {} in {} is held by {by}: end that process, or give this one an endpoint of its own",
                self.settings.endpoint,
                self.name(),
            ),
        )
    }
}

/// A running Leaf may have stamped ids for this long after its last report. Milliseconds.
const AFTER_REPORT: i64 = 60_000;

/// A Leaf that has not reported for this long has stopped: it reports every 3 seconds. Milliseconds.
const SILENT: i64 = 10_000;

/// A report of leafmint's own follows the change of its row at once; one that came later is not believed to be it.
/// Milliseconds.
const LATE: i64 = 2_500;

/// A report of leafmint's own is 3 s ahead, so it serves for this long. Milliseconds.
const FRESH: i64 = 1_000;

/// Why a lease that was taken must not be used.
pub(super) enum Unannounced {
    /// The registry did not answer, so the report may be missing: it is made again with the claim.
    Away(Error),
    /// The registry refused the report, or another program uses the worker id.
    Refused(Error),
}

impl HolderState {
    /// Writes this owner's clock where its worker id is assigned, if it is.
    pub(super) async fn report(&self, worker_id: i64, at: i64) -> Result<()> {
        let Some(assignments) = self.registry.assignments() else { return Ok(()) };
        match assignments.report(worker_id, at).await {
            Err(error) if error.kind() == ErrorKind::LeaseLost => Err(error),
            // Without reports a Leaf on this endpoint would not be noticed.
            Err(error) if assignments.is_watched() && error.kind() != ErrorKind::StoreUnavailable => Err(error),
            Err(error) => {
                // Only a courtesy to programs that read it.
                log::debug!("worker id {worker_id}: the time in {} was not updated: {error}", assignments.name());
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Reports a lease that was just taken, before an id is stamped: a Leaf that starts then refuses the worker id.
    pub(super) async fn announce(&self, worker_id: i64, taken: i64) -> std::result::Result<(), Unannounced> {
        let Some(watched) = self.watched() else { return Ok(()) };
        // The row has the clock of the claim. One that was sent again later needs a report that no Leaf takes for old.
        let now = self.clock.wall();
        let at = if now.saturating_sub(taken) > FRESH { now } else { taken };
        match watched.report(worker_id, at).await {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::StoreUnavailable => Err(Unannounced::Away(error)),
            Err(error) if error.kind() == ErrorKind::LeaseLost => Err(Unannounced::Refused(
                Error::new(ErrorKind::WorkerIdUnavailable, error.message()).with_source(error),
            )),
            Err(error) => Err(Unannounced::Refused(error)),
        }
    }

    /// Looks at what was reported where the worker id is assigned, for a lease that was continued while no server
    /// answered. Raises `lease_lost` if another program reported meanwhile.
    pub(super) async fn look_at_reports(&self, worker_id: i64) -> Result<()> {
        let Some(watched) = self.watched() else { return Ok(()) };
        let survey = self.registry.survey().await?;
        let assigned = watched.assign().await?;
        let is_ours = assigned.worker_id == worker_id && of_another_program(assigned, survey.row(worker_id)).is_none();
        if is_ours {
            return Ok(());
        }
        Err(lost(format!(
            "another program reported as {} in {} while no server answered this process: is a Leaf server running on this \
             endpoint?",
            self.settings.endpoint,
            self.name(),
        )))
    }

    /// Returns what assigns the worker id, if programs that are not leafmint look at the reports there.
    fn watched(&self) -> Option<&dyn Assignments> {
        self.registry.assignments().filter(|assignments| assignments.is_watched())
    }

    /// Returns the floor that the report of another program asks for. Refuses a worker id whose owner reports now.
    pub(super) fn reported_floor(&self, assigned: Assigned, survey: &Survey) -> Result<i64> {
        let Some(report) = of_another_program(assigned, survey.row(assigned.worker_id)) else { return Ok(i64::MIN) };
        let silent_for = report.written.map_or(i64::MAX, |written| survey.now.saturating_sub(written));
        if silent_for < SILENT {
            let text = format!(
                "the worker id {} of {} in {} is used by another program, which reported {} ms ago: stop the Leaf server \
                 on this endpoint and wait for {} s, or give this process an endpoint of its own",
                assigned.worker_id,
                self.settings.endpoint,
                self.name(),
                silent_for.max(0),
                SILENT / 1000,
            );
            return Err(Error::new(ErrorKind::WorkerIdUnavailable, text));
        }
        Ok(report.at.saturating_add(AFTER_REPORT))
    }
}

/// Returns the report, unless it is the last one of leafmint's own.
fn of_another_program(assigned: Assigned, row: Option<&WorkerRow>) -> Option<Report> {
    assigned.report.filter(|report| {
        let ours = row.map_or(0, |row| row.reported);
        match report.written {
            None => report.at > ours,
            // A Leaf's clock shows no more than ours, so its report may well be the smaller one.
            Some(written) => {
                let late = |row: &WorkerRow| written.saturating_sub(row.updated) > LATE;
                report.at > 0 && (report.at != ours.saturating_add(report.lead) || row.is_some_and(late))
            }
        }
    })
}
