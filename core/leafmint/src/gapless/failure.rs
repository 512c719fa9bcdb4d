//! What the errors of the databases mean.

use super::{Dialect, Draw, TABLE};
use leafmint_backends::sessions::{Remedy, Sense};
use leafmint_backends::tables::gapless::ADD_KEY;
use leafmint_backends::{mysql, postgresql};
use leafmint_ids::error::{Error, ErrorKind, Reason, ServerError};
use leafmint_ids::text::one_line;
use leafmint_ids::text::pasted::ShellCommand;

/// The answer of MySQL to a statement that refuses its row.
const OUT_OF_RANGE: i32 = 1690;

const REPEAT: &str = "another transaction was in the way: roll this transaction back, and repeat it as a whole";

const ONLY_READS: &str =
    "this transaction, or the server, only reads: begin a transaction that may write, on the primary";

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

impl Refusal<'_> {
    fn answer(self) -> ServerError {
        ServerError::new(self.number, self.state.map(str::to_owned), self.text.to_owned())
    }
}

impl Draw {
    /// Returns the error of a statement that failed.
    pub fn failure(&self, refusal: Refusal<'_>) -> Error {
        let dialect = self.dialect;
        let sense = match (dialect, refusal) {
            (Dialect::MySql, Refusal { number: Some(OUT_OF_RANGE), .. }) => {
                return self.no_room().with_source(refusal.answer());
            }
            (Dialect::MySql, Refusal { number: Some(number), .. }) => mysql::meaning(number),
            (Dialect::Postgres, Refusal { state: Some(state), .. }) => postgresql::meaning(state),
            (Dialect::Sqlite, Refusal { number, text, .. }) => meaning_in_sqlite(number, text),
            _ => unknown(),
        };
        let repeats = sense.remedy.repeats();
        let advice = match sense.reason {
            _ if repeats => REPEAT.to_owned(),
            _ if dialect.has_no_key(refusal) => format!("name is not unique in {TABLE}: {ADD_KEY}"),
            _ if dialect.only_reads(refusal) => ONLY_READS.to_owned(),
            _ if dialect == Dialect::Postgres
                && refusal.state == Some("42703")
                && refusal.text.contains("tableoid") =>
            {
                return postgresql::not_lasting(&format!("the table {TABLE}"), TABLE, "v")
                    .with_source(refusal.answer());
            }
            Some(Reason::MissingTable) => {
                let schema = one_line(dialect.schema());
                format!(
                    "in a new table numbers begin again: if there was one, undo its renaming, or insert the highest number of \
                     each sequence. To make it, run the command {} on this database, or run: {schema}",
                    ShellCommand::init()
                )
            }
            _ => sense.advice.to_owned(),
        };
        let advice = if advice.is_empty() { advice } else { format!(": {advice}") };
        let problem = format!("no number of sequence {:?}: {}{advice}", self.row, refusal.text);
        let kind = if dialect.has_no_key(refusal) { ErrorKind::InvalidConfig } else { sense.kind };
        Error::new(kind, problem)
            .because(if repeats { Some(Reason::Locked) } else { sense.reason })
            .with_source(refusal.answer())
    }
}

impl Dialect {
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
    use crate::gapless::draw::tests::draw;

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
            let error = draw(dialect, 1).failure(refusal);
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
            let error = draw(dialect, 1).failure(Refusal { number, state, text });
            assert_eq!((error.kind(), error.reason()), (ErrorKind::InvalidConfig, Some(Reason::MissingTable)));
            assert!(error.message().contains("leafmint init") && error.message().contains("CREATE TABLE"), "{error}");
        }
    }

    #[test]
    fn a_row_that_the_statement_refuses_is_exhausted() {
        let refusal =
            Refusal { number: Some(1690), state: Some("22003"), text: "BIGINT UNSIGNED value is out of range" };
        let error = draw(Dialect::MySql, 3).failure(refusal);
        assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted);
        assert!(error.message().contains("no room for 3 more numbers") && error.message().contains("9999"), "{error}");
    }
}
