//! Tickets: the numbers `tick << sequence_bits | sequence` of one lease, drawn from its limit cell.
//!
//! The limit is the lease's horizon. A draw moves the cursor to the present tick, or counts on where the present tick is in use
//! already, into the next ticks if need be; no interleaving draws a ticket twice. A ticket of a tick that has not come yet is
//! its drawer's all the same: the drawer waits for the tick.

use crate::limit_cell::LimitCell;
use crate::mutants::weaken;
use std::ops::Range;

/// The tickets of one lease.
pub(crate) struct Tickets {
    cell: LimitCell,
    sequence_bits: u32,
    first: i64,
}

/// What a draw gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    Ticket(i64),
    /// The next free ticket lies in this tick, which is further off than the caller waits for. Nothing was drawn.
    TooFar(i64),
    /// The horizon is reached, or the lease has ended. Nothing was drawn that anybody may use.
    AtLimit,
}

/// What a draw of many gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DrawnRun {
    /// Tickets of one tick.
    Run(Range<i64>),
    /// The next free ticket lies in this tick, which has yet to come. Nothing was drawn.
    TooFar(i64),
    /// The horizon is reached, or the lease has ended. Nothing was drawn.
    AtLimit,
}

impl Tickets {
    /// Makes the tickets from the tick `first` on; the limit is raised afterwards.
    pub(crate) fn new(first: i64, sequence_bits: u32) -> Self {
        let (cell, first) = (LimitCell::new(), first << sequence_bits);
        cell.switch(first, 0);
        Self { cell, sequence_bits, first }
    }

    /// Draws the next ticket: of the tick `now`, or of a later one up to `furthest`. A tick that is entered begins at `sequence`.
    #[inline]
    pub(crate) fn draw(&self, now: i64, furthest: i64, sequence: i64) -> Drawn {
        let limit = self.cell.limit(); // before the draw, as in every draw from a limit cell
        let present = now << self.sequence_bits;
        loop {
            let cursor = self.cell.cursor();
            if cursor >= limit {
                return Drawn::AtLimit;
            }
            if cursor < present {
                let ticket = present + sequence;
                if weaken!("jump-past-the-horizon", ticket >= limit, without = false) {
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

    /// Draws the next ticket of the tick `now`, and never one of a later tick. A tick that is entered begins at `sequence`, which
    /// is asked for only then.
    #[inline]
    pub(crate) fn draw_present(&self, now: i64, sequence: impl Fn() -> i64) -> Drawn {
        let limit = self.cell.limit(); // before the draw
        let cursor = self.cell.cursor();
        let allowed = weaken!("ticket-past-the-horizon", cursor < limit, without = true);
        if cursor >> self.sequence_bits == now && allowed && self.cell.jump(cursor, cursor + 1) {
            return Drawn::Ticket(cursor);
        }
        self.draw_present_anew(now, sequence)
    }

    /// Does the same where the tick has to be entered, where somebody else drew at the same time, and where there may be no ticket.
    /// Not inlined, so that the way without it saves no registers for it.
    #[inline(never)]
    fn draw_present_anew(&self, now: i64, sequence: impl Fn() -> i64) -> Drawn {
        let limit = self.cell.limit();
        let present = now << self.sequence_bits;
        loop {
            let cursor = self.cell.cursor();
            let ticket = if cursor < present { present + sequence() } else { cursor };
            if weaken!("ticket-past-the-horizon", ticket >= limit, without = false) {
                return Drawn::AtLimit;
            }
            if ticket >> self.sequence_bits > now {
                return Drawn::TooFar(ticket >> self.sequence_bits);
            }
            if self.cell.jump(cursor, ticket + 1) {
                return Drawn::Ticket(ticket);
            }
        }
    }

    /// Draws between one and `most` tickets of one tick that has come by `now`.
    ///
    /// Ticks before `entry`, or before `now` where that is sooner, are passed over; one that is entered so begins at `sequence`.
    pub(crate) fn draw_run(&self, entry: i64, now: i64, most: i64, sequence: i64) -> DrawnRun {
        let limit = weaken!("run-past-the-horizon", self.cell.limit(), without = i64::MAX);
        let entry = entry.min(now) << self.sequence_bits;
        loop {
            let cursor = self.cell.cursor();
            let start = if cursor < entry { entry + sequence } else { cursor };
            let tick = start >> self.sequence_bits;
            if start >= limit {
                return DrawnRun::AtLimit;
            }
            if weaken!("run-of-a-tick-to-come", tick > now, without = false) {
                return DrawnRun::TooFar(tick);
            }
            let end = start.saturating_add(most).min((tick + 1) << self.sequence_bits).min(limit);
            if self.cell.jump(cursor, end) {
                return DrawnRun::Run(start..end);
            }
        }
    }

    /// Lets ticks before `tick` be drawn. Only the keeper calls it, with a horizon that is durable.
    pub(crate) fn allow_before(&self, tick: i64) {
        self.cell.raise(tick << self.sequence_bits);
    }

    /// Lets nothing be drawn until it is allowed again.
    pub(crate) fn hold_back(&self) {
        self.cell.raise(0);
    }

    /// Ends all draws for good and returns the first tick that none of them has touched.
    pub(crate) fn shut(&self) -> i64 {
        let cursor = self.cell.close();
        // The last ticket drawn is the one before the cursor; overshoot past the limit counts too, which only costs time.
        if cursor > self.first { ((cursor - 1) >> self.sequence_bits) + 1 } else { self.first >> self.sequence_bits }
    }
}
