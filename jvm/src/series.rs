//! Natives of a series.
//!
//! Java reads the calendar and draws the numbers, as those of any tag: see `biz_tag.rs`.

use crate::errors::{Failure, call, quick};
use crate::{array, format, handle, segment, waiting};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JString};
use jni::sys::{JNIEnv, jboolean, jclass, jdouble, jint, jlong};
use leafmint::id::{CalendarDate, Period};
use leafmint::segment::{Calendar, Series, SeriesGroup, SeriesOptions};
use std::ops::Range;
use std::sync::Arc;

/// A group, for which times of the clock it is in force, and the largest number that the format has room for.
struct Group {
    group: Arc<SeriesGroup>,
    times: Range<i64>,
    largest: i64,
}

fn series<'a>(handle: jlong) -> &'a Series {
    // SAFETY: the handle is a series', whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

fn group<'a>(handle: jlong) -> &'a Group {
    // SAFETY: the handle is a group's, which Java frees after the last native that uses it has returned.
    unsafe { handle::borrow(handle) }
}

/// Returns the handle of a series. The key may be `null`, and the format's handle 0.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesOpen<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    generator: jlong,
    name: JString<'local>,
    period: JString<'local>,
    zone: JString<'local>,
    key: JString<'local>,
    step: jlong,
    format: jlong,
) -> jlong {
    call(env, |env| {
        let (name, period) = (name.try_to_string(env)?, period.try_to_string(env)?.parse::<Period>()?);
        let mut options = SeriesOptions::new(period, &zone.try_to_string(env)?).step(step);
        if !key.is_null() {
            options = options.key(&key.try_to_string(env)?);
        }
        if format != 0 {
            options = options.format(format::format(format).clone());
        }
        Ok(handle::give(segment::generator(generator).series(&name, options)?))
    })
}

/// Returns the largest number that the format has room for.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesLargest(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
) -> jlong {
    quick(env, || Ok(series(handle).largest()))
}

/// Refuses a number that does not fit the format.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesCheck(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    number: jlong,
) {
    call(env, |_| Ok(series(handle).check(&(number..number + 1))?))
}

/// Returns the time by which periods change, in Unix milliseconds.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesTime(env: *mut JNIEnv, _class: jclass, handle: jlong) -> jlong {
    quick(env, || Ok(series(handle).time()))
}

/// Returns year, month and day of the first day of the period that a date lies in, and those of the next period.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesBounds<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    year: jlong,
    month: jlong,
    day: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        let bounds = series(handle).bounds(CalendarDate::new(year, month, day)?)?;
        array::write(env, &bounds.map(|date| [date.year(), date.month(), date.day()]).concat())
    })
}

/// Enters the period that the calendar shows, which counts only if `has_periods`, and returns the handle of its group.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesEnter(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
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
    call(env, |_| {
        let calendar = match has_periods {
            true => Some(Calendar { date: CalendarDate::new(year, month, day)?, begins, ends }),
            false => None,
        };
        let (group, times) = series(handle).enter_with_times(wall, time, calendar)?;
        Ok(handle::give(Group { group, times, largest: series(handle).largest() }))
    })
}

/// Returns the handle of the group of a date.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesOn(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    year: jlong,
    month: jlong,
    day: jlong,
) -> jlong {
    call(env, |_| {
        let group = series(handle).on(CalendarDate::new(year, month, day)?)?;
        Ok(handle::give(Group { group, times: 0..0, largest: series(handle).largest() }))
    })
}

/// Returns for which times of the clock a group is in force, the year, month and day that its period begins with, 0 if
/// there are no periods, and the identity of its tag.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesGroupFigures<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        let Group { group, times, .. } = group(handle);
        let [year, month, day] = group.date().map_or([0; 3], |date| [date.year(), date.month(), date.day()]);
        array::write(env, &[times.start, times.end, year, month, day, group.identity() as jlong])
    })
}

/// Returns the period of a group as text.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesGroupText<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(group(handle).group.text())?))
}

/// Begins a call for numbers of a group. Returns what `tagTake` returns.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesGroupTake<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    wanted: jint,
    count: jlong,
    timeout_seconds: jdouble,
) -> JLongArray<'local> {
    call(env, |env| {
        let (want, timeout) = (waiting::want(wanted, count), waiting::timeout(timeout_seconds)?);
        let Group { group, largest, .. } = group(handle);
        waiting::begin(env, waiting::Edges(group.begin_up_to(*largest, want, timeout)?))
    })
}

/// Returns the handle of the tag of a group, for a group whose cells Java draws from.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesGroupTag(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    group_handle: jlong,
) -> jlong {
    call(env, |_| Ok::<_, Failure>(handle::give(series(handle).biz_tag(&group(group_handle).group))))
}

/// Takes a group back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesGroupFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        // SAFETY: Java calls this once, after the last native that uses the group has returned.
        unsafe { handle::take_back::<Group>(handle) };
        Ok::<(), Failure>(())
    })
}

/// Takes the series back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_seriesFree(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<Series>(handle) };
        Ok::<(), Failure>(())
    })
}
