//! The configuration of a segment generator.

use super::options::SEGMENT_OPTIONS;
use super::params::Params;
use super::servers::{Opens, Server, StoreConfig};
use super::url::Url;
use super::value::OptionValue;
use super::{database, servers, url_secrets};
use leafmint_backends::borrowed::{Borrowing, Lender};
use leafmint_backends::postgresql::sequences::{SequenceName, SequenceOptimizer};
use leafmint_backends::sessions::DatabaseSettings;
use leafmint_backends::tables::names;
use leafmint_engine::segment::{SegmentSettings, StepPolicy};
use leafmint_engine::store::check_tag;
use leafmint_ids::error::{ConfigErrors, Error, ErrorKind, Result};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Most bytes of a name in PostgreSQL.
const POSTGRES_NAME: usize = 63;

pub struct SegmentConfig {
    pub store: StoreConfig,
    pub table: String,
    pub timeout: Duration,
    pub policy: StepPolicy,
    /// `None`: as is usual for what the application's connections lead to.
    pub auto_create: Option<bool>,
    pub default_step: i64,
    pub default_start: i64,
    pub max_keys: i64,
    pub eager: bool,
    pub close_at_exit: bool,
    pub tags: Vec<String>,
}

/// How a database is reached.
pub enum Database<'a> {
    /// By a URL of leafmint's own.
    Url(&'a str),
    /// As the application does.
    Lent(Arc<dyn Lender>),
}

impl SegmentConfig {
    /// Reads what is to be used, however the database is reached.
    pub fn of(database: Database<'_>, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        match database {
            Database::Url(url) => Self::parse(url, options),
            Database::Lent(lender) => Self::through(Borrowing::new(lender), options),
        }
    }

    pub fn parse(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        url_secrets::check(url)?;
        let mut errors = ConfigErrors::default();
        let parsed = Url::parse(url, &mut errors);
        let params = Params::gather(&parsed, options, SEGMENT_OPTIONS, &mut errors);
        let config = Self::read(parsed, None, &params, &mut errors);
        errors.into_result(&format!("{:?} cannot be opened", url_secrets::redacted(url)))?;
        // Without an error there is a store.
        config.ok_or_else(|| Error::new(ErrorKind::InvalidConfig, "no store"))
    }

    /// Reads what is to be leased from over connections of the application.
    pub fn through(lender: Borrowing, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        let (mut errors, name) = (ConfigErrors::default(), lender.name().to_owned());
        let params = Params::gather(&Url::default(), options, SEGMENT_OPTIONS, &mut errors);
        let config = Self::read(Url::default(), Some(lender), &params, &mut errors);
        errors.into_result(&format!("{name} cannot be used"))?;
        config.ok_or_else(|| Error::new(ErrorKind::InvalidConfig, "no store"))
    }

    /// Returns the settings of the generator, apart from its store and what makes it ready.
    pub fn settings(&self) -> SegmentSettings {
        SegmentSettings {
            policy: self.policy.clone(),
            timeout: self.timeout,
            auto_create: self.auto_create,
            default_step: self.default_step,
            default_start: self.default_start,
            max_keys: usize::try_from(self.max_keys).unwrap_or(usize::MAX),
            table: self.table.clone(),
            close_at_exit: self.close_at_exit,
        }
    }

    fn read(url: Url, lender: Option<Borrowing>, params: &Params, errors: &mut ConfigErrors) -> Option<Self> {
        let policy = StepPolicy {
            max_step: params.get("max_step"),
            max_unused: params.given("max_unused"),
            segment_duration: params.get("segment_duration"),
            outage_budget: params.get("outage_budget"),
        };
        let is_local = servers::is_on_host(&url.scheme);
        let tags: Vec<String> = params.given("eager_tags").unwrap_or_default();
        for tag in &tags {
            if let Err(error) = check_tag(tag) {
                errors.add_of("eager_tags", format!("eager_tags: {error}"));
            }
        }
        let table: String = params.get("table");
        check_table(&table, errors);
        let table = in_schema(table, params.schema.as_deref());
        // What a data source leads to is not known yet.
        let may_be_postgres = url.scheme == "postgresql" || lender.is_some();
        check_length(may_be_postgres, &table, errors);
        check_sequence(may_be_postgres, params, errors);
        let auto_create = params.given("auto_create").or(lender.is_none().then_some(is_local));
        let store = match lender {
            Some(lender) => StoreConfig::Borrowed(database::borrowed(lender, params, errors), sequence(params, errors)),
            None => store(url, params, errors)?,
        };
        Some(Self {
            store,
            table,
            timeout: params.get("timeout"),
            policy,
            auto_create,
            default_step: params.get("default_step"),
            default_start: params.get("default_start"),
            max_keys: params.get("max_keys"),
            eager: params.get("eager"),
            close_at_exit: params.get("close_at_exit"),
            tags,
        })
    }
}

