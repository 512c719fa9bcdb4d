//! The lease that is held, and what is known about its row.

use super::state_dir::{RowFile, write};
use crate::background::Task;
use crate::error::{ErrorKind, Result};
use crate::events::{self, EventKind};
use crate::holder::row_state::{RowState, RowVersion};
use crate::holder::{Token, WorkerLease};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The lease that is held.
pub(super) struct RowLease {
    pub(super) worker_id: i64,
    pub(super) token: Token,
    pub(super) floor: i64,
    /// Up to where time is reserved: durable in the row, and in the state file if there is one.
    pub(super) horizon: i64,
    /// What the row showed last. Its horizon is never exceeded.
    pub(super) known: RowVersion,
    /// What else it may show: attempts that were not answered.
    pub(super) unconfirmed: Vec<RowVersion>,
    /// What others reported where the worker id is assigned was looked at: when the row was taken, or for a lease that
    /// was continued without the registry, since then.
    pub(super) is_looked_at: Arc<AtomicBool>,
    pub(super) file: Option<Arc<RowFile>>,
    /// The one attempt under way to move the row on.
    pub(super) renewal: Option<Task<RowVersion>>,
    /// The last attempt failed.
    pub(super) down: bool,
}

impl RowLease {
    pub(super) fn is(&self, lease: &WorkerLease) -> bool {
        (self.worker_id, self.token) == (lease.worker_id, lease.token)
    }

    /// Writes the state file, and only then counts the time as reserved.
    pub(super) async fn reserve(&mut self, horizon: i64, releasing: bool) -> Result<()> {
        let row = RowState { known: Some(self.known), unconfirmed: self.unconfirmed.clone(), releasing };
        write(self.file.as_ref(), self.token, horizon, row).await?;
        self.horizon = horizon;
        Ok(())
    }

    /// Takes in the result of the attempt under way, once it has ended, or after waiting for it.
    pub(super) async fn take_in(&mut self, wait: bool, database: &str) -> Result<()> {
        let Some(renewal) = self.renewal.take_if(|renewal| wait || renewal.is_finished()) else { return Ok(()) };
        let subject = format!("worker id {}", self.worker_id);
        match renewal.await {
            Ok(known) => {
                // A statement that is still queued compares with a version that has passed.
                (self.known, self.unconfirmed) = (known, Vec::new());
                if std::mem::take(&mut self.down) {
                    events::clear(EventKind::LeaseExtensionFailed, &subject);
                    let text = format_args!("{subject}: {database} answers again");
                    events::emit(EventKind::LeaseExtensionRecovered, &subject, text);
                }
                Ok(())
            }
            Err(error) => {
                if error.kind() != ErrorKind::LeaseLost && !std::mem::replace(&mut self.down, true) {
                    let text =
                        format_args!("{subject}: {error}; ids can be had until {} (Unix ms)", self.known.horizon);
                    events::emit(EventKind::LeaseExtensionFailed, &subject, text);
                }
                Err(error)
            }
        }
    }
}
