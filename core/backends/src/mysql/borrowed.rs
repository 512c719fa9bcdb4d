//! A connection of the application: the statements of one packet go one by one, and answers are kept until they are
//! read.

use super::errors::of_driver;
use super::options;
use crate::borrowed::{Borrowing, Connection, DriverError, Ran};
use crate::sessions::{DatabaseSettings, Failure, Outcome};
use leafmint_ids::error::{Error, ErrorKind, ServerError};
use mysql_async::consts::ColumnType;
use mysql_async::{Column, Row, Value};
use mysql_common::row::new_row;
use std::collections::VecDeque;
use std::sync::Arc;

/// A statement that stands for none.
pub(super) const NOTHING: &str = "DO 0";

/// Shows whether a transaction is open, which makes the first one fail (it counts for the next transaction alone),
/// whether each statement is committed, and whether a variable reaches the next statement. Another column may follow.
const CHECK: &str = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET @leafmint_check = 1; \
     SELECT CONCAT(IF(@@autocommit, 1, 0), ' ', COALESCE(@leafmint_check, 0))";

/// The server's number for a change of what a transaction is while one is open.
const IN_TRANSACTION: i32 = 1568;

/// The beginning of the names of all variables of ours.
const VARIABLE: &str = "@leafmint_";

pub(super) struct Borrowed {
    connection: Connection,
    answers: VecDeque<Result<Ran, DriverError>>,
    /// Sets back what was set, on a connection that others use too.
    restore: Option<String>,
}

impl Borrowed {
    /// Opens a connection, and sets what changes what leafmint's statements read or write.
    ///
    /// Refuses one that would not commit each statement, or not send them all to one server. All goes in one question.
    pub(super) async fn open(lender: &Borrowing, settings: &DatabaseSettings) -> Outcome<Self> {
        let connection = lender.connect().await.map_err(of_driver)?;
        let mut borrowed = Self { connection, answers: VecDeque::new(), restore: None };
        let is_shared = borrowed.is_shared();
        let restore = if is_shared { options::RESTORE } else { "NULL" };
        let sent = borrowed.send(&format!("{CHECK}, {restore}; {}", options::borrowed_setup(settings))).await;
        borrowed.restore = borrowed.check(sent)?;
        if is_shared && borrowed.restore.is_none() {
            return Err(Failure::broken("the server does not say what is set"));
        }
        borrowed.answers.drain(..).find_map(Result::err).map_or(Ok(()), |error| Err(of_driver(error)))?;
        Ok(borrowed)
    }

    /// Judges the answers to [`CHECK`]. Returns what was asked for with it.
    fn check(&mut self, sent: Outcome<()>) -> Outcome<Option<String>> {
        let is_in_transaction = |error: &Error| error.server().and_then(ServerError::number) == Some(IN_TRANSACTION);
        let (shown, asked) = match sent {
            Err(Failure::Refused(error, _)) if is_in_transaction(&error) => (None, None),
            Err(failure) => return Err(failure),
            Ok(()) => {
                self.next_rows()?;
                self.next_rows()?;
                self.next_texts()?
            }
        };
        let problem = match shown.as_deref() {
            Some("1 1") => return Ok(asked),
            Some("1 0") => {
                "the statements of one connection reach several servers (it splits reads from writes, or balances load): name the \
                 data source of the primary alone"
            }
            _ => {
                "the connection is in a transaction, or has no autocommit, although that was asked for: name a data source that lets \
                 it be set"
            }
        };
        Err(Error::new(ErrorKind::InvalidConfig, problem).into())
    }

    pub(super) fn is_shared(&self) -> bool {
        self.connection.connected.is_shared
    }

    /// Runs statements, up to the first that fails. Raises the failure of the first one.
    pub(super) async fn send(&mut self, sql: &str) -> Outcome<()> {
        let statements = split(sql);
        // A data source that sends a statement elsewhere than the one before it finds no variable of this name there,
        // instead of one of an earlier lease.
        let marked = format!("{VARIABLE}{:x}_", fastrand::u64(..));
        let sent = statements.iter().filter(|sql| !says_nothing(sql)).map(|sql| sql.replace(VARIABLE, &marked));
        let mut answers = self.connection.run(sent.collect()).await.map_err(of_driver)?.into_iter();
        self.answers.clear();
        for statement in &statements {
            let answer =
                if says_nothing(statement) { Ok(Ran::Changed(0)) } else { answers.next().unwrap_or_else(unanswered) };
            let is_last = answer.is_err();
            self.answers.push_back(answer);
            if is_last {
                break;
            }
        }
        match self.answers.front() {
            Some(Err(error)) => Err(of_driver(error.clone())),
            _ => Ok(()),
        }
    }

