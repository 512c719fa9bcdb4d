//! The URL of a store or holder.

use super::jdbc_forms;
use super::url_secrets::{WITHOUT_LOGIN, is_scheme};
use crate::config_errors::ConfigErrors;
use percent_encoding::percent_decode_str;

/// A URL taken apart and decoded.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Url {
    pub(super) scheme: String,
    /// Whether the URL was written for JDBC: then it may have parameters of a JDBC driver.
    pub(super) jdbc: bool,
    pub(super) user: Option<String>,
    pub(super) password: Option<String>,
    /// Hosts and ports as written.
    pub(super) hosts: Vec<(String, Option<u16>)>,
    /// The part after the scheme, if it does not begin with `//`.
    pub(super) opaque: String,
    /// Everything after the authority and its slash.
    pub(super) path: String,
    pub(super) parameters: Vec<(String, String)>,
}

impl Url {
    pub(super) fn parse(text: &str, errors: &mut ConfigErrors) -> Self {
        let mut url = Url::default();
        let (rest, jdbc) = match text.strip_prefix("jdbc:") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        url.jdbc = jdbc;
        let Some((scheme, rest)) = rest.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else {
            errors.add("it has no scheme: write sqlite:///file.db, mysql://user:password@host/database or memory:");
            return url;
        };
        if let Some(refusal) = jdbc.then(|| jdbc_forms::refusal(scheme)).flatten() {
            errors.add_unserved(refusal);
            return url;
        }
        url.scheme = kind_of_server(scheme, jdbc).to_owned();
        let rest = if jdbc { url.read_sub_protocol(rest, errors) } else { rest };
        let (location, query) = rest.split_once('?').unwrap_or((rest, ""));
        if let Some(location) = location.strip_prefix("//") {
            let (authority, path) = location.split_once('/').unwrap_or((location, ""));
            url.read_authority(authority, errors);
            match jdbc_forms::refused_parameters(path).filter(|_| !WITHOUT_LOGIN.contains(&url.scheme.as_str())) {
                Some(refusal) => errors.add_unserved(refusal),
                None => url.path = decode("the path", path, errors),
            }
        } else {
            url.opaque = decode("the part after the scheme", location, errors);
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode("the name of a parameter", name, errors);
            let value = decode(&format!("the parameter {name}"), &value.replace('+', "%20"), errors);
            url.parameters.push((name, value));
        }
        url
    }

    /// Reads what JDBC drivers have between the scheme and the location, and returns the location.
    fn read_sub_protocol<'a>(&mut self, rest: &'a str, errors: &mut ConfigErrors) -> &'a str {
        if self.scheme == "sqlite" {
            self.path = decode("the path", rest.split('?').next().unwrap_or_default(), errors);
            return rest.find('?').map_or("", |at| &rest[at..]);
        }
        match rest.split_once("://") {
            // MariaDB Connector/J's name for a list of which the first host that answers is used.
            Some(("sequential" | "failover", _)) => &rest[rest.find("://").map_or(0, |at| at + 1)..],
            Some((mode, _))
                if !mode.is_empty() && mode.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') =>
            {
                errors.add_unserved(format!(
                    "the form jdbc:{}:{mode}: is not served: write jdbc:{0}://host1,host2/database, the hosts of one data set",
                    self.scheme
                ));
                &rest[mode.len() + 1..]
            }
            _ => rest,
        }
    }

    fn read_authority(&mut self, authority: &str, errors: &mut ConfigErrors) {
        let hosts = match authority.rsplit_once('@') {
            None => authority,
            Some((login, hosts)) => {
                let (user, password) = login.split_once(':').map_or((login, None), |(user, word)| (user, Some(word)));
                self.user = Some(decode("the user", user, errors)).filter(|user| !user.is_empty());
                self.password = password.map(|word| decode("the password", word, errors));
                hosts
            }
        };
        if let Some(refusal) = jdbc_forms::refused_hosts(hosts) {
            errors.add_unserved(refusal);
            return;
        }
        for host in hosts.split(',').filter(|_| !hosts.is_empty()) {
            self.read_host(host, errors);
        }
    }

    fn read_host(&mut self, text: &str, errors: &mut ConfigErrors) {
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, rest)) => (host, rest.strip_prefix(':')),
            None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        if host.is_empty() {
            errors.add("a host is empty");
        }
        let port = port.map(|port| match port.parse::<u16>() {
            Ok(number) if number > 0 => number,
            _ => {
                errors.add("a port is not a number from 1 to 65535 (a user and a password end with @)");
                0
            }
        });
        self.hosts.push((decode("a host", host, errors), port));
    }
}

/// Returns the scheme without the driver that SQLAlchemy has behind a `+`, `mysql` for MariaDB, and
/// the one name of PostgreSQL.
fn kind_of_server(scheme: &str, jdbc: bool) -> &str {
    let kind = match scheme.split_once('+') {
        Some((kind @ ("mysql" | "mariadb" | "postgresql" | "postgres" | "sqlite"), driver))
            if !jdbc && driver != "srv" =>
        {
            kind
        }
        _ => scheme,
    };
    match kind {
        "mariadb" => "mysql",
        "postgres" => "postgresql",
        other => other,
    }
}

