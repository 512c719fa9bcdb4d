//! Time told by a counter: measured against the monotonic clock, checked with it, and given up if the two disagree.
//!
//! Every id of the common path is stamped with it. A wrong counter cannot repeat an id, because tickets are unique
//! whatever the time is; it can only stamp one at a wrong time.
//! [`TRUST`](crate::clock::TRUST) bounds by how much.

use crate::clock::{Clock, DRIFT, TOLERANCE};
use crate::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// The rate is measured, and judged, over at least this time.
pub(super) const MEASUREMENT: Duration = Duration::from_millis(200);

/// The rate is measured again if more time than this went by, in nanoseconds.
const LONGEST_MEASUREMENT: u64 = 3_600_000_000_000;

/// Units of the counter's time in a millisecond: a power of two, so that no id costs a division.
const UNITS_PER_MILLI: i64 = 1 << UNIT_BITS;
const UNIT_BITS: u32 = 10;
const NANOS_PER_MILLI: u128 = 1_000_000;

/// The time that a counter tells.
pub(super) struct CounterTime {
    /// Units per count, as a fraction of 2^64; 0 while ids are stamped with the system's clock.
    rate: AtomicU64,
    /// Unix time less the counter's time, in units.
    offset: AtomicI64,
    phase: Mutex<CounterPhase>,
}

/// How far the counter is known.
#[derive(Clone, Copy)]
enum CounterPhase {
    Unknown,
    /// Its rate is being measured since this reading.
    Measuring(Reading),
    /// Its rate is checked for the first time. From now on ids are stamped no further ahead than the checks allow.
    Confirming(u64, Reading),
    /// Ids are stamped with it.
    InUse(u64, Reading),
    /// There is none, or it disagreed with the monotonic clock.
    Unused,
}

/// Both clocks at one moment.
#[derive(Clone, Copy)]
struct Reading {
    count: u64,
    /// Monotonic time in nanoseconds.
    nanos: u64,
    /// Nanoseconds between the two looks at the monotonic clock, of which the count lies in the middle.
    width: u64,
}

/// The result of a check.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// Ids are stamped with the system's clock, now and until the next check.
    System,
    /// Ids may be stamped with the counter until the next check.
    Counter,
    /// The counter has just been given up: it went further than the monotonic clock by `millis` in `in_millis`.
    GivenUp { millis: i64, in_millis: i64 },
}

impl CounterTime {
    pub(super) fn new() -> Self {
        Self { rate: AtomicU64::new(0), offset: AtomicI64::new(0), phase: Mutex::new(CounterPhase::Unknown) }
    }

    /// Returns the counter's time in Unix milliseconds, if ids are stamped with it.
    #[inline]
    pub(super) fn now(&self, clock: &dyn Clock) -> Option<i64> {
        match self.rate.load(Ordering::Acquire) {
            0 => None,
            rate => Some((scale(clock.counter(), rate) + self.offset.load(Ordering::Relaxed)) >> UNIT_BITS),
        }
    }

    /// Returns whether the counter may come into use after further checks.
    pub(super) fn is_measuring(&self) -> bool {
        !matches!(*self.phase.lock(), CounterPhase::InUse(..) | CounterPhase::Unused)
    }

    /// Compares the counter with the monotonic clock. `unix` is Unix time less monotonic time, in milliseconds.
    #[cold]
    pub(super) fn check(&self, clock: &dyn Clock, unix: i64) -> Checked {
        let mut phase = self.phase.lock();
        let reading = match *phase {
            CounterPhase::Unused => return Checked::System,
            _ => Reading::take(clock),
        };
        let (next, checked) = match *phase {
            CounterPhase::Unused => return Checked::System,
            CounterPhase::Unknown if !clock.has_counter() => (CounterPhase::Unused, Checked::System),
            CounterPhase::Unknown => (CounterPhase::Measuring(reading), Checked::System),
            CounterPhase::Measuring(first) => match first.rate_until(&reading) {
                Measured::TooEarly => return Checked::System,
                Measured::Unusable => (CounterPhase::Unknown, Checked::System),
                Measured::Rate(rate) => (CounterPhase::Confirming(rate, reading), Checked::Counter),
            },
            CounterPhase::Confirming(rate, last) | CounterPhase::InUse(rate, last) => {
                match last.disagreement(&reading, rate) {
                    // Not to be judged by: any rate looks right for a moment.
                    None if last.is_recent(&reading) => (*phase, Checked::Counter),
                    None => (CounterPhase::InUse(rate, reading), Checked::Counter),
                    Some(units) => {
                        let (millis, in_millis) = (units / UNITS_PER_MILLI, last.millis_until(&reading));
                        (CounterPhase::Unused, Checked::GivenUp { millis, in_millis })
                    }
                }
            }
        };
        *phase = next;
        self.publish(next, reading, unix);
        checked
    }

