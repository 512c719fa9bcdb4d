//! What Java needs to close generators at its exit.

use crate::errors::{Failure, call};
use crate::{segment, snowflake};
use jni::objects::{JClass, JObject};
use jni::sys::{jboolean, jlong};
use jni::{Env, EnvUnowned, jni_sig, jni_str};

/// Returns the option `close_at_exit` of a segment generator.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_closesAtExit(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jboolean {
    call(env, |_| Ok::<_, Failure>(segment::generator(handle).closes_at_exit()))
}

/// Returns the option `close_at_exit` of a snowflake generator.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeClosesAtExit(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jboolean {
    call(env, |_| Ok::<_, Failure>(snowflake::generator(handle).closes_at_exit()))
}

/// Returns the map of all shutdown hooks, or `null` if this virtual machine keeps them elsewhere or is exiting.
///
/// The field is private and has been the same in every JDK since 6. It is only read.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_shutdownHooks<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
) -> JObject<'local> {
    call(env, |env| Ok(shutdown_hooks(env).unwrap_or_default()))
}

fn shutdown_hooks<'local>(env: &mut Env<'local>) -> jni::errors::Result<JObject<'local>> {
    let class = env.find_class(jni_str!("java/lang/ApplicationShutdownHooks"))?;
    let hooks = env.get_static_field(class, jni_str!("hooks"), jni_sig!("Ljava/util/IdentityHashMap;"));
    if env.exception_check() {
        env.exception_clear();
    }
    hooks?.l()
}
