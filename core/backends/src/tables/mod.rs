//! The store over a table of a database server: what is the same on every kind of server.

pub mod dialect;
pub mod gapless;
pub mod names;
pub mod stored_row;
pub mod table;
pub mod table_store;
