//! Segment mode: ids from ranges of numbers that a store leases.

mod biz_tag;
mod buffer;
mod buffer_state;
#[cfg(test)]
mod buffer_tests;
mod close;
#[cfg(test)]
mod faulty_store_tests;
mod from_buffer;
mod generator;
mod give_back;
mod known_tags;
mod lifecycle;
mod open_tags;
mod order;
mod series;
mod shared;
pub(crate) mod shared_cell;
mod source;
mod sources;
mod state;
mod stats;
#[cfg(feature = "internals")]
mod stored_table;
mod stored_tags;
mod stripes;
mod supply;
mod tag;
mod tag_options;
mod tags;
mod thread_number;
mod wait;

pub use biz_tag::BizTag;
pub use generator::SegmentGenerator;
pub use order::Order;
pub use series::{Calendar, Series, SeriesGroup, SeriesNumber, SeriesOptions};
pub(crate) use shared::SegmentSettings;
pub use stats::{SegmentStats, TAG_STATS, TagStats};
#[cfg(feature = "internals")]
pub use stored_table::StoredTable;
pub(crate) use supply::StepPolicy;
pub use tag_options::TagOptions;
pub use wait::Wait;

pub use crate::store::{NewTagOptions, SegmentCheck, SeriesInfo, TagInfo};
