//! The URL of a store or holder.

use super::platform_forms;
use super::servers;
use super::url_secrets::is_scheme;
use leafmint_ids::error::ConfigErrors;
use percent_encoding::percent_decode_str;

/// A URL taken apart and decoded.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Url {
    pub(super) scheme: String,
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
        let Some((scheme, rest)) = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else {
            errors.add("it has no scheme: write sqlite:///file.db, mysql://user:password@host/database or memory:");
            return url;
        };
        if let Some(refusal) = platform_forms::of_framework(scheme) {
            errors.add_unserved(refusal);
            return url;
        }
        servers::canonical(scheme).clone_into(&mut url.scheme);
        let (location, query) = rest.split_once('?').unwrap_or((rest, ""));
        if let Some(location) = location.strip_prefix("//") {
            let (authority, path) = location.split_once('/').unwrap_or((location, ""));
            url.read_authority(authority, errors);
            match platform_forms::refused(path).filter(|_| !servers::is_on_host(&url.scheme)) {
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
        if let Some(refusal) = platform_forms::refused(hosts) {
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
    fn a_server_has_the_names_that_platforms_have_for_it() {
        for (scheme, server) in [
            ("mysql", "mysql"),
            ("mariadb", "mysql"),
            ("mysql2", "mysql"),
            ("postgresql", "postgresql"),
            ("postgres", "postgresql"),
            ("postgis", "postgresql"),
        ] {
            let url = parse(&format!("{scheme}://u:p@h1,h2:3307/shop"));
            assert_eq!((url.scheme.as_str(), url.hosts.len(), url.path.as_str()), (server, 2, "shop"), "{scheme}");
        }
        for unknown in ["memory+x", "mysql+srv", "oracle+cx"] {
            assert_eq!(parse(&format!("{unknown}://h/shop")).scheme, unknown);
        }
    }

    #[test]
    fn a_framework_s_url_is_refused_by_name() {
        for form in ["jdbc:mysql://h/db", "jdbc:h2:mem:shop", "mysql+pymysql://h/db"] {
            let mut errors = ConfigErrors::default();
            Url::parse(form, &mut errors);
            let error = errors.into_result("test").unwrap_err();
            assert!(error.message().contains("pass the"), "{error}");
        }
    }

    #[test]
    fn parameters_behind_a_semicolon_are_refused_and_become_no_part_of_a_name() {
        for form in [
            "mysql://h/db;password=s",
            "postgresql://h/db;password=s",
            "tickets://h1,h2;password=s/db",
            "mysql://address=(host=h)(port=1)/db",
        ] {
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
