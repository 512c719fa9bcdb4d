//! Worker ids in tables of a MySQL or MariaDB database: the statements, and the tables that they need.

mod block;
#[cfg(test)]
mod fuzz_tests;
mod row;
mod session;
