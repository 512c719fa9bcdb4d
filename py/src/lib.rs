//! The Python binding: converts arguments, calls the core, and converts the results.
//!
//! The doc comments of what `_core` exports are docstrings of Python. `leafmint/_core.pyi` has the types alone:
//! `dist/docstrings.py` writes the docstrings into the stub of each wheel.

mod arguments;
mod at_exit;
mod audit;
mod auto_increment;
mod awaiting;
mod batch;
mod borrowed;
mod column;
mod command;
mod configuration;
mod credentials;
mod datetime;
mod decode_array;
mod errors;
mod fastcall;
mod format;
mod gapless;
mod gene;
mod id_keys;
mod id_text;
mod interpreter;
mod layout;
mod list;
mod logs;
mod migration;
mod moments;
mod native_thread;
mod once;
mod options;
mod period_tables;
mod pickling;
mod public_ids;
mod records;
mod schema;
mod scrambled;
mod segment;
mod series;
mod shard_rule;
mod snowflake;
mod tag;
mod text_column;
mod virtual_clock;
mod waiting;
mod zone;

use pyo3::prelude::*;

/// The compiled part of leafmint. Import `leafmint` instead.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::audit::{audit, highest_rows};
    #[pymodule_export]
    use crate::auto_increment::{beyond_room, check_counters};
    #[pymodule_export]
    use crate::awaiting::{Call, Queue};
    #[pymodule_export]
    use crate::column::import_numpy_with;
    #[pymodule_export]
    use crate::command::{command, set_reader};
    #[pymodule_export]
    use crate::configuration::{check_snowflakes, segments_for_checks};
    #[pymodule_export]
    use crate::credentials::ask_with;
    #[pymodule_export]
    use crate::format::Format;
    #[pymodule_export]
    use crate::gapless::{GaplessDraw, GaplessSequence};
    #[pymodule_export]
    use crate::gene::{gene_of_id, gene_of_key};
    #[pymodule_export]
    use crate::id_keys::{IdKeys, new_id_key};
    #[pymodule_export]
    use crate::id_text::{BoundIdText, IdText};
    #[pymodule_export]
    use crate::layout::{DecodedId, Layout};
    #[pymodule_export]
    use crate::logs::{deliver_to, take_events};
    #[pymodule_export]
    use crate::migration::check_leaf;
    #[pymodule_export]
    use crate::period_tables::{period_table, period_tables};
    #[pymodule_export]
    use crate::public_ids::PublicIds;
    #[pymodule_export]
    use crate::schema::schema_sql;
    #[pymodule_export]
    use crate::scrambled::ScrambledNumbers;
    #[pymodule_export]
    use crate::segment::{SegmentGenerator, forget_memory_store, hosts_of};
    #[pymodule_export]
    use crate::series::{Series, SeriesNumber};
    #[pymodule_export]
    use crate::shard_rule::{ShardRule, ShardedId};
    #[pymodule_export]
    use crate::snowflake::SnowflakeGenerator;
    #[pymodule_export]
    use crate::tag::Tag;
    #[pymodule_export]
    use crate::virtual_clock::VirtualClock;
    use crate::{at_exit, datetime, errors, fastcall, interpreter, logs, native_thread, once, options};
    use leafmint::SNOWFLAKE_OPTIONS;
    use pyo3::prelude::*;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        interpreter::check(module.py())?;
        // No generator exists during the import, so no fork can happen in the middle of a call.
        leafmint::binding::process::count_forks();
        native_thread::note_interpreter(module.py());
        leafmint::binding::panics::print_each_line_once();
        // The exit hooks run in reverse order: logging, imported first, closes its handlers after ours.
        module.py().import("logging")?;
        datetime::load_classes(module.py())?;
        once::name_package(module)?;
        once::add_decorator(module)?;
        errors::add_check(module)?;
        #[cfg(feature = "test-hooks")]
        errors::add_panic(module)?;
        fastcall::install::<Tag>(module.py())?;
        fastcall::install::<SnowflakeGenerator>(module.py())?;
        at_exit::register(module)?;
        module.add("_EVENTS", logs::kinds(module.py())?)?;
        module.add("SEGMENT_OPTIONS", options::table(module.py(), leafmint::SEGMENT_OPTIONS)?)?;
        module.add("SNOWFLAKE_OPTIONS", options::table(module.py(), SNOWFLAKE_OPTIONS)?)
    }
}
