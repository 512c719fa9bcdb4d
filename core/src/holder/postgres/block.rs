//! The statements on one row of `leafmint_backfill`.

use super::row::{any_text, not_kept, not_lasting};
use crate::database::{Failure, Outcome};
use crate::error::{Error, ErrorKind};
use crate::holder::rows::BlockStatements;
use crate::postgres::operators::EQ;
use crate::postgres::{Session, column, is_lasting, number};

const TABLE: &str = "leafmint_backfill";

/// The row of one block of a worker id for the past, on one session.
pub(super) struct PostgresBlock<'a> {
    pub(super) session: &'a mut Session,
    pub(super) namespace: &'a str,
    pub(super) worker_id: i64,
    pub(super) block: i64,
}

/// The condition that a row is that of the block.
fn is_it() -> String {
    format!("b.namespace {EQ} $1 AND b.worker_id {EQ} $2 AND b.block {EQ} $3")
}

/// The condition that the row is in the schema of the table of worker ids: a table that another role made in a schema
/// before it on the search path would begin again.
fn is_next_to_the_workers() -> String {
    let schema = "SELECT c.relnamespace FROM pg_catalog.pg_class AS c WHERE c.oid";
    let workers = "pg_catalog.to_regclass('leafmint_worker')";
    format!("({schema} {EQ} b.tableoid) {EQ} ({schema} {EQ} {workers})")
}

fn hidden() -> Failure {
    let text = "leafmint_backfill is in another schema than leafmint_worker, and hides the one there: drop it, if no id of a \
                past moment was leased from it";
    Error::new(ErrorKind::InvalidConfig, text).into()
}

impl BlockStatements for PostgresBlock<'_> {
    async fn next(&mut self) -> Outcome<Option<i64>> {
        let sql = format!("SELECT b.next_sequence::bigint FROM leafmint_backfill AS b WHERE {}", is_it());
        let Self { session, namespace, worker_id, block } = self;
        let rows = session.query(&sql, &[any_text(namespace), number(worker_id), number(block)]).await?;
        rows.first().map(|row| column(row, 0)).transpose()
    }

    async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
        let (settings, is_it) = (self.session.settings(), is_it());
        let change = match from {
            None => format!(
                "INSERT INTO leafmint_backfill AS b (namespace, worker_id, block, next_sequence) \
                 SELECT $1, $2, $3, $4 FROM ({settings}) AS s ON CONFLICT (namespace, worker_id, block) DO NOTHING"
            ),
            Some(_) => format!(
                "UPDATE leafmint_backfill AS b SET next_sequence = $4 FROM ({settings}) AS s \
                 WHERE {is_it} AND b.next_sequence {EQ} $5"
            ),
        };
        let sql =
            format!("{change} RETURNING b.next_sequence {EQ} $4, {}, {}", is_lasting("b"), is_next_to_the_workers());
        let Self { session, namespace, worker_id, block } = self;
        let mut params = vec![any_text(namespace), number(worker_id), number(block), number(&to)];
        params.extend(from.as_ref().map(number));
        match session.query(&sql, &params).await?.first() {
            None => Ok(false),
            Some(row) if column::<Option<bool>>(row, 1)? != Some(true) => Err(not_lasting(TABLE)),
            Some(row) if column::<Option<bool>>(row, 2)? != Some(true) => Err(hidden()),
            Some(row) if column::<Option<bool>>(row, 0)? == Some(true) => Ok(true),
            Some(_) => Err(not_kept(TABLE, *worker_id)),
        }
    }
}
