//! The groups of a series in one process: the one in force, and those used last.

use super::declaration::{Declaration, SeriesTag};
use super::group::{Calendar, InForce, SeriesGroup};
use super::options::tag_name;
use super::packed::PackedSeries;
use crate::segment::open_tags::OpenTags;
use crate::store::SeriesRule;
use crate::sync::Mutex;
use arc_swap::ArcSwapOption;
use leafmint_ids::error::Result;
use leafmint_ids::format::CalendarDate;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tokio::sync::Notify;

/// The groups that a series keeps: the one in force, the next one, and those of dates that were passed.
const MOST_GROUPS: usize = 32;

/// While this machine's clock is ahead of the store's, both are looked at again after this many milliseconds, and then
/// after twice as long each time.
const SHORT: i64 = 1000;

/// Doublings of [`SHORT`]: up to 8 minutes.
const MOST_DOUBLINGS: u32 = 9;

/// A group that came into force.
pub(super) struct Entered {
    pub(super) group: Arc<SeriesGroup>,
    /// What the clock shows while it is in force.
    pub(super) times: Range<i64>,
    /// The one before, if its period is over.
    pub(super) over: Option<Arc<SeriesGroup>>,
}

/// A series for one key, in one process.
pub(super) struct SeriesState {
    /// The name and the key, as tags have them.
    pub(super) label: String,
    pub(super) declaration: Arc<Declaration>,
    step: i64,
    pub(super) tags: Arc<OpenTags>,
    in_force: ArcSwapOption<InForce>,
    /// Those used last are at the end.
    groups: Mutex<VecDeque<Arc<SeriesGroup>>>,
    /// How often in a row this machine's clock was ahead of the store's.
    looks: AtomicU32,
    /// The task runs that gets the next period ready.
    pub(super) is_watched: AtomicBool,
    /// Ends that task.
    pub(super) gone: Arc<Notify>,
}

impl Drop for SeriesState {
    fn drop(&mut self) {
        self.gone.notify_one();
    }
}

impl SeriesState {
    pub(super) fn new(label: &str, declaration: Arc<Declaration>, step: i64, tags: Arc<OpenTags>) -> Self {
        Self {
            label: label.to_owned(),
            declaration,
            step,
            tags,
            in_force: ArcSwapOption::empty(),
            groups: Mutex::default(),
            looks: AtomicU32::new(0),
            is_watched: AtomicBool::new(false),
            gone: Arc::default(),
        }
    }

    pub(super) fn rule(&self) -> &SeriesRule {
        &self.declaration.rule
    }

    /// Returns the group in force while the clock shows this.
    #[inline]
    pub(super) fn in_force_at(&self, wall: i64) -> Option<Arc<SeriesGroup>> {
        let in_force = self.in_force.load();
        in_force.as_ref().filter(|it| it.from <= wall && wall < it.until).map(|it| it.group.clone())
    }

    /// Returns the group in force, whatever the time.
    pub(super) fn in_force(&self) -> Option<Arc<InForce>> {
        self.in_force.load_full()
    }

    /// Puts the group in force that the calendar shows. `wall` is what this machine's clock shows; if the calendar is
    /// that of an earlier `time`, which the store's clock allows, both are looked at again soon.
    pub(super) fn enter(&self, wall: i64, time: i64, calendar: Option<Calendar>) -> Result<Entered> {
        let Some(Calendar { date, begins, ends }) = calendar else {
            let group = self.group(None, None)?;
            self.set(InForce { group: group.clone(), from: i64::MIN, until: i64::MAX, ends: i64::MAX });
            return Ok(Entered { group, times: i64::MIN..i64::MAX, over: None });
        };
        let first = self.rule().period.first_day(date);
        self.declaration.width.enter(first, begins, ends);
        let group = self.group(Some(first), Some(begins))?;
        let (from, until) = if self.declaration.is_outdated() {
            // For this call alone: the next one may know more of the store's clock.
            (wall, wall)
        } else if time < wall {
            let looks = self.looks.fetch_add(1, Ordering::Relaxed).min(MOST_DOUBLINGS);
            (wall, (wall + (SHORT << looks)).min(ends.saturating_add(wall - time)))
        } else if (begins..ends).contains(&wall) {
            (begins, ends)
        } else {
            // Where a zone sets its clocks back over midnight, a date comes twice, with another one between.
            (wall, wall.saturating_add(1))
        };
        if time >= wall {
            self.looks.store(0, Ordering::Relaxed);
        }
        let over = self.in_force().map(|old| old.group.clone()).filter(|old| old.date < group.date);
        self.set(InForce { group: group.clone(), from, until, ends });
        Ok(Entered { group, times: from..until, over })
    }

