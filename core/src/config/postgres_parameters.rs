//! The parameters that drivers of PostgreSQL take in a URL: those of libpq, psycopg, asyncpg and pgjdbc.

use super::driver_parameters::DriverParameter;

/// Parameters without effect on leafmint's own connection, in lower case.
const NOT_NEEDED: [&str; 37] = [
    "application_name",
    "applicationname",
    "async_fallback",
    "autosave",
    "client_encoding",
    "command_timeout",
    "fallback_application_name",
    "gssencmode",
    "gsslib",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "krbsrvname",
    "load_balance_hosts",
    "max_cached_statement_lifetime",
    "options",
    "prepare_threshold",
    "prepared_statement_cache_size",
    "prepared_statement_name_func",
    "server_settings",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslcertmode",
    "sslcompression",
    "sslfactory",
    "sslfactoryarg",
    "sslhostnameverifier",
    "sslnegotiation",
    "sslpasswordcallback",
    "sslsni",
    "statement_cache_size",
    "stringtype",
    "target_session_attrs",
    "targetservertype",
    "tcp_user_timeout",
    "tcpkeepalive",
];

/// Parameters that leafmint cannot obey, in lower case, and what to do instead.
const REFUSED: [(&str, &str); 14] = [
    ("host", "leafmint connects over TCP: name the host between // and the database"),
    ("hostaddr", "name the host between // and the database"),
    ("port", "name the port behind the host, as in db:5432"),
    ("dbname", "name the database behind the host, as in db:5432/shop"),
    ("service", "leafmint reads no service file: write host and database in the URL"),
    ("servicefile", "leafmint reads no service file: write host and database in the URL"),
    ("passfile", "leafmint reads no password file: give the option password, or a supplier of credentials"),
    ("sslcert", "leafmint sends no client certificate: log in by a password"),
    ("sslkey", "leafmint sends no client certificate: log in by a password"),
    ("sslpassword", "leafmint sends no client certificate: log in by a password"),
    ("sslcrl", "leafmint reads no list of revoked certificates: name an authority of your own with ssl_ca"),
    ("sslcrldir", "leafmint reads no list of revoked certificates: name an authority of your own with ssl_ca"),
    ("requireauth", "set ssl_mode=verify_identity, so that no other server can ask for the password"),
    ("require_auth", "set ssl_mode=verify_identity, so that no other server can ask for the password"),
];

/// Values that demand a security which leafmint cannot promise, in lower case.
const DEMANDS: [(&str, &str); 3] =
    [("gssencmode", "require"), ("ssl_min_protocol_version", "tlsv1.3"), ("sslcertmode", "require")];

/// Returns what a parameter means for leafmint, apart from those about security.
pub(super) fn parameter(name: &str, value: &str) -> DriverParameter {
    let lower = name.to_ascii_lowercase();
    if ["target_session_attrs", "targetservertype"].contains(&lower.as_str()) && !is_writable(value) {
        return DriverParameter::Refused(
            "leafmint writes: leave it out, and leafmint takes the first host that it can write to",
        );
    }
    if DEMANDS.contains(&(lower.as_str(), value.to_ascii_lowercase().as_str())) {
        return DriverParameter::Refused("leafmint cannot demand that of a session: set ssl_mode=verify_identity");
    }
    if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == lower) {
        return DriverParameter::Refused(instead);
    }
    match NOT_NEEDED.contains(&lower.as_str()) {
        true => DriverParameter::NotNeeded,
        false => DriverParameter::Unknown,
    }
}

/// Returns whether a kind of server that a driver looks for takes writes.
fn is_writable(kind: &str) -> bool {
    ["any", "read-write", "primary", "master", "preferprimary"].contains(&kind.to_ascii_lowercase().as_str())
}

/// Returns the schema that a parameter puts first on the search path, or what to write instead if it names several.
///
/// The names are pgjdbc's `currentSchema`, asyncpg's `search_path`, and libpq's `options=-c search_path=…`.
pub(super) fn schema(name: &str, value: &str) -> Option<Result<String, String>> {
    let path = match name.to_ascii_lowercase().as_str() {
        "currentschema" | "search_path" => value,
        "options" => search_path(value)?,
        _ => return None,
    };
    let schema = path.trim_matches(|c: char| c == '"' || c.is_whitespace());
    let plain = !schema.is_empty() && schema.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    Some(match plain {
        true => Ok(schema.to_owned()),
        false => {
            Err("leafmint sets no search path: name one schema, or the table with its schema by the option table, \
                      as in table=app.leaf_alloc"
                .to_owned())
        }
    })
}

/// Returns the search path in the options of a server, as in `-c search_path=shop`.
fn search_path(options: &str) -> Option<&str> {
    let at = options.find("search_path=")? + "search_path=".len();
    options[at..].split_ascii_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{OPTIONS, SNOWFLAKE_OPTIONS};

    #[test]
    fn no_name_of_a_driver_hides_an_option() {
        for option in OPTIONS.iter().chain(SNOWFLAKE_OPTIONS) {
            assert_eq!(parameter(option.name, ""), DriverParameter::Unknown, "{}", option.name);
        }
    }

    #[test]
    fn names_are_listed_in_lower_case() {
        let names = NOT_NEEDED.iter().chain(REFUSED.iter().map(|(name, _)| name));
        assert!(names.clone().all(|name| *name == name.to_ascii_lowercase()));
        assert!(NOT_NEEDED.is_sorted());
    }

    #[test]
    fn the_schema_that_a_driver_would_set_is_the_schema_of_the_table() {
        for (name, value) in [
            ("currentSchema", "shop"),
            ("currentschema", "\"shop\""),
            ("options", "-csearch_path=shop"),
            ("options", "-c geqo=off -c search_path=shop -c jit=off"),
            ("search_path", " shop "),
        ] {
            assert_eq!(schema(name, value), Some(Ok("shop".to_owned())), "{name}={value}");
        }
        assert_eq!(schema("options", "-c geqo=off"), None);
        for several in ["shop,public", "\"$user\", public", "", "a\"b"] {
            assert!(schema("currentSchema", several).unwrap().unwrap_err().contains("table=app.leaf_alloc"));
        }
    }

    #[test]
    fn a_parameter_that_asks_for_a_replica_is_refused() {
        for (name, value) in [("targetServerType", "preferSecondary"), ("target_session_attrs", "read-only")] {
            assert!(matches!(parameter(name, value), DriverParameter::Refused(_)), "{name}={value}");
        }
        for (name, value) in [("targetServerType", "primary"), ("target_session_attrs", "read-write")] {
            assert_eq!(parameter(name, value), DriverParameter::NotNeeded, "{name}={value}");
        }
    }

    #[test]
    fn a_demand_for_security_is_not_passed_over() {
        for (name, value) in [("gssencmode", "require"), ("ssl_min_protocol_version", "TLSv1.3")] {
            assert!(matches!(parameter(name, value), DriverParameter::Refused(_)), "{name}={value}");
        }
        for (name, value) in [("gssencmode", "prefer"), ("ssl_min_protocol_version", "TLSv1.2")] {
            assert_eq!(parameter(name, value), DriverParameter::NotNeeded, "{name}={value}");
        }
    }
}
