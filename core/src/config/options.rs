//! The table of options that all languages, the docs and the tests read.

/// One option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name: a keyword in Python, a query parameter in a URL, in camel case a builder method in Java.
    pub name: &'static str,
    /// What its value looks like.
    pub shape: &'static str,
    /// Its default, as text; empty for none.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// The value of an option as a face hands it over: text as in a URL, or a list where an item may hold a comma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// Text: `5s`, `500ms`, a bare number of seconds, `true`, `1000`.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
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
    option("ssl_mode", "choice", "preferred", "disabled, preferred, required, verify_ca or verify_identity"),
    option("ssl_ca", "text", "", "PEM file with the authorities to trust"),
    option("eager", "boolean", "false", "connect, check and take supply at open, or fail there"),
    option("tags", "list", "", "tags that eager readies"),
    option("max_step", "count", "1000000", "steady-state ceiling of one lease; equal to the step: Leaf's own rule"),
    option("max_unused", "count", "", "hard cap per tag on ids leased and not used"),
    option("segment_duration", "duration", "15m", "how long a segment should last"),
    option("outage_budget", "duration", "10m", "how long an outage of the store should be survived"),
    option("auto_create", "boolean", "", "create a tag on first use; true on sqlite and memory, else false"),
    option("default_step", "count", "1000", "step of a tag that is created"),
    option("default_start", "count", "1", "first id of a tag that is created"),
    option("table", "text", "leaf_alloc", "the table of the segments"),
];

const fn option(name: &'static str, shape: &'static str, default: &'static str, meaning: &'static str) -> OptionSpec {
    OptionSpec { name, shape, default, meaning }
}
