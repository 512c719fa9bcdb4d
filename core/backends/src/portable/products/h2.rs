//! H2, version 2 and later.

use crate::portable::product::Code::{Number, State};
use crate::portable::product::{CLOSED, COMPARE, CONSTRAINT, Code, GRANT, NARROW, Product, READ_ONLY};
use crate::portable::text::text;
use crate::sessions::Remedy::{Again, AnotherSession, NextHost, Report};
use crate::sessions::{Row, row};
use leafmint_ids::error::ErrorKind::{IdSpaceExhausted, InvalidArgument, InvalidConfig, StoreUnavailable};
use leafmint_ids::error::Reason::{Denied, Duplicate, Locked, LogInRefused, MissingTable};

pub(super) const H2: Product = Product {
    name: "H2",
    errors: ERRORS,
    clock: "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)",
    clock_schema: None,
    shares_clock: true,
    age: "DATEDIFF('SECOND', update_time, LOCALTIMESTAMP)",
    home: None,
    columns,
    is_whole: "0 = 0",
    // It writes commits to the file a while after they are answered.
    gapless_facts: None,
    loses_commits: "SELECT CASE WHEN SETTING_VALUE <> '0' THEN 'WRITE_DELAY is ' || SETTING_VALUE ELSE '' END \
                    FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY' AND DATABASE_PATH() IS NOT NULL",
    remedy: "run SET WRITE_DELAY 0, or ALTER USER … ADMIN TRUE, so that leafmint may run CHECKPOINT SYNC after each lease",
    sync: Some("CHECKPOINT SYNC"),
    synchronous: None,
    may_be_private: Some(
        "SELECT 1 FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'MODE' AND DATABASE_PATH() IS NULL",
    ),
    reads_if_missing: true,
};

fn columns(schema: Option<&str>, table: &str) -> String {
    let (schema, table) = (schema.map_or("CURRENT_SCHEMA".to_owned(), text), text(table));
    format!(
        "SELECT CASE WHEN t.TABLE_TYPE = 'BASE TABLE' THEN '' ELSE t.TABLE_TYPE END, c.COLUMN_NAME, c.DATA_TYPE \
         FROM INFORMATION_SCHEMA.TABLES t JOIN INFORMATION_SCHEMA.COLUMNS c \
         ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME \
         WHERE UPPER(t.TABLE_SCHEMA) = UPPER({schema}) AND UPPER(t.TABLE_NAME) = UPPER({table})"
    )
}

#[rustfmt::skip]
const ERRORS: &[Row<Code>] = &[
    // A row that stayed locked; a deadlock, or a row that another transaction changed.
    row(&[Number(50200)],                                   StoreUnavailable, Again,          Some(Locked),       ""),
    row(&[State("40001"), Number(90131)],                   StoreUnavailable, Again,          None,               ""),
    // A session that has ended; a database that was closed, or that another process has open.
    row(&[State("57014"), Number(90007), Number(90067)],    StoreUnavailable, AnotherSession, None,               ""),
    row(&[Number(90098), Number(90121), State("08")],       StoreUnavailable, NextHost,       None,               CLOSED),
    row(&[Number(90020)],                                   StoreUnavailable, NextHost,       None,               "another process has the file open: add AUTO_SERVER=TRUE to the URL of both"),
    row(&[State("28000")],                                  InvalidConfig,    Report,         Some(LogInRefused), "check user and password"),
    row(&[Number(42102), Number(42103), Number(42104)],     InvalidConfig,    Report,         Some(MissingTable), ""),
    row(&[Number(42101), State("23505")],                   StoreUnavailable, Report,         Some(Duplicate),    ""),
    row(&[Number(90096), Number(90040)],                    InvalidConfig,    Report,         Some(Denied),       GRANT),
    row(&[Number(90097)],                                   InvalidConfig,    Report,         None,               READ_ONLY),
    row(&[Number(90079)],                                   InvalidConfig,    Report,         None,               "create the schema"),
    row(&[State("22003"), State("22004")],                  IdSpaceExhausted, Report,         None,               NARROW),
    row(&[State("22001")],                                  InvalidArgument,  Report,         None,               ""),
    row(&[State("23")],                                     InvalidConfig,    Report,         None,               CONSTRAINT),
    row(&[State("42"), State("22"), State("HYC00")],        InvalidConfig,    Report,         None,               COMPARE),
];
