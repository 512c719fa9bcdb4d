//! The parameters that Python's drivers take in a URL, so that SQLAlchemy's `engine.url` can be passed on.
//!
//! The names are those of PyMySQL, mysqlclient, aiomysql, asyncmy, MySQL Connector/Python, MariaDB Connector/Python and
//! the sqlite3 module.

/// Parameters without effect on leafmint's own connection.
const NOT_NEEDED: [&str; 35] = [
    "allow_local_infile",
    "auth_plugin",
    "autocommit",
    "binary_prefix",
    "buffered",
    "cached_statements",
    "charset",
    "check_same_thread",
    "client_flag",
    "collation",
    "compress",
    "connection_timeout",
    "consume_results",
    "conv",
    "converter_class",
    "cursorclass",
    "defer_connect",
    "detect_types",
    "echo",
    "get_warnings",
    "init_command",
    "isolation_level",
    "local_infile",
    "max_allowed_packet",
    "pool_name",
    "pool_reset_session",
    "pool_size",
    "prefetch",
    "program_name",
    "raise_on_warnings",
    "read_timeout",
    "sql_mode",
    "use_pure",
    "use_unicode",
    "write_timeout",
];

/// Parameters that leafmint cannot obey, and what to do instead.
const REFUSED: [(&str, &str); 9] = [
    ("unix_socket", "leafmint connects over TCP: name a host"),
    ("read_default_file", "leafmint does not read option files: give the options user and password"),
    ("read_default_group", "leafmint does not read option files: give the options user and password"),
    ("ssl_cert", "leafmint sends no client certificate: log in by a password"),
    ("ssl_key", "leafmint sends no client certificate: log in by a password"),
    ("ssl_capath", "write the certificates to one PEM file and name it with ssl_ca"),
    ("ssl_cipher", "leafmint chooses the cipher: use TLS 1.2 or 1.3"),
    ("uri", "leafmint opens a file by its path: write sqlite:///file.db"),
    ("vfs", "leafmint opens a file by its path: write sqlite:///file.db"),
];

/// What a parameter of a Python driver means for leafmint.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DriverParameter {
    NotNeeded,
    /// With what to do instead.
    Refused(&'static str),
    Unknown,
}

impl DriverParameter {
    pub(super) fn of(name: &str) -> Self {
        if NOT_NEEDED.contains(&name) {
            return Self::NotNeeded;
        }
        let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
        refused.map_or(Self::Unknown, |(_, instead)| Self::Refused(instead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{OPTIONS, SNOWFLAKE_OPTIONS};

    #[test]
    fn no_name_of_a_driver_hides_an_option() {
        for option in OPTIONS.iter().chain(SNOWFLAKE_OPTIONS) {
            assert_eq!(DriverParameter::of(option.name), DriverParameter::Unknown, "{}", option.name);
        }
    }
}
