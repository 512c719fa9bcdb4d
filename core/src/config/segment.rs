//! The configuration of a segment generator: which store, and how it behaves.

use super::options::{OPTIONS, OptionValue};
use super::url::{self, Url};
use super::{Problems, value};
use crate::cell::FIRST_REFUSED;
use crate::error::{Error, ErrorKind, Result};
use crate::segment::{MAX_STEP, StepPolicy};
use crate::store::{MySqlSettings, NewTag, SslMode, schema};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Code points of a tag, as in Leaf's `varchar(128)`.
const TAG_LENGTH: usize = 128;
const DESCRIPTION_LENGTH: usize = 256;

pub(crate) enum StoreConfig {
    Memory { name: String },
    Sqlite { path: PathBuf, busy_timeout: Duration },
    MySql(MySqlSettings),
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
    pub(crate) tags: Vec<String>,
}

/// Option values by name; keyword options win over those in the URL.
struct Given(BTreeMap<String, OptionValue>);

impl Given {
    fn text(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            OptionValue::Text(text) => Some(text.clone()),
            OptionValue::List(items) => Some(items.join(",")),
        }
    }

    /// Reads an option, or its default out of the table where it is not given.
    fn read<T>(&self, name: &str, parse: impl Fn(&str) -> std::result::Result<T, String>, problems: &mut Problems) -> T {
        let default = || {
            let spec = OPTIONS.iter().find(|spec| spec.name == name).expect("every option that is read is in the table");
            parse(spec.default).expect("the defaults in the table are valid")
        };
        match self.text(name) {
            None => default(),
            Some(text) => parse(&text).unwrap_or_else(|problem| {
                problems.add(problem);
                default()
            }),
        }
    }
}

impl SegmentConfig {
    pub(crate) fn parse(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        let mut problems = Problems::default();
        let parsed = Url::parse(url, &mut problems);
        let given = gather(&parsed, options, &mut problems);
        let config = Self::read(parsed, &given, &mut problems);
        problems.into_result(&format!("{:?} cannot be opened", url::redacted(url)))?;
        // Where there is no problem there is a store.
        config.ok_or_else(|| Error::new(ErrorKind::InvalidConfig, "no store"))
    }

    fn read(url: Url, given: &Given, problems: &mut Problems) -> Option<Self> {
        let duration = |name| move |text: &str| value::duration(name, text);
        let count = |name, from, to| move |text: &str| value::count(name, text, from..=to);
        let boolean = |name| move |text: &str| value::boolean(name, text);

        let connect_timeout = given.read("connect_timeout", duration("connect_timeout"), problems);
        if connect_timeout.is_zero() {
            problems.add("connect_timeout must be longer than 0");
        }
        let policy = StepPolicy {
            max_step: given.read("max_step", count("max_step", 1, MAX_STEP), problems),
            max_unused: given
                .text("max_unused")
                .map(|text| problems.keep(value::count("max_unused", &text, 1..=FIRST_REFUSED), 1)),
            segment_duration: given.read("segment_duration", duration("segment_duration"), problems),
            outage_budget: given.read("outage_budget", duration("outage_budget"), problems),
        };
        let auto_create = given.text("auto_create").map(|text| problems.keep(value::boolean("auto_create", &text), false));
        let auto_create = auto_create.unwrap_or(url.scheme != "mysql");
        let tags = given.0.get("tags").map(value::list).unwrap_or_default();
        for tag in &tags {
            if let Err(error) = check_tag(tag) {
                problems.add(format!("tags: {error}"));
            }
        }
        let table = given.read("table", table, problems);
        let timeout = given.read("timeout", duration("timeout"), problems);
        let default_step = given.read("default_step", count("default_step", 1, MAX_STEP), problems);
        let default_start = given.read("default_start", count("default_start", 0, FIRST_REFUSED - MAX_STEP), problems);
        let eager = given.read("eager", boolean("eager"), problems);
        let store = store(url, given, connect_timeout, problems)?;
        Some(Self { store, table, timeout, policy, auto_create, default_step, default_start, eager, tags })
    }
}

fn gather(url: &Url, options: impl IntoIterator<Item = (String, OptionValue)>, problems: &mut Problems) -> Given {
    let mut given = BTreeMap::new();
    let in_url = url.parameters.iter().map(|(name, text)| (name.clone(), OptionValue::from(text.clone()), true));
    let by_name = options.into_iter().map(|(name, value)| (name, value, false));
    for (name, value, from_url) in in_url.chain(by_name) {
        if OPTIONS.iter().any(|spec| spec.name == name) {
            given.insert(name, value);
        } else if from_url && url.jdbc && name == "sslMode" {
            // The one parameter of the JDBC driver that must not be passed over: it asks for security.
            let OptionValue::Text(mode) = value else { continue };
            given.insert("ssl_mode".into(), OptionValue::Text(mode.to_lowercase()));
        } else if from_url && url.jdbc && name.contains(|letter: char| letter.is_ascii_uppercase()) {
            log::warn!("the JDBC parameter {name} is not needed here and is ignored");
        } else {
            let known: Vec<&str> = OPTIONS.iter().map(|spec| spec.name).collect();
            problems.add(format!("the option {name:?} is not known; known are {}", known.join(", ")));
        }
    }
    Given(given)
}

