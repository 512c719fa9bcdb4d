//! Mints unique 63-bit ids inside a process: Meituan Leaf as a library, without an id service to run.
//!
//! A [`SegmentGenerator`] leases ranges of numbers from a table; a [`SnowflakeGenerator`] leases ranges of time for a
//! worker id. Both hand a range out with one atomic instruction, and lease the next one in the background. Ranges never
//! overlap, so ids never repeat within the scope of a store or holder.
//!
//! ```
//! let ids = leafmint::SegmentGenerator::open("memory:", [])?;
//! let order = ids.biz_tag("order")?;
//! assert!(order.next_id()? < order.next_id()?);
//! # Ok::<(), leafmint::Error>(())
//! ```
//!
//! * URLs and options: [`SegmentGenerator::open`], [`SnowflakeGenerator::open`].
//! * Ids as data, without a connection: [`Layout`], [`ShardRule`], [`Format`], and the module [`id`].
//! * Snowflakes in the tests of an application: [`SnowflakeGenerator::open_in_virtual_time`].
//!
//! What a version may change is in the crate's README. The project's documentation describes the guarantees, the faults
//! that are tested and the proofs.
//!
//! The feature `internals` adds what only the project's bindings, tests and command use. It may change in any version.
#![deny(unsafe_code)]
// Without the feature, what it adds is private, and some of it unused.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unreachable_pub, unused_imports))]

#[cfg(not(unix))]
compile_error!(
    "leafmint runs on Linux and macOS only: its locks, its fork safety and its worker ids are made of POSIX calls. \
     On Windows, build for Linux and run in WSL 2 or in a container."
);

mod answer;
#[cfg(feature = "internals")]
pub mod audit;
mod background;
mod backoff;
#[cfg(feature = "internals")]
pub mod binding;
#[cfg(not(feature = "internals"))]
mod clock;
#[cfg(feature = "internals")]
pub mod clock;
mod config;
mod config_errors;
mod credentials;
mod database;
mod error;
mod events;
#[cfg(test)]
mod fuzz;
#[cfg(feature = "internals")]
pub mod gapless;
#[cfg(not(feature = "internals"))]
mod holder;
#[cfg(feature = "internals")]
pub mod holder;
mod host_names;
pub mod id;
mod limit_cell;
#[cfg(feature = "internals")]
pub mod migration;
mod mysql;
mod open;
mod panics;
mod pasted;
mod pollable;
mod postgres;
mod printable;
mod process;
mod progress;
mod public_id;
mod room;
pub mod segment;
#[cfg(feature = "internals")]
pub mod simulation;
pub mod snowflake;
mod stat_value;
#[cfg(not(feature = "internals"))]
mod store;
#[cfg(feature = "internals")]
pub mod store;
mod sync;
mod trusted_path;
mod waiters;
mod wake_descriptor;
mod wake_queue;
mod want;
mod zookeeper;

#[cfg(feature = "internals")]
pub use answer::Answer;
pub use background::Pending;
pub use clock::VirtualClock;
pub use config::{OPTIONS, OptionSpec, OptionValue, SNOWFLAKE_OPTIONS, Shape};
pub use credentials::{Credentials, CredentialsSource};
pub use error::{Error, ErrorKind, Reason, Result, ServerError};
pub use events::EventKind;
pub use id::{DecodedId, Format, Layout, NumberParts, ShardRule, ShardedId};
#[cfg(feature = "internals")]
pub use public_id::{BoundIdText, IdText};
pub use public_id::{PublicIds, PublicKeys, Scrambled};
pub use segment::{BizTag, SegmentGenerator};
pub use snowflake::SnowflakeGenerator;
pub use stat_value::StatValue;
pub use store::schema::schema_sql;
pub use want::{MAX_BATCH, MAX_RUN, Want};

/// The example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
