//! The handle of a series.

use super::by_name::Asked;
use super::declaration::Declaration;
use super::group::{Calendar, SeriesGroup};
use super::next_period;
use super::options::{SeriesOptions, label};
use super::state::{Entered, SeriesState};
use crate::clock::{Clock, SystemClock};
use crate::runtime::process::PerProcess;
use crate::segment::sources::Sources;
use crate::segment::sources::{Source, in_hand};
use crate::segment::state::GeneratorState;
use crate::segment::{BizTag, Order, SegmentGenerator, Wait};
use crate::store::SeriesRule;
use crate::want::Want;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::format::{CalendarDate, Format, NumberParts, Period};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// One series of a [`SegmentGenerator`]: numbers that start again at 1 each day, month or year.
///
/// The pair of period and number is unique within the generator's scope, and numbers of one period strictly increase
/// within one generator. There are gaps: numbers that are leased and not used are lost if a process ends without a
/// close.
///
/// The core knows no time zones. A binding, which has a calendar, calls [`Series::enter`] if [`Series::in_force`] has
/// no answer; [`Series::next_on`] takes the date as it is.
pub struct Series {
    made_of: Arc<MadeOf>,
    state: PerProcess<Arc<SeriesState>>,
    generator: Arc<PerProcess<GeneratorState>>,
}

/// What the handles of one series share, in all processes.
struct MadeOf {
    rule: SeriesRule,
    label: String,
    key: Option<String>,
    step: i64,
    format: Option<Format>,
    /// The largest number that the format has room for.
    largest: i64,
    clock: Arc<dyn Clock>,
}

/// A number of a series.
#[derive(Clone, Debug)]
pub struct SeriesNumber {
    /// The number, 1 or more.
    pub number: i64,
    /// Its period.
    pub group: Arc<SeriesGroup>,
}

impl SegmentGenerator {
    /// Returns the series of that name. Without I/O: the first number stores the rule, or compares it with the one that
    /// is stored, and creates the tag of its period.
    ///
    /// A name has 1 to 117 code points, less those of the key, without `/`, `@` and NUL. Raises `invalid_argument`,
    /// also if this generator knows the series by another rule, `invalid_config` if the format does not show the period
    /// and the key, and `closed`.
    pub fn series(&self, name: &str, options: SeriesOptions) -> Result<Series> {
        self.series_by(name, options, Arc::new(SystemClock))
    }

    /// Does the same, with a clock of the caller's.
    pub fn series_by(&self, name: &str, options: SeriesOptions, clock: Arc<dyn Clock>) -> Result<Series> {
        let rule = options.check(name)?;
        let SeriesOptions { key, step, format, .. } = options;
        let label = label(name, key.as_deref());
        let largest = format.as_ref().map_or(i64::MAX, Format::largest);
        let made_of = Arc::new(MadeOf { rule, label, key, step, format, largest, clock });
        let state = PerProcess::new(made_of.resolve(self.state())?);
        Ok(Series { made_of, state, generator: self.generator.clone() })
    }
}

impl MadeOf {
    /// Returns the state of the series in this process.
    fn resolve(&self, generator: &GeneratorState) -> Result<Arc<SeriesState>> {
        generator.open_store()?;
        let Self { rule, label, step, format, clock, .. } = self;
        let asked = Asked { rule, label, step: *step, format: format.as_ref(), clock, tags: &generator.tags };
        let (series, forgotten) = generator.series.lock().get(&asked)?;
        generator.tags.forget(forgotten);
        Ok(series)
    }
}

impl Series {
    #[inline]
    fn state(&self) -> &Arc<SeriesState> {
        self.state.get(|_| {
            let generator = self.generator.get(GeneratorState::in_child);
            // It fails only if the generator is closed, or if the child knows the series by another rule; each number
            // then fails too.
            self.made_of.resolve(generator).unwrap_or_else(|_| {
                let MadeOf { rule, label, step, clock, .. } = &*self.made_of;
                let declaration = Arc::new(Declaration::new(rule.clone(), clock.clone()));
                Arc::new(SeriesState::new(label, declaration, *step, generator.tags.clone()))
            })
        })
    }

    /// Returns the name, without the key.
    pub fn name(&self) -> &str {
        &self.made_of.rule.name
    }

    /// Returns the period.
    pub fn period(&self) -> Period {
        self.made_of.rule.period
    }

    /// Returns the name of the time zone; empty if there are no periods.
    pub fn zone(&self) -> &str {
        &self.made_of.rule.zone
    }

    /// Returns the key.
    pub fn key(&self) -> Option<&str> {
        self.made_of.key.as_deref()
    }

    /// Returns the format.
    pub fn format(&self) -> Option<&Format> {
        self.made_of.format.as_ref()
    }

    /// Returns what this machine's clock shows, in Unix milliseconds.
    #[inline]
    pub fn wall(&self) -> i64 {
        self.made_of.clock.wall()
    }

    /// Returns the group in force while the clock shows this, if there is one. Else call [`Series::enter`].
    #[inline]
    pub fn in_force(&self, wall: i64) -> Option<Arc<SeriesGroup>> {
        self.state().in_force_at(wall)
    }

    /// Returns the time by which periods change, in Unix milliseconds: this machine's clock, but never ahead of the
    /// database's, as far as that is known.
    pub fn time(&self) -> i64 {
        self.state().declaration.time()
    }

