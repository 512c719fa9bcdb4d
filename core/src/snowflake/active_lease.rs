//! A lease that ids are minted with.

use super::tickets::Tickets;
use crate::holder::WorkerLease;
use crate::id::TicketEncoder;
use crate::sync::Mutex;

/// A lease that ids are minted with. A ticket is encoded with the worker id of the lease that it was drawn from.
pub(super) struct ActiveLease {
    pub(super) tickets: Tickets,
    pub(super) encoder: TicketEncoder,
    lease: Mutex<WorkerLease>,
}

impl ActiveLease {
    pub(super) fn new(lease: WorkerLease, tickets: Tickets, encoder: TicketEncoder) -> Self {
        Self { tickets, encoder, lease: Mutex::new(lease) }
    }

    /// Returns the lease with its horizon of now.
    pub(super) fn lease(&self) -> WorkerLease {
        self.lease.lock().clone()
    }

    pub(super) fn set_horizon(&self, horizon: i64) {
        self.lease.lock().horizon = horizon;
    }
}
