//! The configuration of a worker id's holder.

use super::params::Params;
use super::servers::{HolderConfig, Opens, Server};
use super::url::Url;
use super::worker_mode::WorkerMode;
use super::{database, directories, ordinal, servers, worker_ids, zookeeper};
use leafmint_backends::borrowed::Borrowing;
use leafmint_backends::directory::{DirectorySettings, HostScope};
use leafmint_backends::rows::{Endpoint, RowHolderSettings};
use leafmint_backends::sessions::DatabaseSettings;
use leafmint_engine::holder::{Pace, Workers};
use leafmint_ids::error::ConfigErrors;
use leafmint_ids::layout::Layout;
use leafmint_ids::text::beginning;
use std::path::PathBuf;
use std::time::Duration;

/// Most code points of an endpoint, as in the column of `leafmint_worker`.
const ENDPOINT_LENGTH: usize = 255;

/// The option that chooses worker ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkersOption {
    Workers,
    Ordinal,
    Map,
    /// No option: the worker id is part of the URL, as in `fixed:7`.
    Url,
}

impl WorkersOption {
    pub(super) fn of(url: &Url, params: &Params) -> Self {
        let is_fixed = url.scheme == "fixed";
        let text = if is_fixed { Some(url.opaque.clone()) } else { params.given("workers") };
        if url.scheme == "local" && params.has("worker_map") {
            return Self::Map;
        }
        match text.is_some_and(|text| ordinal::is_meant(&text)) {
            true => Self::Ordinal,
            false if is_fixed => Self::Url,
            false => Self::Workers,
        }
    }
}

/// Reads the holder over connections of the application, with its options.
pub(super) fn through(lender: Borrowing, params: &Params, layout: &Layout, errors: &mut ConfigErrors) -> HolderConfig {
    let mode = params.choice("worker_mode", WorkerMode::NAMES);
    let options = Options::read(params, layout, (mode, mode.pace()), errors);
    if !options.from_ordinal {
        errors.keep(ordinal::refuse_unused(params), ());
    }
    mode.check(&Url::default(), options.endpoint.as_ref(), errors);
    mode.check_heartbeat(options.pace.heartbeat, errors);
    HolderConfig::Borrowed(database::borrowed(lender, params, errors), options.of_rows(mode, params, errors))
}

/// Reads the holder that a URL names, with its options. `None` if the URL names none.
pub(super) fn read(url: Url, params: &Params, layout: &Layout, errors: &mut ConfigErrors) -> Option<HolderConfig> {
    let mode = params.choice("worker_mode", WorkerMode::NAMES);
    let default = if servers::is_on_host(&url.scheme) { Pace::LOCAL } else { mode.pace() };
    let options = Options::read(params, layout, (mode, default), errors);
    let uses_ordinal = match url.scheme.as_str() {
        "fixed" => ordinal::is_meant(&url.opaque),
        _ => options.from_ordinal,
    };
    if !uses_ordinal {
        errors.keep(ordinal::refuse_unused(params), ());
    }
    match url.scheme.as_str() {
        "local" => Some(HolderConfig::Directory(options.local(&url, errors))),
        "fixed" => Some(HolderConfig::Directory(options.fixed(&url, params, errors))),
        "" => None,
        scheme => match servers::of_scheme(scheme) {
            Some(Server { holder: Opens::Database(holder), .. }) => {
                Some(options.in_database(*holder, url, mode, params, errors))
            }
            known => {
                let hint = match known {
                    Some(_) => {
                        " (segments take it, and it keeps no worker ids: write local: for those of this host, or open a SegmentGenerator)"
                    }
                    None => "",
                };
                let known = servers::list(|server| server.holder.is_something());
                errors.add_unserved(format!("the scheme {scheme:?} is not known; known are {known}{hint}"));
                None
            }
        },
    }
}

/// The options that several holders have.
struct Options<'a> {
    layout: &'a Layout,
    pace: Pace,
    namespace: String,
    endpoint: Option<Endpoint>,
    workers: Workers,
    /// Whether `workers` is the ordinal of this pod.
    from_ordinal: bool,
    /// The worker id that `worker_map` has for this process, or all of them for the fleet.
    mapped: Option<Workers>,
}

impl<'a> Options<'a> {
    fn read(
        params: &Params,
        layout: &'a Layout,
        (mode, default): (WorkerMode, Pace),
        errors: &mut ConfigErrors,
    ) -> Self {
        let pace = pace(params, default, layout, errors);
        let highest = highest_worker_id(layout);
        let namespace: String = params.get("namespace");
        errors.keep_of("namespace", check_namespace(&namespace), ());
        let endpoint = params
            .given("endpoint")
            .map(|text| Endpoint::given(errors.keep_of("endpoint", endpoint(text), String::new())));
        let given: Option<String> = params.given("workers");
        let from_ordinal = given.as_deref().is_some_and(ordinal::is_meant);
        let workers = match given {
            None => mode.workers(highest),
            Some(_) if from_ordinal => {
                errors.keep_of("workers", ordinal::read(params, highest, "workers=N"), Workers::default())
            }
            Some(text) => errors.keep_of("workers", worker_ids::read(&text, highest), Workers::default()),
        };
        let mapped = params.given::<Vec<String>>("worker_map").and_then(|entries| {
            let map = worker_ids::map(&entries, highest, errors);
            if params.of_fleet {
                return Some(map.into_iter().map(|(_, worker_id)| worker_id).collect());
            }
            worker_ids::mapped(&map, endpoint.as_ref().map(Endpoint::as_str), errors).map(Workers::from)
        });
        Self { layout, pace, namespace, endpoint, workers, from_ordinal, mapped }
    }

