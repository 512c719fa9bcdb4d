//! The statements of MySQL and MariaDB on a table of segments.

mod change;
mod check;
mod facts;
#[cfg(test)]
mod fuzz_tests;
mod lease;
mod listing;
mod row;
mod series;
mod statements;

use super::TableFacts;
use super::dialect::Dialect;
use super::schema;
use super::table::Table;
use crate::database::Outcome;
use crate::mysql::{MySql, Session};
use crate::pasted::SqlDialect;
use facts::facts;

impl Dialect for MySql {
    const SQL: SqlDialect = SqlDialect::MySql;
    const GAPLESS_SCHEMA: &str = schema::MYSQL_GAPLESS;

    fn table_schema(table: &str) -> String {
        schema::mysql(table)
    }

    fn genes_schema(table: &str) -> String {
        schema::mysql_genes(table)
    }

    fn series_schema(table: &str) -> String {
        schema::mysql_series(table)
    }

    async fn facts(session: &mut Session, table: &Table) -> Outcome<Option<TableFacts>> {
        facts(session, table).await
    }
}
