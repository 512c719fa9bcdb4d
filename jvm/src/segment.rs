//! Natives of a segment generator.

use crate::errors::{Failure, call};
use crate::{credentials, handle, options, pending, records, stats};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObjectArray, JString};
use jni::sys::{jboolean, jlong};
use leafmint::SegmentGenerator;
use leafmint::segment::TAG_STATS;
use leafmint::segment::{NewTagOptions, Order, TagOptions};

/// `TagStats.java` reads this number of stats. Add a new one there too.
const _: () = assert!(TAG_STATS.len() == 13);

pub(crate) fn generator<'a>(handle: jlong) -> &'a SegmentGenerator {
    // SAFETY: the handle is a generator's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Opens a generator without waiting, with what `OptionValues.java` has written. `questions` is 0 without a supplier of
/// credentials.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentOpen<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    url: JString<'local>,
    texts: JObjectArray<'local, JString<'local>>,
    numbers: JLongArray<'local>,
    questions: jlong,
) -> jlong {
    call(env, |env| {
        let url = url.try_to_string(env)?;
        let mut params = options::read(env, &texts, &numbers)?;
        params.extend(credentials::option(questions));
        Ok(handle::give(SegmentGenerator::open_unready(&url, params)?))
    })
}

/// Begins what the option `eager` asks for.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentMakeReady(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).make_ready()?, |()| true)))
}

/// Returns the option `close_at_exit`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentClosesAtExit(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jboolean {
    call(env, |_| Ok::<_, Failure>(generator(handle).closes_at_exit()))
}

/// Returns the handle of a tag.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentBizTag<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    name: JString<'local>,
    gene_bits: jlong,
    relaxed: jboolean,
) -> jlong {
    call(env, |env| {
        let name = name.try_to_string(env)?;
        let order = if relaxed { Order::Relaxed } else { Order::Strict };
        Ok(handle::give(generator(handle).biz_tag_with(&name, TagOptions::new().gene_bits(gene_bits).order(order))?))
    })
}

/// Begins to create a tag.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentCreateTag<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    tag: JString<'local>,
    step: jlong,
    start: jlong,
    description: JString<'local>,
    gene_bits: jlong,
) -> jlong {
    call(env, |env| {
        let (tag, description) = (tag.try_to_string(env)?, description.try_to_string(env)?);
        let created = generator(handle).create_tag_with(
            &tag,
            NewTagOptions::new().step(step).start(start).description(description).gene_bits(gene_bits),
        )?;
        Ok(pending::give(created, |created| created))
    })
}

/// Begins to list the tags.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentListTags(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give_texts(generator(handle).list_tags()?, records::tags)))
}

/// Begins to list the series.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentListSeries(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give_texts(generator(handle).list_series()?, records::series)))
}

/// Begins to change a tag. `step` counts only if `has_step`, the description unless it is `null`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentSetTag<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    tag: JString<'local>,
    has_step: jboolean,
    step: jlong,
    description: JString<'local>,
) -> jlong {
    call(env, |env| {
        let tag = tag.try_to_string(env)?;
        let description = if description.is_null() { None } else { Some(description.try_to_string(env)?) };
        let changed = generator(handle).set_tag(&tag, has_step.then_some(step), description.as_deref())?;
        Ok(pending::give(changed, |()| true))
    })
}

/// Begins to raise the `max_id` of a tag to a value, or above an id.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentRaiseTag<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    tag: JString<'local>,
    value: jlong,
    is_id: jboolean,
) -> jlong {
    call(env, |env| {
        let (tag, ids) = (tag.try_to_string(env)?, generator(handle));
        let raised = if is_id { ids.raise_tag_above(&tag, value)? } else { ids.raise_tag(&tag, value)? };
        Ok(pending::give_texts(raised, records::one))
    })
}

/// Begins to check the store.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentCheck(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give_texts(generator(handle).check()?, records::segment_check)))
}

/// Begins to create the tables.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentInitSchema(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).init_schema()?, |()| true)))
}

/// Returns the store and which processes share its ids.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentScope<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(generator(handle).scope())?))
}

/// Returns the stats of all tags, as [`stats::write`] does.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentStats<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JObjectArray<'local> {
    call(env, |env| stats::write(env, generator(handle).stats()))
}

/// Ends all minting and begins the close.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentBeginClose(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).begin_close()?, |()| true)))
}

/// Closes the generator and takes it back. Its tags may be freed later. `questions` is 0 without a supplier of
/// credentials.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    questions: jlong,
) {
    call(env, |_| {
        // The close goes on in the background, and reports a failure itself.
        credentials::end_after(generator(handle).begin_close(), questions);
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<SegmentGenerator>(handle) };
        Ok::<(), Failure>(())
    })
}
