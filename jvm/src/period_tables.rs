//! Natives of tables that are split by time.

use crate::natives::natives;
use crate::text;
use leafmint::Result;
use leafmint::binding::room;
use leafmint::format::CalendarDate;
use leafmint::layout;

natives!(
    /// Returns the first and last millisecond of a span; nothing if it is empty.
    fn momentsOfSpan(env: &mut Env, start: jlong, end: jlong) -> JLongArray {
        let moments = layout::moments_of_span(start, end)?;
        crate::array::write(env, moments.as_ref().map_or(&[][..], |moments| moments))
    },
    /// Returns the names of the tables of the days from the first to the last, each as year, month and day.
    fn periodTables(env: &mut Env, pattern: JString, days: JLongArray) -> JObject {
        let mut parts = room::zeros(days.len(env)?)?;
        days.get_region(env, 0, &mut parts)?;
        let dates = parts.chunks_exact(3).map(|day| CalendarDate::new(day[0], day[1], day[2]));
        let days = dates.collect::<Result<Vec<_>>>()?.try_into().ok();
        let names = layout::period_tables(&pattern.try_to_string(env)?, days)?;
        Ok(text::write_all(env, &room::all(names.into_iter().map(Some))?)?)
    }
);
