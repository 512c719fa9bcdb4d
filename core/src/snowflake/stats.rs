//! The statistics of a snowflake generator, with the same names in every language.

use super::state::GeneratorState;
use crate::holder::WorkerLease;
use crate::printable::printable;
use crate::stat_value::StatValue;

/// The names of the statistics, in the order of [`SnowflakeStats::fields`].
pub const SNOWFLAKE_STATS: [&str; 8] =
    ["worker_id", "holder", "scope", "horizon_seconds", "clock_lead_millis", "waits", "leases_lost", "last_error"];

/// The statistics of a snowflake generator at one time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SnowflakeStats {
    /// The current worker id; none before the first id and while a lost lease is replaced.
    pub worker_id: Option<i64>,
    /// The kind of holder, for example `local`.
    pub holder: String,
    /// The holder, without credentials, and which processes share its worker ids.
    pub scope: String,
    /// How far ahead time is reserved, in seconds; none without a lease.
    pub horizon_seconds: Option<f64>,
    /// By how much ids are ahead of the wall clock, in milliseconds.
    pub clock_lead_millis: i64,
    /// Calls that have had to wait.
    pub waits: i64,
    /// Leases that were lost to another owner.
    pub leases_lost: i64,
    /// The last failure.
    pub last_error: Option<String>,
}

impl SnowflakeStats {
    /// Returns all statistics in the order of [`SNOWFLAKE_STATS`].
    pub fn fields(&self) -> [StatValue; SNOWFLAKE_STATS.len()] {
        [
            self.worker_id.map_or(StatValue::Text(None), StatValue::Count),
            StatValue::Text(Some(self.holder.clone())),
            StatValue::Text(Some(self.scope.clone())),
            StatValue::Measure(self.horizon_seconds),
            StatValue::Count(self.clock_lead_millis),
            StatValue::Count(self.waits),
            StatValue::Count(self.leases_lost),
            StatValue::Text(self.last_error.clone()),
        ]
    }

    pub(super) fn of(state: &GeneratorState) -> Self {
        let lease = state.current_lease.with(|active| active.lease());
        let keepalive = state.keepalive.lock();
        Self {
            worker_id: lease.as_ref().map(|lease| lease.worker_id),
            holder: state.holder.name().to_owned(),
            scope: printable(state.holder.scope()),
            horizon_seconds: lease.map(|lease| (horizon(state, &lease) - state.clock.now()) as f64 / 1000.0),
            clock_lead_millis: state.clock.lead().max(0),
            waits: keepalive.progress.waits,
            leases_lost: keepalive.leases_lost,
            last_error: keepalive.progress.last_error.as_ref().map(|error| error.to_string()),
        }
    }
}

/// Returns until when ids can be had without the registry; the lease's own horizon once that has passed, as it does if
/// the heartbeats stop.
fn horizon(state: &GeneratorState, lease: &WorkerLease) -> i64 {
    if lease.horizon > state.clock.now() { state.holder.leased_until(lease) } else { lease.horizon }
}
