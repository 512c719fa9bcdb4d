//! Texts from and to Java. Java has checked that they have no unpaired surrogate.

use jni::Env;
use jni::objects::{JObject, JObjectArray, JString};
use leafmint::binding::room;

/// Reads a `String` that may be `null`.
pub(crate) fn optional(env: &Env<'_>, text: &JString<'_>) -> jni::errors::Result<Option<String>> {
    if text.is_null() { Ok(None) } else { text.try_to_string(env).map(Some) }
}

/// Reads a `String[]`.
pub(crate) fn read_all(
    env: &mut Env<'_>,
    array: &JObjectArray<'_, JString<'_>>,
) -> jni::errors::Result<leafmint::Result<Vec<String>>> {
    let count = array.len(env)?;
    let mut texts = match room::room(count) {
        Ok(texts) => texts,
        Err(no_memory) => return Ok(Err(no_memory)),
    };
    for index in 0..count {
        let item = array.get_element(env, index)?;
        texts.push(item.try_to_string(env)?);
        env.delete_local_ref(item);
    }
    Ok(Ok(texts))
}

/// Reads a `String[]` that may be `null`, as each of its items may.
pub(crate) fn read_row(
    env: &mut Env<'_>,
    array: &JObjectArray<'_, JString<'_>>,
) -> jni::errors::Result<Option<Vec<Option<String>>>> {
    if array.is_null() {
        return Ok(None);
    }
    let mut texts = Vec::new();
    for index in 0..array.len(env)? {
        let item = array.get_element(env, index)?;
        texts.push(optional(env, &item)?);
        env.delete_local_ref(item);
    }
    Ok(Some(texts))
}

/// Makes a `String[]`, with `null` for `None`.
pub(crate) fn write_all<'local>(
    env: &mut Env<'local>,
    texts: &[Option<String>],
) -> jni::errors::Result<JObject<'local>> {
    let array = JObjectArray::<JString<'_>>::new(env, texts.len(), JString::null())?;
    for (index, text) in texts.iter().enumerate() {
        if let Some(text) = text {
            let item = env.new_string(text)?;
            array.set_element(env, index, &item)?;
            env.delete_local_ref(item);
        }
    }
    Ok(array.into())
}
