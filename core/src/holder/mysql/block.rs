//! The statements on one row of `leafmint_backfill`.

use crate::database::{Failure, Outcome};
use crate::error::{Error, ErrorKind};
use crate::holder::rows::BlockStatements;
use crate::mysql::{self, Session};
use mysql_async::Value;

/// The table, quoted. It must keep what is written, for every process and after a crash.
const TABLE: [&str; 1] = ["`leafmint_backfill`"];

const READ: &str = "SELECT next_sequence FROM leafmint_backfill WHERE namespace = ? AND worker_id = ? AND block = ?";

/// The row of one block of a worker id for the past, on one session.
pub(super) struct MySqlBlock<'a> {
    pub(super) session: &'a mut Session,
    pub(super) namespace: &'a str,
    pub(super) worker_id: i64,
    pub(super) block: i64,
}

impl MySqlBlock<'_> {
    fn key(&self) -> [Value; 3] {
        [self.namespace.into(), self.worker_id.into(), self.block.into()]
    }

    /// Runs a statement that moves the row on, then reads what the row shows. Returns whether it changed the row.
    async fn change(&mut self, sql: &str, params: Vec<Value>, to: i64) -> Outcome<bool> {
        let params: Vec<Value> = params.into_iter().chain(self.key()).collect();
        self.session.send(&format!("{sql}; {READ}; {}", mysql::show(&TABLE)), &params).await?;
        let changed = self.session.changed().await?.rows == 1;
        let shown: Vec<i64> = self.session.rows().await?;
        mysql::shown(self.session, &TABLE).await?.judge()?;
        match shown[..] {
            _ if !changed => Ok(false),
            [next] if next >= to => Ok(true),
            _ => Err(self.not_kept()),
        }
    }

    fn not_kept(&self) -> Failure {
        let text = format!(
            "the row of block {} of worker id {} in leafmint_backfill does not hold what was written: a trigger or a column \
             changes it: compare the table with schema_sql(\"mysql\")",
            self.block, self.worker_id
        );
        Error::new(ErrorKind::InvalidConfig, text).into()
    }
}

impl BlockStatements for MySqlBlock<'_> {
    async fn next(&mut self) -> Outcome<Option<i64>> {
        self.session.first(READ, &self.key()).await
    }

    async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
        let mut params = vec![to.into()];
        params.extend(self.key());
        params.extend(from.map(Value::from));
        let sql = match from {
            None => "INSERT INTO leafmint_backfill (next_sequence, namespace, worker_id, block) VALUES (?, ?, ?, ?)",
            Some(_) => {
                "UPDATE leafmint_backfill SET next_sequence = ? \
                 WHERE namespace = ? AND worker_id = ? AND block = ? AND next_sequence = ?"
            }
        };
        match self.change(sql, params, to).await {
            Err(failure) if failure.is_duplicate() => Ok(false),
            answer => answer,
        }
    }
}
