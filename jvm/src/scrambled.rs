//! Natives of scrambled numbers.

use crate::errors::{Failure, call, quick};
use crate::{array, format, handle, public_keys};
use jni::EnvUnowned;
use jni::objects::{JClass, JString};
use jni::sys::{JNIEnv, jboolean, jbyteArray, jclass, jlong};
use leafmint::Scrambled;

fn scrambled<'a>(handle: jlong) -> &'a Scrambled {
    // SAFETY: the handle is that of scrambled numbers, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Makes the scrambled numbers of a name. The number of the key counts only if `has_key_number`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_scrambledOf<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    name: JString<'local>,
    keys: jlong,
    has_key_number: jboolean,
    key_number: jlong,
    format: jlong,
) -> jlong {
    call(env, |env| {
        let (name, key_number) = (name.try_to_string(env)?, has_key_number.then_some(key_number));
        let (keys, format) = (public_keys::keys(keys), format::format(format));
        Ok(handle::give(Scrambled::new(&name, keys, key_number, format)?))
    })
}

/// Returns the largest id.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_scrambledLargest(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
) -> jlong {
    quick(env, || Ok(scrambled(handle).largest()))
}

/// Returns the regular expression of the texts.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_scrambledPattern<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(scrambled(handle).pattern())?))
}

/// Writes an id into an array if it has room for it, and returns the number of bytes.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_scrambledEncode(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    id: jlong,
    text: jbyteArray,
) -> jlong {
    quick(env, || {
        let written = scrambled(handle).encode(id)?;
        // SAFETY: these are the environment and an argument of this native.
        Ok(unsafe { array::write_if_it_fits(env, text, &written) })
    })
}

/// Reads an id from a text in UTF-8.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_scrambledDecode(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    text: jbyteArray,
    forgiving: jboolean,
) -> jlong {
    quick(env, || {
        let scrambled = scrambled(handle);
        let decode = |text: &str| if forgiving { scrambled.decode_forgiving(text) } else { scrambled.decode(text) };
        // SAFETY: these are the environment and an argument of this native.
        unsafe { array::with_text(env, text, decode) }
    })
}

/// Takes the scrambled numbers back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_scrambledFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<Scrambled>(handle) };
        Ok::<(), Failure>(())
    })
}
