//! Natives of a clock that only a test moves.

use crate::natives::{handles, natives};
use crate::{handle, options};
use jni::sys::jlong;
use leafmint::VirtualClock;
use std::sync::Arc;
use std::time::Duration;

handles!(clock: Arc<VirtualClock>, virtualClockFree);

natives!(
    /// Makes a clock that shows a time in Unix milliseconds.
    fn virtualClockAt(millis: jlong) -> jlong {
        Ok(handle::give(Arc::new(VirtualClock::at(millis))))
    },
    /// Returns the time that the clock shows, in Unix milliseconds.
    fn virtualClockMillis(handle: jlong) -> jlong {
        Ok(clock(handle).wall())
    },
    /// Lets milliseconds pass.
    fn virtualClockPass(handle: jlong, millis: jlong) {
        clock(handle).pass(Duration::from_millis(millis.max(0).unsigned_abs()));
        Ok(())
    },
    /// Sets the clock to a time in Unix milliseconds.
    fn virtualClockMoveTo(handle: jlong, millis: jlong) {
        clock(handle).move_to(millis);
        Ok(())
    },
    /// Opens a snowflake generator on the clock, with what `OptionValues.java` has written.
    fn virtualClockOpen(env: &mut Env, handle: jlong, worker_id: jlong, texts: Strings, numbers: JLongArray) -> jlong {
        let params = options::read(env, &texts, &numbers)?;
        Ok(handle::give(leafmint::open::snowflake_in_virtual_time(clock(handle), worker_id, params)?))
    }
);
