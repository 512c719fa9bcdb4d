//! Segments from sequences of a PostgreSQL database: those that other writers draw from by `nextval`, one by one.
//!
//! A number that `nextval` returns is returned once. A lease draws many in one transaction; what a number is worth, one
//! id or a block, is the [`SequenceOptimizer`]'s.

mod draw;
mod judge;
mod listing;
mod name;
mod optimizer;
mod sequence;

pub use name::SequenceName;
pub use optimizer::SequenceOptimizer;

use crate::postgresql::Postgres;
use crate::sessions::{DatabaseSettings, Sessions};
use draw::{Draw, MOST_DRAWS};
use leafmint_engine::answer::Answer;
use leafmint_engine::store::{
    Checked, NewTagOptions, SegmentCheck, SegmentStore, SeriesRule, StoredSeries, TagChange, TagInfo,
    check_stored_gene_bits,
};
use leafmint_ids::error::{Error, ErrorKind, Result};
use sequence::{Facts, Known};
use std::future::ready;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// Segments from sequences.
struct SequenceStore {
    sessions: Sessions<Postgres>,
    name: SequenceName,
    optimizer: SequenceOptimizer,
    step: i64,
    scope: String,
    known: Known,
}

/// Returns the store over sequences of a PostgreSQL database, without connecting to it.
///
/// Scope: everyone on that database, also those who draw by `nextval`. Needs `USAGE` on the sequence, and no table.
/// `step` is the number of ids that a lease takes at first.
pub fn over_sequence(
    settings: DatabaseSettings,
    name: SequenceName,
    optimizer: SequenceOptimizer,
    step: i64,
) -> Arc<dyn SegmentStore> {
    let sessions = Sessions::<Postgres>::new(settings);
    let scope = format!("{}, sequence {name} (scope: everyone on that database)", sessions.name());
    Arc::new(SequenceStore { sessions, name, optimizer, step, scope, known: Known::default() })
}

impl SequenceStore {
    /// Runs work with the sequence of a tag.
    fn draw<'a>(&'a self, tag: &'a str) -> Result<Draw<'a>> {
        let name = self.name.of_tag(tag)?;
        Ok(Draw { tag, name, optimizer: self.optimizer, known: &self.known, scope: &self.scope })
    }

    async fn leased(&self, tag: &str, amount: i64) -> Result<Vec<Range<i64>>> {
        let draw = self.draw(tag)?;
        self.sessions.run(|session, _| Box::pin(draw.lease(session, amount))).await
    }

    /// Checks the sequence of a tag.
    async fn judge(&self, tag: &str) -> Result<Facts> {
        let draw = self.draw(tag)?;
        self.sessions.run(|session, _| Box::pin(draw.judge(session))).await
    }

    /// Refuses what only a table of leafmint has.
    fn refused<T>(&self, what: &str, instead: &str) -> Result<T> {
        let text = format!("{} cannot {what}: {instead}", self.scope);
        Err(Error::new(ErrorKind::InvalidConfig, text))
    }
}

/// What has no place in numbers that others draw too.
const OF_A_TABLE: &str = "others draw ids from it, which do not keep to this: use a tag of a table of leafmint";

impl SegmentStore for SequenceStore {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        Box::pin(async move { self.judge(tag).await.map(|_| self.step) })
    }

    fn gene_bits<'a>(&'a self, _tag: &'a str) -> Answer<'a, Option<i64>> {
        Box::pin(ready(Ok(Some(0))))
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Vec<Range<i64>>> {
        Box::pin(self.leased(tag, step))
    }

    fn lease_checked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            if check_stored_gene_bits(tag, Some(0), gene_bits).is_err() {
                return self.refused(&format!("give ids of tag {tag:?} gene bits"), OF_A_TABLE);
            }
            let sent = Instant::now();
            let ranges = self.leased(tag, amount.unwrap_or(self.step)).await?;
            Ok(Checked { ranges, step: self.step, round_trip: sent.elapsed(), other_name: None })
        })
    }

    fn longest_run(&self, tag: &str, _step: i64) -> i64 {
        let name = self.name.of_tag(tag).unwrap_or_default();
        MOST_DRAWS.saturating_mul(self.known.increment(&name).unwrap_or(1))
    }

    fn never_goes_back(&self) -> bool {
        true
    }

    fn sequence(&self, tag: &str) -> Option<String> {
        Some(SequenceName::sql("CREATE SEQUENCE", &self.name.of_tag(tag).unwrap_or_default()).to_string())
    }

    /// Gives nothing back: others may have drawn since.
    fn give_back<'a>(&'a self, _tag: &'a str, _tail: Range<i64>) -> Answer<'a, bool> {
        Box::pin(ready(Ok(false)))
    }

    fn create_tag<'a>(&'a self, tag: &'a str, _new: &'a NewTagOptions) -> Answer<'a, bool> {
        Box::pin(async move {
            let name = self.name.of_tag(tag)?;
            self.refused(
                &format!("create tag {tag:?}"),
                &format!("run {} in a migration", SequenceName::sql("CREATE SEQUENCE", &name)),
            )
        })
    }

    fn declare_series<'a>(&'a self, rule: &'a SeriesRule, _format: Option<&'a str>) -> Answer<'a, StoredSeries> {
        Box::pin(ready(self.refused(&format!("keep the series {:?}", rule.name), OF_A_TABLE)))
    }

    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>> {
        Box::pin(self.sessions.run(|session, _| Box::pin(self.list(session))))
    }

    fn set_tag<'a>(&'a self, change: &'a TagChange) -> Answer<'a, ()> {
        let instead = "it has no such column: a lease takes as many ids as the option default_step says";
        Box::pin(ready(self.refused(&format!("change tag {:?}", change.tag), instead)))
    }

    fn raise_tag<'a>(&'a self, tag: &'a str, max_id: i64) -> Answer<'a, i64> {
        Box::pin(async move {
            let name = self.name.of_tag(tag)?;
            let value = self.optimizer.value_from(max_id, &self.judge(tag).await?);
            let restart = SequenceName::sql("ALTER SEQUENCE", &name).words("RESTART WITH").number(value);
            let instead = format!("run {restart}, if that is above its last value");
            self.refused(&format!("raise tag {tag:?}"), &instead)
        })
    }

    fn check(&self) -> Answer<'_, SegmentCheck> {
        Box::pin(async {
            if !self.name.has_tag() {
                self.judge("any").await?;
            }
            let tags = self.list_tags().await?;
            if let Some(problem) = tags.first().and_then(|tag| tag.problem.as_ref())
                && tags.iter().all(|tag| tag.problem.is_some())
            {
                return Err(Error::new(ErrorKind::InvalidConfig, problem.clone()));
            }
            Ok(SegmentCheck { tags: tags.len() as i64, ..SegmentCheck::default() })
        })
    }

    /// Creates nothing: no table is needed.
    fn init_schema(&self) -> Answer<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    fn scope(&self) -> String {
        self.scope.clone()
    }

    fn host(&self) -> Option<String> {
        self.sessions.host()
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.sessions.close().await;
            Ok(())
        })
    }

    fn in_child(&self) -> Arc<dyn SegmentStore> {
        over_sequence(self.sessions.settings().clone(), self.name.clone(), self.optimizer, self.step)
    }
}
