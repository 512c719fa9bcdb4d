//! Numbers without gaps: the statements that a binding runs in the caller's own transaction, and what their answers
//! mean.
//!
//! A series is a row. The statement locks it until the transaction ends, so that the next number is given out only once
//! this one is committed or given back.

use crate::database::{Remedy, Sense};
use crate::error::{Error, ErrorKind, Reason, Result, ServerError};
use crate::postgres::LASTING;
use crate::postgres::operators::EQ;
use crate::printable::one_line;
use crate::store::{check_name, postgres_does_not_round, postgres_not_lasting, schema};
use crate::{mysql, postgres};

const TABLE: &str = "leafmint_gapless";

const REPEAT: &str = "another transaction was in the way: roll this transaction back, and repeat it as a whole";

const ADD_KEY: &str = "run ALTER TABLE leafmint_gapless ADD UNIQUE (name)";

const ONLY_READS: &str =
    "this transaction, or the server, only reads: begin a transaction that may write, on the primary";

/// A database that numbers without gaps can be taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// MySQL and MariaDB.
    MySql,
    /// PostgreSQL.
    Postgres,
    /// SQLite, from 3.35 on.
    Sqlite,
}

/// The statements that take a number. A binding replaces each `?` by its driver's own placeholder.
///
/// No question to the catalog of MySQL is among them, since its answer fixes the snapshot of the caller's transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statements {
    /// Describes the table, for [`Dialect::check_table`]: where a number that was taken could not be given back.
    pub look: Option<&'static str>,
    /// Takes the number. Carries the name and the first number; returns the row of [`Dialect::number`] unless there is
    /// `read`.
    pub take: String,
    /// Reads the row of [`Dialect::number`]. Carries the name.
    pub read: Option<&'static str>,
}

/// The columns of a row, as text.
pub type Answer = [Option<String>];

/// What the driver's error says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refusal<'a> {
    /// The number of MySQL or MariaDB, or SQLite's result code.
    pub number: Option<i32>,
    /// The SQLSTATE.
    pub state: Option<&'a str>,
    /// The driver's message.
    pub text: &'a str,
}

