//! Opens generators from URLs: the only file that names the stores and holders.

use crate::config::{Database, HolderConfig, OptionValue, SegmentConfig, SnowflakeConfig, StoreConfig};
use leafmint_backends::borrowed::{Borrowing, Lender};
use leafmint_backends::by_product::{Leasing, StoreByProduct};
use leafmint_backends::directory::DirectoryHolder;
use leafmint_backends::rows::RowHolder;
use leafmint_backends::sqlite::SqliteStore;
use leafmint_engine::clock::{Clock, CounterClock, SystemClock, VirtualClock};
use leafmint_engine::holder::{MemoryHolder, WorkerIdHolder};
use leafmint_engine::runtime::background::real_time;
use leafmint_engine::segment::SegmentGenerator;
use leafmint_engine::snowflake::SnowflakeGenerator;
use leafmint_engine::store::{MemoryStore, SegmentStore};
use leafmint_ids::error::Result;
use std::sync::Arc;

/// Opens a generator over `sqlite:///file.db`, `mysql://user:password@host/database`,
/// `postgresql://user:password@host/database`, `tickets://user:password@host1,host2/database` or `memory:`.
///
/// Options ([`crate::config::SEGMENT_OPTIONS`]) are query parameters of the URL, or are given by name, which overrides
/// the URL. Nothing is connected before the first id, unless the option `eager` is set. Raises `invalid_config`, whose
/// message lists every error; with `eager` also what the first id would raise.
pub fn segment(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<SegmentGenerator> {
    let generator = segment_unready(url, options)?;
    generator.make_ready()?.wait()?;
    Ok(generator)
}

/// Opens a generator without [`SegmentGenerator::make_ready`], which the caller has to call.
pub fn segment_unready(
    url: &str,
    options: impl IntoIterator<Item = (String, OptionValue)>,
) -> Result<SegmentGenerator> {
    segment_of(SegmentConfig::parse(url, options)?)
}

/// Opens a generator over connections of the application, without [`SegmentGenerator::make_ready`].
///
/// No connection is made before the first id. Options about log-in and encryption are refused: they are the
/// application's to say. Raises `invalid_config`.
pub fn segment_through_unready(
    lender: Arc<dyn Lender>,
    options: impl IntoIterator<Item = (String, OptionValue)>,
) -> Result<SegmentGenerator> {
    segment_of(SegmentConfig::through(Borrowing::new(lender), options)?)
}

/// Opens a generator that checks names and options and mints nothing: no event reports it. Raises `invalid_config`.
pub fn segment_for_checks(
    database: Database<'_>,
    options: impl IntoIterator<Item = (String, OptionValue)>,
) -> Result<SegmentGenerator> {
    unreported(SegmentConfig::of(database, options)?)
}

fn segment_of(config: SegmentConfig) -> Result<SegmentGenerator> {
    let generator = unreported(config)?;
    generator.report_open();
    Ok(generator)
}

fn unreported(config: SegmentConfig) -> Result<SegmentGenerator> {
    let (settings, auto_create) = (config.settings(), config.auto_create.unwrap_or_default());
    let store: Arc<dyn SegmentStore> = match config.store {
        StoreConfig::Memory { name } => Arc::new(MemoryStore::open(&name)),
        StoreConfig::Sqlite { path, busy_timeout } => Arc::new(SqliteStore::new(&path, &config.table, busy_timeout)?),
        StoreConfig::MySql(settings) => leafmint_backends::servers::over_mysql(settings, &config.table, auto_create),
        StoreConfig::Postgres(settings) => {
            leafmint_backends::servers::over_postgres(settings, &config.table, auto_create)
        }
        StoreConfig::Borrowed(settings, sequence) => {
            let (table, auto_create, default_step) = (config.table.clone(), config.auto_create, config.default_step);
            Arc::new(StoreByProduct::new(settings, Leasing { table, auto_create, sequence, default_step }))
        }
        StoreConfig::Sequence(settings, name, optimizer) => {
            leafmint_backends::postgresql::over_sequence(settings, name, optimizer, config.default_step)
        }
        StoreConfig::Tickets(settings) => {
            leafmint_backends::mysql::over_tickets(settings, config.default_step, auto_create)
        }
    };
    Ok(SegmentGenerator::new(store, settings, config.eager.then_some(config.tags), real_time()))
}

/// Opens a generator over `local:/directory` (one host, every process its own worker id), `fixed:7` (this worker
/// id on this host), `mysql://user:password@host/database`, `postgresql://user:password@host/database` or
/// `zookeeper://host1,host2,host3/leaf-name` (every process of every host its own worker id).
///
/// Options ([`crate::config::SNOWFLAKE_OPTIONS`]) are query parameters of the URL, or are given by name, which
/// overrides the URL. No worker id is taken before the first id, unless the option `eager` is set. Raises
/// `invalid_config`, whose message lists every error; with `eager` also what the first id would raise.
pub fn snowflake(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<SnowflakeGenerator> {
    let generator = snowflake_unready(url, options)?;
    generator.make_ready()?.wait()?;
    Ok(generator)
}

/// Opens a generator without [`SnowflakeGenerator::make_ready`], which the caller has to call.
pub fn snowflake_unready(
    url: &str,
    options: impl IntoIterator<Item = (String, OptionValue)>,
) -> Result<SnowflakeGenerator> {
    snowflake_of(SnowflakeConfig::parse(url, options)?)
}

/// Opens a generator over connections of the application, without [`SnowflakeGenerator::make_ready`]. The rest is as
/// for [`segment_through_unready`].
pub fn snowflake_through_unready(
    lender: Arc<dyn Lender>,
    options: impl IntoIterator<Item = (String, OptionValue)>,
) -> Result<SnowflakeGenerator> {
    snowflake_of(SnowflakeConfig::through(Borrowing::new(lender), options)?)
}

fn snowflake_of(config: SnowflakeConfig) -> Result<SnowflakeGenerator> {
    let clock: Arc<dyn Clock> = if config.uses_counter { Arc::new(CounterClock) } else { Arc::new(SystemClock) };
    let holder: Arc<dyn WorkerIdHolder> = match config.holder {
        HolderConfig::Directory(settings) => Arc::new(DirectoryHolder::new(settings, clock.clone())),
        HolderConfig::MySql(mysql, settings) => Arc::new(RowHolder::over_mysql(mysql, settings, clock.clone())),
        HolderConfig::Postgres(postgres, settings) => {
            Arc::new(RowHolder::over_postgres(postgres, settings, clock.clone()))
        }
        HolderConfig::Borrowed(database, settings) => Arc::new(RowHolder::borrowed(database, settings, clock.clone())),
        HolderConfig::ZooKeeper(servers, settings) => {
            Arc::new(RowHolder::over_zookeeper(servers, settings, clock.clone()))
        }
    };
    let generator = SnowflakeGenerator::new(holder, config.settings, clock, real_time());
    generator.report_open();
    Ok(generator)
}

/// Opens a generator for tests of applications: its time is that of `clock`, its worker id is in memory, and no
/// call waits.
///
/// The sequence numbers of a tick begin at 0, unless the option `sequence_jitter` is given. Options that only
/// holders have are accepted and have no effect. Raises `invalid_config`, and what the first id would raise.
///
/// ```
/// use leafmint::{VirtualClock, open};
/// let clock = std::sync::Arc::new(VirtualClock::at(1_793_491_200_000));
/// let flakes = open::snowflake_in_virtual_time(&clock, 7, [])?;
/// assert_eq!(flakes.next_id()?, 2_116_681_624_581_074_944);
/// clock.pass(std::time::Duration::from_millis(1));
/// assert_eq!(flakes.decode(flakes.next_id()?)?.timestamp, 1_793_491_200_001);
/// # Ok::<(), leafmint::Error>(())
/// ```
pub fn snowflake_in_virtual_time(
    clock: &Arc<VirtualClock>,
    worker_id: i64,
    options: impl IntoIterator<Item = (String, OptionValue)>,
) -> Result<SnowflakeGenerator> {
    let settings = SnowflakeConfig::settings(options)?;
    let highest = (1 << settings.layout.bits().worker) - 1;
    SnowflakeGenerator::in_virtual_time(Arc::new(MemoryHolder::new(worker_id, highest)), settings, clock)
}
