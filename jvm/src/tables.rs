//! Natives that need no generator: the options, and the text of the tables.

use crate::errors::call;
use crate::text;
use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JString};
use leafmint::{OPTIONS, schema_sql};

/// Returns name, shape, default and meaning of each option, as texts.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_options<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
) -> JObject<'local> {
    call(env, |env| {
        let fields = |spec: &leafmint::OptionSpec| [spec.name, spec.shape, spec.default, spec.meaning];
        let texts: Vec<_> = OPTIONS.iter().flat_map(fields).map(|text| Some(text.to_owned())).collect();
        text::write_all(env, &texts)
    })
}

/// Returns the SQL that creates the tables.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_schemaSql<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    dialect: JString<'local>,
) -> JString<'local> {
    call(env, |env| {
        let dialect = dialect.try_to_string(env)?;
        Ok(env.new_string(schema_sql(&dialect)?)?)
    })
}
