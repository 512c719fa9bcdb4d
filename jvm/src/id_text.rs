//! Natives of typed ids: how a class of them declares its text, and that text with its keys.

use crate::natives::{handles, natives, quick_natives};
use crate::{array, handle, id_keys, text};
use jni::sys::jlong;
use leafmint::{BoundIdText, IdText};

handles!(declared: IdText, idTextFree);
handles!(bound: BoundIdText, boundIdTextFree);

natives!(
    /// Checks a declaration. Prefix and format may be `null`; the number of the key counts only if `has_key_number`.
    fn idTextOf(
        env: &mut Env,
        form: JString,
        name: JString,
        prefix: JString,
        format: JString,
        has_key_number: jboolean,
        key_number: jlong,
    ) -> jlong {
        let (form, name) = (form.try_to_string(env)?, name.try_to_string(env)?);
        let (prefix, format) = (text::optional(env, &prefix)?, text::optional(env, &format)?);
        let key_number = has_key_number.then_some(key_number);
        Ok(handle::give(IdText::new(&form, &name, prefix.as_deref(), format.as_deref(), key_number)?))
    }
);

quick_natives!(
    /// Returns 1 if the text needs keys, else 0.
    fn idTextNeedsKeys(handle: jlong) -> jlong {
        Ok(jlong::from(declared(handle).needs_keys()))
    }
);

natives!(
    /// Returns the regular expression of the texts.
    fn idTextPattern(env: &mut Env, handle: jlong) -> JString {
        Ok(env.new_string(declared(handle).pattern())?)
    },
    /// Returns a text of the right shape.
    fn idTextExample(env: &mut Env, handle: jlong) -> JString {
        Ok(env.new_string(declared(handle).example())?)
    }
);

quick_natives!(
    /// Adds the keys, unless their handle is 0.
    fn idTextBind(handle: jlong, keys: jlong) -> jlong {
        Ok(handle::give(declared(handle).bind((keys != 0).then(|| id_keys::keys(keys)))?))
    }
);

quick_natives!(
    /// Writes an id into an array if it has room for it, and returns the number of bytes.
    fn boundIdTextEncode(env: *mut JNIEnv, handle: jlong, id: jlong, text: jbyteArray) -> jlong {
        let written = bound(handle).encode(id)?;
        // SAFETY: these are the environment and an argument of this native.
        Ok(unsafe { array::write_if_it_fits(env, text, &written) })
    },
    /// Reads an id from a text in UTF-8.
    fn boundIdTextDecode(env: *mut JNIEnv, handle: jlong, text: jbyteArray) -> jlong {
        // SAFETY: these are the environment and an argument of this native.
        unsafe { array::with_text(env, text, |text| bound(handle).decode(text)) }
    }
);
