//! The statements of PostgreSQL on a table of segments.

mod gapless;
mod lease;
mod listing;
mod row;
mod series;
mod tags;

use crate::postgresql::{Postgres, schema};
use crate::tables::dialect::Dialect;
use leafmint_ids::text::pasted::SqlDialect;

impl Dialect for Postgres {
    const SQL: SqlDialect = SqlDialect::Postgres;
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
}
