//! The average round trip of the answers of a server.

use std::time::Duration;

/// The weight of the latest round trip in the average.
const WEIGHT: f64 = 0.25;

/// A running average of round trips.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundTrip {
    seconds: f64,
    is_measured: bool,
}

impl RoundTrip {
    /// Returns the same average as what is expected before the first answer.
    pub(crate) fn expected(self) -> Self {
        Self { is_measured: false, ..self }
    }

    /// Records a round trip. The first one replaces what was expected.
    pub fn note(&mut self, round_trip: Duration) {
        let seconds = round_trip.as_secs_f64();
        self.seconds = if self.is_measured { self.seconds + WEIGHT * (seconds - self.seconds) } else { seconds };
        self.is_measured = true;
    }

    /// Returns the average in seconds; before the first answer what is expected, or 0.
    pub(crate) fn seconds(self) -> f64 {
        self.seconds
    }

    /// Returns the average in milliseconds; `None` before the first answer.
    pub fn millis(self) -> Option<f64> {
        self.is_measured.then_some(self.seconds * 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_trip_moves_the_average_by_a_quarter_and_the_first_replaces_what_was_expected() {
        let mut average = RoundTrip::default();
        assert_eq!((average.seconds(), average.millis()), (0.0, None));
        average.note(Duration::from_secs(4));
        average.note(Duration::from_secs(8));
        assert_eq!((average.seconds(), average.millis()), (5.0, Some(5000.0)));
        average = average.expected();
        assert_eq!((average.seconds(), average.millis()), (5.0, None));
        average.note(Duration::from_secs(1));
        assert_eq!((average.seconds(), average.millis()), (1.0, Some(1000.0)));
    }
}
