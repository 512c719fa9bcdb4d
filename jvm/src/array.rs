//! Arrays of numbers for Java.

use crate::errors::Failure;
use jni::Env;
use jni::objects::JLongArray;
use jni::sys::jlong;

/// Makes a `long[]`.
pub(crate) fn write<'local>(env: &mut Env<'local>, numbers: &[jlong]) -> Result<JLongArray<'local>, Failure> {
    let array = JLongArray::new(env, numbers.len())?;
    array.set_region(env, 0, numbers)?;
    Ok(array)
}