/// Decodes percent escapes, strictly: half an escape is an error, and so is text that is not UTF-8.
fn decode(what: &str, text: &str, errors: &mut ConfigErrors) -> String {
    let bytes = text.as_bytes();
    let broken = bytes.iter().enumerate().any(|(at, byte)| {
        *byte == b'%' && !bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
    });
    if broken {
        errors.add(format!("{what} has a % without two hexadecimal digits after it: write %25 for a percent sign"));
        return String::new();
    }
    let decoded = percent_decode_str(text).decode_utf8().map(|text| text.into_owned());
    errors.keep(decoded.map_err(|_| format!("{what} is not UTF-8 once decoded")), String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Url {
        let mut errors = ConfigErrors::default();
        let url = Url::parse(text, &mut errors);
        errors.into_result("test").unwrap();
        url
    }

    #[test]
    fn a_fail_over_list_keeps_its_order_and_ports() {
        let url = parse("mysql://u:p%40ss@db1:3307,[::1],db3/shop?timeout=2s");
        assert_eq!(url.hosts, [("db1".into(), Some(3307)), ("::1".into(), None), ("db3".into(), None)]);
        assert_eq!((url.user.as_deref(), url.password.as_deref()), (Some("u"), Some("p@ss")));
        assert_eq!((url.path.as_str(), url.parameters), ("shop", vec![("timeout".into(), "2s".into())]));
    }

    #[test]
    fn the_driver_of_sqlalchemy_and_the_name_of_mariadb_are_accepted() {
        for scheme in ["mysql", "mariadb", "mysql+pymysql", "mysql+asyncmy", "mariadb+mariadbconnector", "jdbc:mariadb"]
        {
            let url = parse(&format!("{scheme}://u:p@h1,h2:3307/shop"));
            assert_eq!((url.scheme.as_str(), url.hosts.len(), url.path.as_str()), ("mysql", 2, "shop"), "{scheme}");
        }
        for scheme in ["postgresql", "postgres", "postgresql+psycopg", "postgresql+asyncpg", "jdbc:postgresql"] {
            let url = parse(&format!("{scheme}://u:p@h1,h2:6432/shop"));
            assert_eq!(
                (url.scheme.as_str(), url.hosts.len(), url.path.as_str()),
                ("postgresql", 2, "shop"),
                "{scheme}"
            );
        }
        assert_eq!(parse("sqlite+aiosqlite:///ids.db"), parse("sqlite:///ids.db"));
        assert_eq!(parse("jdbc:mariadb:sequential://h1,h2/shop").hosts.len(), 2);
        for unknown in ["memory+x", "mysql+srv", "oracle+cx"] {
            assert_eq!(parse(&format!("{unknown}://h/shop")).scheme, unknown);
        }
    }

    #[test]
    fn a_jdbc_url_of_sqlite_names_the_file_behind_its_colon() {
        assert_eq!(parse("jdbc:sqlite:ids.db").path, "ids.db");
        assert_eq!(parse("jdbc:sqlite:/var/ids.db?timeout=2s").path, "/var/ids.db");
        assert_eq!(parse("jdbc:sqlite:/var/ids.db?timeout=2s").parameters.len(), 1);
    }

    #[test]
    fn a_form_of_jdbc_that_is_not_served_is_refused_by_name() {
        for form in
            ["jdbc:mysql:loadbalance://h/db", "jdbc:mysql:replication://h/db", "jdbc:mariadb:loadbalance://h/db"]
        {
            let mut errors = ConfigErrors::default();
            Url::parse(form, &mut errors);
            let error = errors.into_result("test").unwrap_err();
            assert!(error.message().contains("is not served: write jdbc:mysql://host1,host2/database"), "{error}");
        }
    }

    #[test]
    fn parameters_behind_a_semicolon_are_refused_and_become_no_part_of_a_name() {
        for form in ["mysql://h/db;password=s", "jdbc:postgresql://h/db;password=s", "tickets://h1,h2;password=s/db"] {
            let mut errors = ConfigErrors::default();
            let url = Url::parse(form, &mut errors);
            assert!(!format!("{url:?}").contains("password=s"), "{url:?}");
            let error = errors.into_result("test").unwrap_err();
            assert!(error.message().contains("database?name=value"), "{error}");
        }
        assert_eq!(parse("mysql://u:p;w@h/a%3Bb").path, "a;b");
        assert_eq!(parse("sqlite:///a;b.db").path, "a;b.db");
    }

    #[test]
    fn three_slashes_are_a_relative_path_and_four_an_absolute_one() {
        assert_eq!(parse("sqlite:///ids.db").path, "ids.db");
        assert_eq!(parse("sqlite:////var/ids.db").path, "/var/ids.db");
    }
}