impl Dialect {
    /// Returns the dialect of a name: SQLAlchemy's, Django's or that of a product in JDBC. Raises `invalid_argument`.
    pub fn named(name: &str) -> Result<Self> {
        match name.to_ascii_lowercase().as_str() {
            "mysql" | "mariadb" => Ok(Dialect::MySql),
            "postgresql" => Ok(Dialect::Postgres),
            "sqlite" => Ok(Dialect::Sqlite),
            _ => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("numbers without gaps need MySQL, MariaDB, PostgreSQL or SQLite, not {name:?}"),
            )),
        }
    }

    /// Returns the statements. Each leaves a number that has no next one as it is, or makes none that
    /// [`Dialect::number`] accepts.
    pub fn statements(self) -> Statements {
        match self {
            Dialect::MySql => Statements {
                look: Some("SHOW CREATE TABLE leafmint_gapless"),
                take: "INSERT INTO leafmint_gapless (name, number) VALUES (?, ?) \
                       ON DUPLICATE KEY UPDATE number = number + 1"
                    .to_owned(),
                // FOR UPDATE, because a read without a lock would fix the snapshot of the caller's transaction.
                // ROW_COUNT() is 1 if the row is new, 2 if it changed, and 0 or 1 if it did not.
                read: Some(
                    "SELECT CAST(MAX(number) AS CHAR), MAX(name), \
                     CAST(MIN(CAST(number * 0 + 9007199254740993 AS SIGNED) = 9007199254740993) AS CHAR), \
                     CAST(ROW_COUNT() AS CHAR), CAST(COUNT(*) AS CHAR) \
                     FROM leafmint_gapless WHERE name = ? FOR UPDATE",
                ),
            },
            Dialect::Postgres => Statements {
                look: None,
                take: format!(
                    "INSERT INTO leafmint_gapless (name, number) VALUES (?, ?) \
                     ON CONFLICT (name) DO UPDATE SET number = leafmint_gapless.number + 1 \
                     WHERE leafmint_gapless.number BETWEEN 0 AND 9223372036854775806 \
                     RETURNING CAST(number AS pg_catalog.text), CAST(name AS pg_catalog.text), \
                     CASE WHEN {} THEN '1' ELSE '0' END, \
                     (SELECT CASE WHEN {LASTING} THEN NULL ELSE CAST(c.relkind AS pg_catalog.text) END \
                     FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} leafmint_gapless.tableoid), \
                     (SELECT pg_catalog.min(CAST(t.tgname AS pg_catalog.text)) FROM pg_catalog.pg_trigger AS t \
                     WHERE t.tgrelid {EQ} leafmint_gapless.tableoid AND NOT t.tgisinternal)",
                    postgres_does_not_round("number"),
                ),
                read: None,
            },
            // SQLite stores any type in the column, and makes a sum beyond 64 bits a float.
            Dialect::Sqlite => Statements {
                look: None,
                take: "INSERT INTO leafmint_gapless (name, number) VALUES (?, ?) \
                       ON CONFLICT (name) DO UPDATE SET number = leafmint_gapless.number + 1 \
                       WHERE typeof(leafmint_gapless.number) = 'integer' \
                       AND leafmint_gapless.number BETWEEN 0 AND 9223372036854775806 \
                       RETURNING CAST(number AS TEXT), name, typeof(number) = 'integer', \
                       (SELECT max(name) FROM sqlite_temp_master WHERE type = 'table' AND lower(name) = 'leafmint_gapless'), \
                       (SELECT max(name) FROM (SELECT name, type, tbl_name FROM sqlite_master \
                       UNION ALL SELECT name, type, tbl_name FROM sqlite_temp_master) \
                       WHERE type = 'trigger' AND lower(tbl_name) = 'leafmint_gapless')"
                    .to_owned(),
                read: None,
            },
        }
    }

    /// Judges the answer to [`Statements::look`] before a number is taken. Raises `invalid_config`.
    pub fn check_table(self, answer: Option<&Answer>) -> Result<()> {
        let definition = answer.and_then(|columns| columns.get(1)?.as_deref());
        match (self, definition) {
            (Dialect::MySql, Some(definition)) => check_definition(definition),
            _ => Ok(()),
        }
    }

    /// Judges the row of a number that was taken, and returns the number. There is no row if nothing was taken.
    ///
    /// Each number is judged with its table, so that a table that is changed later is found as well. Raises
    /// `id_space_exhausted`, and `invalid_config` if the table cannot keep the series without gaps.
    pub fn number(self, series: &str, start: i64, answer: Option<&Answer>) -> Result<i64> {
        let Some(answer) = answer else { return Err(no_next(series)) };
        let column = |at: usize| answer.get(at).and_then(Option::as_deref);
        self.check_taken(series, [column(3), column(4)])?;
        if let Some(stored) = column(1).filter(|stored| *stored != series) {
            return Err(other_name(series, stored));
        }
        let number = column(0).and_then(|text| text.parse::<i64>().ok()).filter(|number| *number >= 1);
        if column(0).is_some() && column(2) != Some("1") {
            return Err(not_whole(series));
        }
        let number = number.ok_or_else(|| no_next(series))?;
        match (self, column(3)) {
            (Dialect::MySql, Some("0")) => Err(not_counted(series, number)),
            (Dialect::MySql, Some("1")) if number != start => Err(not_counted(series, number)),
            _ => Ok(number),
        }
    }

    /// Judges what a row says of its table.
    fn check_taken(self, series: &str, facts: [Option<&str>; 2]) -> Result<()> {
        match (self, facts) {
            (Dialect::MySql, [_, Some(rows)]) if !matches!(rows, "0" | "1") => Err(unfit(&format!(
                "has {rows} rows of series {series:?}: delete all but the one with the highest number, and {ADD_KEY}"
            ))),
            (Dialect::Postgres, [Some(kind), _]) => {
                Err(postgres_not_lasting(&format!("the table {TABLE}"), TABLE, kind))
            }
            (Dialect::Sqlite, [Some(_), _]) => Err(unfit(
                "is a temporary table of this connection, which hides the one that others use: drop it, or rename it",
            )),
            (Dialect::Postgres | Dialect::Sqlite, [None, Some(trigger)]) => Err(unfit(&format!(
                "has the trigger {}, which may change a number that was taken: drop it, or make it one of the table of \
                 your documents",
                one_line(trigger)
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the error of a statement that failed.
    pub fn failure(self, series: &str, refusal: Refusal<'_>) -> Error {
        let sense = match (self, refusal) {
            (Dialect::MySql, Refusal { number: Some(number), .. }) => mysql::meaning(number),
            (Dialect::Postgres, Refusal { state: Some(state), .. }) => postgres::meaning(state),
            (Dialect::Sqlite, Refusal { number, text, .. }) => meaning_in_sqlite(number, text),
            _ => unknown(),
        };
        let repeats = sense.remedy.repeats();
        let advice = match sense.reason {
            _ if repeats => REPEAT.to_owned(),
            _ if self.has_no_key(refusal) => format!("name is not unique in {TABLE}: {ADD_KEY}"),
            _ if self.only_reads(refusal) => ONLY_READS.to_owned(),
            _ if self == Dialect::Postgres && refusal.state == Some("42703") && refusal.text.contains("tableoid") => {
                return postgres_not_lasting(&format!("the table {TABLE}"), TABLE, "v").with_source(refusal.answer());
            }
            Some(Reason::MissingTable) => {
                format!("run the command leafmint init on this database, or run: {}", one_line(self.schema()))
            }
            _ => sense.advice.to_owned(),
        };
        let advice = if advice.is_empty() { advice } else { format!(": {advice}") };
        let problem = format!("no number of series {series:?}: {}{advice}", refusal.text);
        let kind = if self.has_no_key(refusal) { ErrorKind::InvalidConfig } else { sense.kind };
        Error::new(kind, problem)
            .because(if repeats { Some(Reason::Locked) } else { sense.reason })
            .with_source(refusal.answer())
    }

    /// Returns whether the statement found no unique key of the names.
    fn has_no_key(self, refusal: Refusal<'_>) -> bool {
        match self {
            Dialect::MySql => false,
            Dialect::Postgres => refusal.state == Some("42P10"),
            Dialect::Sqlite => refusal.text.contains("ON CONFLICT clause does not match"),
        }
    }

    /// Returns whether the transaction, or the server, takes no writes.
    fn only_reads(self, refusal: Refusal<'_>) -> bool {
        match self {
            Dialect::MySql => matches!(refusal.number, Some(1290 | 1792 | 1836)),
            Dialect::Postgres => refusal.state == Some("25006"),
            Dialect::Sqlite => false,
        }
    }

    const fn schema(self) -> &'static str {
        match self {
            Dialect::MySql => schema::MYSQL_GAPLESS,
            Dialect::Postgres => schema::POSTGRES_GAPLESS,
            Dialect::Sqlite => schema::SQLITE_GAPLESS,
        }
    }
}

impl Refusal<'_> {
    fn answer(self) -> ServerError {
        ServerError::new(self.number, self.state.map(str::to_owned), self.text.to_owned())
    }
}

/// Checks the name of a series and its first number. Raises `invalid_argument`.
pub fn check_series(series: &str, start: i64) -> Result<()> {
    check_name("series", TABLE, series)?;
    if start < 1 {
        let problem = format!("start={start} of series {series:?} is out of range (1 to 2^63 - 1)");
        return Err(Error::new(ErrorKind::InvalidArgument, problem));
    }
    Ok(())
}

/// Judges the statement that would create the table in MySQL or MariaDB.
fn check_definition(definition: &str) -> Result<()> {
    if let Some(problem) = mysql::refused(definition, TABLE) {
        return Err(problem);
    }
    let (mut is_unique, mut number) = (false, None);
    for line in definition.lines().map(|line| line.trim().replace(['`', '"'], "").to_lowercase()) {
        number = number.or(line.strip_prefix("number ").map(str::to_owned));
        is_unique |= is_key_of_name(&line);
    }
    if !is_unique {
        return Err(unfit(&format!("has no unique key of the column name alone: {ADD_KEY}")));
    }
    match number.filter(|data_type| !data_type.starts_with("bigint")) {
        Some(line) => {
            let data_type = one_line(line.split([' ', ',']).next().unwrap_or_default());
            Err(unfit(&format!(
                "has numbers of the type {data_type}, which may round them or end early: run ALTER TABLE {TABLE} MODIFY number \
                 BIGINT NOT NULL"
            )))
        }
        None => Ok(()),
    }
}

/// Returns whether a line of a table's definition makes the names unique.
fn is_key_of_name(line: &str) -> bool {
    let is_unique = line.starts_with("primary key") || line.starts_with("unique key");
    let columns = line.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    is_unique && columns.is_some_and(|(columns, _)| matches!(columns, "name" | "name desc"))
}

fn unfit(problem: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, format!("the table {TABLE} {problem}"))
}

fn not_whole(series: &str) -> Error {
    unfit(&format!(
        "cannot count series {series:?}: its column number rounds, or holds other values than whole numbers: roll this \
         transaction back, and make the column a BIGINT (in SQLite an INTEGER)"
    ))
}

fn other_name(series: &str, stored: &str) -> Error {
    unfit(&format!(
        "takes series {series:?} for {:?}, because the collation of its column name does: both would have gaps. Roll this \
         transaction back, and use one spelling, or a collation that tells them apart (utf8mb4_bin, \"C\", BINARY)",
        one_line(stored)
    ))
}

fn not_counted(series: &str, number: i64) -> Error {
    unfit(&format!(
        "did not count series {series:?} on: it is still {number}, because its column number is full, a trigger changes it, or name \
         is not unique: roll this transaction back, and compare the table with schema_sql(\"mysql\")"
    ))
}

fn no_next(series: &str) -> Error {
    Error::new(
        ErrorKind::IdSpaceExhausted,
        format!(
            "series {series:?} has no next number: its number in {TABLE} is 2^63 - 1, negative, or none: roll this \
             transaction back, and correct the row or use another series"
        ),
    )
}

/// Returns what an error of SQLite means. A driver may report no result code, or the primary one for all.
fn meaning_in_sqlite(code: Option<i32>, text: &str) -> Sense {
    // SQLITE_BUSY and SQLITE_LOCKED, SQLITE_READONLY.
    match code.map(|code| code & 0xff) {
        Some(5 | 6) => Sense { remedy: Remedy::Again, ..unknown() },
        None if text.contains("is locked") => Sense { remedy: Remedy::Again, ..unknown() },
        Some(8) => Sense {
            kind: ErrorKind::InvalidConfig,
            reason: Some(Reason::Denied),
            advice: "this process must be able to write the file and its directory",
            ..unknown()
        },
        _ if text.contains("no such table") => {
            Sense { kind: ErrorKind::InvalidConfig, reason: Some(Reason::MissingTable), ..unknown() }
        }
        _ if text.contains("syntax error") => {
            Sense { kind: ErrorKind::InvalidConfig, advice: "numbers without gaps need SQLite 3.35", ..unknown() }
        }
        _ => unknown(),
    }
}

/// Returns the meaning of an error that has no row of its own.
const fn unknown() -> Sense {
    Sense { kind: ErrorKind::StoreUnavailable, remedy: Remedy::Report, reason: None, is_of_one_row: false, advice: "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_conflict_is_retryable_and_says_to_repeat_the_transaction() {
        let of = |number, state, text| Refusal { number, state, text };
        for (dialect, refusal) in [
            (Dialect::MySql, of(Some(1213), None, "Deadlock found")),
            (Dialect::MySql, of(Some(1205), None, "Lock wait timeout exceeded")),
            (Dialect::MySql, of(Some(1020), None, "Record has changed since last read")),
            (Dialect::Postgres, of(None, Some("40P01"), "deadlock detected")),
            (Dialect::Postgres, of(None, Some("55P03"), "canceling statement due to lock timeout")),
            (Dialect::Postgres, of(None, Some("40001"), "could not serialize access")),
            (Dialect::Sqlite, of(Some(517), None, "database is locked")),
            (Dialect::Sqlite, of(None, None, "database is locked")),
        ] {
            let error = dialect.failure("invoice", refusal);
            assert_eq!((error.kind(), error.reason()), (ErrorKind::StoreUnavailable, Some(Reason::Locked)));
            assert!(error.message().contains("repeat it as a whole"), "{error}");
        }
    }

    #[test]
    fn a_missing_table_is_named_with_the_sql_that_makes_it() {
        for (dialect, number, state, text) in [
            (Dialect::MySql, Some(1146), Some("42S02"), "Table 'shop.leafmint_gapless' doesn't exist"),
            (Dialect::Postgres, None, Some("42P01"), "relation \"leafmint_gapless\" does not exist"),
            (Dialect::Sqlite, Some(1), None, "no such table: leafmint_gapless"),
        ] {
            let error = dialect.failure("invoice", Refusal { number, state, text });
            assert_eq!((error.kind(), error.reason()), (ErrorKind::InvalidConfig, Some(Reason::MissingTable)));
            assert!(error.message().contains("leafmint init") && error.message().contains("CREATE TABLE"), "{error}");
        }
    }

    #[test]
    fn names_first_numbers_and_dialects_are_checked() {
        assert!(check_series(&"ä".repeat(128), i64::MAX).is_ok());
        for (name, start) in [("", 1), (" a", 1), ("a\0", 1), (&*"a".repeat(129), 1), ("a", 0)] {
            assert_eq!(check_series(name, start).unwrap_err().kind(), ErrorKind::InvalidArgument, "{name:?}");
        }
        assert_eq!(Dialect::named("MariaDB"), Ok(Dialect::MySql));
        assert_eq!(Dialect::named("oracle").unwrap_err().kind(), ErrorKind::InvalidArgument);
    }

    const LEAFMINTS: &str = "CREATE TABLE `leafmint_gapless` (\n  `name` varchar(128) NOT NULL,\n  `number` bigint(20) NOT NULL,\n  \
                             PRIMARY KEY (`name`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin";

    fn of_table(definition: &str) -> Result<()> {
        Dialect::MySql.check_table(Some(&[Some(TABLE.to_owned()), Some(definition.to_owned())]))
    }

    #[test]
    fn a_table_that_segments_would_refuse_is_refused_before_a_number_is_taken() {
        assert_eq!(of_table(LEAFMINTS), Ok(()));
        for (part, other, remedy) in [
            ("PRIMARY KEY (`name`)", "UNIQUE KEY `of` (`name`,`number`)", "ADD UNIQUE (name)"),
            ("PRIMARY KEY (`name`)", "KEY `of` (`name`)", "ADD UNIQUE (name)"),
            ("ENGINE=InnoDB", "ENGINE=MyISAM", "ENGINE=InnoDB"),
            ("ENGINE=InnoDB", "ENGINE=Aria", "ENGINE=InnoDB"),
            ("CREATE TABLE", "CREATE TEMPORARY TABLE", "temporary"),
            ("CREATE TABLE", "CREATE ALGORITHM=UNDEFINED VIEW", "view"),
            ("bigint(20)", "int(11)", "MODIFY number BIGINT"),
            ("bigint(20)", "decimal(20,0)", "MODIFY number BIGINT"),
            ("bigint(20)", "varchar(20)", "MODIFY number BIGINT"),
        ] {
            let error = of_table(&LEAFMINTS.replace(part, other)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{other}");
            assert!(error.message().contains(remedy), "{error}");
        }
    }

    #[test]
    fn other_ways_to_write_a_fit_table_are_accepted() {
        for (part, other) in [
            ("PRIMARY KEY (`name`)", "UNIQUE KEY `of` (`name`) USING BTREE"),
            ("PRIMARY KEY (`name`)", "PRIMARY KEY (`name`) /*T![clustered_index] CLUSTERED */"),
            ("bigint(20)", "bigint unsigned"),
            ("ENGINE=InnoDB ", ""),
            ("`", "\""),
            ("`", ""),
        ] {
            assert_eq!(of_table(&LEAFMINTS.replace(part, other)), Ok(()), "{other}");
        }
        assert_eq!(Dialect::MySql.check_table(None), Ok(()));
    }

    fn number(dialect: Dialect, answer: [&str; 5]) -> Result<i64> {
        let answer = answer.map(|column| Some(column.to_owned()).filter(|column| column != "NULL"));
        dialect.number("invoice", 100, Some(&answer))
    }

    #[test]
    fn each_number_is_judged_with_its_table() {
        use Dialect::{MySql, Postgres, Sqlite};
        for (dialect, answer) in [
            (MySql, ["100", "invoice", "1", "1", "1"]),
            (MySql, ["100", "invoice", "1", "2", "1"]),
            // A statement that an observer ran in between hides the count.
            (MySql, ["100", "invoice", "1", "-1", "1"]),
            (Postgres, ["100", "invoice", "1", "NULL", "NULL"]),
            (Sqlite, ["100", "invoice", "1", "NULL", "NULL"]),
        ] {
            assert_eq!(number(dialect, answer), Ok(100));
        }
        for (dialect, answer, part) in [
            (MySql, ["101", "invoice", "1", "1", "1"], "still 101"),
            (MySql, ["100", "invoice", "1", "0", "1"], "still 100"),
            (MySql, ["4", "invoice", "1", "1", "2"], "2 rows"),
            (MySql, ["4", "invoice", "0", "2", "1"], "BIGINT"),
            (MySql, ["4", "Invoice", "1", "2", "1"], "\"Invoice\""),
            (Postgres, ["4", "invoice", "1", "r", "NULL"], "SET LOGGED"),
            (Postgres, ["4", "invoice", "1", "NULL", "resets"], "trigger resets"),
            (Postgres, ["4", "invoice", "0", "NULL", "NULL"], "BIGINT"),
            (Sqlite, ["4", "invoice", "1", "leafmint_gapless", "NULL"], "temporary"),
            (Sqlite, ["4", "invoice", "1", "NULL", "resets"], "trigger resets"),
            (Sqlite, ["4.0", "invoice", "0", "NULL", "NULL"], "INTEGER"),
        ] {
            let error = number(dialect, answer).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
            assert!(error.message().contains(part), "{error}");
        }
    }

    #[test]
    fn a_series_without_a_next_number_is_exhausted() {
        for answer in [["-4", "invoice", "1", "2", "1"], ["NULL", "invoice", "NULL", "1", "1"]] {
            assert_eq!(number(Dialect::MySql, answer).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
        }
        assert_eq!(Dialect::Sqlite.number("a", 1, None).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
    }
}
