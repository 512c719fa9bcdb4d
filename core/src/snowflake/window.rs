//! The option `windowed`: tickets without a look at the clock, while a ticker looks at it instead.
//!
//! A window is opened by whoever draws many tickets in one tick, so that slow traffic neither has a ticker nor lags behind the
//! clock. The ticker makes the present tick the window's at the beginning of each tick; once nobody has drawn for a few ticks it ends the
//! window and itself, and nothing wakes up any more. So a timestamp may lag by as much as the ticker is late, and no ticket is of a tick
//! that has not come.

use super::generator::{Held, Inner};
use super::tickets::Drawn;
use std::sync::Arc;
use std::time::Duration;

/// So many tickets of one tick, on top of where its sequence may begin, make a window worth its ticker.
const HOT: i64 = 32;

/// After so many ticks in which nobody drew, the ticker ends.
const QUIET_TICKS: u32 = 4;

/// How long a ticker sleeps at the most, where ticks are long: it keeps the generator's state alive.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);

impl Inner {
    /// Draws again where the window had ended: the ticket `behind` it was drawn.
    #[cold]
    pub(super) fn next_behind_window(self: &Arc<Self>, held: &Arc<Held>, behind: i64) -> Option<i64> {
        let now = self.tick();
        let ticket = match held.tickets.is_due(behind, now) {
            true => behind,
            false => {
                // A ticket of a later tick is given up, and no more of them are drawn: one for each thread and tick at the most.
                held.tickets.shut_window();
                let Drawn::Ticket(ticket) = held.tickets.draw_present(now, || self.sequence()) else { return None };
                ticket
            }
        };
        self.open_window(held, now);
        Some(held.splice.id(ticket, 0))
    }

    /// Opens the window after a draw by the clock, where that is worth it.
    pub(super) fn open_window_if_hot(self: &Arc<Self>, held: &Arc<Held>, ticket: i64, now: i64) {
        if !held.tickets.is_among_first(ticket, self.behaviour.jitter + HOT) {
            self.open_window(held, now);
        }
    }

    fn open_window(self: &Arc<Self>, held: &Arc<Held>, now: i64) {
        if held.tickets.open_window(now, self.sequence()) {
            self.start_ticker(held);
        }
    }

    fn start_ticker(self: &Arc<Self>, held: &Arc<Held>) {
        match crate::background::runtime() {
            Ok(runtime) => {
                runtime.spawn(tick(self.clone(), held.clone()));
            }
            Err(_) => held.tickets.end_ticking(),
        }
    }
}

/// However a ticker ends, there is no window without one.
struct Ticking(Arc<Held>);

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.tickets.end_ticking();
    }
}

/// Keeps the window at the present tick until nobody draws any more, as is the case too where the lease has ended.
async fn tick(inner: Arc<Inner>, held: Arc<Held>) {
    let held = Ticking(held);
    let tickets = &held.0.tickets;
    let (mut cursor, mut quiet) = (tickets.cursor(), 0);
    while quiet < QUIET_TICKS {
        let next = inner.behaviour.layout.start_of(inner.tick() + 1);
        tokio::time::sleep(inner.time.until(next).min(LONGEST_SLEEP)).await;
        quiet = if tickets.cursor() == cursor { quiet + 1 } else { 0 };
        tickets.open_window(inner.tick(), inner.sequence());
        cursor = tickets.cursor();
    }
}