    fn set(&self, in_force: InForce) {
        self.in_force.store(Some(Arc::new(in_force)));
    }

    /// Returns the group of a period, which begins with `date`. `begins` is when, if the clock has reached it.
    pub(super) fn group(&self, date: Option<CalendarDate>, begins: Option<i64>) -> Result<Arc<SeriesGroup>> {
        let (group, oldest) = {
            let mut groups = self.groups.lock();
            let group = match groups.iter().position(|group| group.date == date) {
                Some(at) => groups.remove(at),
                None => None,
            };
            let group = match group {
                Some(group) => group,
                None => {
                    let series = SeriesTag { declaration: self.declaration.clone(), step: self.step, date, begins };
                    let name = tag_name(&self.label, self.rule().period, date);
                    let tag = self.tags.get(&name, 0, Some(Arc::new(series)))?;
                    Arc::new(SeriesGroup::new(tag, self.rule().period, date))
                }
            };
            groups.push_back(group.clone());
            (group, if groups.len() > MOST_GROUPS { groups.pop_front() } else { None })
        };
        self.tags.forget(oldest);
        Ok(group)
    }

    /// Drops a group that is to end: a call for its period gets another one.
    pub(super) fn drop_group(&self, group: &Arc<SeriesGroup>) {
        self.groups.lock().retain(|known| !Arc::ptr_eq(known, group));
        self.tags.unlist(&group.tag);
    }

    /// Adds the group of a series that was packed.
    pub(super) fn put_group(&self, group: Arc<SeriesGroup>) {
        self.groups.lock().push_back(group);
    }

    /// Takes out all groups.
    pub(super) fn take_groups(&self) -> Vec<Arc<SeriesGroup>> {
        self.in_force.store(None);
        std::mem::take(&mut *self.groups.lock()).into()
    }

    /// Packs a series without a handle. Returns it with the groups that are not needed any more; `None` if a call or a
    /// task still uses one.
    pub(super) fn pack(&self, tags: &OpenTags) -> Option<(PackedSeries, Vec<Arc<SeriesGroup>>)> {
        let in_force = self.in_force();
        let is_in_use = |group: &Arc<SeriesGroup>| {
            let own = in_force.as_ref().is_some_and(|it| Arc::ptr_eq(&it.group, group));
            Arc::strong_count(group) > 1 + usize::from(own)
        };
        let mut groups = self.groups.lock();
        if groups.iter().any(is_in_use) {
            return None;
        }
        let last = groups.back()?;
        let numbers = tags.pack(&last.tag)?;
        let ends = in_force.filter(|it| it.group.date == last.date).map_or(i64::MAX, |it| it.ends);
        let packed = PackedSeries::new(last.date, ends, numbers);
        groups.pop_back();
        self.in_force.store(None);
        Some((packed, std::mem::take(&mut *groups).into()))
    }

    /// Returns whether the period of the group in force is over, so that only its handles need the series.
    pub(super) fn is_over(&self) -> bool {
        self.in_force().is_none_or(|it| it.ends <= self.declaration.time())
    }

    /// Notes that the task ends that gets the next period ready. Returns whether it must go on all the same.
    pub(super) fn end_watch(&self) -> bool {
        self.is_watched.store(false, Ordering::SeqCst);
        !self.is_over() && !self.is_watched.swap(true, Ordering::SeqCst)
    }
}
