//! Whether ids can be leased from the table at all, whatever its rows hold: one judge for leases that were refused, the
//! list and the check.

use super::row;
use crate::database::{Failure, Outcome};
use crate::error::{Error, ErrorKind};
use crate::pasted::{Sql, SqlDialect};
use crate::postgres::operators::EQ;
use crate::postgres::{LASTING, Session, column};
use crate::store::table::Table;

/// Returns what is wrong with the table; `None` if nothing is, or it could not be asked.
pub(super) async fn problem(session: &mut Session, table: &Table) -> Option<Error> {
    match check(session, table).await {
        Err(Failure::Named(error)) => Some(error),
        _ => None,
    }
}

/// Replaces what the server says of a lease, if the table is the cause: a view has none of the columns of the system.
pub(super) async fn named(session: &mut Session, table: &Table, failure: Failure) -> Failure {
    if !matches!(failure, Failure::Refused(..)) || failure.reason().is_some() || failure.ends_the_session() {
        return failure;
    }
    problem(session, table).await.map_or(failure, Failure::Named)
}

/// Refuses a table that a crash empties, that is none, whose `max_id` rounds, or whose rows cannot be counted.
pub(super) async fn check(session: &mut Session, table: &Table) -> Outcome<()> {
    let rows = session.query(&question(table), &[]).await?;
    let Some(found) = rows.first() else { return Ok(()) };
    let (kind, is_lasting, keeps): (String, bool, bool) = (column(found, 0)?, column(found, 1)?, column(found, 2)?);
    if !column::<bool>(found, 3)? {
        return Err(hides_rows(table).into());
    }
    if !is_lasting {
        return Err(not_lasting(&table.scope, &table.quoted, &kind).into());
    }
    match keeps {
        true => Ok(()),
        false => Err(rounds(table).into()),
    }
}

/// Asks for the kind of the table, whether it and its children last, and whether its numbers do not round: by a column
/// of the type of `max_id` in a row that there is not.
fn question(table: &Table) -> String {
    format!(
        "SELECT c.relkind::pg_catalog.text, ({LASTING} OR c.relkind {EQ} 'p') AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits AS i \
         JOIN pg_catalog.pg_class AS c ON c.oid {EQ} i.inhrelid WHERE i.inhparent {EQ} '{table}'::pg_catalog.regclass \
         AND NOT ({LASTING} OR c.relkind {EQ} 'p')), (SELECT {} FROM (SELECT) AS one LEFT JOIN {table} AS t ON FALSE), {} \
         FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} '{table}'::pg_catalog.regclass",
        row::does_not_round("COALESCE(t.max_id, 0)"),
        counts_all_rows("c.oid"),
        table = table.quoted
    )
}

/// Returns the condition that a tag which shows one row to this account has one: no policy hides rows of the table with
/// this number, or `biz_tag` is unique.
pub(super) fn counts_all_rows(oid: &str) -> String {
    format!(
        "(NOT pg_catalog.row_security_active({oid}) OR EXISTS (SELECT FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_attribute AS a \
         ON a.attrelid {EQ} i.indrelid AND a.attnum {EQ} i.indkey[0] AND a.attname {EQ} 'biz_tag' WHERE i.indrelid {EQ} {oid} \
         AND i.indisunique AND i.indisvalid AND i.indnkeyatts {EQ} 1 AND i.indpred IS NULL))"
    )
}

fn hides_rows(table: &Table) -> Error {
    let text = format!(
        "row level security hides rows of {} from this account, and biz_tag is not unique: another account may lease the same ids \
         from another row: run {}",
        table.scope,
        alter(&table.quoted).words("ADD UNIQUE (biz_tag)")
    );
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Begins a change of a table, whose name is quoted, for a person.
pub(super) fn alter(quoted: &str) -> Sql {
    Sql::new(SqlDialect::Postgres, "ALTER TABLE").quoted(quoted)
}

/// Describes a table that is no ordinary one, by its kind in `pg_class`.
pub(crate) fn not_lasting(scope: &str, quoted: &str, kind: &str) -> Error {
    let (why, remedy) = match kind {
        "v" | "m" => ("it is a view", "name the table below it".to_owned()),
        "f" => ("it is a table of another server", "name a table of this database".to_owned()),
        _ => (
            "after one, an unlogged table is empty and its ids would begin again",
            format!("make it a logged table of this database ({})", alter(quoted).words("SET LOGGED")),
        ),
    };
    let text = format!("{scope} is no ordinary table that survives a crash: {why}: {remedy}");
    Error::new(ErrorKind::InvalidConfig, text)
}

fn rounds(table: &Table) -> Error {
    let text = format!(
        "max_id in {} is a column that may hold other values than whole numbers, or round them: make the column a BIGINT",
        table.scope
    );
    Error::new(ErrorKind::InvalidConfig, text)
}
