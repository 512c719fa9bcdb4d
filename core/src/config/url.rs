//! The URL of a store or holder. A message never repeats what could be a password.

use super::MOST_BYTES;
use crate::config_errors::ConfigErrors;
use crate::error::{Error, ErrorKind, Result};
use percent_encoding::percent_decode_str;
use std::net::Ipv6Addr;

/// Schemes whose URLs have no login. After an empty authority, their path may contain an `@`.
const WITHOUT_LOGIN: [&str; 4] = ["memory", "sqlite", "local", "fixed"];

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

/// Refuses a URL that is too long, and one of which any part could belong to a password, without repeating a character
/// of it.
pub(super) fn check(text: &str) -> Result<()> {
    let problem = if text.len() > MOST_BYTES {
        format!("the URL has {} bytes; at most {MOST_BYTES} are read", text.len())
    } else if has_misplaced_at(text) {
        "the URL has an @ behind its host, so a part of the password may be taken for something else. Nothing of it is repeated here: \
         write %40 for @, %2F for /, %3F for ?, %23 for # and %26 for & in user, password and parameters, or give the option password"
            .to_owned()
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidConfig, problem))
}

/// Returns whether there is an `@` outside of the authority: a raw `/`, `?` or `#` in a password ends the authority too
/// early.
fn has_misplaced_at(text: &str) -> bool {
    let text = text.strip_prefix("jdbc:").unwrap_or(text);
    let Some((scheme, rest)) = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else { return text.contains('@') };
    let location = rest.strip_prefix("//");
    if WITHOUT_LOGIN.contains(&scheme) && location.is_none_or(|location| location.starts_with('/')) {
        return false;
    }
    let behind = location.map_or(rest, |location| &location[authority_of(location).len()..]);
    behind.contains('@')
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
}

fn authority_of(location: &str) -> &str {
    location.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Returns a URL that passed [`check`] without its credentials and parameters.
pub(super) fn redacted(url: &str) -> String {
    let bare = url.split(['?', '#']).next().unwrap_or_default();
    let has_files = WITHOUT_LOGIN.iter().any(|scheme| bare.strip_prefix(scheme).is_some_and(|rest| rest.starts_with(':')));
    if let Some((scheme, location)) = bare.split_once("://") {
        let authority = authority_of(location);
        let path = &location[authority.len()..];
        let (login, hosts) = authority.rsplit_once('@').map_or(("", authority), |(_, hosts)| ("***@", hosts));
        // Without an '@', the text after a colon may still be a password, and go on in the path: only digits are surely
        // a port.
        let shown: Vec<String> = hosts.split(',').map(hide_all_but_port).collect();
        let shown = shown.join(",");
        let hides = shown != hosts || (path.contains(':') && !has_files);
        let path = if hides && !path.is_empty() { "/***" } else { path };
        return format!("{scheme}://{login}{shown}{path}");
    }
    match bare.split_once(':') {
        Some((scheme, _)) if !has_files => format!("{scheme}:***"),
        _ => bare.to_owned(),
    }
}

/// Replaces what follows a host unless it is a port.
fn hide_all_but_port(host: &str) -> String {
    let address = host.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or("", |(address, _)| address);
    let name = if address.parse::<Ipv6Addr>().is_ok() { address.len() + 2 } else { host.find(':').unwrap_or(host.len()) };
    match host[name..].strip_prefix(':') {
        None if name == host.len() => host.to_owned(),
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => host.to_owned(),
        _ => format!("{}:***", &host[..name]),
    }
}

impl Url {
    pub(super) fn parse(text: &str, errors: &mut ConfigErrors) -> Self {
        let mut url = Url::default();
        let (rest, jdbc) = match text.strip_prefix("jdbc:") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        url.jdbc = jdbc;
        let Some((scheme, rest)) = rest.split_once(':') else {
            errors.add("it has no scheme: write sqlite:///file.db, mysql://user:password@host/database or memory:");
            return url;
        };
        url.scheme = scheme.to_owned();
        let (location, query) = rest.split_once('?').unwrap_or((rest, ""));
        if let Some(location) = location.strip_prefix("//") {
            let (authority, path) = location.split_once('/').unwrap_or((location, ""));
            url.read_authority(authority, errors);
            url.path = decode("the path", path, errors);
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
    let broken = bytes
        .iter()
        .enumerate()
        .any(|(at, byte)| *byte == b'%' && !bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)));
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
    fn three_slashes_are_a_relative_path_and_four_an_absolute_one() {
        assert_eq!(parse("sqlite:///ids.db").path, "ids.db");
        assert_eq!(parse("sqlite:////var/ids.db").path, "/var/ids.db");
    }

    #[test]
    fn no_part_of_the_login_is_shown() {
        for url in [
            "mysql:u:secret",
            "mysql:///u:secret",
            "mysql://h/u:secret",
            "jdbc:mysql://u:secret@h/db?password=secret",
            "mysql://u:sec@ret@h/db",
            "mysql://u:secret/db",
            "mysql://u:sec/ret",
            "mysql://u:secret:80/db",
            "mysql://u:secret]/db",
            "mysql://[u:secret]/db",
        ] {
            assert!(check(url).is_ok());
            let shown = redacted(url);
            assert!(!shown.contains("sec") && !shown.contains("ret"), "{shown}");
        }
        assert_eq!(redacted("mysql://h1,h2:3307/db?password=secret"), "mysql://h1,h2:3307/db");
        assert_eq!(redacted("mysql://h:1,[::1],[::1]:3306/db"), "mysql://h:1,[::1],[::1]:3306/db");
        assert_eq!(redacted("local:dir:x"), "local:dir:x");
    }

    #[test]
    fn an_at_sign_belongs_in_the_authority_or_the_path_of_a_file() {
        for url in [
            "mysql://u:sec/ret@h/db",
            "mysql://u:sec?ret@h/db",
            "mysql://u:sec#ret@h/db",
            "mysql://u:se@c/ret@h/db",
            "mysql://h/db?password=sec@ret",
            "jdbc:mysql://h/db?password=sec@ret",
            "mysql:u:secret@h",
            "mysql:///u:secret@h/db",
            "sqlite://u:sec/ret@h/db",
            "u:secret@h",
            "secret@h:3306/db",
            "//u:secret@h/db",
        ] {
            assert!(check(url).is_err(), "{url}");
        }
        for url in
            ["mysql://u:s@h/db", "mysql://u:s@t@h/db?timeout=1s", "sqlite:////home/a@b/ids.db", "local:a@b", "local:///a@b"]
        {
            assert!(check(url).is_ok(), "{url}");
        }
    }
}
