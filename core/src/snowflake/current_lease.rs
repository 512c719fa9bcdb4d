//! The current lease of a generator. Every id reads it.

use super::active_lease::ActiveLease;
use arc_swap::ArcSwapOption;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Holds the current lease, if there is one.
///
/// Most generators keep their first lease for life, so it is read by plain loads. Later leases are reference-counted:
/// each is dropped once it is neither current nor in use.
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
