//! Stores and registries over connections of the application: what is on the other side is known, and which statements
//! it takes, once one of them is open.

use crate::borrowed::DriverError;
use crate::mysql::MySql;
use crate::portable::{self, Portable};
use crate::postgresql::sequences::{SequenceName, SequenceOptimizer};
use crate::postgresql::{Postgres, over_sequence};
use crate::rows::tables::TableRegistry;
use crate::rows::{
    Assigned, Assignments, Claim, Eviction, PastBlocks, Registry, Release, Renewal, RowChanges, RowHolderSettings,
    Survey,
};
use crate::sessions::DatabaseSettings;
use crate::tables::table_store::TableStore;
use crate::worker_files::worker_state::RowVersion;
use leafmint_engine::answer::Answer;
use leafmint_engine::holder::past::{BlockLease, PastWorker};
use leafmint_engine::holder::{Generation, PastBlock};
use leafmint_engine::store::{
    Checked, GaplessRow, NewTagOptions, SegmentCheck, SegmentStore, SeriesRule, StoredSeries, TableFacts, TagChange,
    TagInfo,
};
use leafmint_ids::error::{Error, ErrorKind, Reason, Result, ServerError};
use std::ops::Range;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// What is on the other side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    MySql,
    Postgres,
    /// H2, HSQLDB, Derby or SQLite.
    Portable,
}

impl Product {
    /// Finds the product by the name that its driver has for it. Raises `invalid_config`.
    fn named(name: &str, database: &str) -> Result<Self> {
        match name {
            "MySQL" | "MariaDB" => Ok(Self::MySql),
            "PostgreSQL" => Ok(Self::Postgres),
            _ if portable::is_served(name) => Ok(Self::Portable),
            _ => {
                let text = format!(
                    "{database}: leafmint knows MySQL, MariaDB, PostgreSQL, H2, HSQLDB, Derby and SQLite, not {name:?}: pass the \
                     data source or engine of one of them"
                );
                Err(Error::new(ErrorKind::InvalidConfig, text))
            }
        }
    }

    /// Asks which it is, over a connection of the lender in the settings.
    ///
    /// Raises `invalid_config` for a product that is not served, and `store_unavailable`.
    pub async fn ask(settings: &DatabaseSettings) -> Result<Self> {
        let lender = settings.lender.as_ref().expect("these settings have a lender");
        let longest = settings.connect_timeout;
        let refused = |error: DriverError| of_driver(lender.name(), error);
        let name = match tokio::time::timeout(longest, lender.product()).await {
            Ok(name) => name.map_err(refused)?,
            Err(_) => return Err(refused(DriverError::lost(settings.nothing_lent()))),
        };
        Self::named(&name, lender.name())
    }
}

/// Returns what it means that no connection could be had, whatever is on the other side.
fn of_driver(database: &str, error: DriverError) -> Error {
    let is_refused = error.state.as_deref().is_some_and(|state| state.starts_with("28"));
    let (kind, reason, advice) = match is_refused {
        true => (ErrorKind::InvalidConfig, Some(Reason::LogInRefused), ": check the application's user and password"),
        false => (ErrorKind::StoreUnavailable, None, ""),
    };
    let text = format!("{database}: {}{advice}", crate::sessions::cut(&error.text));
    Error::new(kind, text).because(reason).with_source(ServerError::new(error.number, error.state, error.text))
}

/// How a table, or a sequence, is leased from.
#[derive(Clone)]
pub struct Leasing {
    pub table: String,
    /// Whether a missing table is created; `None` for the default of the product.
    pub auto_create: Option<bool>,
    /// The sequence to lease from in place of the table.
    pub sequence: Option<(SequenceName, SequenceOptimizer)>,
    pub default_step: i64,
}

/// The store over a table, or a sequence, of a product that is found on first use.
pub struct StoreByProduct {
    settings: DatabaseSettings,
    leasing: Leasing,
    store: OnceCell<Arc<dyn SegmentStore>>,
}

impl StoreByProduct {
    pub fn new(settings: DatabaseSettings, leasing: Leasing) -> Self {
        Self { settings, leasing, store: OnceCell::new() }
    }

    async fn store(&self) -> Result<&dyn SegmentStore> {
        let store = self.store.get_or_try_init(async || self.find(Product::ask(&self.settings).await?)).await?;
        Ok(&**store)
    }

