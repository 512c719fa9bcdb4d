//! Worker ids as an operator sees them: who holds them, and whether more can be taken. Nothing here takes a worker id.

/// A worker id that was taken at least once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerInfo {
    /// The worker id.
    pub worker_id: i64,
    /// Who has it, or had it last; empty if that cannot be read.
    pub endpoint: String,
    /// A process holds it now.
    pub held: bool,
    /// The first Unix millisecond that no lease of it may have stamped, where the next lease begins; `None` if that
    /// cannot be read, and for a worker id of past moments, which has no next lease.
    pub horizon: Option<i64>,
    /// When its owner wrote last, in Unix milliseconds, by the clock that all owners share.
    pub updated: Option<i64>,
}

/// What a check of a snowflake generator found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnowflakeCheck {
    /// The holder, without credentials, and which processes share its worker ids.
    pub scope: String,
    /// The kind of holder, as in the statistics.
    pub holder: &'static str,
    /// No process has used the namespace yet: the first id makes its tables or its directory.
    pub is_new: bool,
    /// The fingerprint of the layout.
    pub layout: String,
    /// When the timestamp bits run out, in Unix milliseconds.
    pub runs_out: i64,
    /// Number of worker ids that this holder may take.
    pub workers: i64,
    /// Number of those that no process holds now.
    pub free_workers: i64,
    /// How far the shared clock is ahead of this host's, in milliseconds; `None` without a shared clock.
    pub clock_skew: Option<i64>,
}
