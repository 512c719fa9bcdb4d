//! Reports: an owner's last time, written where its worker id is assigned. leafmint writes them for other programs,
//! such as Leaf, and reads what those wrote.

use super::holder_state::HolderState;
use super::row::{Survey, WorkerRow};
use super::{Assigned, Assignments, Report};
use crate::error::{Error, ErrorKind, Result};
use crate::holder::lease::lost;

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
