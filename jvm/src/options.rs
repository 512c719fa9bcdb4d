//! Options: their tables, and those that a builder passes.

use crate::errors::{Failure, call};
use crate::text;
use jni::objects::{JClass, JObject, JObjectArray, JString};
use jni::{Env, EnvUnowned};
use leafmint::{OPTIONS, OptionSpec, OptionValue, SNOWFLAKE_OPTIONS};

/// Reads names and values in turn, and the items of the one option that is a list; `null` if it is not set.
pub(crate) fn read(
    env: &mut Env<'_>,
    names_and_values: &JObjectArray<'_, JString<'_>>,
    list: &str,
    items: &JObjectArray<'_, JString<'_>>,
) -> Result<Vec<(String, OptionValue)>, Failure> {
    let texts = text::read_all(env, names_and_values)?;
    let mut params: Vec<(String, OptionValue)> =
        texts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone().into())).collect();
    if !items.is_null() {
        params.push((list.to_owned(), text::read_all(env, items)?.into()));
    }
    Ok(params)
}

/// Returns name, shape, default and meaning of each option of segment generators.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_segmentOptions<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
) -> JObject<'local> {
    call(env, |env| write(env, OPTIONS))
}

/// Returns the same for snowflake generators.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeOptions<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
) -> JObject<'local> {
    call(env, |env| write(env, SNOWFLAKE_OPTIONS))
}

fn write<'local>(env: &mut Env<'local>, table: &[OptionSpec]) -> Result<JObject<'local>, Failure> {
    let fields = |spec: &OptionSpec| [spec.name, spec.shape, spec.default, spec.meaning];
    let texts: Vec<_> = table.iter().flat_map(fields).map(|text| Some(text.to_owned())).collect();
    text::write_all(env, &texts)
}
