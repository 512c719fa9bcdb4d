//! The rule of a series, as this process has compared it with its store, and the store's clock.

use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::store::{SegmentStore, SeriesRule};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// A clock that is ahead of the store's by less, in milliseconds, is not ahead: clocks are slewed.
const TOLERANCE: i64 = 1000;

/// The store's clock is not known.
const UNKNOWN: i64 = i64::MAX;

/// The rule of a series, and what this process knows of it.
pub(in crate::segment) struct Declaration {
    pub(in crate::segment) rule: SeriesRule,
    pub(super) clock: Arc<dyn Clock>,
    /// The store has the same rule.
    is_stored: AtomicBool,
    /// The store's clock less monotonic time, in milliseconds, as last seen.
    offset: AtomicI64,
}

impl Declaration {
    pub(super) fn new(rule: SeriesRule, clock: Arc<dyn Clock>) -> Self {
        Self { rule, clock, is_stored: AtomicBool::new(false), offset: AtomicI64::new(UNKNOWN) }
    }

    /// Stores the rule, or compares it with the one that is stored, and looks at the store's clock.
    pub(super) async fn declare(&self, store: &dyn SegmentStore) -> Result<()> {
        // Before the question: so the store's clock is taken for later than it is, but never for earlier.
        let sent = self.clock.monotonic_millis();
        let stored = store.declare_series(&self.rule).await?;
        self.rule.check_stored(&stored, &store.scope())?;
        let offset = stored.clock.map_or(UNKNOWN, |clock| clock.saturating_sub(sent));
        self.offset.store(offset, Ordering::Relaxed);
        self.is_stored.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the time in Unix milliseconds by which periods change: this machine's clock, but never ahead of the
    /// store's, as far as that is known.
    pub(super) fn time(&self) -> i64 {
        let wall = self.clock.wall();
        match self.offset.load(Ordering::Relaxed) {
            UNKNOWN => wall,
            offset => wall.min(self.clock.monotonic_millis().saturating_add(offset).saturating_add(TOLERANCE)),
        }
    }
}

/// What makes a tag one of a series.
pub(in crate::segment) struct SeriesTag {
    pub(super) declaration: Arc<Declaration>,
    /// The `step` of its row, if this process creates it.
    pub(in crate::segment) step: i64,
    /// When its period begins, in Unix milliseconds, if it was opened because this machine's clock has reached it.
    pub(super) begins: Option<i64>,
}

impl SeriesTag {
    /// Returns whether a tag of this name is of the same series.
    pub(in crate::segment) fn has_rule_of(&self, other: &Self) -> bool {
        self.declaration.rule == other.declaration.rule
    }

    /// Returns the name under which the figures of all its periods and keys are counted.
    pub(in crate::segment) fn figures(&self) -> String {
        let SeriesRule { name, period, .. } = &self.declaration.rule;
        format!("{name}@{period}")
    }

    /// Refuses a lease if the rule is not the stored one, or if the period has not begun by the store's clock.
    pub(in crate::segment) async fn admit(&self, store: &dyn SegmentStore) -> Result<()> {
        let Declaration { rule, clock, is_stored, .. } = &*self.declaration;
        if !is_stored.load(Ordering::Relaxed) {
            self.declaration.declare(store).await?;
        }
        let time = self.declaration.time();
        if self.begins.is_none_or(|begins| begins <= time) {
            return Ok(());
        }
        let text = format!(
            "the clock of this machine is {:.1} s ahead of the database's, by which this {} of series {:?} has not begun: \
             set it right; until then numbers go by the database's",
            (clock.wall() - time + TOLERANCE) as f64 / 1000.0,
            rule.period,
            rule.name,
        );
        Err(Error::new(ErrorKind::InvalidConfig, text))
    }
}
