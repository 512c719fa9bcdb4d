//! The present lease of a generator, where every id looks for it.

use super::generator::Held;
use arc_swap::ArcSwapOption;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Holds the present lease, if there is one.
///
/// Most generators have one lease for all their life, so the first is found by loads alone. To find a later one costs counting,
/// because it is dropped when it is neither present nor in use.
pub(super) struct Present {
    first: OnceLock<Arc<Held>>,
    /// Whether the first one is the present one.
    is_first: AtomicBool,
    later: ArcSwapOption<Held>,
}

impl Present {
    pub(super) fn none() -> Self {
        Self { first: OnceLock::new(), is_first: AtomicBool::new(false), later: ArcSwapOption::empty() }
    }

    /// Looks at the present lease. It may be replaced meanwhile; its tickets are shut before.
    #[inline]
    pub(super) fn look<T>(&self, at: impl FnOnce(&Arc<Held>) -> T) -> Option<T> {
        if self.is_first.load(Ordering::Acquire) { self.first.get().map(at) } else { self.look_later(at) }
    }

    #[inline(never)]
    fn look_later<T>(&self, at: impl FnOnce(&Arc<Held>) -> T) -> Option<T> {
        self.later.load().as_ref().map(at)
    }

    /// Returns the present lease, to keep.
    pub(super) fn get(&self) -> Option<Arc<Held>> {
        if self.is_first.load(Ordering::Acquire) { self.first.get().cloned() } else { self.later.load_full() }
    }

    /// Makes a lease the present one, where there is none.
    pub(super) fn set(&self, held: Arc<Held>) {
        match self.first.set(held) {
            Ok(()) => self.is_first.store(true, Ordering::Release),
            Err(held) => self.later.store(Some(held)),
        }
    }

    /// Leaves no lease present. Returns it to one caller only.
    pub(super) fn take(&self) -> Option<Arc<Held>> {
        if self.is_first.swap(false, Ordering::AcqRel) { self.first.get().cloned() } else { self.later.swap(None) }
    }
}
