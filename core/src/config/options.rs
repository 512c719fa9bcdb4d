//! The table of options that all languages, the docs and the tests read.

use crate::credentials::CredentialsSource;

/// One option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionSpec {
    /// Its name: a keyword in Python, a query parameter in a URL, in camel case a builder method in Java.
    pub name: &'static str,
    /// The form of its value.
    pub shape: &'static str,
    /// Its default, as text; empty for none.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// The value of an option: text as in a URL, a list, whose items may contain commas, or a source of credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionValue {
    /// Text: `5s`, `500ms`, a bare number of seconds, `true`, `1000`.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
    /// What supplies the credentials of each connection: the value of `credentials`, which the tables do not list,
    /// since it is not text.
    Credentials(CredentialsSource),
}

impl From<&str> for OptionValue {
    fn from(text: &str) -> Self {
        OptionValue::Text(text.to_owned())
    }
}

impl From<String> for OptionValue {
    fn from(text: String) -> Self {
        OptionValue::Text(text)
    }
}

impl From<CredentialsSource> for OptionValue {
    fn from(source: CredentialsSource) -> Self {
        OptionValue::Credentials(source)
    }
}

impl From<Vec<String>> for OptionValue {
    fn from(items: Vec<String>) -> Self {
        OptionValue::List(items)
    }
}

/// The options of a segment generator.
pub const OPTIONS: &[OptionSpec] = &[
    option("timeout", "duration", "5s", "longest wait of one call"),
    option("connect_timeout", "duration", "3s", "longest wait for one connection, statement or lock of the store"),
    option("user", "text", "", "account of the database; also in the URL"),
    option("password", "text", "", "its password, for those that hold @ : or /"),
    option(
        "ssl_mode",
        "choice",
        "preferred",
        "disabled, preferred, required, verify_ca or verify_identity; with ssl_ca verify_ca",
    ),
    option("ssl_ca", "text", "", "PEM file with the authorities to trust"),
    option("eager", "boolean", "false", "connect, check and take supply at open, or fail there"),
    option("tags", "list", "", "tags that eager readies"),
    option(
        "max_step",
        "count",
        "1000000",
        "ceiling of one lease, passed for a larger call or four round trips' ids; equal to the step: Leaf's own rule",
    ),
    option("max_unused", "count", "", "hard cap per tag on ids leased and not used"),
    option("segment_duration", "duration", "15m", "how long a segment should last"),
    option("outage_budget", "duration", "10m", "how long an outage of the store should be survived"),
    option(
        "auto_create",
        "boolean",
        "",
        "create a tag, and a missing table, on first use; true on sqlite and memory, else false",
    ),
    option("default_step", "count", "1000", "step of a tag that is created"),
    option("default_start", "count", "1", "first id of a tag that is created"),
    option("table", "text", "leaf_alloc", "the table of the segments"),
    CLOSE_AT_EXIT,
];

/// The options of a snowflake generator.
pub const SNOWFLAKE_OPTIONS: &[OptionSpec] = &[
    option("timeout", "duration", "5s", "longest wait of one call"),
    option("connect_timeout", "duration", "3s", "database: longest wait for one connection, statement or lock"),
    option("user", "text", "", "database: its account; also in the URL"),
    option("password", "text", "", "database: its password, for those that hold @ : or /"),
    option(
        "ssl_mode",
        "choice",
        "preferred",
        "database: disabled, preferred, required, verify_ca or verify_identity; with ssl_ca verify_ca",
    ),
    option("ssl_ca", "text", "", "database: PEM file with the authorities to trust"),
    option("eager", "boolean", "false", "take a worker id at open, or fail there"),
    option(
        "namespace",
        "text",
        "default",
        "worker ids are unique within it, its layout is fixed; two namespaces may repeat ids",
    ),
    option("layout", "text", "leaf", "leaf, datacenter, wide, javascript, or timestamp:41,worker:10,sequence:12"),
    option("epoch", "number", "", "Unix milliseconds; the preset's"),
    option(
        "worker_mode",
        "choice",
        "lease",
        "lease (any free id), fixed (database: the endpoint's in leaf_workerid_alloc), forever (ZooKeeper: Leaf's)",
    ),
    option(
        "workers",
        "text",
        "",
        "worker ids that may be taken, as in 0-31, 5,7 or ordinal; all that the layout allows",
    ),
    option("datacenter_id", "number", "0", "for layouts with datacenter bits"),
    option("worker_map", "list", "", "local: endpoint=worker id of every endpoint, as in 10.0.0.1:8080=3"),
    option(
        "ordinal_env",
        "text",
        "",
        "with fixed:ordinal or workers=ordinal: variable that holds the pod's name or ordinal; the host name",
    ),
    option("ordinal_offset", "number", "0", "with fixed:ordinal or workers=ordinal: added to the ordinal"),
    option(
        "endpoint",
        "text",
        "",
        "who claims a worker id; required (ip:port) with worker_map and worker_mode=fixed or forever",
    ),
    option(
        "lease_duration",
        "duration",
        "",
        "how far ahead time is reserved; 10m in a database, 24h there if fixed, else 3s",
    ),
    option("heartbeat", "duration", "", "how often time is reserved; 10s in a database, 2s if forever, else 1s"),
    option(
        "state_dir",
        "text",
        "",
        "fixed, database: lock and state files; $XDG_STATE_HOME/leafmint or ~/.local/state/leafmint; database: or none",
    ),
    option("clock", "choice", "auto", "auto (the processor's counter, if the kernel keeps time with it) or system"),
    option("clock_rollback", "choice", "continue", "continue, wait or fail if the wall clock is behind the ids"),
    option("max_clock_lead", "duration", "2h", "how far ids may be ahead of the wall clock"),
    option("max_clock_skew", "duration", "10s", "database: how far this host's clock may be off, at the start"),
    option(
        "sequence_jitter",
        "count",
        "100",
        "a tick begins at a random sequence below this, at most half the sequence space",
    ),
    CLOSE_AT_EXIT,
];

const CLOSE_AT_EXIT: OptionSpec =
    option("close_at_exit", "boolean", "true", "close at the end of the process what the application has left open");

const fn option(name: &'static str, shape: &'static str, default: &'static str, meaning: &'static str) -> OptionSpec {
    OptionSpec { name, shape, default, meaning }
}
