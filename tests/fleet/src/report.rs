//! How figures are printed.

use std::fmt;

/// Calls in each second of a time.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    pub(crate) mean: f64,
    pub(crate) peak: u32,
}

impl Calls {
    pub(crate) fn of(seconds: &[u32]) -> Self {
        let sum: u64 = seconds.iter().map(|calls| u64::from(*calls)).sum();
        Self { mean: sum as f64 / seconds.len().max(1) as f64, peak: seconds.iter().copied().max().unwrap_or(0) }
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}/s, at most {}/s", self.mean, self.peak)
    }
}

/// One line of a report.
pub(crate) fn row(what: &str, figures: &str) -> String {
    format!("{what:<40} {figures}")
}