    fn find(&self, product: Product) -> Result<Arc<dyn SegmentStore>> {
        let Leasing { table, auto_create, sequence, default_step } = &self.leasing;
        let settings = self.settings.clone();
        let auto_create = auto_create.unwrap_or_default();
        match (product, sequence) {
            (Product::Postgres, Some((name, optimizer))) => {
                Ok(over_sequence(settings, name.clone(), *optimizer, *default_step))
            }
            (_, Some(_)) => Err(Error::new(
                ErrorKind::InvalidConfig,
                format!("{}: sequence is for PostgreSQL: remove it", settings.name("")),
            )),
            (Product::MySql, None) => Ok(Arc::new(TableStore::<MySql>::new(settings, table, auto_create))),
            (Product::Postgres, None) => Ok(Arc::new(TableStore::<Postgres>::new(settings, table, auto_create))),
            (Product::Portable, None) => {
                let auto_create = self.leasing.auto_create.unwrap_or(true);
                Ok(Arc::new(TableStore::<Portable>::new(settings, table, auto_create)))
            }
        }
    }
}

impl SegmentStore for StoreByProduct {
    fn creates_tags(&self) -> bool {
        self.store.get().is_some_and(|store| store.creates_tags())
    }

    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        Box::pin(async move { self.store().await?.step(tag).await })
    }

    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>> {
        Box::pin(async move { self.store().await?.gene_bits(tag).await })
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Vec<Range<i64>>> {
        Box::pin(async move { self.store().await?.lease(tag, step).await })
    }

    fn lease_checked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move { self.store().await?.lease_checked(tag, gene_bits, amount).await })
    }

    fn lease_unless_locked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move { self.store().await?.lease_unless_locked(tag, gene_bits, amount).await })
    }

    fn longest_run(&self, tag: &str, step: i64) -> i64 {
        self.store.get().map_or(i64::MAX, |store| store.longest_run(tag, step))
    }

    fn never_goes_back(&self) -> bool {
        self.leasing.sequence.is_some()
    }

    fn sequence(&self, tag: &str) -> Option<String> {
        self.store.get().and_then(|store| store.sequence(tag))
    }

    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool> {
        Box::pin(async move { self.store().await?.give_back(tag, tail).await })
    }

    fn create_tag<'a>(&'a self, tag: &'a str, new: &'a NewTagOptions) -> Answer<'a, bool> {
        Box::pin(async move { self.store().await?.create_tag(tag, new).await })
    }

    fn declare_series<'a>(&'a self, rule: &'a SeriesRule, format: Option<&'a str>) -> Answer<'a, StoredSeries> {
        Box::pin(async move { self.store().await?.declare_series(rule, format).await })
    }

    fn set_series_format<'a>(&'a self, name: &'a str, format: &'a str) -> Answer<'a, ()> {
        Box::pin(async move { self.store().await?.set_series_format(name, format).await })
    }

    fn list_series(&self) -> Answer<'_, Vec<(String, StoredSeries)>> {
        Box::pin(async move { self.store().await?.list_series().await })
    }

    fn list_gapless(&self) -> Answer<'_, Vec<GaplessRow>> {
        Box::pin(async move { self.store().await?.list_gapless().await })
    }

    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>> {
        Box::pin(async move { self.store().await?.list_tags().await })
    }

    fn set_tag<'a>(&'a self, change: &'a TagChange) -> Answer<'a, ()> {
        Box::pin(async move { self.store().await?.set_tag(change).await })
    }

    fn raise_tag<'a>(&'a self, tag: &'a str, max_id: i64) -> Answer<'a, i64> {
        Box::pin(async move { self.store().await?.raise_tag(tag, max_id).await })
    }

    fn next_number<'a>(&'a self, tag: &'a str) -> Option<Answer<'a, i64>> {
        self.store.get()?.next_number(tag)
    }

    fn check(&self) -> Answer<'_, SegmentCheck> {
        Box::pin(async move { self.store().await?.check().await })
    }

    fn table_facts(&self) -> Answer<'_, Option<TableFacts>> {
        Box::pin(async move { self.store().await?.table_facts().await })
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        Box::pin(async move { self.store().await?.init_schema().await })
    }

    fn scope(&self) -> String {
        match self.store.get() {
            Some(store) => store.scope(),
            None => {
                format!("{}, table {} (scope: everyone on that database)", self.settings.name(""), self.leasing.table)
            }
        }
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async move {
            match self.store.get() {
                Some(store) => store.close().await,
                None => Ok(()),
            }
        })
    }

    fn in_child(&self) -> Arc<dyn SegmentStore> {
        let child = Self::new(self.settings.clone(), self.leasing.clone());
        if let Some(store) = self.store.get() {
            let _ = child.store.set(store.in_child());
        }
        Arc::new(child)
    }
}

