//! Opens generators from URLs: the only file that names the stores and holders.

use crate::background::real_time;
use crate::clock::{Clock, CounterClock, SystemClock, VirtualClock};
use crate::config::{HolderConfig, OptionValue, SegmentConfig, SnowflakeConfig, StoreConfig};
use crate::error::Result;
use crate::holder::{DirectoryHolder, MemoryHolder, RowHolder, WorkerIdHolder};
use crate::segment::SegmentGenerator;
use crate::snowflake::SnowflakeGenerator;
use crate::store::{self, MemoryStore, SegmentStore, SqliteStore};
use std::sync::Arc;

impl SegmentGenerator {
    /// Opens a generator over `sqlite:///file.db`, `mysql://user:password@host/database`,
    /// `postgresql://user:password@host/database`, `tickets://user:password@host1,host2/database` or `memory:`.
    ///
    /// Options ([`crate::OPTIONS`]) are query parameters of the URL, or are given by name, which overrides the
    /// URL. Nothing is connected before the first id, unless the option `eager` is set. Raises `invalid_config`, whose
    /// message lists every error; with `eager` also what the first id would raise.
    pub fn open(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        let generator = Self::open_unready(url, options)?;
        generator.make_ready()?.wait()?;
        Ok(generator)
    }

    /// Opens a generator without [`SegmentGenerator::make_ready`], which the caller has to call.
    pub fn open_unready(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        let config = SegmentConfig::parse(url, options)?;
        let settings = config.settings();
        let store: Arc<dyn SegmentStore> = match config.store {
            StoreConfig::Memory { name } => Arc::new(MemoryStore::open(&name)),
            StoreConfig::Sqlite { path, busy_timeout } => {
                Arc::new(SqliteStore::new(&path, &config.table, busy_timeout)?)
            }
            StoreConfig::MySql(settings) => store::over_mysql(settings, &config.table, config.auto_create),
            StoreConfig::Postgres(settings) => store::over_postgres(settings, &config.table, config.auto_create),
            StoreConfig::Sequence(settings, name, optimizer) => {
                store::over_sequence(settings, name, optimizer, config.default_step)
            }
            StoreConfig::Tickets(settings) => store::over_tickets(settings, config.default_step, config.auto_create),
        };
        let generator = Self::new(store, settings, config.eager.then_some(config.tags), real_time());
        generator.report_open();
        Ok(generator)
    }
}

impl SnowflakeGenerator {
    /// Opens a generator over `local:///directory` (one host, every process its own worker id), `fixed:7` (this worker
    /// id on this host), `mysql://user:password@host/database`, `postgresql://user:password@host/database` or
    /// `zookeeper://host1,host2,host3/leaf-name` (every process of every host its own worker id).
    ///
    /// Options ([`crate::SNOWFLAKE_OPTIONS`]) are query parameters of the URL, or are given by name, which
    /// overrides the URL. No worker id is taken before the first id, unless the option `eager` is set. Raises
    /// `invalid_config`, whose message lists every error; with `eager` also what the first id would raise.
    pub fn open(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        let generator = Self::open_unready(url, options)?;
        generator.make_ready()?.wait()?;
        Ok(generator)
    }

    /// Opens a generator without [`SnowflakeGenerator::make_ready`], which the caller has to call.
    pub fn open_unready(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        let config = SnowflakeConfig::parse(url, options)?;
        let clock: Arc<dyn Clock> = if config.uses_counter { Arc::new(CounterClock) } else { Arc::new(SystemClock) };
        let holder: Arc<dyn WorkerIdHolder> = match config.holder {
            HolderConfig::Directory(settings) => Arc::new(DirectoryHolder::new(settings, clock.clone())),
            HolderConfig::MySql(mysql, settings) => Arc::new(RowHolder::over_mysql(mysql, settings, clock.clone())),
            HolderConfig::Postgres(postgres, settings) => {
                Arc::new(RowHolder::over_postgres(postgres, settings, clock.clone()))
            }
            HolderConfig::ZooKeeper(servers, settings) => {
                Arc::new(RowHolder::over_zookeeper(servers, settings, clock.clone()))
            }
        };
        let generator = Self::new(holder, config.settings, clock, real_time());
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
    /// use leafmint::{SnowflakeGenerator, VirtualClock};
    /// let clock = std::sync::Arc::new(VirtualClock::at(1_793_491_200_000));
    /// let flakes = SnowflakeGenerator::open_in_virtual_time(&clock, 7, [])?;
    /// assert_eq!(flakes.next_id()?, 2_116_681_624_581_074_944);
    /// clock.pass(std::time::Duration::from_millis(1));
    /// assert_eq!(flakes.decode(flakes.next_id()?)?.timestamp, 1_793_491_200_001);
    /// # Ok::<(), leafmint::Error>(())
    /// ```
    pub fn open_in_virtual_time(
        clock: &Arc<VirtualClock>,
        worker_id: i64,
        options: impl IntoIterator<Item = (String, OptionValue)>,
    ) -> Result<Self> {
        let settings = SnowflakeConfig::settings(options)?;
        let highest = (1 << settings.layout.bits().worker) - 1;
        Self::in_virtual_time(Arc::new(MemoryHolder::new(worker_id, highest)), settings, clock)
    }
}
