//! Natives of tables that are split by time.

use crate::errors::call;
use crate::text;
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObject, JString};
use jni::sys::jlong;
use leafmint::Result;
use leafmint::binding::room;
use leafmint::id::{self, CalendarDate};

/// Returns the first and last millisecond of a span; nothing if it is empty.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_momentsOfSpan<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    start: jlong,
    end: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        let moments = id::moments_of_span(start, end)?;
        crate::array::write(env, moments.as_ref().map_or(&[][..], |moments| moments))
    })
}

/// Returns the names of the tables of the days from the first to the last, each as year, month and day.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_periodTables<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    pattern: JString<'local>,
    days: JLongArray<'local>,
) -> JObject<'local> {
    call(env, |env| {
        let mut parts = room::zeros(days.len(env)?)?;
        days.get_region(env, 0, &mut parts)?;
        let dates = parts.chunks_exact(3).map(|day| CalendarDate::new(day[0], day[1], day[2]));
        let days = dates.collect::<Result<Vec<_>>>()?.try_into().ok();
        let names = id::period_tables(&pattern.try_to_string(env)?, days)?;
        Ok(text::write_all(env, &room::all(names.into_iter().map(Some))?)?)
    })
}
