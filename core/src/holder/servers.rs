//! The holders over database servers, one by kind of server.

use super::rows::{RowHolder, RowHolderSettings, WorkerMode};
use super::tables::{ALLOCATION_TABLE, TableRegistry};
use super::zookeeper::NodeRegistry;
use crate::clock::Clock;
use crate::database::DatabaseSettings;
use crate::mysql::MySql;
use crate::postgres::Postgres;
use std::sync::Arc;

impl RowHolder {
    /// The table that assigns fixed worker ids, as in NotFound9's fork of Leaf.
    pub const ALLOCATION_TABLE: &'static str = ALLOCATION_TABLE;

    /// Makes a holder over a MySQL or MariaDB database, without connecting to it.
    pub fn over_mysql(mysql: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = match settings.mode {
            WorkerMode::Lease => "mysql lease",
            WorkerMode::Fixed | WorkerMode::Forever => "mysql fixed",
        };
        Self::new(Arc::new(TableRegistry::<MySql>::new(mysql, &settings)), name, settings, clock)
    }

    /// Makes a holder over a PostgreSQL database, without connecting to it.
    pub fn over_postgres(postgres: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = match settings.mode {
            WorkerMode::Lease => "postgresql lease",
            WorkerMode::Fixed | WorkerMode::Forever => "postgresql fixed",
        };
        Self::new(Arc::new(TableRegistry::<Postgres>::new(postgres, &settings)), name, settings, clock)
    }

    /// Makes a holder over a ZooKeeper ensemble, without connecting to it. The database of the settings is Leaf's name,
    /// with the chroot before it if there is one; the mode is [`WorkerMode::Lease`] or [`WorkerMode::Forever`].
    pub fn over_zookeeper(servers: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = match settings.mode {
            WorkerMode::Forever => "zookeeper forever",
            WorkerMode::Lease | WorkerMode::Fixed => "zookeeper lease",
        };
        Self::new(Arc::new(NodeRegistry::new(servers, &settings)), name, settings, clock)
    }
}
