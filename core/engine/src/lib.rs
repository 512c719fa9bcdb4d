//! What mints: segment mode, snowflake mode, and the runtime under both. It has no SQL and no socket: ranges come from
//! a [`store`] or a [`holder`], which are traits here.
#![deny(unsafe_code)]

#[cfg(not(unix))]
compile_error!(
    "leafmint runs on Linux and macOS only: its locks, its fork safety and its worker ids are made of POSIX calls. \
     On Windows, build for Linux and run in WSL 2 or in a container."
);

pub mod answer;
pub mod backoff;
pub mod clock;
pub mod holder;
pub mod limit_cell;
pub mod round_trip;
pub mod runtime;
pub mod segment;
pub mod snowflake;
mod stat_value;
pub mod store;
pub mod sync;
mod want;

pub use stat_value::StatValue;
pub use want::{MAX_BATCH, MAX_RUN, Want};
