//! Natives of a series.
//!
//! Java reads the calendar and draws the numbers, as those of any tag: see `tag.rs`.

use crate::natives::{handles, natives, quick_natives};
use crate::{array, format, handle, segment, waiting};
use jni::sys::jlong;
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::{Calendar, Series, SeriesGroup, SeriesOptions};
use std::ops::Range;
use std::sync::Arc;

/// A group, for which times of the clock it is in force, and the largest number that the format has room for.
struct Group {
    group: Arc<SeriesGroup>,
    times: Range<i64>,
    largest: i64,
}

handles!(series: Series, seriesFree);

fn group<'a>(handle: jlong) -> &'a Group {
    // SAFETY: the handle is a group's, which Java frees after the last native that uses it has returned.
    unsafe { handle::borrow(handle) }
}

natives!(
    /// Returns the handle of a series. The key may be `null`, and the format's handle 0.
    fn seriesOpen(
        env: &mut Env,
        generator: jlong,
        name: JString,
        period: JString,
        zone: JString,
        key: JString,
        step: jlong,
        format: jlong,
    ) -> jlong {
        let (name, period) = (name.try_to_string(env)?, period.try_to_string(env)?.parse::<Period>()?);
        let mut options = SeriesOptions::new(period, &zone.try_to_string(env)?).step(step);
        if !key.is_null() {
            options = options.key(&key.try_to_string(env)?);
        }
        if format != 0 {
            options = options.format(format::format(format).clone());
        }
        Ok(handle::give(segment::generator(generator).series(&name, options)?))
    }
);

quick_natives!(
    /// Returns the largest number that the format has room for.
    fn seriesLargest(handle: jlong) -> jlong {
        Ok(series(handle).largest())
    }
);

natives!(
    /// Refuses a number that does not fit the format.
    fn seriesCheck(handle: jlong, number: jlong) {
        Ok(series(handle).check(&(number..number + 1))?)
    }
);

quick_natives!(
    /// Returns the time by which periods change, in Unix milliseconds.
    fn seriesTime(handle: jlong) -> jlong {
        Ok(series(handle).time())
    }
);

natives!(
    /// Returns year, month and day of the first day of the period that a date lies in, and those of the next period.
    fn seriesBounds(env: &mut Env, handle: jlong, year: jlong, month: jlong, day: jlong) -> JLongArray {
        let bounds = series(handle).bounds(CalendarDate::new(year, month, day)?)?;
        array::write(env, &bounds.map(|date| [date.year(), date.month(), date.day()]).concat())
    },
    /// Enters the period that the calendar shows, which counts only if `has_periods`, and returns the handle of its
    /// group.
    fn seriesEnter(
        handle: jlong,
        wall: jlong,
        time: jlong,
        has_periods: jboolean,
        year: jlong,
        month: jlong,
        day: jlong,
        begins: jlong,
        ends: jlong,
    ) -> jlong {
        let calendar = match has_periods {
            true => Some(Calendar { date: CalendarDate::new(year, month, day)?, begins, ends }),
            false => None,
        };
        let (group, times) = series(handle).enter_with_times(wall, time, calendar)?;
        Ok(handle::give(Group { group, times, largest: series(handle).largest() }))
    },
    /// Returns the handle of the group of a date.
    fn seriesOn(handle: jlong, year: jlong, month: jlong, day: jlong) -> jlong {
        let group = series(handle).on(CalendarDate::new(year, month, day)?)?;
        Ok(handle::give(Group { group, times: 0..0, largest: series(handle).largest() }))
    },
    /// Returns for which times of the clock a group is in force, the year, month and day that its period begins with, 0
    /// if there are no periods, and the identity of its tag.
    fn seriesGroupFigures(env: &mut Env, handle: jlong) -> JLongArray {
        let Group { group, times, .. } = group(handle);
        let [year, month, day] = group.date().map_or([0; 3], |date| [date.year(), date.month(), date.day()]);
        array::write(env, &[times.start, times.end, year, month, day, group.identity() as jlong])
    },
    /// Returns the period of a group as text.
    fn seriesGroupText(env: &mut Env, handle: jlong) -> JString {
        Ok(env.new_string(group(handle).group.text())?)
    },
    /// Begins a call for numbers of a group. Returns what `tagTake` returns.
    fn seriesGroupTake(
        env: &mut Env,
        handle: jlong,
        wanted: jint,
        count: jlong,
        timeout_seconds: jdouble,
    ) -> JLongArray {
        let (want, timeout) = (waiting::want(wanted, count), waiting::timeout(timeout_seconds)?);
        let Group { group, largest, .. } = group(handle);
        waiting::begin(env, waiting::Edges(group.begin_up_to(*largest, want, timeout)?))
    },
    /// Returns the handle of the tag of a group, for a group whose cells Java draws from.
    fn seriesGroupTag(handle: jlong, group_handle: jlong) -> jlong {
        Ok(handle::give(series(handle).biz_tag(&group(group_handle).group)))
    },
    /// Takes a group back.
    fn seriesGroupFree(handle: jlong) {
        // SAFETY: Java calls this once, after the last native that uses the group has returned.
        unsafe { handle::take_back::<Group>(handle) };
        Ok(())
    }
);
