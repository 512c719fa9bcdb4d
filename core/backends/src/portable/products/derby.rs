//! Apache Derby.

use crate::portable::product::Code::State;
use crate::portable::product::{CLOSED, COMPARE, CONSTRAINT, Code, GRANT, NARROW, Product, READ_ONLY};
use crate::portable::text::text;
use crate::sessions::Remedy::{Again, AnotherSession, NextHost, Report};
use crate::sessions::{Row, row};
use leafmint_ids::error::ErrorKind::{IdSpaceExhausted, InvalidArgument, InvalidConfig, StoreUnavailable};
use leafmint_ids::error::Reason::{Denied, Duplicate, Locked, LogInRefused, MissingTable};

pub(super) const DERBY: Product = Product {
    name: "Apache Derby",
    errors: ERRORS,
    // Its own is local time without a zone, of which an hour comes twice a year.
    clock: "leafmint_clock()",
    clock_schema: Some(
        "CREATE FUNCTION leafmint_clock() RETURNS BIGINT PARAMETER STYLE JAVA NO SQL LANGUAGE JAVA \
         EXTERNAL NAME 'java.lang.System.currentTimeMillis'",
    ),
    shares_clock: false,
    age: "{fn TIMESTAMPDIFF(SQL_TSI_SECOND, update_time, CURRENT_TIMESTAMP)}",
    home: None,
    columns,
    is_whole: "0 = 0",
    gapless_facts: None,
    loses_commits: "SELECT 'derby.system.durability is test' FROM SYSIBM.SYSDUMMY1 \
                    WHERE SYSCS_UTIL.SYSCS_GET_DATABASE_PROPERTY('derby.system.durability') = 'test'",
    remedy: "remove that property",
    sync: None,
    synchronous: None,
    may_be_private: None,
    reads_if_missing: false,
};

fn columns(schema: Option<&str>, table: &str) -> String {
    let (schema, table) = (schema.map_or("CURRENT SCHEMA".to_owned(), text), text(table));
    format!(
        "SELECT CASE t.TABLETYPE WHEN 'T' THEN '' WHEN 'V' THEN 'VIEW' WHEN 'A' THEN 'SYNONYM' ELSE 'SYSTEM TABLE' END, \
         c.COLUMNNAME, c.COLUMNDATATYPE FROM SYS.SYSTABLES t JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID \
         LEFT JOIN SYS.SYSCOLUMNS c ON c.REFERENCEID = t.TABLEID \
         WHERE UPPER(s.SCHEMANAME) = UPPER({schema}) AND UPPER(t.TABLENAME) = UPPER({table})"
    )
}

#[rustfmt::skip]
const ERRORS: &[Row<Code>] = &[
    // A row that stayed locked; a deadlock.
    row(&[State("40XL")],                               StoreUnavailable, Again,          Some(Locked),       ""),
    row(&[State("40001")],                              StoreUnavailable, Again,          None,               ""),
    // A session that has ended; a database that was closed, or that another process has open.
    row(&[State("08003")],                              StoreUnavailable, AnotherSession, None,               ""),
    row(&[State("08004")],                              InvalidConfig,    Report,         Some(LogInRefused), "check user and password"),
    row(&[State("08"), State("XJ040")],                 StoreUnavailable, NextHost,       None,               CLOSED),
    row(&[State("42X05"), State("42Y03"), State("42Y07")], InvalidConfig, Report,         Some(MissingTable), ""),
    row(&[State("X0Y32"), State("X0Y68"), State("23505")], StoreUnavailable, Report,      Some(Duplicate),    ""),
    row(&[State("425")],                                InvalidConfig,    Report,         Some(Denied),       GRANT),
    row(&[State("25")],                                 InvalidConfig,    Report,         None,               READ_ONLY),
    row(&[State("22003")],                              IdSpaceExhausted, Report,         None,               NARROW),
    row(&[State("22001")],                              InvalidArgument,  Report,         None,               ""),
    row(&[State("23")],                                 InvalidConfig,    Report,         None,               CONSTRAINT),
    row(&[State("42"), State("22"), State("0A")],       InvalidConfig,    Report,         None,               COMPARE),
];
