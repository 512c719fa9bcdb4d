//! The current lease of a generator. Every id reads it.

use super::tickets::Tickets;
use crate::holder::WorkerLease;
use crate::sync::Mutex;
use arc_swap::ArcSwapOption;
use leafmint_ids::layout::TicketEncoder;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Holds the current lease, if there is one.
///
/// Most generators keep their first lease for life, so it is read by plain loads: `ArcSwapOption` alone takes 56 more
/// instructions for each id, two of them atomic writes. Later leases are reference-counted: each is dropped once it is
/// neither current nor in use.
pub(super) struct CurrentLease {
    first: OnceLock<Arc<ActiveLease>>,
    /// Whether the first lease is the current one.
    is_first: AtomicBool,
    later: ArcSwapOption<ActiveLease>,
}

impl CurrentLease {
    pub(super) fn none() -> Self {
        Self { first: OnceLock::new(), is_first: AtomicBool::new(false), later: ArcSwapOption::empty() }
    }

    /// Calls `f` with the current lease. It may be replaced meanwhile, after its tickets are shut.
    #[inline]
    pub(super) fn with<T>(&self, f: impl FnOnce(&Arc<ActiveLease>) -> T) -> Option<T> {
        if self.is_first.load(Ordering::Acquire) { self.first.get().map(f) } else { self.with_cold(f) }
    }

    #[inline(never)]
    fn with_cold<T>(&self, f: impl FnOnce(&Arc<ActiveLease>) -> T) -> Option<T> {
        self.later.load().as_ref().map(f)
    }

    /// Returns the current lease.
    pub(super) fn get(&self) -> Option<Arc<ActiveLease>> {
        if self.is_first.load(Ordering::Acquire) { self.first.get().cloned() } else { self.later.load_full() }
    }

    /// Makes a lease the current one. There must be none.
    pub(super) fn set(&self, active: Arc<ActiveLease>) {
        match self.first.set(active) {
            Ok(()) => self.is_first.store(true, Ordering::Release),
            Err(active) => self.later.store(Some(active)),
        }
    }

    /// Leaves no lease current. If two callers race, only one gets the lease.
    pub(super) fn take(&self) -> Option<Arc<ActiveLease>> {
        if self.is_first.swap(false, Ordering::AcqRel) { self.first.get().cloned() } else { self.later.swap(None) }
    }
}

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
