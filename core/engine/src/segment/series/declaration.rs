//! The rule of a series, as this process has compared it with its store, and the store's clock.

use super::width::Width;
use crate::clock::Clock;
use crate::runtime::events;
use crate::runtime::events::EventKind;
use crate::store::{SegmentStore, SeriesRule};
use crate::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::format::{CalendarDate, Format};
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
pub(super) struct Declaration {
    pub rule: SeriesRule,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) width: Width,
    /// The store has the same rule.
    is_stored: AtomicBool,
    /// A row was gone, perhaps with the stored rule: the rule is stored again once there is a lease.
    was_lost: AtomicBool,
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
            width: Width::default(),
            is_stored: AtomicBool::new(false),
            was_lost: AtomicBool::new(false),
            is_looked_at: AtomicBool::new(false),
            look: Mutex::default(),
        }
    }

    /// Returns the name under which the figures of all its periods and keys are counted.
    pub(super) fn figures(&self) -> String {
        format!("{}@{}", self.rule.name, self.rule.period)
    }

    /// Notes the format of a handle, which the next lease stores.
    pub(super) fn note_format(&self, format: &Format) {
        if self.width.note_format(format) {
            self.is_stored.store(false, Ordering::Relaxed);
        }
    }

    /// Stores the rule and the format, or compares them with those that are stored, and looks at the store's clock.
    pub(super) async fn declare(&self, store: &dyn SegmentStore) -> Result<()> {
        // Before the question: so the store's clock is taken for later than it is, but never for earlier.
        let (sent, own) = (self.clock.elapsed_millis(), self.own_offset());
        let format = self.width.format();
        let stored = store.declare_series(&self.rule, format.as_deref()).await?;
        self.rule.check_stored(&stored, &store.scope())?;
        if let Some(format) = format.filter(|format| stored.format.as_ref() != Some(format)) {
            self.store_format(store, &format).await;
        }
        let look = |clock: i64| Look { at: sent, own, of_store: clock.saturating_sub(sent) };
        *self.look.lock() = stored.clock.map(look);
        self.is_stored.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Stores another format than the one that is stored. Numbers do not depend on it, only what lists say of them.
    async fn store_format(&self, store: &dyn SegmentStore, format: &str) {
        let Err(error) = store.set_series_format(&self.rule.name, format).await else { return };
        let (scope, name) = (store.scope(), &self.rule.name);
        let text = format_args!(
            "{scope}: the format {format:?} of series {name:?} could not be stored, so that lists and checks go by an older one: {error}"
        );
        events::emit_in(EventKind::SeriesFilling, &scope, name, text);
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
pub(crate) struct SeriesTag {
    pub(super) declaration: Arc<Declaration>,
    /// The `step` of its row, if this process creates it.
    pub step: i64,
    /// The first day of its period; `None` if there are no periods.
    pub(super) date: Option<CalendarDate>,
    /// When its period begins, in Unix milliseconds, if it was opened because this machine's clock has reached it.
    pub(super) begins: Option<i64>,
}

impl SeriesTag {
    /// Returns whether a tag of this name is of the same series.
    pub(crate) fn has_rule_of(&self, other: &Self) -> bool {
        self.declaration.rule == other.declaration.rule
    }

    /// Returns the name under which the figures of all its periods and keys are counted.
    pub(crate) fn figures(&self) -> String {
        self.declaration.figures()
    }

    /// Notes that the row of a tag is gone, or its table.
    pub(crate) fn note_loss(&self) {
        self.declaration.was_lost.store(true, Ordering::Relaxed);
    }

    /// Notes the highest number that was leased.
    pub(crate) fn note_lease(&self, highest: i64, scope: &str) {
        let Declaration { width, rule, is_stored, was_lost, .. } = &*self.declaration;
        if was_lost.swap(false, Ordering::Relaxed) {
            is_stored.store(false, Ordering::Relaxed);
        }
        width.note_lease(self.date, highest, self.declaration.time(), scope, rule);
    }

    /// Refuses a lease if the rule is not the stored one, or if the period has not begun by the store's clock.
    pub(crate) async fn admit(&self, store: &dyn SegmentStore) -> Result<()> {
        let Declaration { rule, clock, is_stored, .. } = &*self.declaration;
        let may_be_early = self.begins.is_some() && self.declaration.is_outdated();
        if may_be_early || !is_stored.load(Ordering::Relaxed) {
            self.declaration.declare(store).await?;
        }
        let time = self.declaration.time();
        let Some(begins) = self.begins.filter(|begins| *begins > time) else { return Ok(()) };
        let (wall, SeriesRule { name, period, .. }) = (clock.wall(), rule);
        let text = if wall < begins {
            format!(
                "the clock of this machine was set back, while a number was leased, over the beginning of this {period} of \
                 series {name:?}: call again"
            )
        } else {
            format!(
                "the clock of this machine is {:.1} s ahead of the database's, by which this {period} of series {name:?} has not \
                 begun: set it right; until then numbers go by the database's",
                (wall - time + TOLERANCE) as f64 / 1000.0,
            )
        };
        Err(Error::new(ErrorKind::InvalidConfig, text))
    }
}
