//! Natives of scrambled numbers.

use crate::natives::{handles, natives, quick_natives};
use crate::{array, handle, id_keys};
use jni::sys::jlong;
use leafmint::{Format, ScrambledNumbers};

handles!(scrambled: ScrambledNumbers, scrambledFree);

natives!(
    /// Makes the scrambled numbers of a name. The number of the key counts only if `has_key_number`.
    fn scrambledOf(
        env: &mut Env,
        name: JString,
        keys: jlong,
        has_key_number: jboolean,
        key_number: jlong,
        format: JString,
    ) -> jlong {
        let (name, format) = (name.try_to_string(env)?, Format::new(&format.try_to_string(env)?)?);
        let key_number = has_key_number.then_some(key_number);
        Ok(handle::give(ScrambledNumbers::new(&name, id_keys::keys(keys), key_number, &format)?))
    }
);

quick_natives!(
    /// Returns the largest id.
    fn scrambledLargest(handle: jlong) -> jlong {
        Ok(scrambled(handle).largest())
    }
);

natives!(
    /// Returns the regular expression of the texts.
    fn scrambledPattern(env: &mut Env, handle: jlong) -> JString {
        Ok(env.new_string(scrambled(handle).pattern())?)
    }
);

quick_natives!(
    /// Writes an id into an array if it has room for it, and returns the number of bytes.
    fn scrambledEncode(env: *mut JNIEnv, handle: jlong, id: jlong, text: jbyteArray) -> jlong {
        let written = scrambled(handle).encode(id)?;
        // SAFETY: these are the environment and an argument of this native.
        Ok(unsafe { array::write_if_it_fits(env, text, &written) })
    },
    /// Reads an id from a text in UTF-8.
    fn scrambledDecode(env: *mut JNIEnv, handle: jlong, text: jbyteArray, forgiving: jboolean) -> jlong {
        let scrambled = scrambled(handle);
        let decode = |text: &str| if forgiving { scrambled.decode_forgiving(text) } else { scrambled.decode(text) };
        // SAFETY: these are the environment and an argument of this native.
        unsafe { array::with_text(env, text, decode) }
    }
);
