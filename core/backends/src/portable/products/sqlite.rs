//! SQLite, by the driver that the application has. Its errors have numbers, if the driver shows them.

use crate::portable::product::Code::{Exactly, Number};
use crate::portable::product::{COMPARE, CONSTRAINT, Code, Product, READ_ONLY};
use crate::portable::text::text;
use crate::sessions::Remedy::{Again, AnotherSession, Report};
use crate::sessions::{Row, row};
use crate::sqlite::schema::GAPLESS_FACTS;
use leafmint_ids::error::ErrorKind::{InvalidConfig, StoreUnavailable};
use leafmint_ids::error::Reason::{Duplicate, Locked};
use leafmint_ids::text::pasted::SqlDialect;

pub(super) const SQLITE: Product = Product {
    name: "SQLite",
    errors: ERRORS,
    clock: "(CAST(strftime('%s', 'now') AS INTEGER) * 1000 + CAST(substr(strftime('%f', 'now'), 4) AS INTEGER))",
    clock_schema: None,
    shares_clock: false,
    age: "CAST(strftime('%s', 'now') AS INTEGER) - CAST(strftime('%s', update_time) AS INTEGER)",
    // A temporary table hides another one.
    home: Some("VALUES ('main.')"),
    columns,
    is_whole: "typeof(max_id) = 'integer' AND typeof(step) = 'integer'",
    gapless_facts: Some(GAPLESS_FACTS),
    loses_commits: "SELECT '' WHERE 0",
    remedy: "",
    sync: None,
    synchronous: Some("PRAGMA main.synchronous"),
    may_be_private: Some("SELECT 1 FROM pragma_database_list WHERE name = 'main' AND COALESCE(file, '') = ''"),
    reads_if_missing: true,
};

/// Other databases may be attached to it: their names are those of schemas.
fn columns(schema: Option<&str>, table: &str) -> String {
    let schema = schema.unwrap_or("main");
    format!(
        "SELECT CASE WHEN t.type <> 'table' THEN t.type WHEN t.sql LIKE 'CREATE VIRTUAL%' THEN 'virtual table' ELSE '' END, \
         c.name, '' FROM {}.sqlite_master AS t JOIN pragma_table_info(t.name, {}) AS c \
         WHERE t.type IN ('table', 'view') AND lower(t.name) = lower({})",
        SqlDialect::Sqlite.quoted(schema),
        text(schema),
        text(table),
    )
}

/// The number of an error, in its lowest eight bits the class.
#[rustfmt::skip]
const ERRORS: &[Row<Code>] = &[
    row(&[Number(5), Number(6)],                  StoreUnavailable, Again,          Some(Locked),    "another connection holds its write lock (a transaction of this application's, if it uses the file: take ids before its first write)"),
    // The tables were changed meanwhile.
    row(&[Number(17)],                            StoreUnavailable, Again,          None,            ""),
    row(&[Number(9)],                             StoreUnavailable, AnotherSession, None,            ""),
    row(&[Number(1555), Number(2067)],            StoreUnavailable, Report,         Some(Duplicate), ""),
    // Some drivers show the class alone: who inserted looks for the row.
    row(&[Exactly(19)],                           InvalidConfig,    Report,         Some(Duplicate), CONSTRAINT),
    row(&[Number(3), Number(8), Number(23)],      InvalidConfig,    Report,         None,            READ_ONLY),
    row(&[Number(14)],                            InvalidConfig,    Report,         None,            "does its directory exist, and may this process write it?"),
    row(&[Number(11), Number(26)],                InvalidConfig,    Report,         None,            "it is not a SQLite database, or it is damaged"),
    row(&[Number(13)],                            StoreUnavailable, Report,         None,            "the disk is full"),
    row(&[Number(19)],                            InvalidConfig,    Report,         None,            CONSTRAINT),
    // A column, a table or a function that is missing, or a view.
    row(&[Number(1)],                             InvalidConfig,    Report,         None,            COMPARE),
];
