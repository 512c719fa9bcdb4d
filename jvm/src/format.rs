//! Natives of a format.

use crate::errors::{Failure, call, quick};
use crate::{array, handle, text};
use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JString};
use jni::sys::{JNIEnv, jboolean, jbyteArray, jclass, jlong};
use leafmint::id::CalendarDate;
use leafmint::{Format, NumberParts};

pub(crate) fn format<'a>(handle: jlong) -> &'a Format {
    // SAFETY: the handle is a format's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Makes a format.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_formatOf<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    text: JString<'local>,
) -> jlong {
    call(env, |env| Ok(handle::give(Format::new(&text.try_to_string(env)?)?)))
}

/// Returns the most bytes of a text, without those of the key.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_formatMostBytes(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
) -> jlong {
    quick(env, || Ok(format(handle).most_bytes() as jlong))
}

/// Writes a number into an array that has room for it, and returns the number of bytes. A `String` made here would be
/// converted twice. The date counts only if `has_date`, the shard only if `has_shard`; the key may be `null`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_formatFormat(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    number: jlong,
    has_date: jboolean,
    year: jlong,
    month: jlong,
    day: jlong,
    key: jbyteArray,
    has_shard: jboolean,
    shard: jlong,
    text: jbyteArray,
) -> jlong {
    quick(env, || {
        let date = if has_date { Some(CalendarDate::new(year, month, day)?) } else { None };
        // SAFETY: these are the environment and an argument of this native.
        let key = (!key.is_null()).then(|| unsafe { array::read_bytes(env, key) }).transpose()?;
        let key = key.as_deref().map(|key| str::from_utf8(key).expect("Java encodes keys in UTF-8"));
        let parts = NumberParts { number, date, key, shard: has_shard.then_some(shard) };
        let written = format(handle).format(&parts)?;
        // SAFETY: as above.
        unsafe { array::write_bytes(env, text, written.as_bytes()) };
        Ok(written.len() as jlong)
    })
}

/// Parses a number, and returns its number, date, key and shard as `NumberParts.java` reads them.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_formatParse<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    text: JString<'local>,
    forgiving: jboolean,
) -> JObject<'local> {
    call(env, |env| {
        let number = text.try_to_string(env)?;
        let format = format(handle);
        let parts = if forgiving { format.parse_forgiving(&number)? } else { format.parse(&number)? };
        let NumberParts { number, date, key, shard } = parts;
        let texts = [
            Some(number.to_string()),
            date.map(|date| date.to_string()),
            key.map(str::to_owned),
            shard.map(|shard| shard.to_string()),
        ];
        Ok(text::write_all(env, &texts)?)
    })
}

/// Takes the format back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_formatFree(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<Format>(handle) };
        Ok::<(), Failure>(())
    })
}
