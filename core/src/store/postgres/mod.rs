//! The statements of PostgreSQL on a table of segments.

mod change;
mod check;
mod lease;
mod listing;
mod row;
mod series;
mod statements;
mod usable_table;

pub(crate) use row::does_not_round;
pub(crate) use usable_table::not_lasting;

use super::dialect::Dialect;
use super::schema;
use crate::pasted::SqlDialect;
use crate::postgres::Postgres;

impl Dialect for Postgres {
    const SQL: SqlDialect = SqlDialect::Postgres;
    const GAPLESS_SCHEMA: &str = schema::POSTGRES_GAPLESS;

    fn table_schema(table: &str) -> String {
        schema::postgres(table)
    }

    fn genes_schema(table: &str) -> String {
        schema::postgres_genes(table)
    }

    fn series_schema(table: &str) -> String {
        schema::postgres_series(table)
    }
}
