//! Sessions with PostgreSQL servers: how they are dialled, what is sent, and what an error means.

mod borrowed;
mod cancel;
mod dial;
mod errors;
mod incoming;
pub mod operators;
pub mod schema;
pub mod segments;
pub mod sequences;
mod session;
mod table;
mod tls;
mod values;
pub mod workers;

pub use dial::Postgres;
pub use errors::meaning;
pub use sequences::over_sequence;
pub use session::Session;
pub(crate) use table::is_lasting;
pub use table::{LASTING, does_not_round, not_lasting};
pub use values::{Param, Row, column, number, numbers, optional, text};
