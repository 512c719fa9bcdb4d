//! How a snowflake generator is doing: figures with the same names in every language.

use super::generator::Inner;
use crate::printable::printable;
use crate::stat_value::StatValue;

/// The names of the figures, in the order of [`SnowflakeStats::fields`].
pub const SNOWFLAKE_STATS: [&str; 8] =
    ["worker_id", "holder", "scope", "horizon_seconds", "clock_lead_millis", "waits", "leases_lost", "last_error"];

/// A snapshot of a snowflake generator.
#[derive(Clone, Debug, PartialEq)]
pub struct SnowflakeStats {
    /// The present worker id; none before the first id and while a lost lease is replaced.
    pub worker_id: Option<i64>,
    /// The kind of holder.
    pub holder: String,
    /// The holder, without credentials, and who shares its worker ids.
    pub scope: String,
    /// How far ahead time is reserved, in seconds; none without a lease.
    pub horizon_seconds: Option<f64>,
    /// By how much ids are ahead of the wall clock, in milliseconds.
    pub clock_lead_millis: i64,
    /// Calls that had to wait.
    pub waits: i64,
    /// Leases that somebody else took.
    pub leases_lost: i64,
    /// The last failure, as text.
    pub last_error: Option<String>,
}

impl SnowflakeStats {
    /// Returns every figure in the order of [`SNOWFLAKE_STATS`].
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
}

impl Inner {
    pub(super) fn stats(&self) -> SnowflakeStats {
        let lease = self.held.look(|held| held.lease.lock().clone());
        let keeping = self.keeping.lock();
        SnowflakeStats {
            worker_id: lease.as_ref().map(|lease| lease.worker_id),
            holder: self.holder.name().to_owned(),
            scope: printable(self.holder.scope()),
            horizon_seconds: lease.map(|lease| (lease.horizon - self.time.now()) as f64 / 1000.0),
            clock_lead_millis: self.time.lead().max(0),
            waits: keeping.waits,
            leases_lost: keeping.leases_lost,
            last_error: keeping.last_error.as_ref().map(|error| error.to_string()),
        }
    }
}
