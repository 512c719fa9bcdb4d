//! A session over a connection of the application.
//!
//! What is written is read back in the same transaction: neither a driver's count nor the lack of an error is proof.

use super::columns::Columns;
use super::errors;
use super::product::Product;
use super::schema::IF_MISSING;
use crate::borrowed::{Connection, Ran};
use crate::sessions::{Failure, Outcome};
use leafmint_ids::error::{Error, ErrorKind};
use std::collections::HashMap;

/// A session with H2, HSQLDB, Derby or SQLite.
pub struct Session {
    pub(super) connection: Connection,
    pub(super) product: &'static Product,
    /// What comes before the name of a table that has no schema.
    pub(super) home: String,
    /// Commits have to be followed by [`Product::sync`].
    pub(super) syncs: bool,
    /// Sets back what was set, on a connection that others use too.
    pub(super) restore: Option<String>,
    /// The tables that were found fit for use, by the name as passed.
    pub(super) looked: HashMap<String, Columns>,
}

/// A row: texts, `None` for NULL.
pub(super) struct Values(Vec<Option<String>>);

impl Values {
    pub(super) fn text(&mut self, at: usize) -> Option<String> {
        self.0.get_mut(at)?.take()
    }

    /// Returns a value if it is a whole number.
    pub(super) fn number(&self, at: usize) -> Option<i64> {
        self.0.get(at)?.as_ref()?.parse().ok()
    }
}

/// The results of statements, which are taken in turn.
pub(super) struct Results(std::vec::IntoIter<Ran>);

impl Results {
    /// Takes the rows of a question.
    pub(super) fn rows(&mut self) -> Vec<Values> {
        match self.0.next() {
            Some(Ran::Rows(rows)) => rows.into_iter().map(Values).collect(),
            _ => Vec::new(),
        }
    }

    /// Takes the number of rows that a statement has changed.
    pub(super) fn changed(&mut self) -> u64 {
        match self.0.next() {
            Some(Ran::Changed(rows)) => rows,
            _ => 0,
        }
    }
}

impl Session {
    /// Asks questions, each as a transaction of its own.
    pub(super) async fn ask<const N: usize>(&self, questions: [String; N]) -> Outcome<Results> {
        let results =
            self.connection.run(checked(questions)?).await.map_err(|error| errors::of(self.product, error))?;
        let results = results.into_iter().collect::<Result<Vec<_>, _>>();
        let results = results.map_err(|error| errors::of(self.product, error))?;
        whole(results, N)
    }

    /// Runs statements in one transaction.
    pub(super) async fn write<const N: usize>(&self, statements: [String; N]) -> Outcome<Results> {
        let results = self.connection.run_together(checked(statements)?).await;
        let results = whole(results.map_err(|error| errors::of(self.product, error))?, N)?;
        self.sync().await?;
        Ok(results)
    }

    /// Makes the database keep what was committed, if it does not by itself.
    async fn sync(&self) -> Outcome<()> {
        match self.product.sync {
            Some(sync) if self.syncs => self.ask([sync.to_owned()]).await.map(drop),
            _ => Ok(()),
        }
    }

    /// Runs one statement that creates a table, or fills it. What is there already stays, and takes no lock.
    pub(super) async fn make(&mut self, sql: &str) -> Outcome<()> {
        if let Some(clock) = self.product.clock_schema {
            unless_there(self.ask([clock.to_owned()]).await)?;
        }
        let sql = sql.trim_end_matches([';', '\n']);
        let sql = if self.product.reads_if_missing { sql.to_owned() } else { sql.replacen(IF_MISSING, "", 1) };
        self.looked.clear();
        unless_there(self.ask([sql]).await)?;
        self.sync().await
    }

    /// Names a table, quoted for SQL, so that no temporary table is found in its place.
    pub(super) fn at(&self, quoted: &str) -> String {
        match quoted.contains('.') {
            true => quoted.to_owned(),
            false => format!("{}{quoted}", self.home),
        }
    }
}

/// Turns the error of something that is there already into success.
fn unless_there(answer: Outcome<Results>) -> Outcome<()> {
    match answer {
        Err(failure) if !failure.is_duplicate() => Err(failure),
        _ => Ok(()),
    }
}

/// Refuses a text at whose end a driver or SQLite would cut the statement.
fn checked<const N: usize>(statements: [String; N]) -> Outcome<Vec<String>> {
    if statements.iter().any(|statement| statement.contains('\0')) {
        let text = "a text for the database contains a NUL character: leave it out";
        return Err(Error::new(ErrorKind::InvalidArgument, text).into());
    }
    Ok(statements.into())
}

/// Refuses an answer with too few results.
fn whole(results: Vec<Ran>, expected: usize) -> Outcome<Results> {
    match results.len() == expected {
        true => Ok(Results(results.into_iter())),
        false => Err(Failure::broken(format!("{} results of {expected} statements", results.len()))),
    }
}
