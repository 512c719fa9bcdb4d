//! The statements of MySQL and MariaDB on a table of segments.

mod gapless;
mod lease;
mod listing;
mod row;
mod series;
mod tags;

use crate::mysql::schema;
use crate::mysql::{MySql, Session};
use crate::sessions::Outcome;
use crate::tables::dialect::Dialect;
use crate::tables::table::Table;
use leafmint_engine::store::TableFacts;
use leafmint_ids::text::pasted::SqlDialect;

impl Dialect for MySql {
    const SQL: SqlDialect = SqlDialect::MySql;
    const GAPLESS_SCHEMA: &str = schema::GAPLESS;
    const WORKERS_SCHEMA: &[&str] = &schema::OWN_TABLES;

    fn table_schema(table: &str) -> String {
        schema::segments(table)
    }

    fn genes_schema(table: &str) -> String {
        schema::genes(table)
    }

    fn series_schema(table: &str) -> String {
        schema::series(table)
    }

    async fn facts(session: &mut Session, table: &Table) -> Outcome<Option<TableFacts>> {
        crate::mysql::facts(session, table).await
    }
}
