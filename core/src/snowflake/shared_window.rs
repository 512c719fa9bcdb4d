//! The window of a lease as a face sees it that draws from the memory itself, and calls in only where the window has ended.

use super::generator::{Held, SnowflakeGenerator};
use crate::error::Result;
use std::mem::offset_of;
use std::sync::Arc;

/// Where datacenter and worker id stand in the memory of a [`SharedWindow`], shifted as they are added to a ticket. It is a signed 64-bit
/// word that never changes.
pub const WORKER_AT: usize = offset_of!(Held, splice.worker);

/// How long the memory of a [`SharedWindow`] is, in bytes.
pub const SHARED_WINDOW_SIZE: usize = WORKER_AT + size_of::<i64>();

const _: () = assert!(offset_of!(Held, tickets) == 0);

/// The window of one lease, of a generator with the option `windowed`.
///
/// Its memory is that of the lease's limit cell, with the next free ticket at [`CURSOR_OFFSET`](crate::segment::CURSOR_OFFSET), and the end
/// of the window at [`WINDOW_AT`](super::WINDOW_AT). A face may do one thing with it, atomically: read the end with acquire, and where it
/// is not 0, *then* add 1 to the cursor. The number before the addition is its ticket. Where that lies below the end it makes an id of it
/// as [`SnowflakeGenerator::splice`] says, with the worker of this very memory; else it asks [`SnowflakeGenerator::next_id_behind`].
///
/// It may read a copy of the end instead, if the copy, the memory and the worker are of one lease: no end lies past time that is
/// reserved, so a copy that lags lets out at most the rest of a tick that had come, and nothing once the cell is closed.
///
/// The window of a lease that was lost, replaced or closed stays shut for good, which the cursor tells: it is
/// [`CLOSED`](crate::segment::CLOSED) or above. The memory lives as long as this.
pub struct SharedWindow {
    held: Arc<Held>,
}

impl SnowflakeGenerator {
    /// Tells whether the option `windowed` is set.
    pub fn is_windowed(&self) -> bool {
        self.inner().behaviour.windowed
    }

    /// Returns what makes an id of a ticket, with the gene 0: `[ticks, lift, gene_bits]`, for
    /// `(ticket + (ticket & ticks) * lift + worker) << gene_bits`. It is the same for all leases but for the worker.
    pub fn splice(&self) -> [i64; 3] {
        self.layout().splice(0, 0).expect("every layout has a worker id 0").numbers()
    }

    /// Returns the window of the present lease; `None` while there is no lease, and without the option `windowed`.
    pub fn shared_window(&self) -> Option<SharedWindow> {
        let inner = self.inner();
        let held = inner.behaviour.windowed.then(|| inner.held.get()).flatten();
        held.map(|held| SharedWindow { held })
    }

    /// Returns an id for a ticket that a face drew behind a window, or another one, as [`SnowflakeGenerator::try_next_id`] does.
    ///
    /// Each ticket may be handed in once. One of a lease that is not the present one any more is given up.
    #[cold]
    pub fn next_id_behind(&self, window: &SharedWindow, ticket: i64) -> Result<Option<i64>> {
        let inner = self.inner();
        let present = inner.held.get().filter(|held| Arc::ptr_eq(held, &window.held));
        match present.and_then(|held| inner.next_behind_window(&held, ticket)) {
            Some(id) => Ok(Some(id)),
            None => self.try_next_id(),
        }
    }
}

impl SharedWindow {
    /// Returns where its memory begins, which is [`SHARED_WINDOW_SIZE`] bytes long.
    pub fn address(&self) -> *const u8 {
        Arc::as_ptr(&self.held).cast()
    }
}
