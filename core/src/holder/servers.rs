//! The holders over database servers, one by kind of server.

use super::rows::{RowHolder, RowHolderSettings};
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
        let name = if settings.is_assigned { "mysql fixed" } else { "mysql lease" };
        Self::new(Arc::new(TableRegistry::<MySql>::new(mysql, &settings)), name, settings, clock)
    }

    /// Makes a holder over a PostgreSQL database, without connecting to it.
    pub fn over_postgres(postgres: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = if settings.is_assigned { "postgresql fixed" } else { "postgresql lease" };
        Self::new(Arc::new(TableRegistry::<Postgres>::new(postgres, &settings)), name, settings, clock)
    }

    /// Makes a holder over a ZooKeeper ensemble, without connecting to it. The database of the settings is Leaf's name,
    /// with the chroot before it if there is one.
    pub fn over_zookeeper(servers: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = if settings.is_assigned { "zookeeper forever" } else { "zookeeper lease" };
        Self::new(Arc::new(NodeRegistry::new(servers, &settings)), name, settings, clock)
    }
}