fn store(url: Url, params: &Params, errors: &mut ConfigErrors) -> Option<StoreConfig> {
    if !url.opaque.is_empty() {
        errors.add(format!("write // after {}:", url.scheme));
    }
    match url.scheme.as_str() {
        "memory" => {
            let host = url.hosts.into_iter().next().map(|(host, _)| host).unwrap_or_default();
            Some(StoreConfig::Memory { name: if host.is_empty() { url.path } else { host } })
        }
        "sqlite" => {
            if !url.hosts.is_empty() || url.path.is_empty() {
                errors.add(
                    "write sqlite:///file.db for a relative path, sqlite:////dir/file.db for an absolute one; memory: keeps ids in memory",
                );
            }
            if url.path == ":memory:" {
                errors.add("\":memory:\" would be a file of that name: write memory: to keep ids in memory");
            }
            if url.path.contains('\0') {
                errors.add("the path holds a NUL character");
            }
            Some(StoreConfig::Sqlite {
                path: PathBuf::from(url.path),
                busy_timeout: database::connect_timeout(params, errors),
            })
        }
        "postgresql" if params.has("sequence") => {
            let sequence = sequence(params, errors);
            let settings = database::settings(url, params, errors);
            sequence.map(|(name, optimizer)| StoreConfig::Sequence(settings, name, optimizer))
        }
        "tickets" => Some(StoreConfig::Tickets(ticket_servers(url, params, errors))),
        "" => None,
        scheme => match servers::of_scheme(scheme) {
            Some(Server { store: Opens::Database(store), .. }) => Some(store(database::settings(url, params, errors))),
            known => {
                let hint = match known {
                    Some(_) => " (snowflakes take it: open a SnowflakeGenerator, or name a database)",
                    None => "",
                };
                let known = servers::list(|server| server.store.is_something());
                errors.add_unserved(format!("the scheme {scheme:?} is not known; known are {known}{hint}"));
                None
            }
        },
    }
}

/// Reads the sequence that ids are leased from instead of a table.
fn sequence(params: &Params, errors: &mut ConfigErrors) -> Option<(SequenceName, SequenceOptimizer)> {
    let text: String = params.given("sequence")?;
    for name in OF_A_TABLE.into_iter().filter(|name| params.has(name)) {
        errors.add_of(name, format!("{name} has no meaning with sequence, which needs no table: remove it"));
    }
    let optimizer = params.choice("sequence_optimizer", OPTIMIZERS);
    match SequenceName::parse(&text) {
        Ok(name) => Some((name.in_schema(params.schema.as_deref()), optimizer)),
        Err(problem) => {
            errors.add_of("sequence", problem);
            None
        }
    }
}

/// Options about what only a table has.
const OF_A_TABLE: [&str; 3] = ["table", "auto_create", "default_start"];

const OPTIMIZERS: &[(&str, SequenceOptimizer)] = &[
    ("none", SequenceOptimizer::None),
    ("pooled", SequenceOptimizer::Pooled),
    ("pooled-lo", SequenceOptimizer::PooledLo),
];

/// Refuses a sequence on a store that has none, and its optimizer without it.
fn check_sequence(may_be_postgres: bool, params: &Params, errors: &mut ConfigErrors) {
    if params.has("sequence") && !may_be_postgres {
        errors.add_of(
            "sequence",
            "sequence is for a postgresql URL: other stores have none that leafmint can lease from",
        );
    }
    if params.has("sequence_optimizer") && !params.has("sequence") {
        errors.add_of("sequence_optimizer", "sequence_optimizer has no meaning without sequence");
    }
}

/// Reads the addresses of ticket servers, of which there are two at least.
fn ticket_servers(url: Url, params: &Params, errors: &mut ConfigErrors) -> DatabaseSettings {
    if params.has("table") {
        errors.add_of(
            "table",
            "table has no meaning with ticket servers: each tag has a table of its own, Tickets64_ and the tag",
        );
    }
    let settings = database::settings(url, params, errors);
    let mut hosts = settings.hosts.clone();
    hosts.sort();
    hosts.dedup();
    if hosts.len() < 2 || hosts.len() < settings.hosts.len() {
        errors.add("name two or more independent servers, each once: tickets://host1,host2/database; for one server, use mysql://");
    }
    settings
}

/// Refuses the name of a table whose end PostgreSQL would cut off, with that of its table of series.
fn check_length(may_be_postgres: bool, table: &str, errors: &mut ConfigErrors) {
    if may_be_postgres && names::series(table).split('.').any(|part| part.len() > POSTGRES_NAME) {
        let problem = "is too long: PostgreSQL's names have 63 bytes, of which leafmint needs 16 for a name of its own";
        errors.add_of("table", format!("table={table} {problem}"));
    }
}

/// Returns the table in the schema that a driver's parameter names, unless the table names one.
fn in_schema(table: String, schema: Option<&str>) -> String {
    match schema {
        Some(schema) if !table.contains('.') => format!("{schema}.{table}"),
        _ => table,
    }
}

/// Refuses a table that is not named, or a schema and a table, by plain characters: the name becomes part of
/// statements.
fn check_table(table: &str, errors: &mut ConfigErrors) {
    let plain = |part: &str| {
        !part.is_empty() && part.len() <= 64 && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    };
    let mut parts = table.splitn(3, '.');
    if !parts.by_ref().take(2).all(plain) || parts.next().is_some() {
        errors.add_of(
            "table",
            format!("table={table} is not a name of letters, digits, _ and $ (default: {})", names::TABLE),
        );
    }
}
