//! Past moments of a worker id: the statements on one row of `leafmint_backfill`.

use crate::mysql::{self, Session};
use crate::rows::{BlockStatements, MARK, ShownBlock};
use crate::sessions::{Failure, Outcome};
use leafmint_engine::holder::Generation;
use leafmint_engine::holder::past::PastWorker;
use leafmint_ids::error::{Error, ErrorKind};
use mysql_async::Value;

/// The table, quoted. It must keep what is written, for every process and after a crash.
const TABLE: [&str; 1] = ["`leafmint_backfill`"];

const READ: &str =
    "SELECT block, next_sequence FROM leafmint_backfill WHERE namespace = ? AND worker_id = ? AND block IN (?, ?)";

/// The row of one block of a worker id for the past, on one session.
pub(super) struct MySqlBlock<'a> {
    pub(super) session: &'a mut Session,
    pub(super) namespace: &'a str,
    pub(super) worker: PastWorker,
    pub(super) block: i64,
}

impl MySqlBlock<'_> {
    fn worker_key(&self) -> [Value; 2] {
        [self.namespace.into(), self.worker.worker_id.into()]
    }

    /// Returns the parameters of [`READ`].
    fn key(&self) -> Vec<Value> {
        self.worker_key().into_iter().chain([MARK.into(), self.block.into()]).collect()
    }

    /// Runs a statement that makes or moves a row on, then reads what the rows show. Returns whether it changed one.
    async fn change(&mut self, sql: &str, params: Vec<Value>) -> Outcome<(bool, Vec<(i64, i64)>)> {
        let params: Vec<Value> = params.into_iter().chain(self.key()).collect();
        self.session.send(&format!("{sql}; {READ}; {}", mysql::show(&TABLE)), &params).await?;
        let changed = self.session.changed().await?.rows == 1;
        let shown = self.session.rows().await?;
        mysql::shown(self.session, &TABLE).await?.judge()?;
        Ok((changed, shown))
    }

    fn not_kept(&self) -> Failure {
        let text = format!(
            "the row of block {} of worker id {} in leafmint_backfill does not hold what was written: a trigger or a column \
             changes it: compare the table with schema_sql(\"mysql\")",
            self.block, self.worker.worker_id
        );
        Error::new(ErrorKind::InvalidConfig, text).into()
    }
}

/// Returns what the row of a block shows.
fn next_of(block: i64, shown: &[(i64, i64)]) -> Option<i64> {
    shown.iter().find(|(of, _)| *of == block).map(|(_, next)| *next)
}

impl BlockStatements for MySqlBlock<'_> {
    async fn mark(&mut self) -> Outcome<Generation> {
        let sql = "INSERT INTO leafmint_backfill (next_sequence, block, namespace, worker_id) VALUES (?, ?, ?, ?)";
        let values = [self.worker.generation.number().into(), MARK.into()];
        let shown = match self.change(sql, values.into_iter().chain(self.worker_key()).collect()).await {
            Err(failure) if failure.is_duplicate() => self.session.query(READ, &self.key()).await?,
            changed => changed?.1,
        };
        next_of(MARK, &shown).and_then(Generation::of).ok_or_else(|| self.not_kept())
    }

    async fn read(&mut self) -> Outcome<ShownBlock> {
        let shown: Vec<(i64, i64)> = self.session.query(READ, &self.key()).await?;
        let is_marked = next_of(MARK, &shown) == Some(self.worker.generation.number());
        Ok(ShownBlock { is_marked, next: next_of(self.block, &shown) })
    }

    async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
        let mut params: Vec<Value> = vec![to.into(), self.block.into()];
        params.extend(self.worker_key());
        params.extend([MARK.into(), self.worker.generation.number().into()]);
        params.extend(from.map(Value::from));
        // The mark is locked until the end of the statement.
        let sql = match from {
            None => {
                "INSERT INTO leafmint_backfill (next_sequence, block, namespace, worker_id) \
                 SELECT ?, ?, m.namespace, m.worker_id FROM leafmint_backfill AS m \
                 WHERE m.namespace = ? AND m.worker_id = ? AND m.block = ? AND m.next_sequence = ? LOCK IN SHARE MODE"
            }
            Some(_) => {
                "UPDATE leafmint_backfill AS m JOIN leafmint_backfill AS b \
                 ON b.namespace = m.namespace AND b.worker_id = m.worker_id SET b.next_sequence = ? \
                 WHERE b.block = ? AND m.namespace = ? AND m.worker_id = ? AND m.block = ? AND m.next_sequence = ? \
                 AND b.next_sequence = ?"
            }
        };
        match self.change(sql, params).await {
            Err(failure) if failure.is_duplicate() => Ok(false),
            Ok((true, shown)) if next_of(self.block, &shown).is_some_and(|next| next >= to) => Ok(true),
            Ok((true, _)) => Err(self.not_kept()),
            changed => changed.map(|_| false),
        }
    }
}