    /// Returns the settings of `local:`: a free worker id of a directory.
    fn local(self, url: &Url, errors: &mut ConfigErrors) -> DirectorySettings {
        let base = directories::local(url, errors);
        let mapped = self.mapped.clone();
        let settings = self.in_directory("local", base);
        DirectorySettings { workers: mapped.unwrap_or(settings.workers), ..settings }
    }

    /// Returns the settings of `fixed:`: one worker id, which only one process of the host may use in any directory.
    fn fixed(self, url: &Url, params: &Params, errors: &mut ConfigErrors) -> DirectorySettings {
        let highest = highest_worker_id(self.layout);
        let workers = match ordinal::is_meant(&url.opaque) {
            true => ordinal::read(params, highest, "fixed:N"),
            false => worker_id(&url.opaque, highest),
        };
        let workers = errors.keep(workers, Workers::default());
        let base = directories::state(params, errors).unwrap_or_else(|| {
            errors.add_of(
                "state_dir",
                "fixed: needs state files, and so a state_dir: without them, a restart could repeat ids",
            );
            PathBuf::new()
        });
        let on_host = HostScope { namespace: self.namespace.clone(), tick: self.layout.unit() };
        DirectorySettings { on_host: Some(on_host), workers, ..self.in_directory("fixed", base) }
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

    /// Returns the settings of `mysql:`, `postgresql:` and `zookeeper:`: a worker id that a row or node leases.
    fn in_database(
        self,
        holder: fn(DatabaseSettings, RowHolderSettings) -> HolderConfig,
        url: Url,
        mode: WorkerMode,
        params: &Params,
        errors: &mut ConfigErrors,
    ) -> HolderConfig {
        mode.check(&url, self.endpoint.as_ref(), errors);
        mode.check_heartbeat(self.pace.heartbeat, errors);
        let database = match url.scheme.starts_with("zookeeper") {
            true => zookeeper::settings(url, params, errors),
            false => database::settings(url, params, errors),
        };
        holder(database, self.of_rows(mode, params, errors))
    }

    fn of_rows(self, mode: WorkerMode, params: &Params, errors: &mut ConfigErrors) -> RowHolderSettings {
        RowHolderSettings {
            is_assigned: mode.is_assigned(),
            namespace: mode.within(self.namespace),
            workers: self.workers,
            layout: self.layout.fingerprint(),
            endpoint: self.endpoint.unwrap_or_else(Endpoint::of_this_process),
            pace: self.pace,
            file_pace: Pace::local(self.layout.unit()),
            state_dir: directories::state(params, errors),
            auto_create: params.given("auto_create"),
            max_clock_skew: params.get("max_clock_skew"),
        }
    }
}

fn highest_worker_id(layout: &Layout) -> i64 {
    (1 << layout.bits().worker) - 1
}

fn pace(params: &Params, default: Pace, layout: &Layout, errors: &mut ConfigErrors) -> Pace {
    let lease_duration = params.given("lease_duration").unwrap_or(default.lease_duration);
    let heartbeat = params.given("heartbeat").unwrap_or(default.heartbeat);
    if heartbeat < Duration::from_millis(10) || lease_duration < 2 * heartbeat {
        errors.add_of("heartbeat", "heartbeat must be at least 10ms, and lease_duration at least two heartbeats");
    }
    // A lease must contain whole ticks.
    Pace { lease_duration: lease_duration.max(3 * layout.unit()), heartbeat }
}

/// Reads the worker id behind `fixed:`.
fn worker_id(text: &str, highest: i64) -> std::result::Result<Workers, String> {
    match text.trim().parse() {
        Ok(id) if (0..=highest).contains(&id) => Ok(id.into()),
        _ => Err(format!(
            "{text:?} behind fixed: is no worker id of this layout, which has those from 0 to {highest}: write one of them, \
             or choose a layout with more worker bits"
        )),
    }
}

fn check_namespace(text: &str) -> std::result::Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if (1..=64).contains(&text.len()) && text.chars().all(plain) && !text.starts_with('.') {
        return Ok(());
    }
    Err(format!("namespace={text} is not 1 to 64 letters, digits, _ . - (the first no dot)"))
}

fn endpoint(text: String) -> std::result::Result<String, String> {
    if text.contains('\0') {
        return Err("endpoint holds a NUL character".to_owned());
    }
    match beginning(&text, ENDPOINT_LENGTH) {
        shown if shown.len() < text.len() => {
            Err(format!("endpoint={shown}… is longer than {ENDPOINT_LENGTH} characters"))
        }
        _ => Ok(text),
    }
}
