//! A layout: which bits of an id mean what.

use super::dates::LAST_MILLI;
use crate::error::{ConfigErrors, Result};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Leaf's epoch, which is also Twitter's: 2010-11-04T01:42:54.657Z, in Unix milliseconds.
pub(crate) const LEAF_EPOCH: i64 = 1_288_834_974_657;

/// Longest unit of time: a caller may have to wait that long for the next tick.
const LONGEST_UNIT: i64 = 3_600_000;

/// Which bits of an id mean what: sign 0, timestamp, datacenter, worker id, sequence, gene, from the highest to the
/// lowest.
///
/// The timestamp counts ticks of one unit of time since the epoch. This is Leaf's (and Twitter's) bit layout, with the
/// widths, the unit and the epoch as data. A layout works without a generator: it decodes ids, and gives bounds for
/// range queries.
///
/// ```
/// use leafmint_ids::layout::Layout;
/// let layout = Layout::parse("leaf", None)?;
/// let id = layout.compose(1_000, 0, 7, 42, 0)?;
/// assert_eq!(id, (1_000 << 22) | (7 << 12) | 42);
/// assert_eq!(layout.decode(id)?.worker_id, 7);
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    pub(super) bits: LayoutBits,
    pub(super) unit_millis: i64,
    pub(super) epoch: i64,
}

impl Layout {
    /// Makes a layout out of its bits, its unit of time and its epoch in Unix milliseconds.
    ///
    /// The unit is a whole number of milliseconds, from 1 ms to 1 h. The epoch is from 0 (1970) on, and the time bits
    /// must run out before the year 10000. All bits together are at most 63; timestamp and sequence together at most
    /// 61. Raises `invalid_config`, whose message lists everything that is wrong.
    ///
    /// ```
    /// use leafmint_ids::layout::{Layout, LayoutBits};
    /// use std::time::Duration;
    /// let bits = LayoutBits { timestamp: 39, worker: 16, sequence: 8, ..LayoutBits::default() };
    /// let layout = Layout::new(bits, Duration::from_millis(10), 1_793_491_200_000)?;
    /// assert_eq!(layout.to_string(), "timestamp:39,datacenter:0,worker:16,sequence:8,gene:0,unit:10ms");
    /// # Ok::<(), leafmint_ids::error::Error>(())
    /// ```
    pub fn new(bits: LayoutBits, unit: Duration, epoch: i64) -> Result<Self> {
        let mut errors = ConfigErrors::default();
        let layout = Self::check(bits, unit, epoch, &mut errors);
        errors.into_result("the layout")?;
        Ok(layout)
    }

    /// Makes a layout, and adds what is wrong with it; it may be used only if nothing is.
    pub(super) fn check(bits: LayoutBits, unit: Duration, epoch: i64, errors: &mut ConfigErrors) -> Self {
        bits.check(errors);
        let unit_millis = i64::try_from(unit.as_millis()).unwrap_or(i64::MAX);
        let unit_holds = (1..=LONGEST_UNIT).contains(&unit_millis) && unit.subsec_nanos().is_multiple_of(1_000_000);
        if !unit_holds {
            let unit = humantime::format_duration(unit);
            errors.add(format!("unit:{unit} is not a whole number of milliseconds from 1ms to 1h"));
        }
        let epoch_holds = (0..=LAST_MILLI).contains(&epoch);
        if !epoch_holds {
            errors.add(format!("epoch={epoch} is not a time in Unix milliseconds, from 0 to {LAST_MILLI}"));
        }
        let layout = Self { bits, unit_millis, epoch };
        // With a wrong unit, epoch or width, the end of the time bits would be wrong as well.
        if unit_holds && epoch_holds && (1..=61).contains(&bits.timestamp) {
            let runs_out = i128::from(epoch) + (i128::from(unit_millis) << bits.timestamp);
            if runs_out > i128::from(LAST_MILLI) {
                let years = (runs_out - i128::from(epoch)) / 31_556_952_000;
                errors.add(format!(
                    "timestamp:{} with unit:{unit_millis}ms lasts {years} years, past the year 9999: take fewer timestamp bits",
                    bits.timestamp
                ));
            }
        }
        layout
    }

    /// Returns this layout with `bits` gene bits, taken from (or given back to) the sequence bits: the other parts stay
    /// in place.
    ///
    /// `bits` is 0 to 12, and leaves the sequence at least one. Raises `invalid_config`.
    ///
    /// ```
    /// use leafmint_ids::layout::Layout;
    /// let layout = Layout::default().with_gene_bits(4)?;
    /// assert_eq!((layout.bits().sequence, layout.bits().gene), (8, 4));
    /// # Ok::<(), leafmint_ids::error::Error>(())
    /// ```
    pub fn with_gene_bits(&self, bits: u32) -> Result<Self> {
        let sequence = (self.bits.sequence + self.bits.gene).saturating_sub(bits);
        Self::new(LayoutBits { sequence, gene: bits, ..self.bits }, self.unit(), self.epoch)
    }

