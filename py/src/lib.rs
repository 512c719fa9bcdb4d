//! The Python face: converts, calls the core, and converts back.

mod arguments;
mod at_exit;
mod batch;
mod biz_tag;
mod decoded_id;
mod errors;
mod fastcall;
mod gene;
mod interpreter;
mod layout;
mod logs;
mod moment;
mod once;
mod options;
mod segment;
mod shard_rule;
mod sharded_id;
mod snowflake;
mod stats;
mod waiting;

use pyo3::prelude::*;

/// The compiled part of leafmint; import `leafmint` instead.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::biz_tag::BizTag;
    #[pymodule_export]
    use crate::decoded_id::DecodedId;
    #[pymodule_export]
    use crate::gene::{gene_of, shard_of};
    #[pymodule_export]
    use crate::layout::Layout;
    #[pymodule_export]
    use crate::logs::{deliver_to, take_events};
    #[pymodule_export]
    use crate::segment::SegmentGenerator;
    #[pymodule_export]
    use crate::shard_rule::ShardRule;
    #[pymodule_export]
    use crate::sharded_id::ShardedId;
    #[pymodule_export]
    use crate::snowflake::SnowflakeGenerator;
    use crate::{arguments, at_exit, errors, fastcall, interpreter, moment, once, options};
    use leafmint::{ErrorKind, SNOWFLAKE_OPTIONS};
    use pyo3::prelude::*;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        interpreter::check(module.py())?;
        // While the module is imported, nobody uses it, so nobody forks in the middle of it.
        leafmint::process::count_forks();
        leafmint::panics::print_each_place_once();
        // Imported first, it closes its handlers after our hook.
        module.py().import("logging")?;
        moment::look_up_classes(module.py())?;
        once::name_package(module)?;
        once::add_decorator(module)?;
        errors::add_check(module)?;
        errors::add_panic(module)?;
        fastcall::install::<BizTag>(module.py())?;
        fastcall::install::<SnowflakeGenerator>(module.py())?;
        at_exit::register(module)?;
        module.add("OPTIONS", options::table(module.py(), leafmint::OPTIONS)?)?;
        module.add("SNOWFLAKE_OPTIONS", options::table(module.py(), SNOWFLAKE_OPTIONS)?)
    }

    /// Returns the SQL that creates leafmint's tables, for migration tools.
    ///
    /// `dialect` is "mysql" (MariaDB too) or "sqlite"; any other raises InvalidArgumentError.
    #[pyfunction]
    #[pyo3(signature = (dialect = None), text_signature = "(dialect='mysql')")]
    fn schema_sql(py: Python<'_>, dialect: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let dialect = match dialect {
            Some(given) => arguments::text(arguments::string(given, "dialect")?, ErrorKind::InvalidArgument, "dialect")?,
            None => "mysql".to_owned(),
        };
        errors::call(py, || leafmint::schema_sql(&dialect))
    }
}
