//! Past moments of a worker id: the statements on one row of `leafmint_backfill`.

use crate::portable::session::Session;
use crate::portable::text::{number, text};
use crate::rows::{BlockStatements, MARK, ShownBlock};
use crate::sessions::{Failure, Outcome};
use leafmint_engine::holder::Generation;
use leafmint_engine::holder::past::PastWorker;
use leafmint_ids::error::{Error, ErrorKind};

const BLOCKS: &str = "leafmint_backfill";

/// The row of one block of a worker id for the past, on one session.
pub(super) struct PortableBlock<'a> {
    pub(super) session: &'a mut Session,
    pub(super) namespace: &'a str,
    pub(super) worker: PastWorker,
    pub(super) block: i64,
}

/// What the mark and the row of the block show.
#[derive(Default)]
struct Blocks {
    mark: Option<i64>,
    next: Option<i64>,
}

impl PortableBlock<'_> {
    fn place(&self) -> String {
        self.session.at(BLOCKS)
    }

    /// Returns the condition that a row is that of a block.
    fn is_of(&self, block: i64) -> String {
        let (namespace, worker_id) = (text(self.namespace), number(self.worker.worker_id));
        format!("namespace = {namespace} AND worker_id = {worker_id} AND block = {}", number(block))
    }

    fn generation(&self) -> i64 {
        self.worker.generation.number()
    }

    /// Returns the questions for the mark and for the block's row.
    fn questions(&self) -> [String; 2] {
        [MARK, self.block]
            .map(|block| format!("SELECT next_sequence FROM {} WHERE {}", self.place(), self.is_of(block)))
    }

    fn insertion(&self, block: i64, next: i64) -> String {
        format!(
            "INSERT INTO {} (namespace, worker_id, block, next_sequence) VALUES ({}, {}, {}, {})",
            self.place(),
            text(self.namespace),
            number(self.worker.worker_id),
            number(block),
            number(next),
        )
    }

    /// Runs a change in one transaction, with the mark locked, then reads what the rows show. Returns whether one row
    /// was changed.
    async fn change(&mut self, change: String) -> Outcome<(bool, Blocks)> {
        self.session.look_at(BLOCKS).await?;
        let lock = format!("UPDATE {} SET next_sequence = next_sequence WHERE {}", self.place(), self.is_of(MARK));
        let [mark, next] = self.questions();
        let mut results = match self.session.write([lock, change, mark, next]).await {
            Ok(results) => results,
            Err(failure) => return Err(self.session.named(failure, &[BLOCKS]).await),
        };
        results.changed();
        let is_changed = results.changed() == 1;
        let mut shown = || results.rows().first().and_then(|row| row.number(0));
        Ok((is_changed, Blocks { mark: shown(), next: shown() }))
    }

    async fn shown(&mut self) -> Outcome<Blocks> {
        self.session.look_at(BLOCKS).await?;
        let mut results = match self.session.ask(self.questions()).await {
            Ok(results) => results,
            Err(failure) => return Err(self.session.named(failure, &[BLOCKS]).await),
        };
        let mut shown = || results.rows().first().and_then(|row| row.number(0));
        Ok(Blocks { mark: shown(), next: shown() })
    }

    fn not_kept(&self) -> Failure {
        let text = format!(
            "the row of block {} of worker id {} in leafmint_backfill does not hold what was written: a trigger or a column \
             changes it",
            self.block, self.worker.worker_id
        );
        Error::new(ErrorKind::InvalidConfig, text).into()
    }
}

impl BlockStatements for PortableBlock<'_> {
    async fn mark(&mut self) -> Outcome<Generation> {
        let shown = match self.change(self.insertion(MARK, self.generation())).await {
            Err(failure) if failure.is_duplicate() => self.shown().await?,
            changed => changed?.1,
        };
        shown.mark.and_then(Generation::of).ok_or_else(|| self.not_kept())
    }

    async fn read(&mut self) -> Outcome<ShownBlock> {
        let shown = self.shown().await?;
        Ok(ShownBlock { is_marked: shown.mark == Some(self.generation()), next: shown.next })
    }

    async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
        let (place, generation) = (self.place(), number(self.generation()));
        let is_marked = format!("{} AND next_sequence = {generation}", self.is_of(MARK));
        let change = match from {
            None => format!(
                "INSERT INTO {place} (namespace, worker_id, block, next_sequence) \
                 SELECT namespace, worker_id, {}, {} FROM {place} WHERE {is_marked}",
                number(self.block),
                number(to),
            ),
            Some(from) => format!(
                "UPDATE {place} SET next_sequence = {} WHERE {} AND next_sequence = {} \
                 AND 1 = (SELECT COUNT(*) FROM {place} WHERE {is_marked})",
                number(to),
                self.is_of(self.block),
                number(from),
            ),
        };
        match self.change(change).await {
            Err(failure) if failure.is_duplicate() => Ok(false),
            Ok((true, shown)) if shown.next == Some(to) && shown.mark == Some(self.generation()) => Ok(true),
            Ok((true, _)) => Err(self.not_kept()),
            changed => changed.map(|_| false),
        }
    }
}
