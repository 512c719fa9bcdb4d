//! Sessions with MySQL and MariaDB servers: few sessions, bounded waits, conflicts tried again, then the next host.

mod authorities;
mod cut;
mod dial;
mod failure;
mod hosts;
mod own_tables;
mod session;
mod sessions;
mod settings;
mod spare;
mod statement;

pub(crate) use authorities::read as read_authorities;
pub(crate) use failure::{Failure, Outcome};
pub(crate) use own_tables::{OWN_TABLES, SCHEMA_VERSION};
#[cfg(test)]
pub(crate) use session::typed;
pub(crate) use session::{Changed, Session};
pub(crate) use sessions::{Refusal, Sessions};
pub use settings::{MySqlSettings, SslMode};
pub(crate) use statement::Statement;
