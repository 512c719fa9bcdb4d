//! Splicing: a ticket becomes an id. What a lease always adds is worked out once, so that an id costs no shift by a part's width.

use super::bits::ones;
use super::layout::Layout;
use crate::error::Result;

/// Makes ids of one datacenter and worker id out of tickets.
///
/// ```
/// let layout = leafmint::id::Layout::default().with_gene_bits(2)?;
/// let splice = layout.splice(0, 7)?;
/// let ticket = layout.ticket(5, 1023);
/// assert_eq!(splice.id(ticket, 3), layout.compose(5, 0, 7, 1023, 3)?);
/// assert_eq!(splice.id(ticket + 1, 3), layout.compose(6, 0, 7, 0, 3)?);
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Splice {
    /// The bits of a ticket that are its tick.
    ticks: i64,
    /// How many times its own value a tick is lifted by, to make room for datacenter and worker id: a power of two less one.
    lift: i64,
    /// Datacenter and worker id, above the sequence.
    worker: i64,
    gene_bits: u32,
}

impl Layout {
    /// Makes the splice of a datacenter and worker id. Raises `invalid_argument` where one does not fit its bits.
    pub fn splice(&self, datacenter: i64, worker_id: i64) -> Result<Splice> {
        let bits = self.bits;
        Ok(Splice {
            ticks: !ones(bits.sequence),
            lift: ones(bits.datacenter + bits.worker),
            worker: self.datacenter_worker(datacenter, worker_id)? << bits.sequence,
            gene_bits: bits.gene,
        })
    }
}

impl Splice {
    /// Makes an id of a ticket and a gene. For the hot path: neither branches nor allocates.
    ///
    /// The ticket comes from [`Layout::ticket`] or counts on from there, and the gene fits its bits. Nothing is checked: other
    /// numbers give a meaningless id.
    #[inline]
    pub const fn id(&self, ticket: i64, gene: i64) -> i64 {
        let lifted = (ticket & self.ticks).wrapping_mul(self.lift);
        ticket.wrapping_add(lifted).wrapping_add(self.worker) << self.gene_bits | gene
    }
}
