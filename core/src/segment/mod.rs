//! Segment mode: ids out of ranges of numbers that a store leases.

mod blocks;
mod buffer;
#[cfg(test)]
mod buffer_tests;
mod close;
mod generator;
mod order;
#[cfg(test)]
mod panicking_store_tests;
mod place;
mod refill;
mod shared_cell;
#[cfg(test)]
mod slow_store_tests;
mod stats;
mod step;
mod tag;
mod tags;
mod turns;
mod wait;

pub(crate) use generator::Behaviour;
pub use generator::SegmentGenerator;
pub use order::Order;
pub use stats::{SegmentStats, TAG_STATS, TagStats};
pub use tag::BizTag;
pub use wait::Wait;

pub(crate) use step::StepPolicy;
