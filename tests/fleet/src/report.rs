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

/// Draws the calls of this number of seconds as a bar each, from no call to the most.
pub(crate) fn bars(seconds: &[u32], each: usize) -> String {
    let sums: Vec<u32> = seconds.chunks(each).map(|seconds| seconds.iter().sum()).collect();
    let most = sums.iter().copied().max().unwrap_or(0).max(1);
    sums.iter()
        .map(|calls| [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][(calls * 8).div_ceil(most) as usize])
        .collect()
}

/// One line of a report.
pub(crate) fn row(what: &str, figures: &str) -> String {
    format!("{what:<40} {figures}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ten_seconds_or_minute_are_a_bar_and_the_busiest_ones_are_full() {
        let seconds: Vec<u32> = [8, 0, 1, 4].into_iter().flat_map(|calls| [calls; 10]).collect();
        assert_eq!(bars(&seconds, 10), "█ ▁▄");
        assert_eq!(bars(&seconds, 20), "█▅");
        assert_eq!(bars(&[0; 20], 10), "  ");
    }
}
