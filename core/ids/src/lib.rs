//! Ids as data: layouts, genes, shard suffixes, formats of numbers, public ids, and the errors that all of leafmint
//! raises. Plain arithmetic: no I/O, no clock, no task.
#![forbid(unsafe_code)]

pub mod error;
pub mod format;
pub mod gene;
pub mod layout;
pub mod panics;
pub mod public_id;
pub mod room;
pub mod shard;
pub mod text;
