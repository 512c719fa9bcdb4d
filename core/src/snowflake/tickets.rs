//! Tickets: the numbers `tick << sequence_bits | sequence` of one lease, drawn from its limit cell.
//!
//! The limit is the lease's horizon. A draw moves the cursor to the present tick, or counts on where the present tick is in use
//! already, into the next ticks if need be; no interleaving draws a ticket twice. A ticket of a tick that has not come yet is
//! its drawer's all the same: the drawer waits for the tick.
//!
//! With the option `windowed` there is a second, lower limit, the end of the *window*: the end of the present tick, as somebody saw it
//! who looked at the clock. Below it a ticket is drawn without a look. The window is never past the limit of the cell, and the
//! cursor is the same, so what is drawn in it is drawn once and lies before the horizon, like every other ticket.

use crate::limit_cell::{CELL_SIZE, LimitCell};
use crate::mutants::weaken;
use crate::sync::{AtomicI64, Mutex, Ordering};
use std::mem::offset_of;
use std::ops::Range;

/// Where the end of the window stands in the memory that begins with a lease's limit cell, in bytes. It is a signed 64-bit word in
/// native byte order.
pub const WINDOW_AT: usize = CELL_SIZE;

const _: () = assert!(offset_of!(Tickets, cell) == 0);
const _: () = assert!(offset_of!(Tickets, window) == WINDOW_AT);

/// The tickets of one lease. Cell and window stand at the places that other languages rely on.
#[repr(C)]
pub(crate) struct Tickets {
    cell: LimitCell,
    /// The first ticket that is not in the window; 0 where there is none.
    window: AtomicI64,
    sequence_bits: u32,
    first: i64,
    /// Held by whoever moves the window or holds tickets back. Tells whether a ticker moves the window on.
    ticking: Mutex<bool>,
}

/// What a draw from the window gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InWindow {
    Ticket(i64),
    /// The window has ended. This ticket behind it was drawn, and is its drawer's if [`Tickets::is_due`] says so.
    Behind(i64),
    /// There is no window. Nothing was drawn.
    Shut,
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
        Self { cell, sequence_bits, first, window: AtomicI64::new(0), ticking: Mutex::new(false) }
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

    /// Draws the next ticket of the window: a load, an add and a comparison.
    #[inline]
    pub(crate) fn draw_in_window(&self) -> InWindow {
        let end = self.window.load(Ordering::Acquire); // before the draw
        if end == 0 {
            return InWindow::Shut;
        }
        match self.cell.next_below(end) {
            Ok(ticket) => InWindow::Ticket(ticket),
            Err(rejected) => InWindow::Behind(rejected.number),
        }
    }

    /// Tells whether a ticket that was drawn behind the window may be used in the tick `now`.
    ///
    /// It lies in the lease and was drawn once, whatever the window was; what is asked is whether its tick has come, whether the
    /// horizon is above it, and whether tickets are held back.
    pub(crate) fn is_due(&self, ticket: i64, now: i64) -> bool {
        let allowed = weaken!("ticket-behind-the-window-past-the-horizon", ticket < self.cell.limit(), without = true);
        let has_come = weaken!("ticket-behind-the-window-of-a-tick-to-come", ticket >> self.sequence_bits <= now, without = true);
        allowed && has_come
    }

    /// Tells whether a ticket is one of the first `count` sequence numbers of its tick.
    pub(crate) fn is_among_first(&self, ticket: i64, count: i64) -> bool {
        ticket & ((1 << self.sequence_bits) - 1) < count
    }

    /// Makes `now` the tick of the window, which begins at `sequence`. Returns whether the caller has to start a ticker.
    pub(crate) fn open_window(&self, now: i64, sequence: i64) -> bool {
        let mut ticking = self.ticking.lock();
        let limit = self.cell.limit();
        let present = now << self.sequence_bits;
        let end = ((now + 1) << self.sequence_bits).max(self.window.load(Ordering::Relaxed));
        let end = weaken!("window-past-the-horizon", end.min(limit), without = end);
        self.window.store(end, Ordering::Release);
        let ticket = present + sequence;
        // Only as long as nobody draws in the tick already. Whoever meets the limit looks at the clock anyway.
        let mut cursor = self.cell.cursor();
        while cursor < present && ticket < limit && !self.cell.jump(cursor, ticket) {
            cursor = self.cell.cursor();
        }
        end > 0 && !std::mem::replace(&mut *ticking, true)
    }

    /// Ends the window until the clock has been looked at.
    pub(crate) fn shut_window(&self) {
        let _ticking = self.ticking.lock();
        self.window.store(0, Ordering::Release);
    }

    /// Ends the window, and with it the ticker.
    pub(crate) fn end_ticking(&self) {
        let mut ticking = self.ticking.lock();
        self.window.store(0, Ordering::Release);
        *ticking = false;
    }

    /// Returns the next free ticket.
    pub(crate) fn cursor(&self) -> i64 {
        self.cell.cursor()
    }

    /// Lets ticks before `tick` be drawn. Only the keeper calls it, with a horizon that is durable.
    pub(crate) fn allow_before(&self, tick: i64) {
        self.cell.raise(tick << self.sequence_bits);
    }

    /// Lets nothing be drawn until it is allowed again.
    pub(crate) fn hold_back(&self) {
        let _ticking = self.ticking.lock();
        self.cell.raise(0);
        weaken!("window-open-while-held-back", self.window.store(0, Ordering::Release), without = ());
    }

    /// Ends all draws for good and returns the first tick that none of them has touched.
    pub(crate) fn shut(&self) -> i64 {
        let cursor = self.cell.close();
        // The last ticket drawn is the one before the cursor; overshoot past the limit counts too, which only costs time.
        if cursor > self.first { ((cursor - 1) >> self.sequence_bits) + 1 } else { self.first >> self.sequence_bits }
    }
}
