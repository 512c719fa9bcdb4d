//! The settings of a database on a server: the part of a URL and the options that both modes share.

use super::params::{CREDENTIALS, Params};
use super::servers;
use super::url::Url;
use leafmint_backends::borrowed::Borrowing;
use leafmint_backends::sessions::tls::read_authorities;
use leafmint_backends::sessions::{DatabaseSettings, LogIn, SslMode};
use leafmint_ids::error::ConfigErrors;
use std::path::PathBuf;
use std::time::Duration;

/// Reads the address of the database and the log-in.
pub(super) fn settings(url: Url, params: &Params, errors: &mut ConfigErrors) -> DatabaseSettings {
    if url.hosts.is_empty() || url.path.is_empty() || url.path.contains('/') {
        let scheme = &url.scheme;
        errors.add(format!("write {scheme}://user:password@host/database, or host1,host2 for a fail-over list"));
    }
    of_servers(url, params, errors)
}

/// Reads the addresses of servers and the log-in, for any kind of server.
pub(super) fn of_servers(url: Url, params: &Params, errors: &mut ConfigErrors) -> DatabaseSettings {
    let (user, password) = (params.given("username").or(url.user), params.given("password").or(url.password));
    // The protocol ends these fields at a NUL, so the rest would be lost.
    let mut fields =
        vec![("username", user.as_deref()), ("password", password.as_deref()), ("database", Some(url.path.as_str()))];
    fields.extend(url.hosts.iter().map(|(host, _)| ("host", Some(host.as_str()))));
    for (name, _) in fields.iter().filter(|(_, text)| text.is_some_and(|text| text.contains('\0'))) {
        errors.add(format!("the {name} holds a NUL character"));
    }
    let port = servers::of_scheme(&url.scheme).and_then(|server| server.port).unwrap_or_default();
    DatabaseSettings {
        hosts: url.hosts.into_iter().map(|(host, written)| (host, written.unwrap_or(port))).collect(),
        database: url.path,
        log_in: log_in(user, password, params, errors),
        sasl: false,
        takes_replica: false,
        lender: None,
        ssl_mode: read_ssl_mode(params, errors),
        ssl_ca: params.given::<String>("ssl_ca").map(|path| {
            let path = PathBuf::from(path);
            if let Err(error) = read_authorities(&path) {
                errors.add_of("ssl_ca", error.message());
            }
            path
        }),
        connect_timeout: connect_timeout(params, errors),
    }
}

/// Reads what is ours to say about connections of the application.
pub(super) fn borrowed(lender: Borrowing, params: &Params, errors: &mut ConfigErrors) -> DatabaseSettings {
    for name in ["username", "password", "ssl_mode", "ssl_ca", CREDENTIALS].into_iter().filter(|name| params.has(name))
    {
        errors.add_of(
            name,
            format!("{name} is the application's to say where its connections are made: set it there, or pass a URL"),
        );
    }
    DatabaseSettings::borrowed(lender, connect_timeout(params, errors))
}

/// Returns how to log in. What is supplied for each connection cannot be combined with what stays.
fn log_in(user: Option<String>, password: Option<String>, params: &Params, errors: &mut ConfigErrors) -> LogIn {
    let Some(source) = params.given(CREDENTIALS) else { return LogIn::Configured { user, password } };
    for (name, fixed) in [("username", user), ("password", password)] {
        if fixed.is_some() {
            errors.add_of(
                name,
                format!("credentials and {name} are both set: remove {name}, also from the URL, or credentials"),
            );
        }
    }
    LogIn::Supplied(source)
}

/// Reads the longest wait for one connection, statement or lock.
pub(super) fn connect_timeout(params: &Params, errors: &mut ConfigErrors) -> Duration {
    let timeout = params.get::<Duration>("connect_timeout");
    if timeout.is_zero() {
        errors.add_of("connect_timeout", "connect_timeout must be longer than 0");
    }
    timeout
}

/// Returns the option `ssl_mode`, or without it the least mode that satisfies the other options and parameters.
fn read_ssl_mode(params: &Params, errors: &mut ConfigErrors) -> SslMode {
    if params.has("ssl_mode") {
        return params.choice("ssl_mode", SSL_MODES);
    }
    let of_ssl_ca = params.has("ssl_ca").then(|| ("ssl_ca".to_owned(), SslMode::VerifyCa));
    let demands = || params.security.iter().chain(&of_ssl_ca);
    let strongest = demands().max_by_key(|(_, mode)| *mode);
    if let Some((name, mode)) = strongest.filter(|(_, mode)| *mode >= SslMode::Required)
        && let Some((refusing, _)) = demands().find(|(_, mode)| *mode == SslMode::Disabled)
    {
        errors.add(format!("{refusing} asks for no encryption, and {name} for encryption: keep one of them"));
        return *mode;
    }
    strongest.map_or_else(|| params.choice("ssl_mode", SSL_MODES), |(_, mode)| *mode)
}

const SSL_MODES: &[(&str, SslMode)] = &[
    ("disabled", SslMode::Disabled),
    ("preferred", SslMode::Preferred),
    ("required", SslMode::Required),
    ("verify_ca", SslMode::VerifyCa),
    ("verify_identity", SslMode::VerifyIdentity),
];
