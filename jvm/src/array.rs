//! Arrays for Java.

use crate::errors::Failure;
use jni::Env;
use jni::objects::{JByteArray, JLongArray};
use jni::sys::{jbyte, jlong};

/// Makes a `long[]`.
pub(crate) fn write<'local>(env: &mut Env<'local>, numbers: &[jlong]) -> Result<JLongArray<'local>, Failure> {
    let array = JLongArray::new(env, numbers.len())?;
    array.set_region(env, 0, numbers)?;
    Ok(array)
}

/// Writes to the beginning of a `byte[]`, which has room.
pub(crate) fn write_bytes(env: &Env<'_>, array: &JByteArray<'_>, bytes: &[u8]) -> Result<(), Failure> {
    // SAFETY: both types have one byte and no invalid value.
    let bytes = unsafe { &*(std::ptr::from_ref(bytes) as *const [jbyte]) };
    Ok(array.set_region(env, 0, bytes)?)
}
