//! Turns tickets into ids. What all ids of a lease share is computed once, so that an id costs no shift by the width of
//! a part.

use super::bits::ones;
use super::layout::Layout;
use crate::error::Result;

/// Makes ids of one datacenter and worker id from tickets.
///
/// ```
/// let layout = leafmint::id::Layout::default().with_gene_bits(2)?;
/// let encoder = layout.ticket_encoder(0, 7)?;
/// let ticket = layout.ticket(5, 1023);
/// assert_eq!(encoder.encode(ticket, 3), layout.compose(5, 0, 7, 1023, 3)?);
/// assert_eq!(encoder.encode(ticket + 1, 3), layout.compose(6, 0, 7, 0, 3)?);
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TicketEncoder {
    /// The bits of a ticket that hold its tick.
    tick_mask: i64,
    /// Adding the masked tick this many times makes room for datacenter and worker id: a power of two less one.
    tick_multiplier: i64,
    /// Datacenter and worker id, above the sequence.
    worker: i64,
    gene_bits: u32,
}

impl Layout {
    /// Makes the encoder for a datacenter and a worker id. Raises `invalid_argument` if one does not fit its bits.
    pub fn ticket_encoder(&self, datacenter: i64, worker_id: i64) -> Result<TicketEncoder> {
        let bits = self.bits;
        Ok(TicketEncoder {
            tick_mask: !ones(bits.sequence),
            tick_multiplier: ones(bits.datacenter + bits.worker),
            worker: self.datacenter_worker(datacenter, worker_id)? << bits.sequence,
            gene_bits: bits.gene,
        })
    }
}

impl TicketEncoder {
    /// Makes an id from a ticket and a gene. For the hot path: neither branches nor allocates.
    ///
    /// The ticket comes from [`Layout::ticket`] or counts on from there, and the gene fits its bits. Nothing is
    /// checked: other numbers give a meaningless id.
    #[inline]
    pub const fn encode(&self, ticket: i64, gene: i64) -> i64 {
        let lifted = (ticket & self.tick_mask).wrapping_mul(self.tick_multiplier);
        ticket.wrapping_add(lifted).wrapping_add(self.worker) << self.gene_bits | gene
    }
}
