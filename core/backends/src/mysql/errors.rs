//! What the errors of the server and of the driver mean.

use crate::borrowed;
use crate::sessions::Remedy::{Again, AnotherSession, NextHost, Report};
use crate::sessions::{Failure, Row, Sense, cut, look_up, of_tls, row};
use leafmint_ids::error::ErrorKind::{IdSpaceExhausted, InvalidArgument, InvalidConfig, StoreUnavailable};
use leafmint_ids::error::Reason::{
    ClearPassword, Denied, Duplicate, ImpossibleTable, Locked, LogInRefused, LogInUnsupported, MissingTable,
    TooManySessions,
};
use leafmint_ids::error::{Error, ServerError};
use leafmint_ids::panics;
use mysql_async::{DriverError, IoError};

/// The plugin that sends the password as it is; cloud databases take tokens through it.
const CLEARTEXT: &str = "mysql_clear_password";

/// The plugin of servers before MySQL 4.1.
const OLD_PASSWORD: &str = "mysql_old_password";

const CONSTRAINT: &str = "a constraint of the table refuses what leafmint writes: drop or widen it";

/// What the server's errors mean, by number.
#[rustfmt::skip]
const ERRORS: &[Row<u16>] = &[
    // A row that stayed locked, for as long as a lock is waited for, or that is locked where nothing is waited for.
    row(&[1205, 3572],               StoreUnavailable, Again,          Some(Locked),          ""),
    // A deadlock, a conflict between nodes of Galera or Group Replication, a row that changed after MariaDB's snapshot.
    row(&[1213, 3101, 1020],         StoreUnavailable, Again,          None,                  ""),
    // The session or its statement was killed, or the session idled for too long.
    row(&[1317, 1927, 4031],         StoreUnavailable, AnotherSession, None,                  ""),
    // A demoted primary, or one whose InnoDB only reads.
    row(&[1290, 1792, 1836, 1036],   StoreUnavailable, NextHost,       None,                  ""),
    // A Galera node that is not in sync, or failed at commit; a server that is shutting down or offline.
    row(&[1047, COMMIT, 1053, 3032], StoreUnavailable, NextHost,       None,                  ""),
    // The server has too many connections, or grants this account no more of them.
    row(&[1040, 1203, 1226],         StoreUnavailable, NextHost,       Some(TooManySessions), ""),
    row(&[1045, 1698],               InvalidConfig,    Report,         Some(LogInRefused),    "check user and password"),
    row(&[1044],                     InvalidConfig,    Report,         Some(Denied),          "grant this account rights in that database, or make its role a default role"),
    row(&[1142, 1143],               InvalidConfig,    Report,         Some(Denied),          "grant it to this account"),
    row(&[1049],                     InvalidConfig,    Report,         None,                  "create the database, or correct the URL"),
    row(&[1146],                     InvalidConfig,    Report,         Some(MissingTable),    ""),
    // The name is too long.
    row(&[1059, 1103],               StoreUnavailable, Report,         Some(ImpossibleTable), ""),
    row(&[1062],                     StoreUnavailable, Report,         Some(Duplicate),       ""),
    row(&[1054],                     InvalidConfig,    Report,         None,                  "leafmint needs that column"),
    // A trigger's own refusal.
    row(&[1644],                     StoreUnavailable, Report,         None,                  ""),
    row(&[1364],                     InvalidConfig,    Report,         None,                  "give that column a default"),
    // CHECK in MariaDB and in MySQL, and a foreign key.
    row(&[4025, 3819, 1452],         InvalidConfig,    Report,         None,                  CONSTRAINT),
    row(&[1906, 3105],               InvalidConfig,    Report,         None,                  "leafmint writes that column: make it an ordinary one"),
    row(&[1031, 1286],               InvalidConfig,    Report,         None,                  "leafmint's tables need ENGINE=InnoDB"),
    row(&[1265, 1292],               InvalidConfig,    Report,         None,                  "compare the table with schema_sql(\"mysql\")"),
    row(&[1288],                     InvalidConfig,    Report,         None,                  "it is a view: use the table below it"),
    row(&[1449],                     InvalidConfig,    Report,         None,                  "create that account, or the trigger or view anew"),
    row(&[1264],                     IdSpaceExhausted, Report,         None,                  "widen that column (ALTER TABLE … MODIFY … bigint NOT NULL)"),
    row(&[1690],                     IdSpaceExhausted, Report,         None,                  ""),
    row(&[1366, 1406, 1267],         InvalidArgument,  Report,         None,                  ""),
];

