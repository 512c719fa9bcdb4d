//! How a worker id is chosen: the option `worker_mode`, and what it needs.

use super::url::Url;
use leafmint_backends::rows::{Endpoint, RowHolder};
use leafmint_backends::zookeeper::forever::{problem_of_endpoint, problem_of_name};
use leafmint_engine::holder::{Pace, Workers};
use leafmint_ids::error::ConfigErrors;
use std::time::Duration;

/// How a worker id is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerMode {
    /// Any free worker id of a namespace, which is free again when its horizon has passed.
    Lease,
    /// The worker id that a table assigns to the endpoint.
    Endpoint,
    /// The number of the endpoint's node in Leaf's tree in ZooKeeper.
    Leaf,
}

impl WorkerMode {
    /// The words of the option.
    pub(super) const NAMES: &[(&str, Self)] =
        &[("lease", WorkerMode::Lease), ("endpoint", WorkerMode::Endpoint), ("leaf", WorkerMode::Leaf)];

    /// Returns whether the server assigns the worker id to the endpoint.
    pub(super) fn is_assigned(self) -> bool {
        self != WorkerMode::Lease
    }

    fn name(self) -> &'static str {
        match self {
            WorkerMode::Lease => "lease",
            WorkerMode::Endpoint => "endpoint",
            WorkerMode::Leaf => "leaf",
        }
    }

    /// Returns how far ahead horizons are kept on a server, unless options say otherwise.
    pub(super) fn pace(self) -> Pace {
        match self {
            WorkerMode::Lease => Pace::LEASE,
            WorkerMode::Endpoint => Pace::ENDPOINT,
            WorkerMode::Leaf => Pace::LEAF,
        }
    }

    /// Refuses a mode that the kind of server does not have, and an endpoint or a name that it cannot use.
    pub(super) fn check(self, url: &Url, endpoint: Option<&Endpoint>, errors: &mut ConfigErrors) {
        let is_zookeeper = url.scheme.starts_with("zookeeper");
        match self {
            WorkerMode::Endpoint if is_zookeeper => {
                errors.add_of(
                    "worker_mode",
                    "worker_mode=endpoint needs a database: use mysql:// or postgresql://, or worker_mode=lease",
                );
            }
            WorkerMode::Leaf if !is_zookeeper => {
                errors.add_of("worker_mode", "worker_mode=leaf needs zookeeper://: use it, or worker_mode=lease");
            }
            _ => {}
        }
        match endpoint {
            None if self.is_assigned() => {
                errors.add_of(
                    "worker_mode",
                    format!("worker_mode={} needs the option endpoint: the ip:port of this process", self.name()),
                );
            }
            Some(endpoint) if self == WorkerMode::Leaf => {
                let name = url.path.rsplit('/').next().unwrap_or_default();
                let problems = [problem_of_endpoint(endpoint.as_str()), problem_of_name(name)];
                problems.into_iter().flatten().for_each(|problem| errors.add(problem));
            }
            _ => {}
        }
    }

    /// Refuses a heartbeat after which a report no longer lies ahead of the clock, where Leaf servers read it.
    pub(super) fn check_heartbeat(self, heartbeat: Duration, errors: &mut ConfigErrors) {
        let longest = Pace::LEAF.heartbeat;
        if self == WorkerMode::Leaf && heartbeat > longest {
            errors.add_of("heartbeat", format!(
                "heartbeat={heartbeat:?} is longer than {longest:?}: with worker_mode=leaf each report keeps Leaf servers off \
                 the endpoint for 3 seconds"
            ));
        }
    }

    /// Returns what worker ids are unique within.
    pub(super) fn within(self, namespace: String) -> String {
        match self {
            WorkerMode::Lease | WorkerMode::Leaf => namespace,
            WorkerMode::Endpoint => RowHolder::ALLOCATION_TABLE.to_owned(),
        }
    }

    /// Returns the worker ids that may be taken if the option `workers` is not given.
    pub(super) fn workers(self, highest: i64) -> Workers {
        match self {
            WorkerMode::Lease | WorkerMode::Endpoint => [0..=highest].into_iter().collect(),
            // Leaf servers refuse larger ones, and 0 is that of all which start on an empty tree.
            WorkerMode::Leaf => [1..=highest.min(1023)].into_iter().collect(),
        }
    }
}
