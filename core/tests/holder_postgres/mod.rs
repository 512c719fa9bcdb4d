//! Promises of the holder over PostgreSQL that the suites of all holders do not test: on real servers, one file per
//! topic.

mod durability;
mod pooled;
mod tables;
