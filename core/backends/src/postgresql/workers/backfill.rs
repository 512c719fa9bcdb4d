//! Past moments of a worker id: the statements on one row of `leafmint_backfill`.

use super::claims::{any_text, not_kept, not_lasting};
use crate::postgresql::operators::EQ;
use crate::postgresql::{Param, Session, column, is_lasting, number};
use crate::rows::{BlockStatements, MARK, ShownBlock};
use crate::sessions::{Failure, Outcome};
use leafmint_engine::holder::Generation;
use leafmint_engine::holder::past::PastWorker;
use leafmint_ids::error::{Error, ErrorKind};

const TABLE: &str = "leafmint_backfill";

const INSERT: &str =
    "INSERT INTO leafmint_backfill AS b (namespace, worker_id, block, next_sequence) SELECT $1, $2, $3, $4";

const ON_CONFLICT: &str = "ON CONFLICT (namespace, worker_id, block) DO NOTHING";

/// The row of one block of a worker id for the past, on one session.
pub(super) struct PostgresBlock<'a> {
    pub(super) session: &'a mut Session,
    pub(super) namespace: &'a str,
    pub(super) worker: PastWorker,
    pub(super) block: i64,
}

/// The condition that a row is one of the worker id's counters.
fn is_of_the_worker(row: &str) -> String {
    format!("{row}.namespace {EQ} $1 AND {row}.worker_id {EQ} $2")
}

/// The row of the mark, if it shows the generation: locked until the end of the statement, so that what it allows is
/// not done after its deletion.
fn mark() -> String {
    let of_the_worker = is_of_the_worker("m");
    format!(
        "SELECT 1 FROM leafmint_backfill AS m WHERE {of_the_worker} AND m.block {EQ} $5 AND m.next_sequence {EQ} $6 \
         FOR KEY SHARE"
    )
}

/// The condition that a table is in the schema of the table of worker ids: one that another role made in a schema
/// before it on the search path would begin again.
fn is_next_to_the_workers(table: &str) -> String {
    let schema = "SELECT c.relnamespace FROM pg_catalog.pg_class AS c WHERE c.oid";
    let workers = "pg_catalog.to_regclass('leafmint_worker')";
    format!("({schema} {EQ} {table}) {EQ} ({schema} {EQ} {workers})")
}

fn hidden() -> Failure {
    let text = "leafmint_backfill is in another schema than leafmint_worker, and hides the one there: drop it, if no id of a \
                past moment was leased from it";
    Error::new(ErrorKind::InvalidConfig, text).into()
}

impl PostgresBlock<'_> {
    /// Runs a statement that makes or moves a row on. Returns whether it did.
    async fn change(&mut self, change: &str, params: &[Param<'_>]) -> Outcome<bool> {
        let (lasting, in_place) = (is_lasting("b"), is_next_to_the_workers("b.tableoid"));
        let sql = format!("{change} RETURNING b.next_sequence {EQ} $4, {lasting}, {in_place}");
        match self.session.query(&sql, params).await?.first() {
            None => Ok(false),
            Some(row) if column::<Option<bool>>(row, 1)? != Some(true) => Err(not_lasting(TABLE)),
            Some(row) if column::<Option<bool>>(row, 2)? != Some(true) => Err(hidden()),
            Some(row) if column::<Option<bool>>(row, 0)? == Some(true) => Ok(true),
            Some(_) => Err(not_kept(TABLE, self.worker.worker_id)),
        }
    }

    /// Reads what the rows of the mark and of the block show.
    async fn shown(&mut self) -> Outcome<[Option<i64>; 2]> {
        let of_the_worker = is_of_the_worker("b");
        let sql = format!(
            "SELECT b.block::bigint, b.next_sequence::bigint FROM leafmint_backfill AS b \
             WHERE {of_the_worker} AND (b.block {EQ} $3 OR b.block {EQ} $4)"
        );
        let Self { session, namespace, worker, block } = self;
        let params = [any_text(namespace), number(&worker.worker_id), number(block), number(&MARK)];
        let mut shown = [None; 2];
        for row in session.query(&sql, &params).await? {
            shown[usize::from(column::<i64>(&row, 0)? != MARK)] = Some(column(&row, 1)?);
        }
        Ok(shown)
    }
}

impl BlockStatements for PostgresBlock<'_> {
    async fn mark(&mut self) -> Outcome<Generation> {
        let sql = format!("{} FROM ({}) AS s {ON_CONFLICT}", INSERT, self.session.settings());
        let PastWorker { worker_id, generation } = self.worker;
        let (namespace, to) = (self.namespace, generation.number());
        self.change(&sql, &[any_text(&namespace), number(&worker_id), number(&MARK), number(&to)]).await?;
        let [marked, _] = self.shown().await?;
        marked.and_then(Generation::of).ok_or_else(|| not_kept(TABLE, worker_id))
    }

    async fn read(&mut self) -> Outcome<ShownBlock> {
        let [marked, next] = self.shown().await?;
        let is_marked = marked == Some(self.worker.generation.number());
        if !is_marked {
            let sql = is_next_to_the_workers("pg_catalog.to_regclass('leafmint_backfill')");
            let rows = self.session.query(&format!("SELECT {sql}"), &[]).await?;
            let in_place: Option<bool> = rows.first().map(|row| column(row, 0)).transpose()?.flatten();
            return if in_place == Some(false) { Err(hidden()) } else { Ok(ShownBlock { is_marked, next }) };
        }
        Ok(ShownBlock { is_marked, next })
    }

    async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
        let (settings, mark, of_the_worker) = (self.session.settings(), mark(), is_of_the_worker("b"));
        let sql = match from {
            None => format!("{INSERT} FROM ({settings}) AS s, ({mark}) AS marked {ON_CONFLICT}"),
            Some(_) => format!(
                "UPDATE leafmint_backfill AS b SET next_sequence = $4 FROM ({settings}) AS s, ({mark}) AS marked \
                 WHERE {of_the_worker} AND b.block {EQ} $3 AND b.next_sequence {EQ} $7"
            ),
        };
        let (namespace, PastWorker { worker_id, generation }) = (self.namespace, self.worker);
        let (block, generation) = (self.block, generation.number());
        let mut params = vec![any_text(&namespace), number(&worker_id), number(&block), number(&to)];
        params.extend([number(&MARK), number(&generation)]);
        params.extend(from.as_ref().map(number));
        self.change(&sql, &params).await
    }
}
