//! How leafmint talks to MySQL and MariaDB: few sessions, every wait bounded, conflicts tried again, on to the next host.

mod failure;
mod own_tables;
mod session;
mod sessions;
mod statement;

pub(crate) use failure::Failure;
pub(crate) use own_tables::{OWN_TABLES, SCHEMA_VERSION};
pub(crate) use session::Session;
pub use sessions::{MySqlSettings, SslMode};
pub(crate) use sessions::{Refusal, Sessions};
pub(crate) use statement::{Outcome, Statement};