/// The engine failed at commit, with an error of its own.
const COMMIT: u16 = 1180;

/// Returns what a number of the server means.
pub fn meaning(number: i32) -> Sense {
    look_up(ERRORS, |known| i32::from(*known) == number).1
}

/// Describes an error of the server by its number.
fn of_server(code: u16, state: Option<String>, message: &str) -> Failure {
    let text = cut(message);
    let (_, mut sense) = look_up(ERRORS, |known| *known == code);
    // The engine's error 149 is a deadlock: another node committed first. The server has it in the text only.
    if code == COMMIT && text.contains("Got error 149") {
        sense.remedy = Again;
    }
    Failure::of_server(ServerError::new(Some(code.into()), state, format!("error {code}: {text}")), sense, "")
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
    let reason = if plugin == CLEARTEXT { ClearPassword } else { LogInUnsupported };
    let text = format!("the account logs in with {}, which leafmint does not support", cut(plugin));
    let sense = Sense { kind: InvalidConfig, remedy: NextHost, reason: Some(reason), is_of_one_row: false, advice };
    Failure::refused(&text, sense)
}

/// Returns what a panic of the driver means.
///
/// It panics if the server asks for a login plugin that it was built without: "… for `ed25519` authentication plugin
/// …"; and if it is sent a key that is none. A panic has nothing but its text.
pub(super) fn of_panic_of_driver(panic: Error) -> Failure {
    match panic.message().split('`').collect::<Vec<_>>()[..] {
        [_, plugin, rest, ..] if rest.starts_with(" authentication plugin") => no_plugin(plugin),
        _ => {
            let cause = panic.message().rsplit(panics::IS_A_BUG).next().unwrap_or_default();
            Failure::broken(format!("the driver cannot handle the server's answer: {}", cut(cause)))
        }
    }
}

/// Returns what it means that no plugin takes credentials that a source supplied.
pub(super) fn of_supplied_credentials(failure: Failure) -> Failure {
    match (failure.reason(), failure) {
        (Some(ClearPassword), Failure::Refused(error, _)) => Failure::Named(error.saying(format!(
            "the account logs in with {CLEARTEXT}, which sends the password itself: set ssl_mode=verify_identity or \
             verify_ca, with ssl_ca if the server's authority is not a public one"
        ))),
        // The next credentials may be those of another account.
        (Some(LogInUnsupported), Failure::Refused(error, _)) => Failure::broken(error.message()),
        (_, other) => other,
    }
}

/// Returns what an error of the application's driver means.
pub(super) fn of_driver(error: borrowed::DriverError) -> Failure {
    match error.number.and_then(|number| u16::try_from(number).ok()).filter(|number| *number > 0) {
        // From 2000 on the numbers are those of clients.
        Some(number) if !error.is_lost && !(2000..3000).contains(&number) => {
            of_server(number, error.state.map(|state| cut(&state)), &error.text)
        }
        _ => Failure::broken(cut(&error.text)),
    }
}

impl From<mysql_async::Error> for Failure {
    fn from(error: mysql_async::Error) -> Self {
        match error {
            mysql_async::Error::Server(refusal) => of_server(refusal.code, Some(refusal.state), &refusal.message),
            mysql_async::Error::Driver(error) => match error {
                DriverError::NoClientSslFlagFromServer => Failure::NoTls,
                DriverError::UnknownAuthPlugin { name } => no_plugin(&name),
                DriverError::CleartextPluginDisabled => no_plugin(CLEARTEXT),
                DriverError::MysqlOldPasswordDisabled => no_plugin(OLD_PASSWORD),
                other => Failure::broken(cut(&other.to_string())),
            },
            mysql_async::Error::Io(IoError::Io(error)) => {
                of_tls(&error).unwrap_or_else(|| Failure::of_io(&error, cut(&error.to_string())))
            }
            other => Failure::broken(cut(&other.to_string())),
        }
    }
}
