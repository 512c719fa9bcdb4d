//! Statistics: figures with the same names in every language.

use super::tag::Tag;
use crate::stat_value::StatValue;

/// Names of the figures of one tag, in the order of [`TagStats::fields`].
pub const TAG_STATS: [&str; 18] = [
    "issued",
    "leased",
    "unused",
    "given_back",
    "highest_leased",
    "supply",
    "step",
    "refills",
    "refill_failures",
    "failures_in_a_row",
    "refill_duration",
    "waits",
    "failed_calls",
    "numbers_left",
    "numbers_last",
    "last_error",
    "last_error_code",
    "last_error_at",
];

/// Statistics of a segment generator at one moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SegmentStats {
    /// The store, without credentials, and the scope of its ids.
    pub scope: String,
    /// The last attempt to ask the store did not fail, or failed for one tag alone; also once it is closed.
    pub store_up: bool,
    /// The host in use, if the URL names several.
    pub host: Option<String>,
    /// Attempts to lease that failed, by the code of their error, sorted: `other` counts those of rare kinds.
    pub failures: Vec<(&'static str, i64)>,
    /// The tags used so far, sorted by name.
    pub tags: Vec<(String, TagStats)>,
}

/// Statistics of one tag at one moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TagStats {
    /// Ids handed out.
    pub issued: i64,
    /// Ids leased from the store.
    pub leased: i64,
    /// Ids leased from the store and neither handed out nor given back.
    pub unused: i64,
    /// Ids given back at the close.
    pub given_back: i64,
    /// Highest id that this process has leased, with the highest gene; 0 before the first lease.
    pub highest_leased: i64,
    /// Numbers that fit the format of a series and are not leased in its present period, of the fullest key; none
    /// without a format that ends.
    pub numbers_left: Option<i64>,
    /// How long they last at the pace of the period so far, in seconds; none if there is no pace.
    pub numbers_last_seconds: Option<f64>,
    /// How long the ids in hand last at the current rate, in seconds; none if the tag is not in use.
    pub supply_seconds: Option<f64>,
    /// The `step` column as last read; 0 before it is read.
    pub step: i64,
    /// Leases that landed.
    pub refills: i64,
    /// Attempts that failed.
    pub refill_failures: i64,
    /// Failed attempts since the last lease landed, at least 1 while the store is away or refuses every tag; 0 if it
    /// refused this tag alone, which only a later call asks for again.
    pub failures_in_a_row: i64,
    /// Average round trip of a lease in milliseconds; none before the first lease.
    pub refill_millis: Option<f64>,
    /// Calls that have had to wait.
    pub waits: i64,
    /// Calls that ended with an error.
    pub failed_calls: i64,
    /// The last failure, as text.
    pub last_error: Option<String>,
    /// Its code.
    pub last_error_code: Option<&'static str>,
    /// When it occurred, in Unix milliseconds.
    pub last_error_at: Option<i64>,
}

impl TagStats {
    /// Adds the figures of another tag of the same series.
    pub(super) fn add(&mut self, other: &Self) {
        let weigh = |stats: &Self| stats.refill_millis.map(|millis| millis * stats.refills as f64);
        let millis = weigh(self).into_iter().chain(weigh(other)).reduce(|a, b| a + b);
        self.issued += other.issued;
        self.leased += other.leased;
        self.unused += other.unused;
        self.given_back += other.given_back;
        self.highest_leased = self.highest_leased.max(other.highest_leased);
        self.supply_seconds = match (self.supply_seconds, other.supply_seconds) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self.step = self.step.max(other.step);
        self.refills += other.refills;
        self.refill_failures += other.refill_failures;
        self.failures_in_a_row = self.failures_in_a_row.max(other.failures_in_a_row);
        self.refill_millis = millis.map(|millis| millis / self.refills as f64);
        self.waits += other.waits;
        self.failed_calls += other.failed_calls;
        if other.last_error_at >= self.last_error_at {
            self.last_error = other.last_error.clone();
            (self.last_error_code, self.last_error_at) = (other.last_error_code, other.last_error_at);
        }
    }

    /// Returns every figure in the order of [`TAG_STATS`].
    pub fn fields(&self) -> [StatValue; TAG_STATS.len()] {
        [
            StatValue::Count(self.issued),
            StatValue::Count(self.leased),
            StatValue::Count(self.unused),
            StatValue::Count(self.given_back),
            StatValue::Count(self.highest_leased),
            StatValue::Measure(self.supply_seconds),
            StatValue::Count(self.step),
            StatValue::Count(self.refills),
            StatValue::Count(self.refill_failures),
            StatValue::Count(self.failures_in_a_row),
            StatValue::Measure(self.refill_millis),
            StatValue::Count(self.waits),
            StatValue::Count(self.failed_calls),
            StatValue::Measure(self.numbers_left.map(|left| left as f64)),
            StatValue::Measure(self.numbers_last_seconds),
            StatValue::Text(self.last_error.clone()),
            StatValue::Text(self.last_error_code.map(str::to_owned)),
            StatValue::Moment(self.last_error_at),
        ]
    }
}

impl Tag {
    /// Returns the highest id that this process has leased, with the highest gene; 0 before the first lease.
    pub(super) fn highest_leased(&self) -> i64 {
        let end = self.shared.leased_up_to(&self.name).or_else(|| self.last_end.get().copied()).unwrap_or(0);
        (end.saturating_mul(1 << self.gene_bits) - 1).max(0)
    }

    /// Returns the statistics of this tag.
    pub(super) fn stats(&self) -> TagStats {
        let refill = self.refill.lock();
        let counts = self.counts();
        let queue = &self.shared.queue;
        let outage = queue.error().or_else(|| queue.refusal());
        let failures_in_a_row = refill.failures_in_a_row().max(i64::from(outage.is_some()));
        let (last_error, last_error_at) = match &refill.progress.last_error {
            Some(error) => (Some(error.clone()), refill.progress.last_error_at),
            None => (outage, None),
        };
        TagStats {
            issued: counts.issued - refill.taken_back,
            leased: counts.leased,
            unused: counts.leased - (counts.issued - refill.taken_back) - refill.given_back,
            given_back: refill.given_back,
            highest_leased: self.highest_leased(),
            numbers_left: None,
            numbers_last_seconds: None,
            supply_seconds: refill.supply_seconds(counts.supply),
            step: refill.step,
            refills: refill.refills,
            refill_failures: refill.failures,
            failures_in_a_row,
            refill_millis: refill.refill_millis(),
            waits: refill.progress.waits,
            failed_calls: refill.progress.failed_calls,
            last_error_code: last_error.as_ref().map(|error| error.kind().code()),
            last_error: last_error.map(|error| error.to_string()),
            last_error_at,
        }
    }
}
