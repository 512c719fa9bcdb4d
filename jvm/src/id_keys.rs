//! Natives of the keys of public ids. Their texts are passed as bytes, which both sides clear.

use crate::natives::{handles, natives, quick_natives};
use crate::{array, handle};
use jni::sys::jlong;
use leafmint::IdKeys;
use zeroize::Zeroizing;

handles!(pub(crate) keys: IdKeys, idKeysFree);

quick_natives!(
    /// Reads the texts of keys, in UTF-8.
    fn idKeysParse(env: *mut JNIEnv, text: jbyteArray) -> jlong {
        // SAFETY: these are the environment and an argument of this native.
        let text = Zeroizing::new(unsafe { array::read_bytes(env, text) }?);
        let text = str::from_utf8(&text).expect("Java encodes texts in UTF-8");
        Ok(handle::give(IdKeys::parse(text)?))
    },
    /// Makes one key of a number and a secret.
    fn idKeysOfBytes(env: *mut JNIEnv, number: jlong, secret: jbyteArray) -> jlong {
        // SAFETY: these are the environment and an argument of this native.
        let secret = unsafe { array::read_bytes(env, secret) }?;
        Ok(handle::give(IdKeys::new([(number, secret)])?))
    }
);

natives!(
    /// Reads the keys in a file.
    fn idKeysFromFile(env: &mut Env, path: JString) -> jlong {
        Ok(handle::give(leafmint::id_keys::from_file(path.try_to_string(env)?)?))
    },
    /// Reads the keys in an environment variable.
    fn idKeysFromEnvironment(env: &mut Env, variable: JString) -> jlong {
        Ok(handle::give(leafmint::id_keys::from_env(&variable.try_to_string(env)?)?))
    },
    /// Returns the text of a new random key.
    fn idKeysGenerate(env: &mut Env, number: jlong) -> JString {
        let text = Zeroizing::new(IdKeys::generate(number)?);
        Ok(env.new_string(text.as_str())?)
    },
    /// Returns the fingerprints of the keys, separated by spaces, in the order of their numbers.
    fn idKeysFingerprints(env: &mut Env, handle: jlong) -> JString {
        let fingerprints: Vec<String> = keys(handle).fingerprints().into_iter().map(|(_, digits)| digits).collect();
        Ok(env.new_string(fingerprints.join(" "))?)
    },
    /// Returns the numbers of the keys.
    fn idKeysNumbers(env: &mut Env, handle: jlong) -> JLongArray {
        array::write(env, &keys(handle).numbers().into_iter().map(jlong::from).collect::<Vec<_>>())
    }
);