    /// Returns the rows of the next statement.
    pub(super) fn next_rows(&mut self) -> Outcome<Vec<Row>> {
        match self.next()? {
            Ran::Rows(rows) => Ok(rows.into_iter().map(row).collect()),
            Ran::Changed(_) => Ok(Vec::new()),
        }
    }

    /// Returns how many rows the next statement changed.
    pub(super) fn next_changed(&mut self) -> Outcome<u64> {
        match self.next()? {
            Ran::Changed(rows) => Ok(rows),
            Ran::Rows(_) => Err(Failure::broken("the driver answered a change with rows")),
        }
    }

    pub(super) async fn ping(&mut self) -> Outcome<()> {
        self.send("SELECT 1").await
    }

    /// Gives the connection back as it was, or closes it.
    pub(super) async fn end(mut self) {
        if let Some(restore) = self.restore.take() {
            let restored = self.send(&restore).await;
            if restored.is_err() || self.answers.iter().any(Result::is_err) {
                // Dropping it cuts it, so that the pool lends no connection with our settings.
                return;
            }
        }
        self.connection.end().await;
    }

    fn next(&mut self) -> Outcome<Ran> {
        let answer = self.answers.pop_front();
        answer.unwrap_or_else(unanswered).map_err(of_driver)
    }

    /// Returns the two columns of the next statement's row.
    fn next_texts(&mut self) -> Outcome<(Option<String>, Option<String>)> {
        let Ran::Rows(rows) = self.next()? else { return Ok((None, None)) };
        let mut row = rows.into_iter().next().unwrap_or_default().into_iter();
        Ok((row.next().flatten(), row.next().flatten()))
    }
}

fn unanswered() -> Result<Ran, DriverError> {
    Err(DriverError::lost("the driver left a statement unanswered"))
}

/// Returns whether a statement need not be sent: the variables of a packet, whose names are new, are NULL anyway.
fn says_nothing(statement: &str) -> bool {
    let sets = statement.strip_prefix("SET ").map(|rest| rest.split(", ").all(|set| set.ends_with(" = NULL")));
    sets == Some(true) || statement == NOTHING
}

/// Makes a row of the text protocol.
fn row(texts: Vec<Option<String>>) -> Row {
    let columns: Arc<[Column]> = texts.iter().map(|_| Column::new(ColumnType::MYSQL_TYPE_VAR_STRING)).collect();
    let value = |text: Option<String>| text.map_or(Value::NULL, |text| Value::Bytes(text.into_bytes()));
    new_row(texts.into_iter().map(value).collect(), columns)
}

/// Splits statements at the semicolons that are not part of a name or a literal.
fn split(sql: &str) -> Vec<String> {
    let (mut statements, mut begin, mut quote) = (Vec::new(), 0, None);
    for (at, character) in sql.char_indices() {
        match (quote, character) {
            (None, '`' | '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, ';') => {
                statements.push(sql[begin..at].trim().to_owned());
                begin = at + 1;
            }
            _ => {}
        }
    }
    statements.push(sql[begin..].trim().to_owned());
    statements.retain(|statement| !statement.is_empty());
    statements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_sets_variables_to_nothing_is_left_out() {
        assert!(says_nothing("SET @leafmint_end = NULL, @leafmint_genes = NULL") && says_nothing(NOTHING));
        for statement in ["SET @leafmint_check = 1", "SET autocommit = 0", "UPDATE a SET b = NULL"] {
            assert!(!says_nothing(statement), "{statement}");
        }
    }

    #[test]
    fn statements_end_at_semicolons_outside_of_quotes() {
        let statements = split("SELECT 1; SELECT ';`' FROM `a;b``;` ; UPDATE \"x;\" SET a = 'it''s;'; ");
        assert_eq!(statements, ["SELECT 1", "SELECT ';`' FROM `a;b``;`", "UPDATE \"x;\" SET a = 'it''s;'"]);
    }
}