    /// Returns the number of bits of each part.
    pub const fn bits(&self) -> LayoutBits {
        self.bits
    }

    /// Returns the unit of time, which is the length of a tick.
    pub const fn unit(&self) -> Duration {
        Duration::from_millis(self.unit_millis.unsigned_abs())
    }

    /// Returns the epoch, at which tick 0 starts, in Unix milliseconds.
    pub const fn epoch(&self) -> i64 {
        self.epoch
    }

    /// Returns the last tick that fits the timestamp bits.
    pub const fn last_tick(&self) -> i64 {
        ones(self.bits.timestamp)
    }

    /// Returns the highest id of this layout: all its bits are 1.
    pub const fn last_id(&self) -> i64 {
        ones(self.bits.total())
    }

    /// Returns when the time bits run out, in Unix milliseconds: the end of the last tick.
    ///
    /// ```
    /// let leaf = leafmint_ids::layout::Layout::default();
    /// assert_eq!(leaf.runs_out(), 3_487_858_230_209); // 2080-07-10
    /// ```
    pub const fn runs_out(&self) -> i64 {
        self.epoch + (self.unit_millis << self.bits.timestamp)
    }
}

/// Bits of an id: the sign of an `i64` stays 0.
const ID_BITS: u32 = 63;

/// Most timestamp and sequence bits together: tickets are counted in a limit cell, which refuses numbers from 2^61 up.
pub const TICKET_BITS: u32 = 61;

/// The most bits that a gene may have: 4,096 shards, and no more than Leaf's sequence can give.
pub const MAX_GENE_BITS: i64 = 12;

/// The number of bits of each part of an id, from the highest part to the lowest. The sign is not counted and always 0.
///
/// [`Layout::new`](crate::layout::Layout::new) checks them.
///
/// ```
/// use leafmint_ids::layout::LayoutBits;
/// let bits = LayoutBits { timestamp: 41, worker: 10, sequence: 8, gene: 4, ..LayoutBits::default() };
/// assert_eq!(bits.total(), 63);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LayoutBits {
    /// Ticks since the epoch, 1 to 61 bits.
    pub timestamp: u32,
    /// The datacenter, 0 to 31 bits.
    pub datacenter: u32,
    /// The worker id, 1 to 31 bits.
    pub worker: u32,
    /// The sequence within one tick, 1 to 31 bits.
    pub sequence: u32,
    /// The gene, 0 to 12 bits.
    pub gene: u32,
}

impl LayoutBits {
    /// Returns each part's name in the text form, its bits, and the range that they must be in.
    pub(super) fn parts(&self) -> [(&'static str, u32, RangeInclusive<u32>); 5] {
        [
            ("timestamp", self.timestamp, 1..=TICKET_BITS),
            ("datacenter", self.datacenter, 0..=31),
            ("worker", self.worker, 1..=31),
            ("sequence", self.sequence, 1..=31),
            ("gene", self.gene, 0..=MAX_GENE_BITS as u32),
        ]
    }

    /// Returns the sum of all bits, without the sign.
    pub const fn total(&self) -> u32 {
        self.timestamp
            .saturating_add(self.datacenter)
            .saturating_add(self.worker)
            .saturating_add(self.sequence)
            .saturating_add(self.gene)
    }

    /// Adds what is wrong with the bits.
    pub(super) fn check(&self, errors: &mut ConfigErrors) {
        for (name, bits, allowed) in self.parts() {
            if !allowed.contains(&bits) {
                errors.add(format!("{name}:{bits} is not from {} to {} bits", allowed.start(), allowed.end()));
            }
        }
        if self.total() > ID_BITS {
            let genes = if self.gene > 0 { " (gene bits are taken from the sequence: make that smaller)" } else { "" };
            errors.add(format!("the bits add up to {}, but an id has {ID_BITS}{genes}", self.total()));
        }
        if self.timestamp.saturating_add(self.sequence) > TICKET_BITS {
            errors.add(format!("timestamp and sequence together have more than {TICKET_BITS} bits"));
        }
    }
}

/// Returns the largest number of that many bits, at most 63.
pub(crate) const fn ones(bits: u32) -> i64 {
    // In 64 bits, since 1 << 63 is not a positive i64.
    ((1_u64 << bits) - 1) as i64
}
