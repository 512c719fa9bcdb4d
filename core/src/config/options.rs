//! The options: declared here once. Every language, the pages and the tests read these tables.

use super::shape::Shape::{self, Boolean, Choice, Count, Duration, List, Map, Path, Text, Time};
use crate::limit_cell::FIRST_REFUSED;
use crate::store::MAX_STEP;

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

impl OptionSpec {
    const fn new(name: &'static str, shape: Shape, default: &'static str, meaning: &'static str) -> Self {
        Self { name, shape, default, default_words: default, meaning }
    }

    /// An option whose default is not one value.
    const fn depending(name: &'static str, shape: Shape, default_words: &'static str, meaning: &'static str) -> Self {
        Self { name, shape, default: "", default_words, meaning }
    }
}

const TIMEOUT: OptionSpec = OptionSpec::new("timeout", Duration, "5s", "longest wait of one call");

const CONNECT_TIMEOUT: OptionSpec =
    OptionSpec::new("connect_timeout", Duration, "3s", "longest wait for one connection, statement or lock");

const USER: OptionSpec = OptionSpec::depending("user", Text, "the URL's", "account of the server");

const PASSWORD: OptionSpec = OptionSpec::depending(
    "password",
    Text,
    "the URL's",
    "password of the account as it is; in a URL, @ : and / are percent-encoded",
);

const SSL_MODE: OptionSpec = OptionSpec {
    default_words: "preferred, or verify_ca if ssl_ca is set",
    ..OptionSpec::new(
        "ssl_mode",
        Choice(&["disabled", "preferred", "required", "verify_ca", "verify_identity"]),
        "preferred",
        "how connections to the server are encrypted",
    )
};

const SSL_CA: OptionSpec =
    OptionSpec::depending("ssl_ca", Path, "those built in", "PEM file with the certificate authorities to trust");

const CLOSE_AT_EXIT: OptionSpec = OptionSpec::new(
    "close_at_exit",
    Boolean,
    "true",
    "whether the generator is closed at the end of the process, if it is still open",
);

/// The options of a segment generator.
pub const OPTIONS: &[OptionSpec] = &[
    TIMEOUT,
    CONNECT_TIMEOUT,
    USER,
    PASSWORD,
    SSL_MODE,
    SSL_CA,
    OptionSpec::new("eager", Boolean, "false", "whether open connects, checks the store and leases ids, or fails"),
    OptionSpec::depending("tags", List, "none", "tags that eager leases ids for"),
    OptionSpec::new(
        "max_step",
        Count { min: 1, max: MAX_STEP },
        "1000000",
        "largest lease, unless one call or four round trips need more; if it equals a tag's step, segments do not grow",
    ),
    OptionSpec::depending(
        "max_unused",
        Count { min: 1, max: FIRST_REFUSED },
        "no limit",
        "most ids of a tag that one process holds unused",
    ),
    OptionSpec::new("segment_duration", Duration, "15m", "how long a segment should last"),
    OptionSpec::new("outage_budget", Duration, "10m", "how long an outage of the store should be survived"),
    OptionSpec::depending(
        "auto_create",
        Boolean,
        "true on SQLite and in memory, otherwise false",
        "whether the first id of a missing tag creates the tag, and a missing table",
    ),
    OptionSpec::new("default_step", Count { min: 1, max: MAX_STEP }, "1000", "step of a tag that is created"),
    OptionSpec::new(
        "default_start",
        Count { min: 0, max: FIRST_REFUSED - MAX_STEP },
        "1",
        "first id of a tag that is created",
    ),
    OptionSpec::new("table", Text, "leaf_alloc", "table of the tags, or schema.table"),
    CLOSE_AT_EXIT,
];

