//! The statistics of a snowflake generator, with the same names in every language.

use super::state::GeneratorState;
use crate::holder::WorkerLease;
use crate::stat_value::StatValue;
use leafmint_ids::text::printable;

/// The names of the statistics, in the order of [`SnowflakeStats::fields`].
pub const SNOWFLAKE_STATS: [&str; 16] = [
    "worker_id",
    "holder",
    "scope",
    "namespace",
    "host",
    "holder_up",
    "horizon",
    "clock_lead",
    "heartbeat_duration",
    "waits",
    "failed_calls",
    "lease_failures",
    "leases_lost",
    "last_error",
    "last_error_code",
    "last_error_at",
];

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
    /// The namespace of the worker ids; empty if the holder has none.
    pub namespace: String,
    /// The host in use, if the URL names several.
    pub host: Option<String>,
    /// The last attempt to take or to extend a lease did not fail; also once it is closed.
    pub holder_up: bool,
    /// How far ahead time is reserved, in seconds; none without a lease.
    pub horizon_seconds: Option<f64>,
    /// By how much ids are ahead of the wall clock, in milliseconds.
    pub clock_lead_millis: i64,
    /// Average round trip of a heartbeat in milliseconds; none before the first.
    pub heartbeat_millis: Option<f64>,
    /// Calls that have had to wait.
    pub waits: i64,
    /// Calls that ended with an error.
    pub failed_calls: i64,
    /// Attempts to take or to extend a lease that failed.
    pub lease_failures: i64,
    /// Leases that were lost to another owner.
    pub leases_lost: i64,
    /// The last failure.
    pub last_error: Option<String>,
    /// Its code.
    pub last_error_code: Option<&'static str>,
    /// When it occurred, in Unix milliseconds.
    pub last_error_at: Option<i64>,
}

impl SnowflakeStats {
    /// Returns all statistics in the order of [`SNOWFLAKE_STATS`].
    pub fn fields(&self) -> [StatValue; SNOWFLAKE_STATS.len()] {
        [
            self.worker_id.map_or(StatValue::Text(None), StatValue::Count),
            StatValue::Text(Some(self.holder.clone())),
            StatValue::Text(Some(self.scope.clone())),
            StatValue::Text(Some(self.namespace.clone())),
            StatValue::Text(self.host.clone()),
            StatValue::Flag(self.holder_up),
            StatValue::Measure(self.horizon_seconds),
            StatValue::Count(self.clock_lead_millis),
            StatValue::Measure(self.heartbeat_millis),
            StatValue::Count(self.waits),
            StatValue::Count(self.failed_calls),
            StatValue::Count(self.lease_failures),
            StatValue::Count(self.leases_lost),
            StatValue::Text(self.last_error.clone()),
            StatValue::Text(self.last_error_code.map(str::to_owned)),
            StatValue::Moment(self.last_error_at),
        ]
    }

    pub(super) fn of(state: &GeneratorState) -> Self {
        let lease = state.current_lease.with(|active| active.lease());
        let keepalive = state.keepalive.lock();
        Self {
            worker_id: lease.as_ref().map(|lease| lease.worker_id),
            holder: state.holder.name().to_owned(),
            scope: printable(state.holder.scope()),
            namespace: state.holder.namespace().to_owned(),
            horizon_seconds: lease.map(|lease| (horizon(state, &lease) - state.clock.now()) as f64 / 1000.0),
            clock_lead_millis: state.clock.lead().max(0),
            heartbeat_millis: state.holder.heartbeat_millis(),
            waits: keepalive.progress.waits,
            failed_calls: keepalive.progress.failed_calls,
            lease_failures: keepalive.lease_failures,
            host: state.holder.host().map(printable),
            holder_up: !keepalive.is_away || keepalive.progress.closed,
            leases_lost: keepalive.leases_lost,
            last_error: keepalive.progress.last_error.as_ref().map(|error| error.to_string()),
            last_error_code: keepalive.progress.last_error.as_ref().map(|error| error.kind().code()),
            last_error_at: keepalive.progress.last_error_at,
        }
    }
}

/// Returns until when ids can be had without the registry; the lease's own horizon once that has passed, as it does if
/// the heartbeats stop.
fn horizon(state: &GeneratorState, lease: &WorkerLease) -> i64 {
    if lease.horizon > state.clock.now() { state.holder.leased_until(lease) } else { lease.horizon }
}
