//! A lease that ids are minted with.

use super::tickets::Tickets;
use crate::holder::WorkerLease;
use crate::id::TicketEncoder;
use crate::sync::Mutex;

/// A lease that ids are minted with. A ticket is encoded with the worker id of the lease that it was drawn from.
pub(super) struct ActiveLease {
    pub(super) tickets: Tickets,
    pub(super) encoder: TicketEncoder,
    terms: Mutex<Terms>,
}

struct Terms {
    lease: WorkerLease,
    /// Ticks before this one are reserved: they end before the durable horizon. 0 while draws are refused.
    reserved: i64,
    /// Ticks before this one may be stamped without a look at the system's clock.
    trusted: i64,
}

impl ActiveLease {
    /// Makes a lease of which nothing can be drawn before [`ActiveLease::reserve_before`], and nothing without a look
    /// at the system's clock before [`ActiveLease::trust_before`].
    pub(super) fn new(lease: WorkerLease, tickets: Tickets, encoder: TicketEncoder) -> Self {
        Self { tickets, encoder, terms: Mutex::new(Terms { lease, reserved: 0, trusted: 0 }) }
    }

    /// Returns the lease with its horizon of now.
    pub(super) fn lease(&self) -> WorkerLease {
        self.terms.lock().lease.clone()
    }

    pub(super) fn set_horizon(&self, horizon: i64) {
        self.terms.lock().lease.horizon = horizon;
    }

    /// Returns the first ticket that may not be drawn by a caller that has looked at the system's clock.
    pub(super) fn limit(&self) -> i64 {
        self.tickets.first_of(self.terms.lock().reserved)
    }

    /// Returns the limit, if every ticket before it was drawn.
    pub(super) fn used_up_before(&self) -> Option<i64> {
        let limit = self.limit();
        self.tickets.is_used_up(limit).then_some(limit)
    }

    /// Allows draws of the ticks before `tick`. The horizon that allows them must be durable.
    pub(super) fn reserve_before(&self, tick: i64) {
        let mut terms = self.terms.lock();
        terms.reserved = tick;
        self.publish(&terms);
    }

    /// Allows draws without a look at the system's clock of the reserved ticks before the one that `check` returns.
    ///
    /// The check is made under the lock, so that of two threads the one that checked last also sets the limit last.
    pub(super) fn trust_before(&self, check: impl FnOnce() -> i64) {
        let mut terms = self.terms.lock();
        terms.trusted = check();
        self.publish(&terms);
    }

    /// Refuses all draws until [`ActiveLease::reserve_before`] is called again.
    pub(super) fn hold_back(&self) {
        self.reserve_before(0);
    }

    fn publish(&self, terms: &Terms) {
        self.tickets.allow_before(terms.reserved.min(terms.trusted));
    }
}
