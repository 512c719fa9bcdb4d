//! Natives of the sequences without gaps, whose statements Java runs in the caller's transaction.
//!
//! Each names its call by the sequence, the database product, the number of numbers, 0 for the last one, and the year,
//! month and day, 0 if there are no periods.

use crate::errors::Failure;
use crate::natives::{handles, natives};
use crate::{array, format, handle, text};
use jni::sys::jlong;
use leafmint::format::{CalendarDate, Period};
use leafmint::gapless::{Dialect, Draw, Refusal, Sequence, SequenceGroup};

handles!(sequence: Sequence, gaplessSequenceFree);

fn group(sequence: &Sequence, [year, month, day]: [jlong; 3]) -> leafmint::Result<SequenceGroup> {
    let date = if month == 0 { None } else { Some(CalendarDate::new(year, month, day)?) };
    sequence.group(date)
}

fn draw(handle: jlong, product: &str, count: jlong, date: [jlong; 3]) -> leafmint::Result<Draw> {
    let sequence = sequence(handle);
    let (dialect, group) = (Dialect::named(product)?, group(sequence, date)?);
    if count == 0 { Ok(sequence.last(dialect, &group)) } else { sequence.next(dialect, &group, count) }
}

natives!(
    /// Returns the handle of a sequence. The key may be `null`, and the format's handle 0.
    fn gaplessSequence(
        env: &mut Env,
        name: JString,
        period: JString,
        zone: JString,
        key: JString,
        format: jlong,
        start: jlong,
    ) -> jlong {
        let (name, period) = (name.try_to_string(env)?, period.try_to_string(env)?.parse::<Period>()?);
        let (zone, key) = (zone.try_to_string(env)?, text::optional(env, &key)?);
        let format = if format == 0 { None } else { Some(format::format(format).clone()) };
        Ok(handle::give(Sequence::new(&name, period, &zone, key.as_deref(), format, start)?))
    },
    /// Returns the period of a date, and its first day or `null`.
    fn gaplessGroup(env: &mut Env, handle: jlong, year: jlong, month: jlong, day: jlong) -> JObject {
        let group = group(sequence(handle), [year, month, day])?;
        let date = group.date().map(|date| date.to_string());
        Ok(text::write_all(env, &[Some(group.text().to_owned()), date])?)
    },
    /// Checks a call. Returns the statement that describes the table, the one that takes numbers and the one that reads
    /// the answer, each of which may be `null`, and the three numbers that the second one carries after the row's name.
    fn gaplessStatements(
        env: &mut Env,
        handle: jlong,
        product: JString,
        count: jlong,
        year: jlong,
        month: jlong,
        day: jlong,
    ) -> JObject {
        let draw = draw(handle, &product.try_to_string(env)?, count, [year, month, day])?;
        let statements = draw.statements();
        let mut texts = vec![statements.look.map(str::to_owned), statements.take, statements.read];
        texts.extend(statements.numbers.map(|number| Some(number.to_string())));
        Ok(text::write_all(env, &texts)?)
    },
    /// Judges the row of the statement that describes the table; `null` for no row.
    fn gaplessTable(
        env: &mut Env,
        handle: jlong,
        product: JString,
        count: jlong,
        year: jlong,
        month: jlong,
        day: jlong,
        row: Strings,
    ) {
        let row = text::read_row(env, &row)?;
        let draw = draw(handle, &product.try_to_string(env)?, count, [year, month, day])?;
        Ok(draw.check_table(row.as_deref())?)
    },
    /// Judges the row that answers a call; `null` for no row. The driver has counted this many rows that the call has
    /// changed, if that is above 0. Returns the first number, or nothing if there is none.
    fn gaplessFirst(
        env: &mut Env,
        handle: jlong,
        product: JString,
        count: jlong,
        year: jlong,
        month: jlong,
        day: jlong,
        row: Strings,
        counted: jlong,
    ) -> JLongArray {
        let row = text::read_row(env, &row)?;
        let draw = draw(handle, &product.try_to_string(env)?, count, [year, month, day])?;
        let draw = if counted > 0 { draw.counted(counted as u64) } else { draw };
        let first = if count == 0 { draw.last(row.as_deref())? } else { Some(*draw.numbers(row.as_deref())?.start()) };
        array::write(env, first.as_slice())
    },
    /// Throws the exception of a statement that failed. The drivers of Java report 0 for no number.
    fn gaplessFail(
        env: &mut Env,
        handle: jlong,
        product: JString,
        count: jlong,
        year: jlong,
        month: jlong,
        day: jlong,
        number: jint,
        state: JString,
        message: JString,
    ) {
        let draw = draw(handle, &product.try_to_string(env)?, count, [year, month, day])?;
        let state = text::optional(env, &state)?;
        let message = message.try_to_string(env)?;
        let number = (number != 0).then_some(number);
        Err(Failure::Core(draw.failure(Refusal { number, state: state.as_deref(), text: &message })))
    }
);
