//! The number of bits of each part of an id.

use crate::config_errors::ConfigErrors;
use std::ops::RangeInclusive;

/// Bits of an id: the sign of an `i64` stays 0.
const ID_BITS: u32 = 63;

/// Most timestamp and sequence bits together: tickets are counted in a limit cell, which refuses numbers from 2^61 up.
const TICKET_BITS: u32 = 61;

/// The most bits that a gene may have: 4,096 shards, and no more than Leaf's sequence can give.
pub const MAX_GENE_BITS: i64 = 12;

/// The number of bits of each part of an id, from the highest part to the lowest. The sign is not counted and always 0.
///
/// [`Layout::new`](super::Layout::new) checks them.
///
/// ```
/// use leafmint::id::LayoutBits;
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
pub(super) const fn ones(bits: u32) -> i64 {
    // In 64 bits, since 1 << 63 is not a positive i64.
    ((1_u64 << bits) - 1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ticket_fits_the_limit_cell() {
        assert_eq!(1_i64 << TICKET_BITS, crate::limit_cell::FIRST_REFUSED);
    }
}
