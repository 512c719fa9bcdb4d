//! The files of worker ids on one host.

pub mod directory_identity;
pub mod durable_file;
pub mod file_error;
#[cfg(test)]
mod fuzz_tests;
pub mod lock_and_state;
pub mod lock_file;
pub mod past_file;
pub mod private_file;
pub mod worker_state;
