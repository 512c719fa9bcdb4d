//! Strategies that choose the table of a key.

use super::{hash, invalid_argument};
use crate::error::Result;

/// A strategy that chooses the table of a key, by ShardingSphere's name.
///
/// ```
/// use leafmint::id::ShardStrategy;
/// assert_eq!(ShardStrategy::from_name("crc32"), Some(ShardStrategy::Crc32));
/// assert_eq!(ShardStrategy::default().name(), "hash_mod");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShardStrategy {
    /// `hash_mod`: `abs(hashCode) mod tables`, with `String.hashCode` over UTF-16 units for text and `Long.hashCode`
    /// for integers.
    ///
    /// The absolute value is taken in 64 bits, as in ShardingSphere, so that a hash of `Integer.MIN_VALUE` gives a
    /// table. Java hashes a negative `Integer` and the same `Long` differently: the hash of the `Long` is used.
    #[default]
    HashMod,
    /// `mod`: the non-negative `key mod tables` of an integer, as in ShardingSphere; text keys are refused.
    Mod,
    /// `crc32`: CRC-32 (IEEE 802.3, as in zlib) of the UTF-8 bytes, mod tables; of an integer, its decimal text.
    Crc32,
}

impl ShardStrategy {
    /// Every strategy.
    pub const ALL: [ShardStrategy; 3] = [ShardStrategy::HashMod, ShardStrategy::Mod, ShardStrategy::Crc32];

    /// Returns the name that all languages share: `hash_mod`, `mod` or `crc32`.
    pub const fn name(self) -> &'static str {
        match self {
            ShardStrategy::HashMod => "hash_mod",
            ShardStrategy::Mod => "mod",
            ShardStrategy::Crc32 => "crc32",
        }
    }

    /// Returns the strategy of a name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }

    pub(super) fn table_of_text(self, key: &str, tables: i64) -> Result<i64> {
        match self {
            ShardStrategy::HashMod => Ok(hash_mod(hash::of_text(key), tables)),
            ShardStrategy::Mod => {
                Err(invalid_argument("the strategy mod takes integers; for text keys take hash_mod or crc32"))
            }
            ShardStrategy::Crc32 => Ok(crc32_mod(key, tables)),
        }
    }

    pub(super) fn table_of_int(self, key: i64, tables: i64) -> i64 {
        match self {
            ShardStrategy::HashMod => hash_mod(hash::of_int(key), tables),
            ShardStrategy::Mod => key.rem_euclid(tables),
            ShardStrategy::Crc32 => crc32_mod(&key.to_string(), tables),
        }
    }
}

/// Computes in 64 bits: in 32, the absolute value of the lowest hash is negative.
fn hash_mod(hash: i32, tables: i64) -> i64 {
    i64::from(hash).abs() % tables
}

fn crc32_mod(text: &str, tables: i64) -> i64 {
    i64::from(crc32fast::hash(text.as_bytes())) % tables
}
