//! Sessions with MySQL and MariaDB servers: how they are dialled, what is sent, and what an error means.

mod cut_connection;
mod dial;
mod failure;
mod lasting;
mod options;
mod own_tables;
mod session;
mod spare_connection;

pub(crate) use dial::MySql;
pub(crate) use failure::meaning;
pub(crate) use lasting::{ShownTables, check, is_transactional, look, refused, show, shown};
pub(crate) use own_tables::OWN_TABLES;
#[cfg(test)]
pub(crate) use session::typed;
pub(crate) use session::{Changed, Session};
