//! Putting ids together and taking them apart.

use super::decoded::DecodedId;
use super::layout::{Layout, ones};
use super::time::date;
use super::{exhausted, invalid_argument, invalid_id};
use crate::error::Result;

impl Layout {
    /// Puts an id together out of a tick (counted from the epoch), datacenter, worker id, sequence and gene.
    ///
    /// Raises `id_space_exhausted` where the tick is past the end of the time bits, and `invalid_argument` where it is negative
    /// or another part does not fit its bits.
    pub fn compose(&self, tick: i64, datacenter: i64, worker_id: i64, sequence: i64, gene: i64) -> Result<i64> {
        if tick < 0 {
            return Err(invalid_argument(format!("tick={tick} is before the epoch {} ({})", self.epoch, date(self.epoch))));
        }
        if tick > self.last_tick() {
            return Err(exhausted(format!(
                "tick={tick} is past {}, the last of timestamp:{}: the time bits run out at {} ({})",
                self.last_tick(),
                self.bits.timestamp,
                self.runs_out(),
                date(self.runs_out()),
            )));
        }
        let datacenter_worker = self.datacenter_worker(datacenter, worker_id)?;
        fits("sequence", sequence, self.bits.sequence)?;
        fits("gene", gene, self.bits.gene)?;
        Ok(self.splice(self.ticket(tick, sequence), datacenter_worker, gene))
    }

    /// Joins datacenter and worker id to the number that [`Layout::splice`] takes: `datacenter << worker_bits | worker_id`.
    ///
    /// Raises `invalid_argument` where one does not fit its bits.
    pub fn datacenter_worker(&self, datacenter: i64, worker_id: i64) -> Result<i64> {
        fits("datacenter", datacenter, self.bits.datacenter)?;
        fits("worker_id", worker_id, self.bits.worker)?;
        Ok(datacenter << self.bits.worker | worker_id)
    }

    /// Joins a tick and a sequence to a ticket: `tick << sequence_bits | sequence`. Both must fit their bits; nothing is checked.
    #[inline]
    pub const fn ticket(&self, tick: i64, sequence: i64) -> i64 {
        tick << self.bits.sequence | sequence
    }

    /// Returns the tick of a ticket.
    #[inline]
    pub const fn tick_of(&self, ticket: i64) -> i64 {
        ticket >> self.bits.sequence
    }

    /// Splices datacenter, worker id and gene into a ticket, which gives an id. For the hot path: neither branches nor allocates.
    ///
    /// The ticket comes from [`Layout::ticket`] or counts on from there, `datacenter_worker` comes from
    /// [`Layout::datacenter_worker`], and the gene fits its bits. Nothing is checked: other numbers give a meaningless id.
    ///
    /// ```
    /// let layout = leafmint::id::Layout::default().with_gene_bits(2)?;
    /// let ticket = layout.ticket(5, 1023);
    /// assert_eq!(layout.splice(ticket, 7, 3), layout.compose(5, 0, 7, 1023, 3)?);
    /// assert_eq!(layout.splice(ticket + 1, 7, 3), layout.compose(6, 0, 7, 0, 3)?);
    /// # Ok::<(), leafmint::Error>(())
    /// ```
    #[inline]
    pub const fn splice(&self, ticket: i64, datacenter_worker: i64, gene: i64) -> i64 {
        let bits = &self.bits;
        let sequence = ticket & ones(bits.sequence);
        let above = self.tick_of(ticket) << (bits.datacenter + bits.worker) | datacenter_worker;
        (above << bits.sequence | sequence) << bits.gene | gene
    }

    /// Takes an id apart. The timestamp is the start of its tick in Unix milliseconds.
    ///
    /// Raises `invalid_id` for a negative number and for one with more bits than the layout has. Any other number is an id of
    /// this layout as far as its bits tell; whether it was ever minted they cannot.
    pub fn decode(&self, id: i64) -> Result<DecodedId> {
        if id < 0 {
            return Err(invalid_id(format!("{id} is not an id: it is negative")));
        }
        if id > self.last_id() {
            return Err(invalid_id(format!("{id} is not an id of this layout: it has more than {} bits", self.bits.total())));
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
