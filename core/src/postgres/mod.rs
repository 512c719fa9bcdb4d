//! Sessions with PostgreSQL servers: how they are dialled, what is sent, and what an error means.

mod allowance;
mod bounded;
mod cancel;
mod certificate;
mod dial;
mod failure;
mod incoming;
mod lasting;
pub(crate) mod operators;
mod own_tables;
mod session;
mod tls;
mod transaction;

pub(crate) use dial::Postgres;
pub(crate) use failure::meaning;
pub(crate) use lasting::{LASTING, is_lasting};
pub(crate) use own_tables::OWN_TABLES;
pub(crate) use session::{Param, Session, column, number, numbers, text};
