//! The natives of the schema and of the version.

use crate::natives::natives;
use leafmint::schema_sql;

natives!(
    /// Returns the version of leafmint.
    fn version(env: &mut Env) -> JString {
        Ok(env.new_string(env!("CARGO_PKG_VERSION"))?)
    },
    /// Returns the SQL that creates the tables.
    fn schemaSql(env: &mut Env, dialect: JString) -> JString {
        let dialect = dialect.try_to_string(env)?;
        Ok(env.new_string(schema_sql(&dialect)?)?)
    }
);
