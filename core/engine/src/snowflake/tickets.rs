//! Tickets: the numbers `tick << sequence_bits | sequence` of one lease, drawn from its limit cell.
//!
//! The limit is the lease's horizon. A draw moves the cursor to the current tick. If the cursor is already there, the
//! draw counts on, into later ticks if need be. No interleaving draws a ticket twice. A ticket of a tick to come
//! belongs to the call that drew it, which waits for the tick.

use crate::limit_cell::LimitCell;
use crate::sync::spin;
use std::ops::Range;
use std::time::Duration;

/// The tickets of one lease.
pub(super) struct Tickets {
    cell: LimitCell,
    sequence_bits: u32,
    /// The first ticket of the lease.
    first: i64,
}

/// The result of a draw.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Drawn {
    Ticket(i64),
    /// The next free ticket lies in this tick, which is later than the caller accepts. Nothing was drawn.
    TooFar(i64),
    /// The horizon is reached, or the lease has ended. No ticket was drawn.
    AtLimit,
}

/// The result of a draw of many.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DrawnRun {
    /// Tickets of one tick.
    Run(Range<i64>),
    /// The next free ticket lies in this tick, which has not come yet. Nothing was drawn.
    TooFar(i64),
    /// The horizon is reached, or the lease has ended. Nothing was drawn.
    AtLimit,
}

/// Wait after the first lost ticket. The other threads draw some hundred tickets in it.
const FIRST_WAIT: Duration = Duration::from_micros(2);

/// The wait of a draw doubles up to this number of lost tickets.
const LONGEST: u32 = 3;

/// Leaves the cursor to the other threads for a while, if the draw has lost tickets to them.
///
/// If two processors draw in turn, the cursor moves between them for every ticket, which takes longer than a draw.
/// After a wait the other thread has drawn many tickets, each at the cost of a draw without contention.
fn back_off(lost: u32) {
    if lost > 0 {
        spin(FIRST_WAIT * (1 << (lost.min(LONGEST) - 1)));
    }
}

impl Tickets {
    /// Makes tickets that begin with the tick `first`. None can be drawn before [`Tickets::allow_before`].
    pub(super) fn new(first: i64, sequence_bits: u32) -> Self {
        let (cell, first) = (LimitCell::new(), first << sequence_bits);
        cell.switch(first, 0);
        Self { cell, sequence_bits, first }
    }

    /// Returns the first ticket that may not be drawn. Every draw takes a limit that was read before the draw, as for
    /// every limit cell: this one, or a higher one whose horizon is durable.
    #[inline]
    pub(super) fn limit(&self) -> i64 {
        self.cell.limit()
    }

    /// Returns the first ticket of a tick.
    pub(super) fn first_of(&self, tick: i64) -> i64 {
        tick << self.sequence_bits
    }

    /// Returns whether every ticket before this limit was drawn or skipped.
    pub(super) fn is_used_up(&self, limit: i64) -> bool {
        self.cell.cursor() >= limit
    }

    /// Draws the next ticket: of the tick `now`, or of a later one up to `furthest`.
    ///
    /// If this is the first draw of the tick `now`, it begins at `sequence`.
    #[inline]
    pub(super) fn draw(&self, limit: i64, now: i64, furthest: i64, sequence: i64) -> Drawn {
        let current = now << self.sequence_bits;
        loop {
            let cursor = self.cell.cursor();
            if cursor >= limit {
                return Drawn::AtLimit;
            }
            if cursor < current {
                let ticket = current + sequence;
                if ticket >= limit {
                    return Drawn::AtLimit;
                }
                if self.cell.jump(cursor, ticket + 1) {
                    return Drawn::Ticket(ticket);
                }
                continue;
            }
            if cursor >> self.sequence_bits > furthest {
                return Drawn::TooFar(cursor >> self.sequence_bits);
            }
            return match self.cell.next_below(limit) {
                Ok(ticket) => Drawn::Ticket(ticket),
                Err(_) => Drawn::AtLimit,
            };
        }
    }

    /// Draws the next ticket of the tick `now`, never one of a later tick.
    ///
    /// If this is the first draw of the tick, it begins at `sequence`, which is called only then.
    #[inline]
    pub(super) fn draw_current(&self, limit: i64, now: i64, sequence: impl Fn() -> i64) -> Drawn {
        let cursor = self.cell.cursor();
        if cursor >> self.sequence_bits == now && cursor < limit {
            if self.cell.jump(cursor, cursor + 1) {
                return Drawn::Ticket(cursor);
            }
            return self.draw_current_cold(limit, now, sequence, 1);
        }
        self.draw_current_cold(limit, now, sequence, 0)
    }

    /// Draws if this may be the first draw of the tick, if another thread drew at the same time, or if there may be no
    /// ticket. `lost` is the number of tickets that this draw has lost to other threads.
    ///
    /// Not inlined, so that the common path saves no registers for it.
    #[inline(never)]
    fn draw_current_cold(&self, limit: i64, now: i64, sequence: impl Fn() -> i64, mut lost: u32) -> Drawn {
        let current = now << self.sequence_bits;
        loop {
            back_off(lost);
            let cursor = self.cell.cursor();
            let ticket = if cursor < current { current + sequence() } else { cursor };
            if ticket >= limit {
                return Drawn::AtLimit;
            }
            if ticket >> self.sequence_bits > now {
                return Drawn::TooFar(ticket >> self.sequence_bits);
            }
            if self.cell.jump(cursor, ticket + 1) {
                return Drawn::Ticket(ticket);
            }
            lost += 1;
        }
    }

    /// Draws from 1 to `most` tickets of one tick that is not later than `now`.
    ///
    /// Ticks before `entry`, or before `now` if that is earlier, are skipped; the tick reached by skipping begins at
    /// `sequence`.
    pub(super) fn draw_run(&self, limit: i64, entry: i64, now: i64, most: i64, sequence: i64) -> DrawnRun {
        let entry = entry.min(now) << self.sequence_bits;
        loop {
            let cursor = self.cell.cursor();
            let start = if cursor < entry { entry + sequence } else { cursor };
            let tick = start >> self.sequence_bits;
            if start >= limit {
                return DrawnRun::AtLimit;
            }
            if tick > now {
                return DrawnRun::TooFar(tick);
            }
            let end = start.saturating_add(most).min((tick + 1) << self.sequence_bits).min(limit);
            if self.cell.jump(cursor, end) {
                return DrawnRun::Run(start..end);
            }
        }
    }

    /// Sets the limit: draws of the ticks before `tick` are allowed. The horizon that allows them must be durable. Only
    /// under the owner's mutex.
    pub(super) fn allow_before(&self, tick: i64) {
        self.cell.raise(self.first_of(tick));
    }

    /// Refuses all draws for good. Returns the first tick that no draw has touched.
    pub(super) fn shut(&self) -> i64 {
        let cursor = self.cell.close();
        // The cursor is one past the last ticket drawn. It may have run past the limit, which only costs time.
        if cursor > self.first { ((cursor - 1) >> self.sequence_bits) + 1 } else { self.first >> self.sequence_bits }
    }
}
