//! Natives of the numbers without gaps, whose statements Java runs in the caller's transaction.

use crate::errors::{Failure, call};
use crate::text;
use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JObjectArray, JString};
use jni::sys::{jint, jlong};
use leafmint::gapless::{Dialect, Refusal, check_series};

/// Checks the arguments of a call. Returns the statement that describes the table or `null`, the one that takes a
/// number, and the one that reads it or `null`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_gaplessStatements<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    product: JString<'local>,
    series: JString<'local>,
    start: jlong,
) -> JObject<'local> {
    call(env, |env| {
        check_series(&series.try_to_string(env)?, start)?;
        let statements = Dialect::named(&product.try_to_string(env)?)?.statements();
        let texts = [statements.look.map(str::to_owned), Some(statements.take), statements.read.map(str::to_owned)];
        Ok(text::write_all(env, &texts)?)
    })
}

/// Judges the row of the statement that describes the table; `null` for no row.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_gaplessTable<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    product: JString<'local>,
    row: JObjectArray<'local, JString<'local>>,
) {
    call(env, |env| {
        let row = text::read_row(env, &row)?;
        Ok(Dialect::named(&product.try_to_string(env)?)?.check_table(row.as_deref())?)
    });
}

/// Judges the row of a number that was taken, and returns the number; `null` for no row.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_gaplessNumber<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    product: JString<'local>,
    series: JString<'local>,
    start: jlong,
    row: JObjectArray<'local, JString<'local>>,
) -> jlong {
    call(env, |env| {
        let row = text::read_row(env, &row)?;
        let dialect = Dialect::named(&product.try_to_string(env)?)?;
        Ok(dialect.number(&series.try_to_string(env)?, start, row.as_deref())?)
    })
}

/// Throws the exception of a statement that failed. JDBC's drivers report 0 for no number.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_gaplessFail<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    product: JString<'local>,
    series: JString<'local>,
    number: jint,
    state: JString<'local>,
    message: JString<'local>,
) {
    call(env, |env| {
        let dialect = Dialect::named(&product.try_to_string(env)?)?;
        let state = if state.is_null() { None } else { Some(state.try_to_string(env)?) };
        let (series, message) = (series.try_to_string(env)?, message.try_to_string(env)?);
        let number = (number != 0).then_some(number);
        let refusal = Refusal { number, state: state.as_deref(), text: &message };
        Err::<(), _>(Failure::Core(dialect.failure(&series, refusal)))
    });
}
