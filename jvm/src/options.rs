//! Options: their tables, and those that a builder passes.

use crate::errors::Failure;
use crate::natives::natives;
use crate::text;
use jni::Env;
use jni::objects::{JLongArray, JObject, JObjectArray, JString};
use jni::sys::jlong;
use leafmint::{OptionSpec, OptionValue, SEGMENT_OPTIONS, SNOWFLAKE_OPTIONS};
use std::time::Duration;

/// Reads what `OptionValues.java` has written: of each option three numbers, its name, and the texts of its value.
pub(crate) fn read(
    env: &mut Env<'_>,
    texts: &JObjectArray<'_, JString<'_>>,
    numbers: &JLongArray<'_>,
) -> Result<Vec<(String, OptionValue)>, Failure> {
    let mut texts = text::read_all(env, texts)??.into_iter();
    let mut parts = vec![[0; 3]; numbers.len(env)? / 3];
    numbers.get_region(env, 0, parts.as_flattened_mut())?;
    let mut text = || texts.next().unwrap_or_default();
    Ok(parts.into_iter().map(|parts| (text(), value(parts, &mut text))).collect())
}

fn value([kind, first, second]: [jlong; 3], text: &mut impl FnMut() -> String) -> OptionValue {
    match kind {
        0 => text().into(),
        1 => (0..first).map(|_| text()).collect::<Vec<_>>().into(),
        2 => first.into(),
        3 => (first != 0).into(),
        _ => match u64::try_from(first) {
            Ok(seconds) => Duration::new(seconds, second as u32).into(),
            // A negative duration, which the core refuses.
            Err(_) => (first as f64 + second as f64 / 1e9).into(),
        },
    }
}

natives!(
    /// Returns the fields of `OptionSpec.java` for each option of segment generators.
    fn segmentOptions(env: &mut Env) -> JObject {
        write(env, SEGMENT_OPTIONS)
    },
    /// Returns the same for snowflake generators.
    fn snowflakeOptions(env: &mut Env) -> JObject {
        write(env, SNOWFLAKE_OPTIONS)
    }
);

fn write<'local>(env: &mut Env<'local>, table: &[OptionSpec]) -> Result<JObject<'local>, Failure> {
    let fields = |spec: &OptionSpec| {
        let OptionSpec { name, shape, default, default_words, meaning, .. } = *spec;
        [name, shape.name(), &shape.values(), default, default_words, meaning].map(|text| Some(text.to_owned()))
    };
    let texts: Vec<_> = table.iter().flat_map(fields).collect();
    Ok(text::write_all(env, &texts)?)
}
