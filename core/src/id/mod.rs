//! What an id is made of: layouts, genes and shard suffixes, as plain arithmetic without state, I/O or a clock.

mod bits;
mod compose;
mod decoded;
#[cfg(test)]
mod fuzz_tests;
mod gene;
mod hash;
mod layout;
mod layout_text;
mod shard;
mod sharded_id;
mod splice;
mod strategy;
mod time;

pub use bits::LayoutBits;
pub use decoded::DecodedId;
pub(crate) use gene::join;
pub use gene::{MAX_GENE_BITS, gene_of_int, gene_of_text, shard_of, with_gene};
pub use layout::{LEAF_EPOCH, Layout};
pub use layout_text::LAYOUT_PRESETS;
pub use shard::ShardRule;
pub use sharded_id::ShardedId;
pub use splice::Splice;
pub use strategy::ShardStrategy;

use crate::error::{Error, ErrorKind};

/// Text of more characters than this is cut in messages.
const SHOWN: usize = 64;

/// Quotes a value for a message, cut where it is long.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}... ({} characters)", &text[..end], text.chars().count()),
    }
}

fn invalid_argument(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

fn invalid_id(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidId, message)
}

fn exhausted(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::IdSpaceExhausted, message)
}