    /// Returns the first day of the period that a date lies in, and that of the next period.
    ///
    /// Raises `id_space_exhausted` in the last period of the calendar, and if there are no periods.
    pub fn bounds(&self, date: CalendarDate) -> Result<[CalendarDate; 2]> {
        let period = self.period();
        let next = period.next(date).ok_or_else(|| {
            let text = format!("no {period} of series {:?} follows on {date}", self.name());
            Error::new(ErrorKind::IdSpaceExhausted, text)
        })?;
        Ok([period.first_day(date), next])
    }

    /// Enters the period that the calendar shows, and returns its group. `wall` and `time` are what [`Series::wall`]
    /// and [`Series::time`] returned, in this order; the calendar is that of `time`, `None` if there are no periods.
    ///
    /// Raises `closed`.
    pub fn enter(&self, wall: i64, time: i64, calendar: Option<Calendar>) -> Result<Arc<SeriesGroup>> {
        Ok(self.enter_with_times(wall, time, calendar)?.0)
    }

    /// Does the same, and also returns for which times of this machine's clock the group is in force, for a binding
    /// that remembers it.
    pub fn enter_with_times(
        &self,
        wall: i64,
        time: i64,
        calendar: Option<Calendar>,
    ) -> Result<(Arc<SeriesGroup>, Range<i64>)> {
        let state = self.state();
        let Entered { group, times, over } = state.enter(wall, time, calendar)?;
        if time < wall || state.declaration.is_outdated() {
            next_period::look_at_the_clock(state);
        }
        next_period::begin(state, &group);
        if let Some(over) = over {
            next_period::retire(state, over);
        }
        if self.period().ends() {
            next_period::watch(state);
        }
        Ok((group, times))
    }

    /// Returns the group of a date, whatever the time, for documents of another day.
    ///
    /// Raises `invalid_argument` if there are no periods, and `closed`.
    pub fn on(&self, date: CalendarDate) -> Result<Arc<SeriesGroup>> {
        if !self.period().ends() {
            let text = format!("series {:?} never starts again: leave the date out", self.name());
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        }
        self.state().group(Some(self.period().first_day(date)), None)
    }

    /// Returns the next number of a date, waiting for at most the option `timeout`.
    ///
    /// Raises what [`Series::on`] and [`BizTag::next_id`] raise, `invalid_config` if another rule is stored, and
    /// `id_space_exhausted` if the number does not fit the format.
    pub fn next_on(&self, date: CalendarDate) -> Result<SeriesNumber> {
        let group = self.on(date)?;
        let number = match group.next_in_hand()? {
            Some(number) => number,
            None => self.begin(&group, Want::One, None)?.finish()?[0].start,
        };
        self.check(&(number..number + 1))?;
        Ok(SeriesNumber { number, group })
    }

    /// Begins a call for numbers of a group that may wait. If not all of them fit the format, it takes none, and raises
    /// `id_space_exhausted`. Raises `invalid_argument`.
    pub fn begin(&self, group: &SeriesGroup, want: Want, timeout: Option<Duration>) -> Result<Wait> {
        group.begin_up_to(self.made_of.largest, want, timeout)
    }

    /// Returns the largest number that the format has room for.
    pub fn largest(&self) -> i64 {
        self.made_of.largest
    }

    /// Refuses numbers that do not fit the format. Raises `id_space_exhausted`.
    #[inline]
    pub fn check(&self, numbers: &Range<i64>) -> Result<()> {
        if numbers.end - 1 > self.made_of.largest { Err(self.too_large(numbers.end - 1)) } else { Ok(()) }
    }

    #[cold]
    fn too_large(&self, number: i64) -> Error {
        let (name, format) = (&self.made_of.label, self.format().map_or("", Format::text));
        let text = format!("number {number} of series {name:?} does not fit its format {format:?}");
        Error::new(ErrorKind::IdSpaceExhausted, text)
    }

    /// Returns a number in the format of the series.
    ///
    /// Raises `invalid_config` if it has no format, and `id_space_exhausted` if the number does not fit.
    pub fn text(&self, group: &SeriesGroup, number: i64) -> Result<String> {
        let Some(format) = self.format() else {
            let text = format!("series {:?} has no format: open it with one", self.made_of.label);
            return Err(Error::new(ErrorKind::InvalidConfig, text));
        };
        format.format(&NumberParts { number, date: group.date(), key: self.key(), shard: None })
    }

    /// Returns the tag of a group, for a binding that draws from its memory.
    pub fn biz_tag(&self, group: &SeriesGroup) -> BizTag {
        BizTag::new(Sources::new(group.tag.clone(), Order::Strict), self.generator.clone())
    }
}

impl SeriesGroup {
    /// Returns the next number if one is in hand; if none is, a refill is under way when it returns.
    #[inline]
    pub fn next_in_hand(&self) -> Result<Option<i64>> {
        match self.tag.buffer.next() {
            Ok(number) => Ok(Some(number)),
            Err(rejected) => in_hand(&self.tag, Source::Buffer.redraw(&self.tag, Some(rejected))),
        }
    }

    /// Begins a call that may wait. Raises `invalid_argument`.
    pub fn begin(&self, want: Want, timeout: Option<Duration>) -> Result<Wait> {
        self.begin_up_to(i64::MAX, want, timeout)
    }

    /// Does the same, for numbers up to this one.
    pub fn begin_up_to(&self, largest: i64, want: Want, timeout: Option<Duration>) -> Result<Wait> {
        want.check()?;
        Ok(Wait::new(self.tag.clone(), Source::Buffer, want, None, timeout).up_to(largest))
    }
}

impl Clone for Series {
    fn clone(&self) -> Self {
        let state = PerProcess::new(self.state().clone());
        Self { made_of: self.made_of.clone(), state, generator: self.generator.clone() }
    }
}

impl fmt::Debug for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Series").field(&self.made_of.label).finish()
    }
}
