//! Mints unique 63-bit ids inside a process: Meituan Leaf as a library, without an id service to run.
//!
//! A [`SegmentGenerator`] leases ranges of numbers from a table; a [`SnowflakeGenerator`] leases ranges of time for a
//! worker id. Both hand a range out with one atomic instruction, and lease the next one in the background. Ranges never
//! overlap, so ids never repeat within the scope of a store or holder.
//!
//! ```
//! let ids = leafmint::open::segment("memory:", [])?;
//! let order = ids.biz_tag("order")?;
//! assert!(order.next_id()? < order.next_id()?);
//! # Ok::<(), leafmint::Error>(())
//! ```
//!
//! * URLs and options: [`open::segment`], [`open::snowflake`].
//! * Ids as data, without a connection: [`Layout`], [`ShardRule`] and [`Format`].
//! * Snowflakes in the tests of an application: [`open::snowflake_in_virtual_time`].
//!
//! The project's documentation describes the guarantees, the faults that are tested and the proofs.
#![deny(unsafe_code)]

pub mod binding;
pub mod config;
pub mod gapless;
pub mod id_keys;
pub mod open;
mod pollable;

pub use config::{OptionSpec, OptionValue, SEGMENT_OPTIONS, SNOWFLAKE_OPTIONS, Shape};
pub use leafmint_backends::servers::schema_sql;
pub use leafmint_backends::sessions::credentials::{Credentials, CredentialsSource};
pub use leafmint_engine::answer::Answer;
pub use leafmint_engine::clock::VirtualClock;
pub use leafmint_engine::runtime::background::Pending;
pub use leafmint_engine::runtime::events::EventKind;
pub use leafmint_engine::segment::{BizTag, SegmentGenerator};
pub use leafmint_engine::snowflake::SnowflakeGenerator;
pub use leafmint_engine::{MAX_BATCH, MAX_RUN, StatValue, Want, clock, holder, segment, snowflake, store};
pub use leafmint_ids::error::{Error, ErrorKind, Reason, Result, ServerError};
pub use leafmint_ids::format::{Format, NumberParts};
pub use leafmint_ids::layout::{DecodedId, Layout};
pub use leafmint_ids::public_id::{BoundIdText, IdKeys, IdText, PublicIds, ScrambledNumbers};
pub use leafmint_ids::shard::{ShardRule, ShardedId};
pub use leafmint_ids::text::pasted::{ShellCommand, read_by};
pub use leafmint_ids::{format, gene, layout, shard};