fn store(url: Url, given: &Given, connect_timeout: Duration, problems: &mut Problems) -> Option<StoreConfig> {
    match url.scheme.as_str() {
        "memory" => {
            let host = url.hosts.into_iter().next().map(|(host, _)| host).unwrap_or_default();
            Some(StoreConfig::Memory { name: if host.is_empty() { url.path } else { host } })
        }
        "sqlite" => {
            if !url.hosts.is_empty() || url.path.is_empty() {
                problems.add("write sqlite:///file.db for a relative path, sqlite:////dir/file.db for an absolute one");
            }
            if url.path.contains('\0') {
                problems.add("the path holds a NUL character");
            }
            Some(StoreConfig::Sqlite { path: PathBuf::from(url.path), busy_timeout: connect_timeout })
        }
        "mysql" => {
            if url.hosts.is_empty() || url.path.is_empty() || url.path.contains('/') {
                problems.add("write mysql://user:password@host/database, or host1,host2 for a fail-over list");
            }
            Some(StoreConfig::MySql(MySqlSettings {
                hosts: url.hosts.into_iter().map(|(host, port)| (host, port.unwrap_or(3306))).collect(),
                database: url.path,
                user: given.text("user").or(url.user),
                password: given.text("password").or(url.password),
                ssl_mode: given.read("ssl_mode", ssl_mode, problems),
                ssl_ca: given.text("ssl_ca").map(|path| {
                    if !std::path::Path::new(&path).is_file() {
                        problems.add(format!("ssl_ca={path} is not a file"));
                    }
                    PathBuf::from(path)
                }),
                connect_timeout,
            }))
        }
        "" => None,
        other => {
            problems.add(format!("the scheme {other:?} is not known; known are memory, sqlite and mysql"));
            None
        }
    }
}

fn ssl_mode(text: &str) -> std::result::Result<SslMode, String> {
    match text {
        "disabled" => Ok(SslMode::Disabled),
        "preferred" => Ok(SslMode::Preferred),
        "required" => Ok(SslMode::Required),
        "verify_ca" => Ok(SslMode::VerifyCa),
        "verify_identity" => Ok(SslMode::VerifyIdentity),
        _ => Err(format!("ssl_mode={text} is none of disabled, preferred, required, verify_ca, verify_identity")),
    }
}

/// A table's name, or a schema's and a table's; it is quoted later, so that nothing else may pass.
fn table(text: &str) -> std::result::Result<String, String> {
    let plain = |part: &str| {
        !part.is_empty() && part.len() <= 64 && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    };
    let parts: Vec<&str> = text.split('.').collect();
    if parts.len() <= 2 && parts.iter().all(|part| plain(part)) {
        Ok(text.to_owned())
    } else {
        Err(format!("table={text} is not a name of letters, digits, _ and $ (default: {})", schema::TABLE))
    }
}

/// Checks a tag's name. Raises `invalid_argument`.
pub(crate) fn check_tag(tag: &str) -> Result<()> {
    let length = tag.chars().count();
    let problem = if length == 0 {
        "a biz_tag must not be empty".to_owned()
    } else if length > TAG_LENGTH {
        format!("the biz_tag {tag:?} has {length} characters; leaf_alloc holds {TAG_LENGTH}")
    } else if tag.contains('\0') {
        format!("the biz_tag {tag:?} holds a NUL character")
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidArgument, problem))
}

/// Checks a tag that is about to be created. Raises `invalid_argument`.
pub(crate) fn check_new_tag(new: &NewTag) -> Result<()> {
    check_tag(&new.tag)?;
    let problem = if !(1..=MAX_STEP).contains(&new.step) {
        format!("step={} of biz_tag {:?} is not from 1 to {MAX_STEP}", new.step, new.tag)
    } else if !(0..=FIRST_REFUSED - MAX_STEP).contains(&new.start) {
        format!("start={} of biz_tag {:?} is not from 0 to {}", new.start, new.tag, FIRST_REFUSED - MAX_STEP)
    } else if new.description.chars().count() > DESCRIPTION_LENGTH {
        format!("the description of biz_tag {:?} is longer than {DESCRIPTION_LENGTH} characters", new.tag)
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidArgument, problem))
}
