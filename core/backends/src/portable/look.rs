//! Whether a table is fit: what the catalog says about it. Each session asks once for each table, before it uses it.

use super::columns::Columns;
use super::session::Session;
use crate::sessions::{Failure, Outcome, Remedy};
use crate::tables::stored_row::column_that_rounds;
use crate::tables::table::Table;
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use std::collections::HashMap;

impl Session {
    /// Returns the columns of a table of segments that keeps what is written, and is everyone's.
    pub(super) async fn look(&mut self, table: &Table) -> Outcome<&Columns> {
        let columns = self.look_at(&table.name).await?;
        if columns.rounds() {
            return Err(column_that_rounds(&table.scope).into());
        }
        Ok(columns)
    }

    /// Does the same for any table, by its name.
    pub(super) async fn look_at(&mut self, name: &str) -> Outcome<&Columns> {
        if !self.looked.contains_key(name) {
            let columns = self.read_columns(name).await?;
            self.looked.insert(name.to_owned(), columns);
        }
        Ok(&self.looked[name])
    }

    async fn read_columns(&self, name: &str) -> Outcome<Columns> {
        let (schema, table) = match name.split_once('.') {
            Some((schema, table)) => (Some(schema), table),
            None => (None, name),
        };
        let mut columns = HashMap::new();
        for mut row in self.ask([(self.product.columns)(schema, table)]).await?.rows() {
            check_kind(name, row.text(0).unwrap_or_default().trim_end())?;
            let [column, kind] = [1, 2].map(|at| row.text(at).unwrap_or_default().to_lowercase());
            columns.insert(column, kind);
        }
        if columns.is_empty() {
            return Err(missing(name));
        }
        Ok(Columns::new(columns))
    }

    /// Returns whether there is a table that need not be there.
    pub(super) async fn has(&mut self, name: &str) -> Outcome<bool> {
        match self.look_at(name).await {
            Ok(_) => Ok(true),
            Err(failure) if failure.is_no_such_table() => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// Returns what a failure means if one of these tables is gone: not every product has a code for that.
    pub(super) async fn named(&mut self, failure: Failure, names: &[&str]) -> Failure {
        let is_clear = failure.reason().is_some_and(|reason| reason != Reason::Denied);
        if is_clear || !matches!(failure, Failure::Refused(_, Remedy::Report)) {
            return failure;
        }
        for name in names {
            self.looked.remove(*name);
            match self.look_at(name).await {
                Err(found) if found.is_no_such_table() || matches!(found, Failure::Named(_)) => return found,
                _ => {}
            }
        }
        failure
    }
}

fn missing(name: &str) -> Failure {
    let error = Error::new(ErrorKind::InvalidConfig, format!("there is no table {name}")).because(Reason::MissingTable);
    Failure::Refused(error.of_one_tag(), Remedy::Report)
}

fn check_kind(name: &str, kind: &str) -> Result<()> {
    let text = match kind {
        "" => return Ok(()),
        _ if kind.to_uppercase().contains("TEMPORARY") => {
            "is a temporary table, in which each session has rows of its own: use one that all share, or drop it"
                .to_owned()
        }
        _ => format!("is a {}: use a table that keeps what is written", kind.to_lowercase()),
    };
    Err(Error::new(ErrorKind::InvalidConfig, format!("the table {name} {text}")))
}
