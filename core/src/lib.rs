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
//! * Stores and holders of one's own: [`store::SegmentStore`], [`holder::WorkerIdHolder`].
//! * Ids as data, without a connection: [`Layout`], [`ShardRule`], and the module [`id`].
//! * [`binding`] is for the Python and Java bindings, [`simulation`] for the project's tests, and [`migration`] for its
//!   command; each may change in any version.
//!
//! What a version may change is in the crate's README. [`binding`], [`simulation`] and [`migration`] are not covered by
//! Semantic Versioning. The project's documentation describes the guarantees, the faults that are tested and the
//! proofs.
#![deny(unsafe_code)]

#[cfg(not(unix))]
compile_error!(
    "leafmint runs on Linux and macOS only: its locks, its fork safety and its worker ids are made of POSIX calls. \
     On Windows, build for Linux and run in WSL 2 or in a container."
);

mod answer;
mod background;
mod backoff;
pub mod binding;
pub mod clock;
mod config;
mod config_errors;
mod credentials;
mod database;
mod error;
mod events;
#[cfg(test)]
mod fuzz;
pub mod holder;
mod host_names;
pub mod id;
mod limit_cell;
pub mod migration;
mod mysql;
mod open;
mod panics;
mod pollable;
mod postgres;
mod printable;
mod process;
mod progress;
pub mod segment;
pub mod simulation;
pub mod snowflake;
mod stat_value;
pub mod store;
mod sync;
mod waiters;
mod wake_descriptor;
mod wake_queue;
mod want;
mod zookeeper;

pub use answer::Answer;
pub use config::OptionValue;
pub use credentials::{Credentials, CredentialsSource};
pub use error::{Error, ErrorKind, Result};
pub use events::EventKind;
pub use id::{DecodedId, Layout, ShardRule, ShardedId};
pub use segment::{BizTag, SegmentGenerator};
pub use snowflake::SnowflakeGenerator;
pub use stat_value::StatValue;
pub use store::schema::schema_sql;

/// The example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
