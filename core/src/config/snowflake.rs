//! The configuration of a snowflake generator.

use super::options::{OptionValue, SNOWFLAKE_OPTIONS};
use super::params::Params;
use super::url::Url;
use super::{directories, mysql, url_secrets, value, workers};
use crate::config_errors::ConfigErrors;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::{DirectorySettings, Endpoint, HostScope, Pace, RowHolder, RowHolderSettings, WorkerMode, Workers};
use crate::id::Layout;
use crate::mysql::MySqlSettings;
use crate::snowflake::{ClockPolicy, ClockRollback, Settings};
use std::path::PathBuf;
use std::time::Duration;

/// Most code points of an endpoint, as in the column of `leafmint_worker`.
const ENDPOINT_LENGTH: usize = 255;

pub(crate) enum HolderConfig {
    Directory(DirectorySettings),
    MySql(MySqlSettings, RowHolderSettings),
}

pub(crate) struct SnowflakeConfig {
    pub(crate) holder: HolderConfig,
    pub(crate) settings: Settings,
}

impl SnowflakeConfig {
    pub(crate) fn parse(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        url_secrets::check(url)?;
        let mut errors = ConfigErrors::default();
        let parsed = Url::parse(url, &mut errors);
        let params = Params::gather(&parsed, options, SNOWFLAKE_OPTIONS, &mut errors);
        let config = Self::read(parsed, &params, &mut errors);
        errors.into_result(&format!("{:?} cannot be opened", url_secrets::redacted(url)))?;
        // Without an error there is a holder.
        config.ok_or_else(|| Error::new(ErrorKind::InvalidConfig, "no holder"))
    }

    fn read(url: Url, params: &Params, errors: &mut ConfigErrors) -> Option<Self> {
        let duration = |name| move |text: &str| value::duration(name, text);
        let layout = layout(params, errors);
        let bits = layout.bits();
        let fixed = params.read("worker_mode", worker_mode, errors);
        let default = match (url.scheme.as_str(), fixed) {
            ("mysql", false) => Pace::LEASE,
            ("mysql", true) => Pace::FIXED,
            _ => Pace::LOCAL,
        };
        let pace = pace(params, default, &layout, errors);
        let datacenters = (1_i64 << bits.datacenter) - 1;
        let half = (1_i64 << bits.sequence) / 2;
        let jitter = |text: &str| value::count("sequence_jitter", text, 0..=1 << 31);
        let settings = Settings {
            datacenter_id: params.read(
                "datacenter_id",
                |text| value::count("datacenter_id", text, 0..=datacenters),
                errors,
            ),
            timeout: params.read("timeout", duration("timeout"), errors),
            clock: ClockPolicy {
                rollback: params.read("clock_rollback", rollback, errors),
                max_clock_lead: params.read("max_clock_lead", duration("max_clock_lead"), errors),
            },
            jitter: params.read("sequence_jitter", jitter, errors).min(half),
            eager: params.read("eager", |text| value::boolean("eager", text), errors),
            close_at_exit: params.read("close_at_exit", |text| value::boolean("close_at_exit", text), errors),
            layout,
        };
        let holder = holder(url, params, &settings.layout, pace, fixed, errors)?;
        Some(Self { holder, settings })
    }
}

fn layout(params: &Params, errors: &mut ConfigErrors) -> Layout {
    let epoch = params.text("epoch").and_then(|text| match text.trim().parse::<i64>() {
        Ok(epoch) => Some(epoch),
        Err(_) => {
            errors.add(format!("epoch={text} is not a number of Unix milliseconds"));
            None
        }
    });
    let text = params.read("layout", |text| Ok(text.to_owned()), errors);
    Layout::parse(&text, epoch).unwrap_or_else(|error| {
        errors.add(error.message());
        Layout::default()
    })
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

fn holder(
    url: Url,
    params: &Params,
    layout: &Layout,
    pace: Pace,
    fixed: bool,
    errors: &mut ConfigErrors,
) -> Option<HolderConfig> {
    let all = (1_i64 << layout.bits().worker) - 1;
    let namespace = params.read("namespace", namespace, errors);
    let endpoint = params.text("endpoint").map(|text| Endpoint::given(errors.keep(endpoint(text), String::new())));
    let allowed = match params.text("workers") {
        None => [0..=all].into_iter().collect(),
        Some(text) => errors.keep(workers::read(&text, all), Workers::default()),
    };
    let mapped = params.value("worker_map").and_then(|value| {
        let map = workers::map(&value::list(value), all, errors);
        workers::mapped(&map, endpoint.as_ref().map(Endpoint::as_str), errors)
    });
    let (name, base, workers) = match url.scheme.as_str() {
        "local" => ("local", directories::local(&url, errors), mapped.map_or(allowed, Workers::from)),
        "fixed" => {
            let worker_id = errors.keep(value::count("the worker id of fixed:", &url.opaque, 0..=all), 0);
            let base = directories::state(params, errors).unwrap_or_else(|| {
                errors.add("fixed: needs a state_dir: without one, a restart could repeat ids");
                PathBuf::new()
            });
            ("fixed", base, worker_id.into())
        }
        "mysql" => {
            if fixed && endpoint.is_none() {
                errors.add("worker_mode=fixed needs the option endpoint: the ip:port of this process");
            }
            let skew = |text: &str| value::duration("max_clock_skew", text);
            let mysql = mysql::settings(url, params, errors);
            let settings = RowHolderSettings {
                mode: match fixed {
                    true => WorkerMode::Fixed { table: RowHolder::ALLOCATION_TABLE.to_owned() },
                    false => WorkerMode::Lease { namespace },
                },
                workers: allowed,
                layout: layout.fingerprint(),
                endpoint: endpoint.unwrap_or_else(Endpoint::of_this_process),
                pace,
                file_pace: Pace::local(layout.unit()),
                state_dir: directories::state(params, errors),
                max_clock_skew: params.read("max_clock_skew", skew, errors),
            };
            return Some(HolderConfig::MySql(mysql, settings));
        }
        "" => return None,
        other => {
            errors.add(format!("the scheme {other:?} is not known; known are local, fixed and mysql"));
            return None;
        }
    };
    let on_host = (name == "fixed").then(|| HostScope { namespace: namespace.clone(), tick: layout.unit() });
    let (directory, layout) = (base.join(namespace), layout.fingerprint());
    let endpoint = endpoint.unwrap_or_else(Endpoint::of_this_process);
    Some(HolderConfig::Directory(DirectorySettings { directory, workers, layout, endpoint, pace, name, on_host }))
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

fn rollback(text: &str) -> std::result::Result<ClockRollback, String> {
    match text {
        "continue" => Ok(ClockRollback::Continue),
        "wait" => Ok(ClockRollback::Wait),
        "fail" => Ok(ClockRollback::Fail),
        _ => Err(format!("clock_rollback={text} is none of continue, wait, fail")),
    }
}
