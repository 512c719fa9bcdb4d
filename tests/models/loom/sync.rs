//! The atomics and the mutex of the sources, as loom's. Spinning takes no time.

pub use loom::sync::atomic::{AtomicI64, Ordering};
use loom::sync::{Mutex as LoomMutex, MutexGuard};

pub struct Mutex<T>(LoomMutex<T>);

impl<T> Mutex<T> {
    pub fn new(value: T) -> Self {
        Self(LoomMutex::new(value))
    }

    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap()
    }
}

pub fn spin(_time: std::time::Duration) {}
