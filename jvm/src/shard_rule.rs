//! Natives of a shard rule.

use crate::errors::{Failure, call, quick};
use crate::{array, handle};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JString};
use jni::sys::{JNIEnv, jclass, jlong};
use leafmint::ShardRule;

fn rule<'a>(handle: jlong) -> &'a ShardRule {
    // SAFETY: the handle is a rule's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Makes a rule.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_shardRuleOf<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    business_code: JString<'local>,
    tables: jlong,
    table_width: jlong,
    strategy: JString<'local>,
) -> jlong {
    call(env, |env| {
        let (business_code, strategy) = (business_code.try_to_string(env)?, strategy.try_to_string(env)?);
        Ok(handle::give(ShardRule::with(&business_code, tables, table_width, &strategy)?))
    })
}

/// Returns the table of a text key.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_shardRuleTableOfText<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    key: JString<'local>,
) -> jlong {
    call(env, |env| Ok(rule(handle).table_of_text(&key.try_to_string(env)?)?))
}

/// Returns the table of an integer key.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_shardRuleTableOfInt(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    key: jlong,
) -> jlong {
    quick(env, || Ok(rule(handle).table_of_int(key)))
}

/// Composes a number with a shard suffix.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_shardRuleCompose<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    sequence: jlong,
    table: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(rule(handle).compose(sequence, table)?.to_string())?))
}

/// Parses a number with a shard suffix, and returns its sequence and table.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_shardRuleParse<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    text: JString<'local>,
) -> JLongArray<'local> {
    call(env, |env| {
        let number = rule(handle).parse(&text.try_to_string(env)?)?;
        array::write(env, &[number.sequence(), number.table()])
    })
}

/// Takes the rule back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_shardRuleFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<ShardRule>(handle) };
        Ok::<(), Failure>(())
    })
}
