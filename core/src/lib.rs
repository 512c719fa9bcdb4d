//! leafmint mints unique ids inside a process: Leaf's segment mode over SQLite, MySQL or MariaDB, without an id service to run.
//!
//! ```
//! let ids = leafmint::SegmentGenerator::open("memory:", [])?;
//! let order = ids.biz_tag("order")?;
//! println!("{}", order.next_id()?);
//! # Ok::<(), leafmint::Error>(())
//! ```
#![deny(unsafe_code)]

mod answer;
mod background;
mod backoff;
pub mod binding;
pub mod clock;
mod config;
mod config_errors;
mod error;
mod events;
#[cfg(test)]
mod fuzz;
pub mod holder;
mod host_names;
pub mod id;
mod limit_cell;
mod mutants;
mod mysql;
mod open;
mod panics;
mod printable;
mod process;
pub mod segment;
pub mod snowflake;
mod stat_value;
pub mod store;
mod sync;
mod waiters;
mod want;

pub use answer::Answer;
pub use config::OptionValue;
pub use error::{Error, ErrorKind, Result};
pub use events::EventKind;
pub use id::{DecodedId, Layout, ShardRule, ShardedId};
pub use segment::{BizTag, SegmentGenerator};
pub use snowflake::SnowflakeGenerator;
pub use stat_value::StatValue;
pub use store::schema::schema_sql;
