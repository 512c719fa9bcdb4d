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
    option("user", "text", "", "account of the database, unless the URL has it"),
    option("password", "text", "", "its password as it is; in a URL, @ : and / are percent-encoded"),
    option(
        "ssl_mode",
        "choice",
        "preferred",
        "disabled, preferred, required, verify_ca or verify_identity. Default with ssl_ca: verify_ca",
    ),
    option("ssl_ca", "text", "", "PEM file with the authorities to trust. Default: those built in"),
    option("eager", "boolean", "false", "connect, check and lease ids at open, or fail there"),
    option("tags", "list", "", "tags that eager leases ids for"),
    option(
        "max_step",
        "count",
        "1000000",
        "largest lease, unless one call or four round trips need more; equal to the step, leafmint leases like Leaf",
    ),
    option("max_unused", "count", "", "most ids of a tag that one process holds unused. Default: no limit"),
    option("segment_duration", "duration", "15m", "how long a segment should last"),
    option("outage_budget", "duration", "10m", "how long an outage of the store should be survived"),
    option(
        "auto_create",
        "boolean",
        "",
        "create a missing tag or table on first use. Default: true on SQLite and in memory, otherwise false",
    ),
    option("default_step", "count", "1000", "step of a tag that is created"),
    option("default_start", "count", "1", "first id of a tag that is created"),
    option("table", "text", "leaf_alloc", "table of the tags"),
    CLOSE_AT_EXIT,
];

/// The options of a snowflake generator.
pub const SNOWFLAKE_OPTIONS: &[OptionSpec] = &[
    option("timeout", "duration", "5s", "longest wait of one call"),
    option("connect_timeout", "duration", "3s", "server: longest wait for one connection, statement or lock"),
    option("user", "text", "", "server: account, unless the URL has it"),
    option("password", "text", "", "server: its password as it is; in a URL, @ : and / are percent-encoded"),
    option(
        "ssl_mode",
        "choice",
        "preferred",
        "server: disabled, preferred, required, verify_ca or verify_identity. Default with ssl_ca: verify_ca",
    ),
    option("ssl_ca", "text", "", "server: PEM file with the authorities to trust. Default: those built in"),
    option("eager", "boolean", "false", "take a worker id at open, or fail there"),
    option(
        "namespace",
        "text",
        "default",
        "worker ids are unique within a namespace, which has one layout; two namespaces may repeat ids",
    ),
    option(
        "layout",
        "text",
        "leaf",
        "leaf, datacenter, wide, javascript, or bits such as timestamp:41,worker:10,sequence:12",
    ),
    option("epoch", "number", "", "start of tick 0, in Unix milliseconds. Default: Leaf's, 1288834974657"),
    option(
        "worker_mode",
        "choice",
        "lease",
        "lease: any free id; fixed: the endpoint's in leaf_workerid_alloc (database); forever: Leaf's (ZooKeeper)",
    ),
    option(
        "workers",
        "text",
        "",
        "worker ids that may be taken: 0-31, or 5,7, or ordinal. Default: all that the layout has",
    ),
    option("datacenter_id", "number", "0", "datacenter of each id, if the layout has datacenter bits"),
    option("worker_map", "list", "", "local: every endpoint with its worker id, such as 10.0.0.1:8080=3"),
    option(
        "ordinal_env",
        "text",
        "",
        "for ordinals: variable that holds the pod's name or its ordinal. Default: the host name is read",
    ),
    option("ordinal_offset", "number", "0", "for ordinals: number that is added"),
    option(
        "endpoint",
        "text",
        "",
        "name of this process; ip:port with worker_map, fixed or forever. Default: host name, process id, random part",
    ),
    option(
        "lease_duration",
        "duration",
        "",
        "how far ahead time is reserved. Default: 10m on a server, 24h there with worker_mode=fixed, otherwise 3s",
    ),
    option(
        "heartbeat",
        "duration",
        "",
        "how often time is reserved. Default: 10s on a server, 2s there with worker_mode=forever, otherwise 1s",
    ),
    option(
        "state_dir",
        "text",
        "",
        "server, fixed: folder of state files; server: or none. Default: leafmint in $XDG_STATE_HOME or ~/.local/state",
    ),
    option(
        "clock",
        "choice",
        "auto",
        "auto: the processor's counter, if the kernel keeps time with it; system: the system's clock",
    ),
    option("clock_rollback", "choice", "continue", "if the wall clock is set back: continue, wait or fail"),
    option("max_clock_lead", "duration", "2h", "how far ids may be ahead of the wall clock"),
    option("max_clock_skew", "duration", "10s", "server: how far this host's clock may be off at the start"),
    option(
        "sequence_jitter",
        "count",
        "100",
        "a tick begins at a random sequence number below this, at most half of the sequence space",
    ),
    CLOSE_AT_EXIT,
];

const CLOSE_AT_EXIT: OptionSpec =
    option("close_at_exit", "boolean", "true", "close the generator at the end of the process, if it is still open");

const fn option(name: &'static str, shape: &'static str, default: &'static str, meaning: &'static str) -> OptionSpec {
    OptionSpec { name, shape, default, meaning }
}
