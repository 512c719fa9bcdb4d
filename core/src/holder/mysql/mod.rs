//! Worker ids in rows of a MySQL or MariaDB database: the statements, and the tables that they need.

mod allocation_table;
#[cfg(test)]
mod fuzz_tests;
mod registry;
mod row;
mod statements;

use super::rows::{RowHolder, RowHolderSettings, WorkerMode};
use crate::clock::Clock;
use crate::mysql::MySqlSettings;
use registry::MySqlRegistry;
use std::sync::Arc;

impl RowHolder {
    /// The table that assigns fixed worker ids, as in NotFound9's fork of Leaf.
    pub const ALLOCATION_TABLE: &'static str = allocation_table::NAME;

    /// Makes a holder over a MySQL or MariaDB database, without connecting to it.
    pub fn over_mysql(mysql: MySqlSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = match settings.mode {
            WorkerMode::Lease { .. } => "mysql lease",
            WorkerMode::Fixed { .. } => "mysql fixed",
        };
        let registry = MySqlRegistry::new(mysql, &settings);
        Self::new(Arc::new(registry), name, settings, clock)
    }
}
