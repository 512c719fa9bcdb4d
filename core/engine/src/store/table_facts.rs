//! What a database says about a table of segments, apart from its rows.

use std::fmt;

/// What a database says about a table of segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableFacts {
    /// The servers and the database.
    pub location: Option<Location>,
    /// The name is that of a view.
    pub is_view: bool,
    /// The storage engine; `None` if the server names none.
    pub engine: Option<String>,
    /// The columns `biz_tag`, `max_id` and `step`, as far as there are such.
    pub columns: Vec<ColumnFacts>,
    /// An index of `biz_tag` alone is unique.
    pub is_unique: bool,
    /// The triggers, such as `BEFORE UPDATE audit`: those that the account may see.
    pub triggers: Vec<String>,
    /// The server takes no writes: it is a replica, or demoted.
    pub is_read_only: bool,
    /// A commit may be lost if the server crashes.
    pub loses_commits: bool,
    /// The rows of `leaf_workerid_alloc` in the same database, if there is such a table, and the account may read it.
    pub worker_ids: Vec<AllocatedWorker>,
}

/// A worker id that a fork of Leaf keeps in `leaf_workerid_alloc`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllocatedWorker {
    /// The worker id.
    pub worker_id: i64,
    /// The server, such as `10.0.0.1:8080`.
    pub endpoint: String,
    /// Its last report, in Unix milliseconds; `None` if it cannot be read.
    pub reported: Option<i64>,
}

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnFacts {
    /// Its name, in lower case.
    pub name: String,
    /// Its type, in lower case, such as `bigint(20) unsigned`.
    pub data_type: String,
    /// The collation of its text.
    pub collation: Option<String>,
}

impl TableFacts {
    /// Returns a column by its name in lower case.
    pub fn column(&self, name: &str) -> Option<&ColumnFacts> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Returns the columns that a lease needs, and that are missing.
    pub fn missing(&self) -> Vec<&'static str> {
        ["biz_tag", "max_id", "step"].into_iter().filter(|name| self.column(name).is_none()).collect()
    }
}

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
    /// Names a location by the scheme of its engine, the servers with their ports, and the database or path on them.
    pub fn new(scheme: &'static str, hosts: &[String], path: String) -> Self {
        Self { scheme, hosts: hosts.iter().map(|host| host.to_lowercase()).collect(), path }
    }

    /// Returns whether both are one data set: a list may name only some servers of an ensemble, so one in common is
    /// enough.
    pub fn is_same(&self, other: &Self) -> bool {
        self.has_same_path(other) && self.hosts.iter().any(|host| other.hosts.contains(host))
    }

    /// Returns whether the path is the same. The servers may still be others.
    pub fn has_same_path(&self, other: &Self) -> bool {
        (self.scheme, &self.path) == (other.scheme, &other.path)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}/{}", self.scheme, self.hosts.join(","), self.path)
    }
}
