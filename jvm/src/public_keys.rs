//! Natives of the keys of public ids. Their texts are passed as bytes, which both sides clear.

use crate::errors::{Failure, call, quick};
use crate::{array, handle};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JString};
use jni::sys::{JNIEnv, jbyteArray, jclass, jlong};
use leafmint::PublicKeys;
use zeroize::Zeroizing;

pub(crate) fn keys<'a>(handle: jlong) -> &'a PublicKeys {
    // SAFETY: the handle is that of keys, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Reads the texts of keys, in UTF-8.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicKeysParse(
    env: *mut JNIEnv,
    _class: jclass,
    text: jbyteArray,
) -> jlong {
    quick(env, || {
        // SAFETY: these are the environment and an argument of this native.
        let text = Zeroizing::new(unsafe { array::read_bytes(env, text) }?);
        let text = str::from_utf8(&text).expect("Java encodes texts in UTF-8");
        Ok(handle::give(PublicKeys::parse(text)?))
    })
}

/// Makes one key of a number and a secret.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicKeysOfBytes(
    env: *mut JNIEnv,
    _class: jclass,
    number: jlong,
    secret: jbyteArray,
) -> jlong {
    quick(env, || {
        // SAFETY: these are the environment and an argument of this native.
        let secret = unsafe { array::read_bytes(env, secret) }?;
        Ok(handle::give(PublicKeys::new([(number, secret)])?))
    })
}

/// Reads the keys in a file.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicKeysFromFile<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    path: JString<'local>,
) -> jlong {
    call(env, |env| Ok(handle::give(PublicKeys::from_file(path.try_to_string(env)?)?)))
}

/// Reads the keys in an environment variable.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicKeysFromEnvironment<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    variable: JString<'local>,
) -> jlong {
    call(env, |env| Ok(handle::give(PublicKeys::from_env(&variable.try_to_string(env)?)?)))
}

/// Returns the text of a new random key.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicKeysGenerate<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    number: jlong,
) -> JString<'local> {
    call(env, |env| {
        let text = Zeroizing::new(PublicKeys::generate(number)?);
        Ok(env.new_string(text.as_str())?)
    })
}

/// Returns the numbers of the keys.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicKeysNumbers<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JLongArray<'local> {
    call(env, |env| array::write(env, &keys(handle).numbers().into_iter().map(jlong::from).collect::<Vec<_>>()))
}

/// Takes the keys back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicKeysFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<PublicKeys>(handle) };
        Ok::<(), Failure>(())
    })
}
