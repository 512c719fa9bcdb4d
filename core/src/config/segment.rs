//! The configuration of a segment generator.

use super::options::{OPTIONS, OptionValue};
use super::params::Params;
use super::url::Url;
use super::{database, url_secrets, value};
use crate::config_errors::ConfigErrors;
use crate::error::{Error, ErrorKind, Result};
use crate::limit_cell::FIRST_REFUSED;
use crate::segment::{Settings, StepPolicy};
use crate::store::{DatabaseSettings, MAX_STEP, check_tag, schema};
use std::path::PathBuf;
use std::time::Duration;

/// Most bytes of a name in PostgreSQL.
const POSTGRES_NAME: usize = 63;

pub(crate) enum StoreConfig {
    Memory { name: String },
    Sqlite { path: PathBuf, busy_timeout: Duration },
    MySql(DatabaseSettings),
    Postgres(DatabaseSettings),
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
    pub(crate) fn settings(&self) -> Settings {
        Settings {
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
        let duration = |name| move |text: &str| value::duration(name, text);
        let count = |name, from, to| move |text: &str| value::count(name, text, from..=to);
        let boolean = |name| move |text: &str| value::boolean(name, text);

        let policy = StepPolicy {
            max_step: params.read("max_step", count("max_step", 1, MAX_STEP), errors),
            max_unused: params
                .text("max_unused")
                .map(|text| errors.keep_of("max_unused", value::count("max_unused", &text, 1..=FIRST_REFUSED), 1)),
            segment_duration: params.read("segment_duration", duration("segment_duration"), errors),
            outage_budget: params.read("outage_budget", duration("outage_budget"), errors),
        };
        let auto_create = params
            .text("auto_create")
            .map(|text| errors.keep_of("auto_create", value::boolean("auto_create", &text), false));
        let auto_create = auto_create.unwrap_or(!matches!(url.scheme.as_str(), "mysql" | "postgresql" | "tickets"));
        let tags = params.value("tags").map(value::list).unwrap_or_default();
        for tag in &tags {
            if let Err(error) = check_tag(tag) {
                errors.add_of("tags", format!("tags: {error}"));
            }
        }
        let table = in_schema(params.read("table", table, errors), params.schema.as_deref());
        check_length(&url, &table, errors);
        let timeout = params.read("timeout", duration("timeout"), errors);
        let default_step = params.read("default_step", count("default_step", 1, MAX_STEP), errors);
        let default_start = params.read("default_start", count("default_start", 0, FIRST_REFUSED - MAX_STEP), errors);
        let eager = params.read("eager", boolean("eager"), errors);
        let close_at_exit = params.read("close_at_exit", boolean("close_at_exit"), errors);
        let store = store(url, params, errors)?;
        Some(Self {
            store,
            table,
            timeout,
            policy,
            auto_create,
            default_step,
            default_start,
            eager,
            close_at_exit,
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
        "postgresql" => Some(StoreConfig::Postgres(database::settings(url, params, errors))),
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

/// Reads the addresses of ticket servers, of which there are two at least.
fn ticket_servers(url: Url, params: &Params, errors: &mut ConfigErrors) -> DatabaseSettings {
    if url.jdbc {
        errors.add("ticket servers have no JDBC URL: write tickets://user:password@host1,host2/database");
    }
    if params.value("table").is_some() {
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

/// Refuses the name of a table whose end PostgreSQL would cut off, with that of its table of gene bits.
fn check_length(url: &Url, table: &str, errors: &mut ConfigErrors) {
    if url.scheme == "postgresql" && schema::genes(table).split('.').any(|part| part.len() > POSTGRES_NAME) {
        let problem = "is too long: PostgreSQL's names have 63 bytes, of which leafmint needs 14 for a name of its own";
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

/// Reads the name of a table, or of a schema and a table. Other characters are refused, since the name becomes part of
/// statements.
fn table(text: &str) -> std::result::Result<String, String> {
    let plain = |part: &str| {
        !part.is_empty() && part.len() <= 64 && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    };
    let mut parts = text.splitn(3, '.');
    if parts.by_ref().take(2).all(plain) && parts.next().is_none() {
        Ok(text.to_owned())
    } else {
        Err(format!("table={text} is not a name of letters, digits, _ and $ (default: {})", schema::TABLE))
    }
}
