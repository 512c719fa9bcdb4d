//! The servers: the stores and holders over each, and its tables as text.

use crate::by_product::RegistryByProduct;
use crate::mysql::{self, MySql};
use crate::postgresql::{self, Postgres};
use crate::rows::tables::{ALLOCATION_TABLE, TableRegistry};
use crate::rows::{RowHolder, RowHolderSettings};
use crate::sessions::DatabaseSettings;
use crate::sqlite;
use crate::tables::names::TABLE;
use crate::tables::table_store::TableStore;
use crate::zookeeper::workers::NodeRegistry;
use leafmint_engine::clock::Clock;
use leafmint_engine::store::SegmentStore;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Returns the store over a table of a MySQL or MariaDB database, without connecting to it.
///
/// Scope: everyone on that database. Needs `SELECT` and `UPDATE` on the table, `INSERT` for `create_tag`, and only the
/// columns `biz_tag`, `max_id` and `step`. Gene bits are stored in `leafmint_gene`: tags with gene bits need `SELECT`
/// and `INSERT` on it. Tags without gene bits do not need the table, but without `SELECT` on it leafmint cannot refuse
/// a tag that another process uses with gene bits. With `auto_create` a missing table is created, if the account may.
pub fn over_mysql(settings: DatabaseSettings, table: &str, auto_create: bool) -> Arc<dyn SegmentStore> {
    Arc::new(TableStore::<MySql>::new(settings, table, auto_create))
}

/// Returns the store over a table of a PostgreSQL database. The rest is as for [`over_mysql`].
pub fn over_postgres(settings: DatabaseSettings, table: &str, auto_create: bool) -> Arc<dyn SegmentStore> {
    Arc::new(TableStore::<Postgres>::new(settings, table, auto_create))
}

impl RowHolder {
    /// The table that assigns fixed worker ids, as in NotFound9's fork of Leaf.
    pub const ALLOCATION_TABLE: &'static str = ALLOCATION_TABLE;

    /// Makes a holder over a MySQL or MariaDB database, without connecting to it.
    pub fn over_mysql(mysql: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = if settings.is_assigned { "mysql endpoint" } else { "mysql lease" };
        Self::new(Arc::new(TableRegistry::<MySql>::new(mysql, &settings)), name, settings, clock)
    }

    /// Makes a holder over a PostgreSQL database, without connecting to it.
    pub fn over_postgres(postgres: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = if settings.is_assigned { "postgresql endpoint" } else { "postgresql lease" };
        Self::new(Arc::new(TableRegistry::<Postgres>::new(postgres, &settings)), name, settings, clock)
    }

    /// Makes a holder over a database that the application connects to, without connecting to it.
    pub fn borrowed(database: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = if settings.is_assigned { "database endpoint" } else { "database lease" };
        Self::new(Arc::new(RegistryByProduct::new(database, &settings)), name, settings, clock)
    }

    /// Makes a holder over a ZooKeeper ensemble, without connecting to it. The database of the settings is Leaf's name,
    /// with the chroot before it if there is one.
    pub fn over_zookeeper(servers: DatabaseSettings, settings: RowHolderSettings, clock: Arc<dyn Clock>) -> Self {
        let name = if settings.is_assigned { "zookeeper leaf" } else { "zookeeper lease" };
        Self::new(Arc::new(NodeRegistry::new(servers, &settings)), name, settings, clock)
    }
}

/// Returns the SQL that creates leafmint's tables, for migration tools.
///
/// `dialect` is `mysql` (MariaDB too), `postgresql`, `sqlite` or `tickets`. Raises `invalid_argument` for any other.
pub fn schema_sql(dialect: &str) -> Result<String> {
    match dialect {
        "mysql" => Ok(mysql::schema::all(TABLE)),
        "postgresql" => Ok(postgresql::schema::all(TABLE)),
        "sqlite" => Ok(sqlite::schema::all(TABLE)),
        "tickets" => Ok(format!("{};\n", mysql::tickets::OWN_TABLES.join(";\n"))),
        other => Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("schema_sql knows the dialects mysql, postgresql, sqlite and tickets, not {other:?}"),
        )),
    }
}
