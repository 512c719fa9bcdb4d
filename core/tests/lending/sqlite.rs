//! An application with a connection to a SQLite file, or to a database in memory.

use leafmint_backends::borrowed::{Blocking, BlockingConnection, Connected, DriverError, Lender, OnThreads, Ran};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, InterruptHandle};
use std::sync::Arc;
use std::time::Duration;

/// Lends connections to the database of a path, or of an address `file:…`.
pub(crate) fn lender(path: &str) -> Arc<dyn Lender> {
    lender_after(path, &[])
}

/// Lends connections on which the application has run these statements.
pub(crate) fn lender_after(path: &str, setup: &'static [&'static str]) -> Arc<dyn Lender> {
    Arc::new(OnThreads::new(Source { path: path.to_owned(), name: format!("the test's SQLite ({path})"), setup }))
}

struct Source {
    path: String,
    name: String,
    setup: &'static [&'static str],
}

impl Blocking for Source {
    type Connection = Sqlite;

    fn name(&self) -> &str {
        &self.name
    }

    fn connect(&self) -> Result<(Sqlite, Connected), DriverError> {
        let connection = Connection::open(&self.path).map_err(error)?;
        // As Python's driver does.
        connection.busy_timeout(Duration::from_secs(5)).map_err(error)?;
        for statement in self.setup {
            connection.execute_batch(statement).map_err(error)?;
        }
        let version = rusqlite::version().to_owned();
        Ok((Sqlite(connection), Connected { product: "SQLite".to_owned(), version, is_shared: false }))
    }
}

/// One connection, in autocommit mode.
struct Sqlite(Connection);

impl Sqlite {
    fn one(&self, statement: &str) -> Result<Ran, DriverError> {
        let mut statement = self.0.prepare(statement).map_err(error)?;
        let columns = statement.column_count();
        if columns == 0 {
            return Ok(Ran::Changed(statement.execute([]).map_err(error)? as u64));
        }
        let mut found = Vec::new();
        let mut rows = statement.query([]).map_err(error)?;
        while let Some(row) = rows.next().map_err(error)? {
            found.push((0..columns).map(|at| text(row.get_ref(at).unwrap())).collect());
        }
        Ok(Ran::Rows(found))
    }
}

impl BlockingConnection for Sqlite {
    fn run(&mut self, statements: &[String]) -> Vec<Result<Ran, DriverError>> {
        let mut results = Vec::new();
        for statement in statements {
            results.push(self.one(statement));
            if results.last().is_some_and(Result::is_err) {
                break;
            }
        }
        results
    }

    fn run_together(&mut self, statements: &[String]) -> Vec<Result<Ran, DriverError>> {
        if let Err(error) = self.one("BEGIN") {
            return vec![Err(error)];
        }
        let mut results = self.run(statements);
        if results.last().is_none_or(Result::is_ok) {
            results.extend(self.one("COMMIT").err().map(Err));
        }
        if results.last().is_some_and(Result::is_err) {
            let _ = self.one("ROLLBACK");
        }
        results
    }

    fn end(self) {}

    fn cutter(&self) -> Option<Box<dyn Fn() + Send + Sync>> {
        let interrupt: InterruptHandle = self.0.get_interrupt_handle();
        Some(Box::new(move || interrupt.interrupt()))
    }
}

fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(format!("{number:?}")),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    }
}

fn error(error: rusqlite::Error) -> DriverError {
    let answer = match &error {
        rusqlite::Error::SqlInputError { error, .. } => Some(error),
        other => other.sqlite_error(),
    };
    DriverError {
        number: answer.map(|answer| answer.extended_code),
        state: None,
        text: error.to_string(),
        is_lost: false,
    }
}
