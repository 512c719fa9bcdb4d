//! The options: declared here once. Every language, the pages and the tests read these tables.

use super::shape::Shape::{self, Boolean, Choice, Count, Duration, List, Map, Path, Text, Time};
use leafmint_engine::limit_cell::FIRST_REFUSED;
use leafmint_engine::store::MAX_STEP;

/// One option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionSpec {
    /// Its name: a keyword in Python, a query parameter in a URL, in camel case a builder method in Java.
    pub name: &'static str,
    /// What its values are.
    pub shape: Shape,
    /// Its default as in a URL; empty if there is none, or if it depends on something.
    pub default: &'static str,
    /// Its default in words, also if it depends on something.
    pub default_words: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// An option: its name, its shape, its default as in a URL or, after `else`, in words, and its meaning.
macro_rules! option {
    ($name:ident: $shape:expr, $default:literal, $meaning:literal) => {
        option!($name: $shape, $default else $default, $meaning)
    };
    ($name:ident: $shape:expr, else $words:literal, $meaning:literal) => {
        option!($name: $shape, "" else $words, $meaning)
    };
    ($name:ident: $shape:expr, $default:literal else $default_words:literal, $meaning:literal) => {
        OptionSpec {
            name: stringify!($name),
            shape: $shape,
            default: $default,
            default_words: $default_words,
            meaning: $meaning,
        }
    };
}

const TIMEOUT: OptionSpec = option!(timeout: Duration, "5s", "longest wait of one call");
const CONNECT_TIMEOUT: OptionSpec =
    option!(connect_timeout: Duration, "3s", "longest wait for one connection, statement or lock");
const USERNAME: OptionSpec = option!(username: Text, else "the URL's", "account of the server");
const PASSWORD: OptionSpec = option!(password: Text, else "the URL's",
    "password of the account, not encoded; in a URL, percent-encode @ : and /");
const SSL_MODE: OptionSpec = option!(ssl_mode:
    Choice(&["disabled", "preferred", "required", "verify_ca", "verify_identity"]),
    "preferred" else "preferred, or verify_ca if ssl_ca is set",
    "how connections to the server are encrypted");
const SSL_CA: OptionSpec =
    option!(ssl_ca: Path, else "those built in", "PEM file with the certificate authorities to trust");
const CLOSE_AT_EXIT: OptionSpec = option!(close_at_exit: Boolean, "true",
    "whether leafmint closes the generator when the process exits");

/// The options of a segment generator.
pub const SEGMENT_OPTIONS: &[OptionSpec] = &[
    TIMEOUT,
    CONNECT_TIMEOUT,
    USERNAME,
    PASSWORD,
    SSL_MODE,
    SSL_CA,
    option!(eager: Boolean, "false", "whether open connects, checks the store and leases ids, or fails"),
    option!(eager_tags: List, else "none", "tags that eager leases ids for"),
    option!(max_step: Count { min: 1, max: MAX_STEP }, "1000000",
        "most ids of one lease, unless one call or four round trips need more; set to the step, leases do not grow"),
    option!(max_unused: Count { min: 1, max: FIRST_REFUSED }, else "no limit",
        "most ids of a tag that one process holds unused"),
    option!(segment_duration: Duration, "15m", "how long a segment should last"),
    option!(outage_budget: Duration, "10m", "how long minting should continue while the store is down"),
    option!(auto_create: Boolean, else "true on SQLite and in memory, otherwise false",
        "whether the first id of a missing tag creates the tag, and missing tables"),
    option!(default_step: Count { min: 1, max: MAX_STEP }, "1000", "step of a new tag"),
    option!(default_start: Count { min: 0, max: FIRST_REFUSED - MAX_STEP }, "1", "first id of a new tag"),
    option!(max_keys: Count { min: 1, max: 1_000_000 }, "10000",
        "most keys of a series that one process keeps; the least recently used makes room"),
    option!(table: Text, "leaf_alloc", "table of the tags, or schema.table"),
    option!(sequence: Text, else "none: a table",
        "on PostgreSQL, the sequence to lease from instead of a table; {tag} is the tag's name, as in {tag}_id_seq"),
    option!(sequence_optimizer: Choice(&["none", "pooled", "pooled-lo"]), "none",
        "which ids one value of the sequence represents, if its increment is more than 1; Hibernate's names"),
    CLOSE_AT_EXIT,
];

