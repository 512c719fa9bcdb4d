//! Layouts, genes and shard suffixes of ids, and formats of numbers: plain arithmetic without state, I/O or a clock.

mod bits;
mod compose;
mod dates;
mod decoded_id;
mod format;
#[cfg(test)]
mod fuzz_tests;
mod gene;
mod hash;
mod layout;
mod layout_text;
mod period;
mod quote;
mod shard_rule;
mod shard_strategy;
mod sharded_id;
mod spans;
mod ticket_encoder;
mod ticks;

pub use bits::{LayoutBits, MAX_GENE_BITS};
pub(crate) use dates::date;
pub use decoded_id::DecodedId;
pub(crate) use format::check_key;
pub use format::{CalendarDate, Format, NumberParts};
pub(crate) use gene::join;
pub use gene::{gene_of_int, gene_of_text, shard_of, with_gene};
pub use layout::{LEAF_EPOCH, Layout};
pub use layout_text::LAYOUT_PRESETS;
pub use period::Period;
pub(crate) use quote::quoted;
pub use shard_rule::ShardRule;
pub use shard_strategy::ShardStrategy;
pub use sharded_id::ShardedId;
pub use spans::{moments_of_span, period_tables};
pub use ticket_encoder::TicketEncoder;

use crate::error::{Error, ErrorKind};

pub(crate) fn invalid_argument(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

pub(crate) fn invalid_id(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidId, message)
}

fn exhausted(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::IdSpaceExhausted, message)
}
