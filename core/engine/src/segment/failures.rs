//! Leases that failed, counted by the code of their error.

use crate::sync::Mutex;
use leafmint_ids::error::ErrorKind;
use std::collections::BTreeMap;

/// The kinds of errors that leases fail with, which [`SegmentStats::failures`](super::SegmentStats::failures) counts.
const FAILURES: [ErrorKind; 5] = [
    ErrorKind::StoreUnavailable,
    ErrorKind::UnknownTag,
    ErrorKind::InvalidConfig,
    ErrorKind::IdSpaceExhausted,
    ErrorKind::StoreRegressed,
];

/// All others.
const OTHER: &str = "other";

/// Attempts to lease that failed, by the code of their error.
pub(super) struct Failures(Mutex<BTreeMap<&'static str, i64>>);

impl Failures {
    pub(super) fn new() -> Self {
        let known = FAILURES.iter().map(|kind| kind.code());
        Self(Mutex::new(known.chain([OTHER]).map(|code| (code, 0)).collect()))
    }

    pub(super) fn note(&self, kind: ErrorKind) {
        let code = if FAILURES.contains(&kind) { kind.code() } else { OTHER };
        *self.0.lock().entry(code).or_default() += 1;
    }

    pub(super) fn counts(&self) -> Vec<(&'static str, i64)> {
        self.0.lock().iter().map(|(code, count)| (*code, *count)).collect()
    }
}
