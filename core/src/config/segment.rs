//! The configuration of a segment generator.

use super::options::OPTIONS;
use super::params::Params;
use super::url::Url;
use super::value::OptionValue;
use super::{database, url_secrets};
use crate::config_errors::ConfigErrors;
use crate::error::{Error, ErrorKind, Result};
use crate::segment::{SegmentSettings, StepPolicy};
use crate::store::{DatabaseSettings, SequenceName, SequenceOptimizer, check_tag, schema};
use std::path::PathBuf;
use std::time::Duration;

/// Most bytes of a name in PostgreSQL.
const POSTGRES_NAME: usize = 63;

pub(crate) enum StoreConfig {
    Memory { name: String },
    Sqlite { path: PathBuf, busy_timeout: Duration },
    MySql(DatabaseSettings),
    Postgres(DatabaseSettings),
    Sequence(DatabaseSettings, SequenceName, SequenceOptimizer),
    Tickets(DatabaseSettings),
}

pub(crate) struct SegmentConfig {
    pub(crate) store: StoreConfig,
    pub(crate) table: String,
    pub(crate) timeout: Duration,
    pub(crate) policy: StepPolicy,
    pub(crate) auto_create: bool,
    pub(crate) default_step: i64,
    pub(crate) default_start: i64,
    pub(crate) eager: bool,
    pub(crate) close_at_exit: bool,
    pub(crate) tags: Vec<String>,
}

impl SegmentConfig {
    pub(crate) fn parse(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        url_secrets::check(url)?;
        let mut errors = ConfigErrors::default();
        let parsed = Url::parse(url, &mut errors);
        let params = Params::gather(&parsed, options, OPTIONS, &mut errors);
        let config = Self::read(parsed, &params, &mut errors);
        errors.into_result(&format!("{:?} cannot be opened", url_secrets::redacted(url)))?;
        // Without an error there is a store.
        config.ok_or_else(|| Error::new(ErrorKind::InvalidConfig, "no store"))
    }

    /// Returns the settings of the generator, apart from its store and what makes it ready.
    pub(crate) fn settings(&self) -> SegmentSettings {
        SegmentSettings {
            policy: self.policy.clone(),
            timeout: self.timeout,
            auto_create: self.auto_create,
            default_step: self.default_step,
            default_start: self.default_start,
            table: self.table.clone(),
            close_at_exit: self.close_at_exit,
        }
    }

    fn read(url: Url, params: &Params, errors: &mut ConfigErrors) -> Option<Self> {
        let policy = StepPolicy {
            max_step: params.get("max_step"),
            max_unused: params.given("max_unused"),
            segment_duration: params.get("segment_duration"),
            outage_budget: params.get("outage_budget"),
        };
        let is_local = !matches!(url.scheme.as_str(), "mysql" | "postgresql" | "tickets");
        let tags: Vec<String> = params.given("tags").unwrap_or_default();
        for tag in &tags {
            if let Err(error) = check_tag(tag) {
                errors.add_of("tags", format!("tags: {error}"));
            }
        }
        let table: String = params.get("table");
        check_table(&table, errors);
        let table = in_schema(table, params.schema.as_deref());
        check_length(&url, &table, errors);
        check_sequence(&url, params, errors);
        let store = store(url, params, errors)?;
        Some(Self {
            store,
            table,
            timeout: params.get("timeout"),
            policy,
            auto_create: params.given("auto_create").unwrap_or(is_local),
            default_step: params.get("default_step"),
            default_start: params.get("default_start"),
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
        "mysql" => Some(StoreConfig::MySql(database::settings(url, params, errors))),
        "postgresql" => {
            let sequence = sequence(params, errors);
            let settings = database::settings(url, params, errors);
            Some(match sequence {
                Some((name, optimizer)) => StoreConfig::Sequence(settings, name, optimizer),
                None => StoreConfig::Postgres(settings),
            })
        }
        "tickets" => Some(StoreConfig::Tickets(ticket_servers(url, params, errors))),
        "" => None,
        other => {
            let hint = match other {
                "local" | "fixed" | "zookeeper" | "zookeeper+sasl" => {
                    " (snowflakes take it: open a SnowflakeGenerator, or name a database)"
                }
                _ => "",
            };
            errors.add_unserved(format!(
                "the scheme {other:?} is not known; known are memory, sqlite, mysql, postgresql and tickets{hint}"
            ));
            None
        }
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
fn check_sequence(url: &Url, params: &Params, errors: &mut ConfigErrors) {
    if params.has("sequence") && url.scheme != "postgresql" {
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
    if url.jdbc {
        errors.add("ticket servers have no JDBC URL: write tickets://user:password@host1,host2/database");
    }
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
fn check_length(url: &Url, table: &str, errors: &mut ConfigErrors) {
    if url.scheme == "postgresql" && schema::series(table).split('.').any(|part| part.len() > POSTGRES_NAME) {
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
            format!("table={table} is not a name of letters, digits, _ and $ (default: {})", schema::TABLE),
        );
    }
}
