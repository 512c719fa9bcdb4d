//! Keeps passwords in URLs out of messages.

use super::MOST_BYTES;
use crate::error::{Error, ErrorKind, Result};
use std::net::Ipv6Addr;

/// Schemes whose URLs have no login. After an empty authority, their path may contain an `@`.
const WITHOUT_LOGIN: [&str; 4] = ["memory", "sqlite", "local", "fixed"];

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
    let scheme = bare.strip_prefix("jdbc:").unwrap_or(bare).split(':').next().unwrap_or_default();
    let has_files = WITHOUT_LOGIN.contains(&scheme.split('+').next().unwrap_or_default());
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
    let name =
        if address.parse::<Ipv6Addr>().is_ok() { address.len() + 2 } else { host.find(':').unwrap_or(host.len()) };
    match host[name..].strip_prefix(':') {
        None if name == host.len() => host.to_owned(),
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => host.to_owned(),
        _ => format!("{}:***", &host[..name]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for url in [
            "mysql://u:s@h/db",
            "mysql://u:s@t@h/db?timeout=1s",
            "sqlite:////home/a@b/ids.db",
            "local:a@b",
            "local:///a@b",
        ] {
            assert!(check(url).is_ok(), "{url}");
        }
    }
}
