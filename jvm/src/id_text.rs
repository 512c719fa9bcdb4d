//! Natives of typed ids: how a class of them declares its text, and that text with its keys.

use crate::errors::{Failure, call, quick};
use crate::{array, handle, public_keys};
use jni::objects::{JClass, JString};
use jni::sys::{JNIEnv, jboolean, jbyteArray, jclass, jlong};
use jni::{Env, EnvUnowned};
use leafmint::{BoundIdText, IdText};

fn declared<'a>(handle: jlong) -> &'a IdText {
    // SAFETY: the handle is that of a declaration, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

fn bound<'a>(handle: jlong) -> &'a BoundIdText {
    // SAFETY: the handle is that of a bound text, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

fn optional(env: &Env<'_>, text: &JString<'_>) -> jni::errors::Result<Option<String>> {
    if text.is_null() { Ok(None) } else { text.try_to_string(env).map(Some) }
}

/// Checks a declaration. Prefix and format may be `null`; the number of the key counts only if `has_key_number`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_idTextOf<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    form: JString<'local>,
    name: JString<'local>,
    prefix: JString<'local>,
    format: JString<'local>,
    has_key_number: jboolean,
    key_number: jlong,
) -> jlong {
    call(env, |env| {
        let (form, name) = (form.try_to_string(env)?, name.try_to_string(env)?);
        let (prefix, format) = (optional(env, &prefix)?, optional(env, &format)?);
        let key_number = has_key_number.then_some(key_number);
        Ok(handle::give(IdText::new(&form, &name, prefix.as_deref(), format.as_deref(), key_number)?))
    })
}

/// Returns 1 if the text needs keys, else 0.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_idTextNeedsKeys(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
) -> jlong {
    quick(env, || Ok(jlong::from(declared(handle).needs_keys())))
}

/// Returns the regular expression of the texts.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_idTextPattern<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(declared(handle).pattern())?))
}

/// Returns a text of the right shape.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_idTextExample<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(declared(handle).example())?))
}

/// Adds the keys, unless their handle is 0.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_idTextBind(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    keys: jlong,
) -> jlong {
    quick(env, || Ok(handle::give(declared(handle).bind((keys != 0).then(|| public_keys::keys(keys)))?)))
}

/// Takes a declaration back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_idTextFree(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<IdText>(handle) };
        Ok::<(), Failure>(())
    })
}

/// Writes an id into an array if it has room for it, and returns the number of bytes.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_boundIdTextEncode(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    id: jlong,
    text: jbyteArray,
) -> jlong {
    quick(env, || {
        let written = bound(handle).encode(id)?;
        // SAFETY: these are the environment and an argument of this native.
        Ok(unsafe { array::write_if_it_fits(env, text, &written) })
    })
}

/// Reads an id from a text in UTF-8.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_boundIdTextDecode(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    text: jbyteArray,
) -> jlong {
    quick(env, || {
        // SAFETY: these are the environment and an argument of this native.
        unsafe { array::with_text(env, text, |text| bound(handle).decode(text)) }
    })
}

/// Takes a bound text back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_boundIdTextFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<BoundIdText>(handle) };
        Ok::<(), Failure>(())
    })
}
