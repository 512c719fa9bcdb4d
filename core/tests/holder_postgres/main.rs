//! Promises of the holder over PostgreSQL that the suites of all holders do not test: on real servers, one file per
//! topic.

mod durability;
#[macro_use]
#[path = "../holders/mod.rs"]
mod holders;
mod pooled;
#[path = "../stores/mod.rs"]
mod stores;
mod tables;
