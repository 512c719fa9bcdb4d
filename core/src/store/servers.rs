//! The stores over the tables of database servers.

use super::SegmentStore;
use super::table_store::TableStore;
use crate::database::DatabaseSettings;
use crate::mysql::MySql;
use crate::postgres::Postgres;
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
