//! Worker ids in tables of a MySQL or MariaDB database: the statements, and the tables that they need.

mod backfill;
mod claims;
mod registry;
