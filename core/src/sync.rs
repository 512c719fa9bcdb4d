//! Where the limit cell and the segment buffer take their atomics and their mutex from.
//!
//! `tests/loom.rs` compiles those two files against a `sync` of its own, so that what is model-checked is what runs.

pub(crate) use parking_lot::Mutex;
pub(crate) use std::sync::atomic::{AtomicI64, Ordering};
