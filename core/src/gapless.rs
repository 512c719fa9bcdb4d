//! Numbers without gaps: the statements that a binding runs in the caller's own transaction, and what their answers
//! mean.
//!
//! A series is a row. The statement locks it until the transaction ends, so that the next number is given out only once
//! this one is committed or given back.

use crate::database::{Remedy, Sense};
use crate::error::{Error, ErrorKind, Reason, Result, ServerError};
use crate::printable::one_line;
use crate::store::{check_name, schema};
use crate::{mysql, postgres};

const TABLE: &str = "leafmint_gapless";

const REPEAT: &str = "another transaction was in the way: roll this transaction back, and repeat it as a whole";

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statements {
    /// Takes the number. Carries the name and the first number; returns the number unless there is `read`.
    pub take: &'static str,
    /// Reads the number that was taken. Carries the name.
    pub read: Option<&'static str>,
}

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
    /// [`check_number`] accepts.
    pub const fn statements(self) -> Statements {
        match self {
            Dialect::MySql => Statements {
                take: "INSERT INTO leafmint_gapless (name, number) VALUES (?, ?) \
                       ON DUPLICATE KEY UPDATE number = number + 1",
                // FOR UPDATE, because a read without a lock would fix the snapshot of the caller's transaction.
                read: Some("SELECT number FROM leafmint_gapless WHERE name = ? FOR UPDATE"),
            },
            Dialect::Postgres => Statements {
                take: "INSERT INTO leafmint_gapless (name, number) VALUES (?, ?) \
                       ON CONFLICT (name) DO UPDATE SET number = leafmint_gapless.number + 1 \
                       WHERE leafmint_gapless.number BETWEEN 0 AND 9223372036854775806 \
                       RETURNING number",
                read: None,
            },
            // SQLite stores any type in the column, and makes a sum beyond 64 bits a float.
            Dialect::Sqlite => Statements {
                take: "INSERT INTO leafmint_gapless (name, number) VALUES (?, ?) \
                       ON CONFLICT (name) DO UPDATE SET number = leafmint_gapless.number + 1 \
                       WHERE typeof(leafmint_gapless.number) = 'integer' \
                       AND leafmint_gapless.number BETWEEN 0 AND 9223372036854775806 \
                       RETURNING number",
                read: None,
            },
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
        let repeats = sense.remedy == Remedy::Again;
        let advice = match sense.reason {
            _ if repeats => REPEAT.to_owned(),
            Some(Reason::MissingTable) => {
                format!("run the command leafmint init on this database, or run: {}", one_line(self.schema()))
            }
            _ => sense.advice.to_owned(),
        };
        let advice = if advice.is_empty() { advice } else { format!(": {advice}") };
        let problem = format!("no number of series {series:?}: {}{advice}", refusal.text);
        let answer = ServerError::new(refusal.number, refusal.state.map(str::to_owned), refusal.text.to_owned());
        Error::new(sense.kind, problem)
            .because(if repeats { Some(Reason::Locked) } else { sense.reason })
            .with_source(answer)
    }

    const fn schema(self) -> &'static str {
        match self {
            Dialect::MySql => schema::MYSQL_GAPLESS,
            Dialect::Postgres => schema::POSTGRES_GAPLESS,
            Dialect::Sqlite => schema::SQLITE_GAPLESS,
        }
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

/// Checks the number that a statement returned; `None` if it returned none. Raises `id_space_exhausted`.
pub fn check_number(series: &str, number: Option<i64>) -> Result<i64> {
    number.filter(|number| *number >= 1).ok_or_else(|| {
        Error::new(
            ErrorKind::IdSpaceExhausted,
            format!(
                "series {series:?} has no next number: its number in {TABLE} is 2^63 - 1, negative, or none: roll this \
                 transaction back, and correct the row or use another series"
            ),
        )
    })
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
    Sense { kind: ErrorKind::StoreUnavailable, remedy: Remedy::Report, reason: None, advice: "" }
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
        assert_eq!(check_number("a", Some(1)), Ok(1));
        assert_eq!(check_number("a", Some(-4)).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
    }
}