/// The options of a snowflake generator.
pub const SNOWFLAKE_OPTIONS: &[OptionSpec] = &[
    TIMEOUT,
    CONNECT_TIMEOUT,
    USERNAME,
    PASSWORD,
    SSL_MODE,
    SSL_CA,
    option!(eager: Boolean, "false", "whether open takes a worker id, or fails"),
    option!(auto_create: Boolean, else "false on MySQL, MariaDB and PostgreSQL, otherwise true",
        "whether missing tables of worker ids are created"),
    option!(namespace: Text, "default",
        "worker ids are unique within a namespace, which has one layout; two namespaces may repeat ids"),
    option!(layout: Text, "leaf",
        "layout of the ids: leaf, datacenter, wide, javascript, or bits such as timestamp:41,worker:10,sequence:12"),
    option!(epoch: Time, else "the layout's; Leaf's is 2010-11-04T01:42:54.657Z", "start of tick 0"),
    option!(worker_mode: Choice(&["lease", "endpoint", "leaf"]), "lease",
        "how a server assigns worker ids: any free one, the endpoint's in leaf_workerid_alloc, or Leaf's in ZooKeeper"),
    option!(workers: Text, else "all that the layout has",
        "worker ids that may be taken, such as 0-31, or 5,7, or ordinal"),
    option!(datacenter_id: AT_LEAST_0, "0", "datacenter of each id, if the layout has datacenter bits"),
    option!(worker_map: Map, else "none", "for local: URLs, worker ids by endpoint, such as 10.0.0.1:8080=3"),
    option!(ordinal_env: Text, else "none: the host name is read",
        "environment variable with the name or the ordinal of this pod, if its worker id is ordinal"),
    option!(ordinal_offset: AT_LEAST_0, "0", "worker id of ordinal 0, if the worker id is ordinal"),
    option!(endpoint: Text, else "host name, process id and a random part",
        "name under which this process claims a worker id; ip:port with worker_map, and if worker_mode is endpoint or leaf"),
    option!(lease_duration: Duration, else "10m on a server, 24h there with worker_mode=endpoint, otherwise 3s",
        "how far ahead time is reserved"),
    option!(heartbeat: Duration, else "10s on a server, 2s there with worker_mode=leaf, otherwise 1s",
        "how often time is reserved"),
    option!(state_dir: Path, else "leafmint in $XDG_STATE_HOME or ~/.local/state",
        "directory of state files, for fixed: URLs and on a server"),
    option!(state_files: Boolean, "true", "on a server, whether a state file keeps the worker id across restarts"),
    option!(clock: Choice(&["auto", "system"]), "auto",
        "clock that stamps the ids; auto is the processor's counter, if the kernel keeps time with it"),
    option!(clock_rollback: Choice(&["continue", "wait", "fail"]), "continue",
        "what a call does if the wall clock is behind the ids"),
    option!(max_clock_lead: Duration, "2h", "how far ids may be ahead of the wall clock"),
    option!(max_clock_skew: Duration, "10s", "on a server, how far this host's clock may be off at the start"),
    option!(sequence_jitter: Count { min: 0, max: 1 << 31 }, "100",
        "each tick begins at a random sequence number below this, which skips at most half of the tick"),
    CLOSE_AT_EXIT,
];

/// The layout has the upper bound.
const AT_LEAST_0: Shape = Count { min: 0, max: i64::MAX };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::OptionValue;

    use std::time::Duration;

    fn refusal(name: &str, value: impl Into<OptionValue>) -> String {
        let error = crate::open::segment("memory:", [(name.to_owned(), value.into())]).err();
        error.map_or_else(String::new, |error| error.message().to_owned())
    }

    #[test]
    fn every_default_and_every_word_of_a_choice_is_accepted() {
        for (spec, is_segment) in
            SEGMENT_OPTIONS.iter().map(|spec| (spec, true)).chain(SNOWFLAKE_OPTIONS.iter().map(|spec| (spec, false)))
        {
            assert!(
                spec.default.is_empty() || spec.shape.read(spec.name, spec.default.into()).is_ok(),
                "{}",
                spec.name
            );
            assert!(!spec.default_words.is_empty() && !spec.meaning.is_empty(), "{}", spec.name);
            let Choice(words) = spec.shape else { continue };
            for word in words.iter().filter(|word| **word != "leaf") {
                let options = [(spec.name.to_owned(), OptionValue::from(*word))];
                match is_segment {
                    true => drop(crate::open::segment("postgresql://h/db?sequence=s", options).unwrap()),
                    false => drop(crate::open::snowflake("mysql://h/db?endpoint=10.0.0.1:80", options).unwrap()),
                }
            }
        }
    }

    #[test]
    fn a_typed_value_is_checked_against_the_shape() {
        for value in [OptionValue::from(5), 0.5.into(), Duration::from_millis(500).into(), "500ms".into()] {
            assert_eq!(refusal("timeout", value), "");
        }
        assert_eq!(refusal("table", 7), "", "digits are text");
        for (name, value, part) in [
            ("timeout", OptionValue::from(true), "timeout: a boolean cannot be used as a duration"),
            ("timeout", (-1).into(), "timeout=-1 is not a duration"),
            ("timeout", f64::NAN.into(), "timeout=NaN is not a duration"),
            ("timeout", Duration::MAX.into(), "is longer than a year"),
            ("max_step", 0.into(), "max_step=0 is not a whole number from 1 to 1073741824"),
            ("max_step", 1.5.into(), "max_step: a fraction cannot be used as a count"),
            ("eager", 1.into(), "eager: a whole number cannot be used as a boolean"),
            ("ssl_mode", "on".into(), "ssl_mode=on is none of disabled, preferred"),
            ("password", vec!["s3ntinel".to_owned()].into(), "password: a list cannot be used as a text"),
        ] {
            let message = refusal(name, value);
            assert!(message.contains(part) && !message.contains("s3ntinel"), "{message}");
        }
    }
}
