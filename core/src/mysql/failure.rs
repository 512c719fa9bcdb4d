//! What the errors of the server and of the driver mean.

use crate::database::{Failure, Meaning, Remedy, ServerError, cut, of_tls};
use crate::error::{Error, ErrorKind};
use crate::panics;
use mysql_async::{DriverError, IoError};

/// The plugin that sends the password as it is; cloud databases take tokens through it.
const CLEARTEXT: &str = "mysql_clear_password";

/// The plugin of servers before MySQL 4.1.
const OLD_PASSWORD: &str = "mysql_old_password";

/// Returns what a panic of the driver means.
///
/// It panics if the server asks for a login plugin that it was built without: "… for `ed25519` authentication plugin
/// …"; and if it is sent a key that is none.
pub(super) fn of_panic_of_driver(panic: Error) -> Failure {
    match panic.message().split('`').collect::<Vec<_>>()[..] {
        [_, plugin, rest, ..] if rest.starts_with(" authentication plugin") => no_plugin(plugin),
        _ => {
            let cause = panic.message().rsplit(panics::IS_A_BUG).next().unwrap_or_default();
            Failure::Broken(format!("the driver cannot handle the server's answer: {}", cut(cause)))
        }
    }
}

/// Returns what it means that no plugin takes credentials that a source supplied.
pub(super) fn of_supplied_credentials(failure: Failure) -> Failure {
    match failure {
        Failure::Server(ServerError { meaning: Meaning::NoWayToLogIn, text, .. }) if text.contains(CLEARTEXT) => {
            Failure::Named(Error::new(
                ErrorKind::InvalidConfig,
                format!(
                    "the account logs in with {CLEARTEXT}, which sends the password itself: set \
                     ssl_mode=verify_identity or verify_ca, with ssl_ca if the server's authority is not a public one"
                ),
            ))
        }
        Failure::Server(ServerError { meaning: Meaning::NoWayToLogIn, text, advice, .. }) => {
            Failure::Broken(format!("{text}: {advice}"))
        }
        other => other,
    }
}

/// Describes an account that logs in with a plugin that the driver does not have.
fn no_plugin(plugin: &str) -> Failure {
    let advice = match plugin {
        // By one the server gets the password, by the other a part of it.
        CLEARTEXT | OLD_PASSWORD => {
            "it may not be your server, which would learn the password so: find that out first. If it is yours, let the account log \
             in with caching_sha2_password or mysql_native_password"
        }
        _ => {
            "let it log in with caching_sha2_password or mysql_native_password (servers answer this to an unknown account as \
             well: check user and password)"
        }
    };
    Failure::Server(ServerError {
        kind: ErrorKind::InvalidConfig,
        text: format!("the account logs in with {}, which leafmint does not support", cut(plugin)),
        advice,
        remedy: Remedy::NextHost,
        meaning: Meaning::NoWayToLogIn,
    })
}

/// Describes an error of the server by its number.
fn of_server(code: u16, text: &str) -> Failure {
    let (kind, advice) = describe(code);
    Failure::Server(ServerError {
        kind,
        text: format!("error {code}: {}", cut(text)),
        advice,
        remedy: remedy(code, text),
        meaning: meaning(code),
    })
}

fn remedy(code: u16, text: &str) -> Remedy {
    match code {
        // Lock wait timeout and deadlock; a conflict between nodes of Galera or Group Replication.
        1205 | 1213 | 3101 => Remedy::Again,
        1180 if is_conflict_at_commit(text) => Remedy::Again,
        // The session or its statement was killed, or the session idled for too long.
        1317 | 1927 | 4031 => Remedy::AnotherSession,
        // A demoted primary, or one whose InnoDB only reads; a Galera node that is not in sync, or failed at commit; a
        // server that is shutting down or offline, has too many connections, or grants this account no more of them.
        1290 | 1792 | 1836 | 1036 | 1047 | 1180 | 1053 | 3032 | 1040 | 1203 | 1226 => Remedy::NextHost,
        _ => Remedy::Report,
    }
}

fn meaning(code: u16) -> Meaning {
    match code {
        1146 => Meaning::MissingTable,
        // The name is too long.
        1059 | 1103 => Meaning::ImpossibleTable,
        1044 | 1142 | 1143 => Meaning::Denied,
        1062 => Meaning::Duplicate,
        1045 | 1698 => Meaning::LogInRefused,
        1040 => Meaning::Full,
        _ => Meaning::Other,
    }
}

fn describe(code: u16) -> (ErrorKind, &'static str) {
    match code {
        1044 | 1045 | 1698 => (ErrorKind::InvalidConfig, "check user and password"),
        1049 => (ErrorKind::InvalidConfig, "create the database, or correct the URL"),
        1142 | 1143 => (ErrorKind::InvalidConfig, "grant it to this account"),
        1146 => (ErrorKind::InvalidConfig, ""),
        1054 => (ErrorKind::InvalidConfig, "leafmint needs that column"),
        1364 => (ErrorKind::InvalidConfig, "give that column a default"),
        // CHECK in MariaDB and in MySQL, and a foreign key.
        4025 | 3819 | 1452 => {
            (ErrorKind::InvalidConfig, "a constraint of the table refuses what leafmint writes: drop or widen it")
        }
        1906 | 3105 => (ErrorKind::InvalidConfig, "leafmint writes that column: make it an ordinary one"),
        1031 | 1286 => (ErrorKind::InvalidConfig, "leafmint's tables need ENGINE=InnoDB"),
        1265 | 1292 => (ErrorKind::InvalidConfig, "compare the table with schema_sql(\"mysql\")"),
        1288 => (ErrorKind::InvalidConfig, "it is a view: use the table below it"),
        1449 => (ErrorKind::InvalidConfig, "create that account, or the trigger or view anew"),
        1264 => (ErrorKind::IdSpaceExhausted, "widen that column (ALTER TABLE … MODIFY … bigint NOT NULL)"),
        1690 => (ErrorKind::IdSpaceExhausted, ""),
        1366 | 1406 | 1267 => (ErrorKind::InvalidArgument, ""),
        _ => (ErrorKind::StoreUnavailable, ""),
    }
}

/// Returns whether error 1180 reports a deadlock (the engine's error 149): another node committed first.
fn is_conflict_at_commit(text: &str) -> bool {
    text.contains("Got error 149")
}

impl From<mysql_async::Error> for Failure {
    fn from(error: mysql_async::Error) -> Self {
        match error {
            mysql_async::Error::Server(refusal) => of_server(refusal.code, &refusal.message),
            mysql_async::Error::Driver(error) => match error {
                DriverError::NoClientSslFlagFromServer => Failure::NoTls,
                DriverError::UnknownAuthPlugin { name } => no_plugin(&name),
                DriverError::CleartextPluginDisabled => no_plugin(CLEARTEXT),
                DriverError::MysqlOldPasswordDisabled => no_plugin(OLD_PASSWORD),
                other => Failure::broken(cut(&other.to_string())),
            },
            mysql_async::Error::Io(IoError::Io(error)) => {
                of_tls(&error).unwrap_or_else(|| Failure::broken(cut(&error.to_string())))
            }
            other => Failure::broken(cut(&other.to_string())),
        }
    }
}
