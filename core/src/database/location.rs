//! Where a data set is: its servers, and the database or path on them.

use super::settings::DatabaseSettings;
use std::fmt;

/// The servers of a data set, and the database or path on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    scheme: &'static str,
    /// In lower case, each with its port.
    hosts: Vec<String>,
    /// The database or, of ZooKeeper, the path.
    path: String,
}

impl Location {
    /// Names the location of settings, for the scheme of their engine.
    pub(crate) fn of(scheme: &'static str, settings: &DatabaseSettings) -> Self {
        let hosts = settings.host_names().iter().map(|host| host.to_lowercase()).collect();
        Self { scheme, hosts, path: settings.database.clone() }
    }

    /// Returns whether both are one data set: a list may name only some servers of an ensemble, so one in common is
    /// enough.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.has_same_path(other) && self.hosts.iter().any(|host| other.hosts.contains(host))
    }

    /// Returns whether the path is the same. The servers may still be others.
    pub(crate) fn has_same_path(&self, other: &Self) -> bool {
        (self.scheme, &self.path) == (other.scheme, &other.path)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}/{}", self.scheme, self.hosts.join(","), self.path)
    }
}
