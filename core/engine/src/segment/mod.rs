//! Segment mode: ids from ranges of numbers that a store leases.

mod biz_tag;
mod buffer;
#[cfg(test)]
mod buffer_tests;
mod close;
mod failures;
#[cfg(test)]
mod faulty_store_tests;
mod generator;
mod give_back;
mod known_tags;
mod lifecycle;
mod open_tags;
mod series;
mod shared;
pub mod shared_cell;
mod sources;
mod state;
mod stats;
mod stored_tags;
mod stripes;
mod supply;
mod tag;
mod tag_options;
mod tags;
mod thread_number;
mod wait;

pub use crate::store::{NewTagOptions, SegmentCheck, SeriesInfo, TagInfo};
pub use biz_tag::BizTag;
pub use generator::SegmentGenerator;
pub use series::{Calendar, Series, SeriesGroup, SeriesNumber, SeriesOptions};
pub use shared::SegmentSettings;
pub use stats::{SegmentStats, TAG_STATS, TagStats};
pub use stored_tags::StoredTable;
pub use supply::StepPolicy;
pub use tag_options::{Order, TagOptions};
pub use wait::{Dry, Wait};