    /// Follows a change of `unix`, which is Unix time less monotonic time in milliseconds.
    #[cold]
    pub(super) fn align(&self, clock: &dyn Clock, unix: i64) {
        let phase = self.phase.lock();
        if let CounterPhase::InUse(rate, _) = *phase {
            self.offset.store(Reading::take(clock).offset(rate, unix), Ordering::Relaxed);
        }
    }

    fn publish(&self, phase: CounterPhase, reading: Reading, unix: i64) {
        match phase {
            CounterPhase::InUse(rate, _) => {
                self.offset.store(reading.offset(rate, unix), Ordering::Relaxed);
                self.rate.store(rate, Ordering::Release);
            }
            _ => self.rate.store(0, Ordering::Release),
        }
    }
}

enum Measured {
    TooEarly,
    Unusable,
    Rate(u64),
}

impl Reading {
    /// Looks at both clocks. If the thread was not scheduled in between, it looks again.
    fn take(clock: &dyn Clock) -> Self {
        let look = |_| {
            let before = clock.monotonic();
            let count = clock.counter();
            let width = clock.monotonic().saturating_sub(before);
            Self { count, nanos: before + width / 2, width }
        };
        let looks: [Self; 3] = std::array::from_fn(look);
        looks.into_iter().min_by_key(|reading| reading.width).unwrap_or(looks[0])
    }

    /// Measures the rate of the counter between two readings.
    fn rate_until(&self, later: &Self) -> Measured {
        let nanos = later.nanos.saturating_sub(self.nanos);
        if self.is_recent(later) {
            return Measured::TooEarly;
        }
        let counts = later.count.saturating_sub(self.count);
        // The widths make a rate wrong by less than the part that a check allows.
        if nanos > LONGEST_MEASUREMENT || counts == 0 || (self.width + later.width) > nanos / 10_000 {
            return Measured::Unusable;
        }
        let units = (u128::from(nanos) << UNIT_BITS << 32) / NANOS_PER_MILLI;
        match u64::try_from((units << 32) / u128::from(counts)) {
            Ok(rate) if rate > 0 => Measured::Rate(rate),
            _ => Measured::Unusable,
        }
    }

    fn is_recent(&self, later: &Self) -> bool {
        Duration::from_nanos(later.nanos.saturating_sub(self.nanos)) < MEASUREMENT
    }

    /// Returns by how many units the counter went further than the monotonic clock, if a check does not allow that.
    fn disagreement(&self, later: &Self, rate: u64) -> Option<i64> {
        let passed = units_of(later.nanos) - units_of(self.nanos);
        let counted = scale(later.count, rate).saturating_sub(scale(self.count, rate));
        let widths = units_of(self.width.saturating_add(later.width));
        let allowed = TOLERANCE * UNITS_PER_MILLI + passed / DRIFT + widths;
        let apart = counted.saturating_sub(passed);
        (apart.saturating_abs() > allowed).then_some(apart)
    }

    fn millis_until(&self, later: &Self) -> i64 {
        (units_of(later.nanos) - units_of(self.nanos)) / UNITS_PER_MILLI
    }

    fn offset(&self, rate: u64, unix: i64) -> i64 {
        (unix << UNIT_BITS) + units_of(self.nanos) - scale(self.count, rate)
    }
}

/// Returns the counter's time in units.
#[inline]
fn scale(count: u64, rate: u64) -> i64 {
    // Less than 2^63: a unit is a microsecond, and the counter began to count when the machine was started.
    ((u128::from(count) * u128::from(rate)) >> 64) as i64
}

fn units_of(nanos: u64) -> i64 {
    ((u128::from(nanos) << UNIT_BITS) / NANOS_PER_MILLI) as i64
}
