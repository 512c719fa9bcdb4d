//! HSQLDB.

use crate::portable::product::Code::{Number, State};
use crate::portable::product::{CLOSED, COMPARE, CONSTRAINT, Code, NARROW, Product, READ_ONLY};
use crate::portable::text::text;
use crate::sessions::Remedy::{Again, NextHost, Report};
use crate::sessions::{Row, row};
use leafmint_ids::error::ErrorKind::{IdSpaceExhausted, InvalidArgument, InvalidConfig, StoreUnavailable};
use leafmint_ids::error::Reason::{Denied, Duplicate, LogInRefused};

pub(super) const HSQLDB: Product = Product {
    name: "HSQL Database Engine",
    errors: ERRORS,
    clock: "UNIX_MILLIS()",
    clock_schema: None,
    shares_clock: true,
    age: "TIMESTAMPDIFF(SQL_TSI_SECOND, update_time, LOCALTIMESTAMP)",
    // A table of the session hides another one, and no catalog shows it.
    home: Some("VALUES ('\"' || REPLACE(CURRENT_SCHEMA, '\"', '\"\"') || '\".')"),
    columns,
    is_whole: "0 = 0",
    // It writes commits to the log a while after they are answered. A database in memory has a name, not a path.
    gapless_facts: None,
    loses_commits: "SELECT CASE WHEN MAX(PROPERTY_VALUE) = '0' THEN '' ELSE \
                    'hsqldb.write_delay_millis is ' || COALESCE(MAX(PROPERTY_VALUE), 'not shown to this account') END \
                    FROM INFORMATION_SCHEMA.SYSTEM_PROPERTIES WHERE PROPERTY_NAME = 'hsqldb.write_delay_millis' \
                    HAVING DATABASE() LIKE '/%' OR DATABASE() LIKE '_:%'",
    remedy: "run SET FILES WRITE DELAY FALSE, or add hsqldb.write_delay=false to the URL; an account sees that if it has DBA",
    sync: None,
    synchronous: None,
    may_be_private: None,
    reads_if_missing: true,
};

fn columns(schema: Option<&str>, table: &str) -> String {
    let (schema, table) = (schema.map_or("CURRENT_SCHEMA".to_owned(), text), text(table));
    format!(
        "SELECT CASE WHEN t.TABLE_TYPE <> 'TABLE' THEN t.TABLE_TYPE WHEN t.HSQLDB_TYPE = 'TEXT' THEN 'TEXT TABLE' \
         ELSE '' END, c.COLUMN_NAME, c.TYPE_NAME FROM INFORMATION_SCHEMA.SYSTEM_TABLES t \
         JOIN INFORMATION_SCHEMA.SYSTEM_COLUMNS c ON c.TABLE_SCHEM = t.TABLE_SCHEM AND c.TABLE_NAME = t.TABLE_NAME \
         WHERE UPPER(t.TABLE_SCHEM) = UPPER({schema}) AND UPPER(t.TABLE_NAME) = UPPER({table})"
    )
}

#[rustfmt::skip]
const ERRORS: &[Row<Code>] = &[
    // A deadlock, or a row that another transaction changed.
    row(&[State("40")],                    StoreUnavailable, Again,    None,               ""),
    // A connection that has ended; a database that was closed, or that another process has open.
    row(&[State("08"), Number(-1305)],     StoreUnavailable, NextHost, None,               CLOSED),
    row(&[Number(-451)],                   StoreUnavailable, NextHost, None,               "another process has the files open: use a server of HSQLDB"),
    row(&[State("28")],                    InvalidConfig,    Report,   Some(LogInRefused), "check user and password"),
    row(&[State("42504"), State("23505")], StoreUnavailable, Report,   Some(Duplicate),    ""),
    row(&[State("25006"), Number(-455), Number(-456)], InvalidConfig, Report, None,        READ_ONLY),
    // Something that is not there has the code of something that is denied: the session looks whether the table is.
    row(&[State("42501")],                 InvalidConfig,    Report,   Some(Denied),       "grant it to this account, or, if it is a column, add it to the table"),
    row(&[State("42507")],                 InvalidConfig,    Report,   Some(Denied),       "grant it to this account"),
    row(&[State("22003")],                 IdSpaceExhausted, Report,   None,               NARROW),
    row(&[State("22001")],                 InvalidArgument,  Report,   None,               ""),
    row(&[State("23")],                    InvalidConfig,    Report,   None,               CONSTRAINT),
    row(&[State("42"), State("22"), State("3F"), State("0A")], InvalidConfig, Report, None, COMPARE),
];
