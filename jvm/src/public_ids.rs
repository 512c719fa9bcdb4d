//! Natives of public ids.

use crate::natives::{handles, natives, quick_natives};
use crate::{array, handle, id_keys};
use jni::sys::jlong;
use leafmint::PublicIds;
use leafmint::binding::room;

handles!(ids: PublicIds, publicIdsFree);

natives!(
    /// Makes the public ids of a name, with a prefix.
    fn publicIdsOf(env: &mut Env, name: JString, keys: jlong, prefix: JString) -> jlong {
        let (name, prefix) = (name.try_to_string(env)?, prefix.try_to_string(env)?);
        Ok(handle::give(PublicIds::with_prefix(&name, id_keys::keys(keys), &prefix)?))
    }
);

quick_natives!(
    /// Returns the number of bytes of each text.
    fn publicIdsLength(handle: jlong) -> jlong {
        Ok(ids(handle).length() as jlong)
    }
);

natives!(
    /// Returns the regular expression of the texts.
    fn publicIdsPattern(env: &mut Env, handle: jlong) -> JString {
        Ok(env.new_string(ids(handle).pattern())?)
    }
);

quick_natives!(
    /// Writes an id into an array that has room for it, and returns the number of bytes. A `String` made here would be
    /// converted twice.
    fn publicIdsEncode(env: *mut JNIEnv, handle: jlong, id: jlong, text: jbyteArray) -> jlong {
        let written = ids(handle).encode(id)?;
        // SAFETY: these are the environment and an argument of this native.
        unsafe { array::write_bytes(env, text, written.as_bytes()) };
        Ok(written.len() as jlong)
    },
    /// Reads an id from a text in UTF-8.
    fn publicIdsDecode(env: *mut JNIEnv, handle: jlong, text: jbyteArray) -> jlong {
        // SAFETY: these are the environment and an argument of this native.
        unsafe { array::with_text(env, text, |text| ids(handle).decode(text)) }
    },
    /// Writes ids into a column, one text after another, and returns the number of bytes.
    fn publicIdsEncodeAll(env: *mut JNIEnv, handle: jlong, numbers: jlongArray, column: jbyteArray) -> jlong {
        let public_ids = ids(handle);
        // SAFETY: these are the environment and an argument of this native.
        let numbers = unsafe { array::read_longs(env, numbers) }?;
        let mut texts = room::zeros(numbers.len() * public_ids.length())?;
        public_ids.encode_column(&numbers, &mut texts)?;
        // SAFETY: as above.
        unsafe { array::write_bytes(env, column, &texts) };
        Ok(texts.len() as jlong)
    },
    /// Reads the ids of a column, and returns how many they are.
    fn publicIdsDecodeAll(env: *mut JNIEnv, handle: jlong, column: jbyteArray, numbers: jlongArray) -> jlong {
        let public_ids = ids(handle);
        // SAFETY: these are the environment and an argument of this native.
        let column = unsafe { array::read_bytes(env, column) }?;
        let mut read = room::zeros(column.len() / public_ids.length())?;
        public_ids.decode_column(&column, &mut read)?;
        // SAFETY: as above.
        unsafe { array::write_longs(env, numbers, &read) };
        Ok(read.len() as jlong)
    }
);
