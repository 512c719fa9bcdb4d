//! What a segment generator promises, on SQLite files and in memory. One file per topic, named after the source file it
//! tests.

mod biz_tag;
mod close;
mod database;
mod genes;
mod known_tags;
mod refill;
pub(crate) mod series;
mod step_policy;
mod stripes;
mod tags;
