//! Natives of a snowflake generator.

use crate::natives::{handles, natives, quick_natives};
use crate::{NOT_YET, array, asked, handle, options, pending, records, stats, text, waiting};
use jni::sys::jlong;
use leafmint::SnowflakeGenerator;
use leafmint::binding::room;
use leafmint::snowflake::SNOWFLAKE_STATS;

/// `RecordReader.java` reads this number of stats. Add a new one there too.
const _: () = assert!(SNOWFLAKE_STATS.len() == 16);

handles!(generator: SnowflakeGenerator);

natives!(
    /// Opens a generator without waiting, with what `OptionValues.java` has written. `questions` is 0 if the core asks
    /// nothing; if it asks for connections, there is no URL.
    fn snowflakeOpen(env: &mut Env, url: JString, texts: Strings, numbers: JLongArray, questions: jlong) -> jlong {
        let url = url.try_to_string(env)?;
        let mut params = options::read(env, &texts, &numbers)?;
        if let Some(lender) = asked::lender(questions) {
            return Ok(handle::give(leafmint::open::snowflake_through_unready(lender, params)?));
        }
        params.extend(asked::option(questions));
        Ok(handle::give(leafmint::open::snowflake_unready(&url, params)?))
    },
    /// Begins what the option `eager` asks for.
    fn snowflakeMakeReady(handle: jlong) -> jlong {
        Ok(pending::give(generator(handle).make_ready()?, |()| true))
    },
    /// Returns the option `close_at_exit`.
    fn snowflakeClosesAtExit(handle: jlong) -> jboolean {
        Ok(generator(handle).closes_at_exit())
    }
);

quick_natives!(
    /// Returns the next id, or [`NOT_YET`] if the caller has to wait.
    fn snowflakeNextId(handle: jlong) -> jlong {
        Ok(generator(handle).try_next_id()?.unwrap_or(NOT_YET))
    }
);

natives!(
    /// Begins a call for ids. Returns the ids, or [`NOT_YET`] and the handle of a wait. `gene` counts only if
    /// `has_gene`.
    fn snowflakeTake(
        env: &mut Env,
        handle: jlong,
        wanted: jint,
        count: jlong,
        has_gene: jboolean,
        gene: jlong,
        timeout_seconds: jdouble,
    ) -> JLongArray {
        let (want, timeout) = (waiting::want(wanted, count), waiting::timeout(timeout_seconds)?);
        let wait = generator(handle).begin(want, has_gene.then_some(gene), timeout)?;
        array::check_room(env, count as usize)?;
        waiting::begin(env, wait)
    },
    /// Begins a call for ids of past moments. Returns as `snowflakeTake` does.
    fn snowflakeBackfill(
        env: &mut Env,
        handle: jlong,
        moments: JLongArray,
        has_gene: jboolean,
        gene: jlong,
        timeout_seconds: jdouble,
    ) -> JLongArray {
        let timeout = waiting::timeout(timeout_seconds)?;
        array::check_room(env, moments.len(env)?)?;
        let mut copied = room::zeros(moments.len(env)?)?;
        moments.get_region(env, 0, &mut copied)?;
        waiting::begin(env, generator(handle).begin_backfill(&copied, has_gene.then_some(gene), timeout)?)
    },
    /// Returns the handle of the generator's layout.
    fn snowflakeLayout(handle: jlong) -> jlong {
        Ok(handle::give(*generator(handle).layout()))
    }
);

quick_natives!(
    /// Returns the current worker id, or [`NOT_YET`].
    fn snowflakeWorkerId(handle: jlong) -> jlong {
        Ok(generator(handle).worker_id().unwrap_or(NOT_YET))
    }
);

natives!(
    /// Returns the holder and which processes share its worker ids.
    fn snowflakeScope(env: &mut Env, handle: jlong) -> JString {
        Ok(env.new_string(generator(handle).scope())?)
    },
    /// Returns the stats as texts.
    fn snowflakeStats(env: &mut Env, handle: jlong) -> JObject {
        Ok(text::write_all(env, &generator(handle).stats().fields().map(stats::figure))?)
    },
    /// Begins to list the worker ids.
    fn snowflakeListWorkers(handle: jlong) -> jlong {
        Ok(pending::give_texts(generator(handle).list_workers()?, records::workers))
    },
    /// Begins to free a worker id.
    fn snowflakeReleaseWorker(handle: jlong, worker_id: jlong, force: jboolean) -> jlong {
        Ok(pending::give(generator(handle).release_worker(worker_id, force)?, |freed| freed))
    },
    /// Begins to check the holder.
    fn snowflakeCheck(handle: jlong) -> jlong {
        Ok(pending::give_texts(generator(handle).check()?, records::snowflake_check))
    },
    /// Ends all minting and begins the close.
    fn snowflakeBeginClose(handle: jlong) -> jlong {
        Ok(pending::give(generator(handle).begin_close()?, |()| true))
    },
    /// Closes the generator and takes it back. `questions` is 0 if the core asks nothing.
    fn snowflakeFree(handle: jlong, questions: jlong) {
        // The close goes on in the background, and reports a failure itself.
        asked::end_after(generator(handle).begin_close(), questions);
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<SnowflakeGenerator>(handle) };
        Ok(())
    }
);
