//! Arrays for Java.

use crate::errors::Failure;
use jni::Env;
use jni::objects::JLongArray;
use jni::sys::{JNIEnv, jbyteArray, jlong, jlongArray, jsize};
use leafmint::binding::room;

/// Most bytes of a text that needs no allocation: every public id, and nearly every number.
const SHORT_TEXT: usize = 96;

/// Makes a `long[]`.
pub(crate) fn write<'local>(env: &mut Env<'local>, numbers: &[jlong]) -> Result<JLongArray<'local>, Failure> {
    let array = JLongArray::new(env, numbers.len())?;
    array.set_region(env, 0, numbers)?;
    Ok(array)
}

/// From this length on, a `long[]` is judged before the numbers are taken that it is for.
const JUDGED: usize = 1 << 17;

/// Checks that the JVM has memory for a `long[]`; if not, its OutOfMemoryError is pending.
pub(crate) fn check_room(env: &mut Env<'_>, count: usize) -> Result<(), Failure> {
    if count >= JUDGED {
        let array = JLongArray::new(env, count)?;
        env.delete_local_ref(array);
    }
    Ok(())
}

/// Copies a `byte[]`. Costs no [`Env`].
///
/// # Safety
///
/// `env` is that of the native that is running on this thread, and `array` one of its arguments, not null.
pub(crate) unsafe fn read_bytes(env: *mut JNIEnv, array: jbyteArray) -> leafmint::Result<Vec<u8>> {
    // SAFETY: see above. The region is the whole array.
    unsafe {
        let length = ((**env).v1_1.GetArrayLength)(env, array);
        let mut bytes = room::zeros::<u8>(length as usize)?;
        ((**env).v1_1.GetByteArrayRegion)(env, array, 0, length, bytes.as_mut_ptr().cast());
        Ok(bytes)
    }
}

/// Writes a text to a `byte[]` if it has room for it, and returns the number of bytes either way. Costs no [`Env`].
///
/// # Safety
///
/// As for [`read_bytes`].
pub(crate) unsafe fn write_if_it_fits(env: *mut JNIEnv, array: jbyteArray, text: &str) -> jlong {
    // SAFETY: see above.
    unsafe {
        if text.len() <= ((**env).v1_1.GetArrayLength)(env, array) as usize {
            write_bytes(env, array, text.as_bytes());
        }
    }
    text.len() as jlong
}

/// Copies a `byte[]` that is text and passes it on. A short text, as ids have, is copied to the stack. Costs no
/// [`Env`].
///
/// # Safety
///
/// As for [`read_bytes`].
///
/// # Panics
///
/// If it is not UTF-8, in which Java encodes texts.
#[inline]
pub(crate) unsafe fn with_text<T>(
    env: *mut JNIEnv,
    array: jbyteArray,
    work: impl FnOnce(&str) -> leafmint::Result<T>,
) -> leafmint::Result<T> {
    let (mut short, mut long) = ([0_u8; SHORT_TEXT], None);
    // SAFETY: see above.
    let length = unsafe { ((**env).v1_1.GetArrayLength)(env, array) };
    let bytes = match short.get_mut(..length as usize) {
        Some(bytes) => bytes,
        None => long.insert(room::zeros(length as usize)?),
    };
    // SAFETY: see above. The region is the whole array, and the slice has its length.
    unsafe { ((**env).v1_1.GetByteArrayRegion)(env, array, 0, length, bytes.as_mut_ptr().cast()) };
    work(str::from_utf8(bytes).expect("Java encodes texts in UTF-8"))
}

/// Writes to the beginning of a `byte[]`. If it has no room, an exception is pending. Costs no [`Env`].
///
/// # Safety
///
/// As for [`read_bytes`].
pub(crate) unsafe fn write_bytes(env: *mut JNIEnv, array: jbyteArray, bytes: &[u8]) {
    // SAFETY: see above. The JVM checks the region.
    unsafe { ((**env).v1_1.SetByteArrayRegion)(env, array, 0, bytes.len() as jsize, bytes.as_ptr().cast()) };
}

/// Copies a `long[]`. Costs no [`Env`].
///
/// # Safety
///
/// As for [`read_bytes`].
pub(crate) unsafe fn read_longs(env: *mut JNIEnv, array: jlongArray) -> leafmint::Result<Vec<jlong>> {
    // SAFETY: see above. The region is the whole array.
    unsafe {
        let length = ((**env).v1_1.GetArrayLength)(env, array);
        let mut numbers = room::zeros(length as usize)?;
        ((**env).v1_1.GetLongArrayRegion)(env, array, 0, length, numbers.as_mut_ptr());
        Ok(numbers)
    }
}

/// Writes to the beginning of a `long[]`. If it has no room, an exception is pending. Costs no [`Env`].
///
/// # Safety
///
/// As for [`read_bytes`].
pub(crate) unsafe fn write_longs(env: *mut JNIEnv, array: jlongArray, numbers: &[jlong]) {
    // SAFETY: see above. The JVM checks the region.
    unsafe { ((**env).v1_1.SetLongArrayRegion)(env, array, 0, numbers.len() as jsize, numbers.as_ptr()) };
}
