//! Natives of a tag that answer at once: the hot path, without an [`jni::Env`] until something fails.

use crate::errors::{Failure, call, quick};
use crate::{NOT_YET, handle};
use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::{JNIEnv, jclass, jlong};
use leafmint::{BizTag, Result};

#[inline(always)]
fn draw(env: *mut JNIEnv, tag: jlong, draw: impl FnOnce(&BizTag) -> Result<Option<i64>>) -> jlong {
    // SAFETY: the handle is a tag's, whose Java object is reachable until this returns.
    let tag = unsafe { handle::borrow::<BizTag>(tag) };
    quick(env, || Ok(draw(tag)?.unwrap_or(NOT_YET)))
}

/// Returns the next id, or [`NOT_YET`] where the caller has to wait.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_nextId(env: *mut JNIEnv, _class: jclass, tag: jlong) -> jlong {
    draw(env, tag, BizTag::try_next_id)
}

/// Does the same, but looks before it draws: for callers that poll.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tryNextId(env: *mut JNIEnv, _class: jclass, tag: jlong) -> jlong {
    draw(env, tag, BizTag::poll_next_id)
}

/// Takes the tag back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagFree(env: EnvUnowned<'_>, _class: JClass<'_>, tag: jlong) {
    call(env, |_| {
        // SAFETY: the Cleaner calls this once, when the Java object cannot be reached any more.
        unsafe { handle::take_back::<BizTag>(tag) };
        Ok::<(), Failure>(())
    })
}
