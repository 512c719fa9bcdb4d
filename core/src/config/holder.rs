//! The configuration of a worker id's holder.

use super::params::Params;
use super::url::Url;
use super::{directories, mysql, value, workers};
use crate::config_errors::ConfigErrors;
use crate::holder::{DirectorySettings, Endpoint, HostScope, Pace, RowHolder, RowHolderSettings, WorkerMode, Workers};
use crate::id::Layout;
use crate::mysql::MySqlSettings;
use std::path::PathBuf;
use std::time::Duration;

/// Most code points of an endpoint, as in the column of `leafmint_worker`.
const ENDPOINT_LENGTH: usize = 255;

pub(crate) enum HolderConfig {
    Directory(DirectorySettings),
    MySql(MySqlSettings, RowHolderSettings),
}

/// Reads the holder that a URL names, with its options. `None` if the URL names none.
pub(super) fn read(url: Url, params: &Params, layout: &Layout, errors: &mut ConfigErrors) -> Option<HolderConfig> {
    let fixed = params.read("worker_mode", worker_mode, errors);
    let default = match (url.scheme.as_str(), fixed) {
        ("mysql", false) => Pace::LEASE,
        ("mysql", true) => Pace::FIXED,
        _ => Pace::LOCAL,
    };
    let options = Options::read(params, layout, default, errors);
    match url.scheme.as_str() {
        "local" => Some(HolderConfig::Directory(options.local(&url, errors))),
        "fixed" => Some(HolderConfig::Directory(options.fixed(&url, params, errors))),
        "mysql" => Some(options.mysql(url, fixed, params, errors)),
        "" => None,
        other => {
            errors.add(format!("the scheme {other:?} is not known; known are local, fixed and mysql"));
            None
        }
    }
}

/// The options that several holders have.
struct Options<'a> {
    layout: &'a Layout,
    pace: Pace,
    namespace: String,
    endpoint: Option<Endpoint>,
    workers: Workers,
    /// The worker id that `worker_map` has for this process.
    mapped: Option<i64>,
}

impl<'a> Options<'a> {
    fn read(params: &Params, layout: &'a Layout, default: Pace, errors: &mut ConfigErrors) -> Self {
        let pace = pace(params, default, layout, errors);
        let highest = highest_worker_id(layout);
        let namespace = params.read("namespace", namespace, errors);
        let endpoint = params.text("endpoint").map(|text| Endpoint::given(errors.keep(endpoint(text), String::new())));
        let workers = match params.text("workers") {
            None => [0..=highest].into_iter().collect(),
            Some(text) => errors.keep(workers::read(&text, highest), Workers::default()),
        };
        let mapped = params.value("worker_map").and_then(|value| {
            let map = workers::map(&value::list(value), highest, errors);
            workers::mapped(&map, endpoint.as_ref().map(Endpoint::as_str), errors)
        });
        Self { layout, pace, namespace, endpoint, workers, mapped }
    }

    /// Returns the settings of `local:`: a free worker id of a directory.
    fn local(self, url: &Url, errors: &mut ConfigErrors) -> DirectorySettings {
        let base = directories::local(url, errors);
        let mapped = self.mapped;
        let settings = self.in_directory("local", base);
        DirectorySettings { workers: mapped.map_or(settings.workers, Workers::from), ..settings }
    }

    /// Returns the settings of `fixed:`: one worker id, which only one process of the host may use in any directory.
    fn fixed(self, url: &Url, params: &Params, errors: &mut ConfigErrors) -> DirectorySettings {
        let worker_id = value::count("the worker id of fixed:", &url.opaque, 0..=highest_worker_id(self.layout));
        let worker_id = errors.keep(worker_id, 0);
        let base = directories::state(params, errors).unwrap_or_else(|| {
            errors.add("fixed: needs a state_dir: without one, a restart could repeat ids");
            PathBuf::new()
        });
        let on_host = HostScope { namespace: self.namespace.clone(), tick: self.layout.unit() };
        DirectorySettings { on_host: Some(on_host), workers: worker_id.into(), ..self.in_directory("fixed", base) }
    }

    fn in_directory(self, name: &'static str, base: PathBuf) -> DirectorySettings {
        DirectorySettings {
            directory: base.join(self.namespace),
            workers: self.workers,
            layout: self.layout.fingerprint(),
            endpoint: self.endpoint.unwrap_or_else(Endpoint::of_this_process),
            pace: self.pace,
            name,
            on_host: None,
        }
    }

    /// Returns the settings of `mysql:`: a worker id that a row of a database leases.
    fn mysql(self, url: Url, fixed: bool, params: &Params, errors: &mut ConfigErrors) -> HolderConfig {
        if fixed && self.endpoint.is_none() {
            errors.add("worker_mode=fixed needs the option endpoint: the ip:port of this process");
        }
        let skew = |text: &str| value::duration("max_clock_skew", text);
        let database = mysql::settings(url, params, errors);
        let settings = RowHolderSettings {
            mode: match fixed {
                true => WorkerMode::Fixed { table: RowHolder::ALLOCATION_TABLE.to_owned() },
                false => WorkerMode::Lease { namespace: self.namespace },
            },
            workers: self.workers,
            layout: self.layout.fingerprint(),
            endpoint: self.endpoint.unwrap_or_else(Endpoint::of_this_process),
            pace: self.pace,
            file_pace: Pace::local(self.layout.unit()),
            state_dir: directories::state(params, errors),
            max_clock_skew: params.read("max_clock_skew", skew, errors),
        };
        HolderConfig::MySql(database, settings)
    }
}

fn highest_worker_id(layout: &Layout) -> i64 {
    (1 << layout.bits().worker) - 1
}

fn pace(params: &Params, default: Pace, layout: &Layout, errors: &mut ConfigErrors) -> Pace {
    let mut read = |name, otherwise| match params.text(name) {
        Some(text) => errors.keep(value::duration(name, &text), otherwise),
        None => otherwise,
    };
    let lease_duration = read("lease_duration", default.lease_duration);
    let heartbeat = read("heartbeat", default.heartbeat);
    if heartbeat < Duration::from_millis(10) || lease_duration < 2 * heartbeat {
        errors.add("heartbeat must be at least 10ms, and lease_duration at least two heartbeats");
    }
    // A lease must contain whole ticks.
    Pace { lease_duration: lease_duration.max(3 * layout.unit()), heartbeat }
}

fn namespace(text: &str) -> std::result::Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if (1..=64).contains(&text.len()) && text.chars().all(plain) && !text.starts_with('.') {
        return Ok(text.to_owned());
    }
    Err(format!("namespace={text} is not 1 to 64 letters, digits, _ . - (the first no dot)"))
}

fn endpoint(text: String) -> std::result::Result<String, String> {
    if text.contains('\0') {
        return Err("endpoint holds a NUL character".to_owned());
    }
    match text.char_indices().nth(ENDPOINT_LENGTH) {
        None => Ok(text),
        Some((cut, _)) => Err(format!("endpoint={}… is longer than {ENDPOINT_LENGTH} characters", &text[..cut])),
    }
}

/// Reads whether the worker mode is `fixed`.
fn worker_mode(text: &str) -> std::result::Result<bool, String> {
    match text {
        "lease" => Ok(false),
        "fixed" => Ok(true),
        _ => Err(format!("worker_mode={text} is neither lease nor fixed")),
    }
}