/// The rows of worker ids in a product that is found on first use.
pub(crate) struct RegistryByProduct {
    database: DatabaseSettings,
    name: String,
    settings: RowHolderSettings,
    registry: OnceCell<Arc<dyn Registry>>,
}

impl RegistryByProduct {
    pub(crate) fn new(database: DatabaseSettings, settings: &RowHolderSettings) -> Self {
        Self { name: database.name(""), database, settings: settings.clone(), registry: OnceCell::new() }
    }

    async fn registry(&self) -> Result<&dyn Registry> {
        let find = async || {
            let (database, settings) = (self.database.clone(), &self.settings);
            let found: Arc<dyn Registry> = match Product::ask(&database).await? {
                Product::MySql => Arc::new(TableRegistry::<MySql>::new(database, settings)),
                Product::Postgres => Arc::new(TableRegistry::<Postgres>::new(database, settings)),
                Product::Portable => Arc::new(TableRegistry::<Portable>::new(database, settings)),
            };
            Ok(found)
        };
        Ok(&**self.registry.get_or_try_init(find).await?)
    }
}

impl RowChanges for RegistryByProduct {
    fn claim<'a>(&'a self, claim: &'a Claim) -> Answer<'a, bool> {
        Box::pin(async move { self.registry().await?.claim(claim).await })
    }

    fn renew<'a>(&'a self, renewal: &'a Renewal) -> Answer<'a, RowVersion> {
        Box::pin(async move { self.registry().await?.renew(renewal).await })
    }

    fn release<'a>(&'a self, release: &'a Release) -> Answer<'a, ()> {
        Box::pin(async move { self.registry().await?.release(release).await })
    }

    fn evict<'a>(&'a self, eviction: &'a Eviction) -> Answer<'a, bool> {
        Box::pin(async move { self.registry().await?.evict(eviction).await })
    }
}

impl Registry for RegistryByProduct {
    fn database(&self) -> &str {
        &self.name
    }

    fn is_lent(&self) -> bool {
        true
    }

    fn init_schema(&self) -> Answer<'_, bool> {
        Box::pin(async move { self.registry().await?.init_schema().await })
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(async move { self.registry().await?.prepare().await })
    }

    fn inspect(&self, to_write: bool) -> Answer<'_, bool> {
        Box::pin(async move { self.registry().await?.inspect(to_write).await })
    }

    fn survey(&self) -> Answer<'_, Survey> {
        Box::pin(async move { self.registry().await?.survey().await })
    }

    fn clock(&self) -> Answer<'_, i64> {
        Box::pin(async move { self.registry().await?.clock().await })
    }

    fn assignments(&self) -> Option<&dyn Assignments> {
        self.settings.is_assigned.then_some(self)
    }

    fn past(&self) -> Option<&dyn PastBlocks> {
        (!self.settings.is_assigned).then_some(self)
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async move {
            match self.registry.get() {
                Some(registry) => registry.close().await,
                None => Ok(()),
            }
        })
    }

    fn in_child(&self) -> Arc<dyn Registry> {
        Arc::new(Self::new(self.database.clone(), &self.settings))
    }
}

/// Of a table: see [`RowHolderSettings::namespace`].
impl Assignments for RegistryByProduct {
    fn name(&self) -> &str {
        &self.settings.namespace
    }

    fn within(&self) -> &'static str {
        "table"
    }

    fn is_watched(&self) -> bool {
        false
    }

    fn assign(&self) -> Answer<'_, Assigned> {
        Box::pin(async move { self.registry().await?.assignments().ok_or_else(none_assigned)?.assign().await })
    }

    fn report(&self, worker_id: i64, at: i64) -> Answer<'_, ()> {
        Box::pin(
            async move { self.registry().await?.assignments().ok_or_else(none_assigned)?.report(worker_id, at).await },
        )
    }
}

impl PastBlocks for RegistryByProduct {
    fn mark(&self, worker_id: i64, generation: Generation) -> Answer<'_, Generation> {
        Box::pin(async move { self.registry().await?.past().ok_or_else(no_past)?.mark(worker_id, generation).await })
    }

    fn lease(&self, worker: PastWorker, block: PastBlock, least: i64) -> Answer<'_, BlockLease> {
        Box::pin(async move { self.registry().await?.past().ok_or_else(no_past)?.lease(worker, block, least).await })
    }
}

fn none_assigned() -> Error {
    Error::new(ErrorKind::InvalidConfig, "this database assigns no worker ids: use worker_mode=lease")
}

fn no_past() -> Error {
    Error::new(ErrorKind::InvalidConfig, "this database keeps no worker ids for the past")
}
