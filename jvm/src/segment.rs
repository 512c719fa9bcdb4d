//! Natives of a segment generator.

use crate::natives::{handles, natives};
use crate::{asked, handle, options, pending, records, stats, text};
use jni::sys::jlong;
use leafmint::SegmentGenerator;
use leafmint::segment::TAG_STATS;
use leafmint::segment::{Order, TagOptions};
use leafmint::store::NewTagOptions;

/// `RecordReader.java` reads this number of stats. Add a new one there too.
const _: () = assert!(TAG_STATS.len() == 18);

handles!(pub(crate) generator: SegmentGenerator);

natives!(
    /// Opens a generator without waiting, with what `OptionValues.java` has written. `questions` is 0 if the core asks
    /// nothing; if it asks for connections, there is no URL.
    fn segmentOpen(env: &mut Env, url: JString, texts: Strings, numbers: JLongArray, questions: jlong) -> jlong {
        let url = url.try_to_string(env)?;
        let mut params = options::read(env, &texts, &numbers)?;
        if let Some(lender) = asked::lender(questions) {
            return Ok(handle::give(leafmint::open::segment_through_unready(lender, params)?));
        }
        params.extend(asked::option(questions));
        Ok(handle::give(leafmint::open::segment_unready(&url, params)?))
    },
    /// Begins what the option `eager` asks for.
    fn segmentMakeReady(handle: jlong) -> jlong {
        Ok(pending::give(generator(handle).make_ready()?, |()| true))
    },
    /// Returns the option `close_at_exit`.
    fn segmentClosesAtExit(handle: jlong) -> jboolean {
        Ok(generator(handle).closes_at_exit())
    },
    /// Returns the handle of a tag.
    fn segmentTag(env: &mut Env, handle: jlong, name: JString, gene_bits: jlong, relaxed: jboolean) -> jlong {
        let name = name.try_to_string(env)?;
        let order = if relaxed { Order::Relaxed } else { Order::Strict };
        Ok(handle::give(generator(handle).biz_tag_with(&name, TagOptions::new().gene_bits(gene_bits).order(order))?))
    },
    /// Begins to create a tag.
    fn segmentCreateTag(
        env: &mut Env,
        handle: jlong,
        tag: JString,
        step: jlong,
        start: jlong,
        description: JString,
        gene_bits: jlong,
    ) -> jlong {
        let (tag, description) = (tag.try_to_string(env)?, description.try_to_string(env)?);
        let created = generator(handle).create_tag_with(
            &tag,
            NewTagOptions::new().step(step).start(start).description(description).gene_bits(gene_bits),
        )?;
        Ok(pending::give(created, |created| created))
    },
    /// Begins to list the tags.
    fn segmentListTags(handle: jlong) -> jlong {
        Ok(pending::give_texts(generator(handle).list_tags()?, records::tags))
    },
    /// Begins to list the series.
    fn segmentListSeries(handle: jlong) -> jlong {
        Ok(pending::give_texts(generator(handle).list_series()?, records::series))
    },
    /// Begins to list the sequences without gaps.
    fn segmentListGapless(handle: jlong) -> jlong {
        Ok(pending::give_texts(generator(handle).list_gapless()?, records::gapless))
    },
    /// Begins to change a tag. `step` counts only if `has_step`, the description unless it is `null`.
    fn segmentSetTag(
        env: &mut Env,
        handle: jlong,
        tag: JString,
        has_step: jboolean,
        step: jlong,
        description: JString,
    ) -> jlong {
        let tag = tag.try_to_string(env)?;
        let description = text::optional(env, &description)?;
        let changed = generator(handle).set_tag(&tag, has_step.then_some(step), description.as_deref())?;
        Ok(pending::give(changed, |()| true))
    },
    /// Begins to raise a tag above an id.
    fn segmentRaiseTag(env: &mut Env, handle: jlong, tag: JString, id: jlong) -> jlong {
        let tag = tag.try_to_string(env)?;
        Ok(pending::give_texts(generator(handle).raise_tag_above(&tag, id)?, records::one))
    },
    /// Begins to check the store.
    fn segmentCheck(handle: jlong) -> jlong {
        Ok(pending::give_texts(generator(handle).check()?, records::segment_check))
    },
    /// Begins to create the tables.
    fn segmentInitSchema(handle: jlong) -> jlong {
        Ok(pending::give(generator(handle).init_schema()?, |()| true))
    },
    /// Returns the store and which processes share its ids.
    fn segmentScope(env: &mut Env, handle: jlong) -> JString {
        Ok(env.new_string(generator(handle).scope())?)
    },
    /// Returns the stats of all tags, as [`stats::write`] does.
    fn segmentStats(env: &mut Env, handle: jlong) -> JObjectArray {
        stats::write(env, generator(handle).stats())
    },
    /// Ends all minting and begins the close.
    fn segmentBeginClose(handle: jlong) -> jlong {
        Ok(pending::give(generator(handle).begin_close()?, |()| true))
    },
    /// Closes the generator and takes it back. Its tags may be freed later. `questions` is 0 if the core asks
    /// nothing.
    fn segmentFree(handle: jlong, questions: jlong) {
        // The close goes on in the background, and reports a failure itself.
        asked::end_after(generator(handle).begin_close(), questions);
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<SegmentGenerator>(handle) };
        Ok(())
    }
);
