//! Builds ids from their parts, and takes them apart.

use super::bits::{Layout, ones};
use super::dates::date;
use crate::error::{Result, exhausted, invalid_argument, invalid_id};

impl Layout {
    /// Builds an id from a tick (counted from the epoch), datacenter, worker id, sequence and gene.
    ///
    /// Raises `id_space_exhausted` if the tick is past the end of the time bits, and `invalid_argument` if it is
    /// negative or another part does not fit its bits.
    pub fn compose(&self, tick: i64, datacenter: i64, worker_id: i64, sequence: i64, gene: i64) -> Result<i64> {
        if tick < 0 {
            return Err(invalid_argument(format!(
                "tick={tick} is before the epoch {} ({})",
                self.epoch,
                date(self.epoch)
            )));
        }
        self.check_tick(tick)?;
        let encoder = self.ticket_encoder(datacenter, worker_id)?;
        fits("sequence", sequence, self.bits.sequence)?;
        fits("gene", gene, self.bits.gene)?;
        Ok(encoder.encode(self.ticket(tick, sequence), gene))
    }

    /// Raises `id_space_exhausted` if a tick is past the end of the time bits. Whatever mints ids of a tick asks this
    /// before: behind the last one they would be those of other ticks.
    pub fn check_tick(&self, tick: i64) -> Result<()> {
        if tick <= self.last_tick() {
            return Ok(());
        }
        Err(exhausted(format!(
            "the time bits of the layout run out at {} ({}): tick={tick} is past {}, the last of timestamp:{}",
            self.runs_out(),
            date(self.runs_out()),
            self.last_tick(),
            self.bits.timestamp,
        )))
    }

    /// Joins datacenter and worker id: `datacenter << worker_bits | worker_id`.
    ///
    /// Raises `invalid_argument` if one does not fit its bits.
    pub(super) fn datacenter_worker(&self, datacenter: i64, worker_id: i64) -> Result<i64> {
        fits("datacenter", datacenter, self.bits.datacenter)?;
        fits("worker_id", worker_id, self.bits.worker)?;
        Ok(datacenter << self.bits.worker | worker_id)
    }

    /// Joins a tick and a sequence to a ticket: `tick << sequence_bits | sequence`. The caller makes sure that both fit
    /// their bits.
    #[inline]
    pub const fn ticket(&self, tick: i64, sequence: i64) -> i64 {
        tick << self.bits.sequence | sequence
    }

    /// Returns the tick of a ticket.
    #[inline]
    pub const fn tick_of(&self, ticket: i64) -> i64 {
        ticket >> self.bits.sequence
    }

    /// Takes an id apart. The timestamp is the start of its tick in Unix milliseconds.
    ///
    /// Raises `invalid_id` for a negative number and for one with more bits than the layout has. Any other number
    /// decodes, whether it was ever minted or not.
    pub fn decode(&self, id: i64) -> Result<DecodedId> {
        if id < 0 {
            return Err(invalid_id(format!("{id} is not an id: it is negative")));
        }
        if id > self.last_id() {
            return Err(invalid_id(format!(
                "{id} is not an id of this layout: it has more than {} bits",
                self.bits.total()
            )));
        }
        let mut rest = id;
        let mut take = |bits: u32| {
            let part = rest & ones(bits);
            rest >>= bits;
            part
        };
        let gene = take(self.bits.gene);
        let sequence = take(self.bits.sequence);
        let worker_id = take(self.bits.worker);
        let datacenter = take(self.bits.datacenter);
        Ok(DecodedId { id, timestamp: self.start_of(rest), datacenter, worker_id, sequence, gene })
    }
}

fn fits(what: &str, value: i64, bits: u32) -> Result<()> {
    if (0..=ones(bits)).contains(&value) {
        return Ok(());
    }
    Err(invalid_argument(format!("{what}={value} is not from 0 to {} ({bits} bits)", ones(bits))))
}

/// The parts of an id, as [`Layout::decode`](crate::layout::Layout::decode) returns them.
///
/// ```
/// let layout = leafmint_ids::layout::Layout::parse("datacenter", Some(0))?;
/// let parts = layout.decode((86_400_000 << 22) | (3 << 17) | (4 << 12) | 5)?;
/// assert_eq!(parts.timestamp, 86_400_000); // 1970-01-02T00:00:00Z
/// assert_eq!((parts.datacenter, parts.worker_id, parts.sequence, parts.gene), (3, 4, 5, 0));
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodedId {
    /// The id itself.
    pub id: i64,
    /// When its tick started, in Unix milliseconds.
    pub timestamp: i64,
    /// The datacenter; 0 if the layout has no bits for it.
    pub datacenter: i64,
    /// The worker id.
    pub worker_id: i64,
    /// The sequence within the tick.
    pub sequence: i64,
    /// The gene; 0 if the layout has no bits for it.
    pub gene: i64,
}

/// Makes ids of one datacenter and worker id from tickets.
///
/// ```
/// let layout = leafmint_ids::layout::Layout::default().with_gene_bits(2)?;
/// let encoder = layout.ticket_encoder(0, 7)?;
/// let ticket = layout.ticket(5, 1023);
/// assert_eq!(encoder.encode(ticket, 3), layout.compose(5, 0, 7, 1023, 3)?);
/// assert_eq!(encoder.encode(ticket + 1, 3), layout.compose(6, 0, 7, 0, 3)?);
/// # Ok::<(), leafmint_ids::error::Error>(())
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
