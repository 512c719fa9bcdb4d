//! Keeps passwords in URLs out of messages.

use super::{MOST_BYTES, servers};
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::net::Ipv6Addr;

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
    let Some((scheme, rest)) = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else {
        return text.contains('@');
    };
    let scheme = scheme.split('+').next().unwrap_or_default();
    let location = rest.strip_prefix("//");
    if servers::is_on_host(scheme) && location.is_none_or(|location| location.starts_with('/')) {
        return false;
    }
    let behind = location.map_or(rest, |location| &location[authority_of(location).len()..]);
    behind.contains('@')
}

pub(super) fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-._".contains(letter))
}

fn authority_of(location: &str) -> &str {
    location.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Returns a URL that passed [`check`] without its credentials and parameters.
///
/// Of a form that is not served only the scheme is shown: any other part may be a password.
pub(super) fn redacted(url: &str) -> String {
    let bare = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = bare.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else {
        return if is_plain(bare) { bare.to_owned() } else { "***".to_owned() };
    };
    let kind = scheme.split('+').next().unwrap_or_default();
    let server = servers::of_scheme(servers::canonical(kind));
    let has_files = servers::is_on_host(kind);
    match rest.split_once("//") {
        None if has_files => bare.to_owned(),
        Some((mode, location)) if has_files || (server.is_some() && is_plain(&mode.replace(':', ""))) => {
            format!("{scheme}:{mode}//{}", location_of(location, has_files))
        }
        _ => format!("{scheme}:***"),
    }
}

/// Returns hosts and path as far as they cannot be a password.
fn location_of(location: &str, has_files: bool) -> String {
    let authority = authority_of(location);
    let path = &location[authority.len()..];
    let (login, hosts) = authority.rsplit_once('@').map_or(("", authority), |(_, hosts)| ("***@", hosts));
    // Without an '@', the text after a colon may still be a password, and go on in the path: only digits are surely a
    // port.
    let shown: Vec<String> = hosts.split(',').map(hide_all_but_port).collect();
    let shown = shown.join(",");
    let hides = shown != hosts || !(has_files || is_plain(path));
    let path = if hides && !path.is_empty() { "/***" } else { path };
    format!("{login}{shown}{path}")
}

/// Returns whether a text has nothing that could separate a name from a value, as in `;password=…`.
fn is_plain(text: &str) -> bool {
    text.chars().all(|letter| letter.is_alphanumeric() || "._-$%/ ".contains(letter))
}

/// Replaces what follows a host unless it is a port.
fn hide_all_but_port(host: &str) -> String {
    let address = host.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or("", |(address, _)| address);
    let name =
        if address.parse::<Ipv6Addr>().is_ok() { address.len() + 2 } else { host.find(':').unwrap_or(host.len()) };
    match host[name..].strip_prefix(':') {
        _ if !is_plain(host[..name].trim_matches(['[', ']'])) && address.is_empty() => "***".to_owned(),
        None if name == host.len() => host.to_owned(),
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => host.to_owned(),
        _ => format!("{}:***", &host[..name]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{SegmentConfig, SnowflakeConfig};

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
            "jdbc:mysql://address=(host=h)(user=u)(password=secret)/db",
            "jdbc:mysql://(host=h,port=3306,password=secret)/db",
            "jdbc:mysql://h,(host=h2,password=secret)/db",
            "jdbc:mysql://h;password=secret/db",
            "mysql://h/db;password=secret",
            "jdbc:postgresql://h/db;password=secret",
            "jdbc:h2:tcp://h/db;PASSWORD=secret",
            "jdbc:h2:mem:x;PASSWORD=secret",
            "jdbc:sqlserver://h;password=secret",
            "jdbc:sqlserver://secret:1433/db",
            "jdbc:oracle:thin:u/secret",
            "oracle+cx://secret/db",
            "tickets://h1,h2;password=secret/db",
            "password=secret",
            "password=secret:x",
        ] {
            assert!(check(url).is_ok());
            let shown = redacted(url);
            assert!(!shown.contains("sec") && !shown.contains("ret"), "{shown}");
            for error in
                [SegmentConfig::parse(url, []).err(), SnowflakeConfig::parse(url, []).err()].into_iter().flatten()
            {
                assert!(!error.message().contains("secret"), "{error}");
            }
        }
        assert_eq!(redacted("jdbc:mariadb:sequential://h1,h2/db"), "jdbc:***");
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
        for url in [
            "mysql://u:s@h/db",
            "mysql://u:s@t@h/db?timeout=1s",
            "sqlite:////home/a@b/ids.db",
            "local:a@b",
            "local:/a@b",
        ] {
            assert!(check(url).is_ok(), "{url}");
        }
    }
}
