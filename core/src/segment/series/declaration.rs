//! The rule of a series, as this process has compared it with its store, and the store's clock.

use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::store::{SegmentStore, SeriesRule};
use crate::sync::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A clock that is ahead of the store's by less, in milliseconds, is not ahead: clocks are slewed.
const TOLERANCE: i64 = 1000;

/// What a look has shown is believed for this long, in milliseconds: the clock of this machine or the store's may be
/// set, and the store may be another host.
const BELIEVED: i64 = 3_600_000;

/// What this process saw when it last looked at the store's clock, in milliseconds.
#[derive(Clone, Copy)]
struct Look {
    /// The time that had elapsed.
    at: i64,
    /// This machine's clock less the elapsed time.
    own: i64,
    /// The store's clock less the elapsed time.
    of_store: i64,
}

/// The rule of a series, and what this process knows of it.
pub(in crate::segment) struct Declaration {
    pub(in crate::segment) rule: SeriesRule,
    pub(super) clock: Arc<dyn Clock>,
    /// The store has the same rule.
    is_stored: AtomicBool,
    /// The task runs that looks at the store's clock.
    pub(super) is_looked_at: AtomicBool,
    /// `None` before the first look, and if the store has no clock of its own.
    look: Mutex<Option<Look>>,
}

impl Declaration {
    pub(super) fn new(rule: SeriesRule, clock: Arc<dyn Clock>) -> Self {
        Self {
            rule,
            clock,
            is_stored: AtomicBool::new(false),
            is_looked_at: AtomicBool::new(false),
            look: Mutex::default(),
        }
    }

    /// Stores the rule, or compares it with the one that is stored, and looks at the store's clock.
    pub(super) async fn declare(&self, store: &dyn SegmentStore) -> Result<()> {
        // Before the question: so the store's clock is taken for later than it is, but never for earlier.
        let (sent, own) = (self.clock.elapsed_millis(), self.own_offset());
        let stored = store.declare_series(&self.rule).await?;
        self.rule.check_stored(&stored, &store.scope())?;
        let look = |clock: i64| Look { at: sent, own, of_store: clock.saturating_sub(sent) };
        *self.look.lock() = stored.clock.map(look);
        self.is_stored.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the time in Unix milliseconds by which periods change: this machine's clock, but never ahead of the
    /// store's, as far as that is known. If it must be looked at again, the next lease does so.
    pub(super) fn time(&self) -> i64 {
        let wall = self.clock.wall();
        match *self.look.lock() {
            Some(look) if self.is_believed(look) => {
                wall.min(self.clock.elapsed_millis().saturating_add(look.of_store).saturating_add(TOLERANCE))
            }
            _ => wall,
        }
    }

    /// Returns whether the store's clock must be looked at again before a period begins.
    pub(super) fn is_outdated(&self) -> bool {
        self.look.lock().is_some_and(|look| !self.is_believed(look))
    }

    /// Returns whether a look was a short time ago, and this machine's clock was not set since then: a virtual machine
    /// may have been stopped in between, for as long as the clock was set forward by.
    fn is_believed(&self, look: Look) -> bool {
        let is_set = self.own_offset().abs_diff(look.own) > TOLERANCE.unsigned_abs();
        !is_set && self.clock.elapsed_millis() - look.at < BELIEVED
    }

    fn own_offset(&self) -> i64 {
        self.clock.wall().saturating_sub(self.clock.elapsed_millis())
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
        let may_be_early = self.begins.is_some() && self.declaration.is_outdated();
        if may_be_early || !is_stored.load(Ordering::Relaxed) {
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
