//! How much a server may send.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of bytes that the server may still send.
#[derive(Clone)]
pub(super) struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    pub(super) fn of(bytes: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes)))
    }

    pub(super) fn renew(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// Takes bytes off. Fails once more have come than were allowed.
    pub(super) fn take(&self, bytes: usize) -> io::Result<()> {
        let left = self.0.load(Ordering::Relaxed).checked_sub(bytes);
        self.0.store(left.unwrap_or(0), Ordering::Relaxed);
        left.map(drop).ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, TOO_LONG))
    }
}

const TOO_LONG: &str = "the server's answer is longer than any of leafmint's tables";