/// The options of a snowflake generator.
pub const SNOWFLAKE_OPTIONS: &[OptionSpec] = &[
    TIMEOUT,
    CONNECT_TIMEOUT,
    USER,
    PASSWORD,
    SSL_MODE,
    SSL_CA,
    OptionSpec::new("eager", Boolean, "false", "whether open takes a worker id, or fails"),
    OptionSpec::new(
        "namespace",
        Text,
        "default",
        "worker ids are unique within a namespace, which has one layout; two namespaces may repeat ids",
    ),
    OptionSpec::new(
        "layout",
        Text,
        "leaf",
        "layout of the ids: leaf, datacenter, wide, javascript, or bits such as timestamp:41,worker:10,sequence:12",
    ),
    OptionSpec::depending("epoch", Time, "the layout's; Leaf's is 2010-11-04T01:42:54.657Z", "start of tick 0"),
    OptionSpec::new(
        "worker_mode",
        Choice(&["lease", "fixed", "forever"]),
        "lease",
        "how a server assigns worker ids: any free one, the endpoint's in leaf_workerid_alloc, or Leaf's in ZooKeeper",
    ),
    OptionSpec::depending(
        "workers",
        Text,
        "all that the layout has",
        "worker ids that may be taken, such as 0-31, or 5,7, or ordinal",
    ),
    OptionSpec::new("datacenter_id", AT_LEAST_0, "0", "datacenter of each id, if the layout has datacenter bits"),
    OptionSpec::depending("worker_map", Map, "none", "worker ids by endpoint, such as 10.0.0.1:8080=3, with local:"),
    OptionSpec::depending(
        "ordinal_env",
        Text,
        "none: the host name is read",
        "environment variable with the name or the ordinal of this pod, if its worker id is ordinal",
    ),
    OptionSpec::new("ordinal_offset", AT_LEAST_0, "0", "worker id of ordinal 0, if the worker id is ordinal"),
    OptionSpec::depending(
        "endpoint",
        Text,
        "host name, process id and a random part",
        "name under which this process claims a worker id; ip:port with worker_map, fixed or forever",
    ),
    OptionSpec::depending(
        "lease_duration",
        Duration,
        "10m on a server, 24h there with worker_mode=fixed, otherwise 3s",
        "how far ahead time is reserved",
    ),
    OptionSpec::depending(
        "heartbeat",
        Duration,
        "10s on a server, 2s there with worker_mode=forever, otherwise 1s",
        "how often time is reserved",
    ),
    OptionSpec::depending(
        "state_dir",
        Path,
        "leafmint in $XDG_STATE_HOME or ~/.local/state",
        "directory of state files, with fixed: and on a server; there also none",
    ),
    OptionSpec::new(
        "clock",
        Choice(&["auto", "system"]),
        "auto",
        "clock that ids are stamped with; auto is the processor's counter, if the kernel keeps time with it",
    ),
    OptionSpec::new(
        "clock_rollback",
        Choice(&["continue", "wait", "fail"]),
        "continue",
        "what a call does if the wall clock is behind the ids",
    ),
    OptionSpec::new("max_clock_lead", Duration, "2h", "how far ids may be ahead of the wall clock"),
    OptionSpec::new(
        "max_clock_skew",
        Duration,
        "10s",
        "how far this host's clock may be off at the start, on a server",
    ),
    OptionSpec::new(
        "sequence_jitter",
        Count { min: 0, max: 1 << 31 },
        "100",
        "bound of the random sequence number at which a tick begins; at most half of a tick is skipped",
    ),
    CLOSE_AT_EXIT,
];

/// The layout has the upper bound.
const AT_LEAST_0: Shape = Count { min: 0, max: i64::MAX };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OptionValue, SegmentGenerator, SnowflakeGenerator};
    use std::time::Duration;

    fn refusal(name: &str, value: impl Into<OptionValue>) -> String {
        let error = SegmentGenerator::open("memory:", [(name.to_owned(), value.into())]).err();
        error.map_or_else(String::new, |error| error.message().to_owned())
    }

    #[test]
    fn every_default_and_every_word_of_a_choice_is_accepted() {
        for (spec, is_segment) in
            OPTIONS.iter().map(|spec| (spec, true)).chain(SNOWFLAKE_OPTIONS.iter().map(|spec| (spec, false)))
        {
            assert!(
                spec.default.is_empty() || spec.shape.read(spec.name, spec.default.into()).is_ok(),
                "{}",
                spec.name
            );
            assert!(!spec.default_words.is_empty() && !spec.meaning.is_empty(), "{}", spec.name);
            let Choice(words) = spec.shape else { continue };
            for word in words.iter().filter(|word| **word != "forever") {
                let options = [(spec.name.to_owned(), OptionValue::from(*word))];
                match is_segment {
                    true => drop(SegmentGenerator::open("mysql://h/db", options).unwrap()),
                    false => drop(SnowflakeGenerator::open("mysql://h/db?endpoint=10.0.0.1:80", options).unwrap()),
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
