//! H2, HSQLDB, Derby and SQLite through connections of the application: one set of statements that each of them reads
//! alike, and data for what differs. What tests and small programs use is leased from as a server is.

mod columns;
mod dial;
mod errors;
mod look;
mod product;
mod products;
mod schema;
mod segments;
mod session;
mod text;
mod workers;

pub use dial::Portable;
use leafmint_ids::text::pasted::SqlDialect;
pub use session::Session;

/// Returns whether a product, by the name that its driver has for it, is one of these.
pub(crate) fn is_served(product: &str) -> bool {
    products::by_name(product).is_some()
}

impl crate::tables::dialect::Dialect for Portable {
    const SQL: SqlDialect = SqlDialect::Portable;

    const SCOPE: &str = "the processes that open that database; of one in memory, this process";

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
