//! Finds the shutdown hooks of the JVM, so that generators can be closed after all other hooks have ended.

use crate::natives::natives;
use jni::objects::JObject;
use jni::{Env, jni_sig, jni_str};

natives!(
    /// Returns the map of all shutdown hooks, or `null` if this JVM stores them elsewhere or is exiting.
    ///
    /// The field is private and has been the same in every JDK since 6. It is only read.
    fn exitShutdownHooks(env: &mut Env) -> JObject {
        Ok(shutdown_hooks(env).unwrap_or_default())
    }
);

fn shutdown_hooks<'local>(env: &mut Env<'local>) -> jni::errors::Result<JObject<'local>> {
    let class = env.find_class(jni_str!("java/lang/ApplicationShutdownHooks"))?;
    let hooks = env.get_static_field(class, jni_str!("hooks"), jni_sig!("Ljava/util/IdentityHashMap;"));
    if env.exception_check() {
        env.exception_clear();
    }
    hooks?.l()
}
