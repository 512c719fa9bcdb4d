//! The native of the schema.

use crate::errors::call;
use jni::EnvUnowned;
use jni::objects::{JClass, JString};
use leafmint::schema_sql;

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
