//! What the errors of the server and of the driver mean.

use crate::borrowed::DriverError;
use crate::sessions::Remedy::{Again, AgainThenNextHost, AnotherSession, NextHost, Report};
use crate::sessions::{Failure, Row, Sense, cut, look_up, of_tls, row};
use leafmint_ids::error::ErrorKind::{IdSpaceExhausted, InvalidArgument, InvalidConfig, StoreUnavailable};
use leafmint_ids::error::Reason::{
    Denied, Duplicate, Locked, LogInRefused, LogInUnsupported, MissingTable, TooManySessions,
};
use leafmint_ids::error::ServerError;
use std::error::Error;
use std::io;
use tokio_postgres::error::DbError;

/// The server's function that waits for replicas. It warns, and lets the commit stand, if the wait is cancelled.
const WAITS_FOR_REPLICAS: &str = "SyncRepWaitForLSN";

/// The server's function that refuses a row which a policy does not allow, with the code of a missing privilege.
const CHECKS_POLICIES: &str = "ExecWithCheckOptions";

const POLICY: &str = "a policy of row level security refuses what leafmint writes: run ALTER TABLE … DISABLE ROW LEVEL SECURITY, \
                      or make a policy WITH CHECK (true)";

/// Returns whether a notice says that a commit stands which replicas do not have.
pub(super) fn is_unreplicated(notice: &DbError) -> bool {
    notice.routine() == Some(WAITS_FOR_REPLICAS)
}

const LOG_IN: &str = "check user and password, and the server's pg_hba.conf";
const GRANT: &str = "grant it to this account (GRANT SELECT, INSERT, UPDATE ON … TO …; GRANT USAGE ON SCHEMA … TO …)";
const SCHEMA: &str = "create the schema, or put one on the search path (ALTER ROLE … SET search_path = …)";
const CONSTRAINT: &str = "a constraint of the table refuses what leafmint writes: drop or widen it";
const NARROW: &str = "widen that column (ALTER TABLE … ALTER COLUMN … TYPE bigint)";
const FULL: &str =
    "raise its maximum, if the columns that its ids go to have room (ALTER SEQUENCE … AS bigint MAXVALUE …)";
const COMPARE: &str = "compare the table with schema_sql(\"postgresql\")";

/// What the server's errors mean, by the beginning of the SQLSTATE: a class is behind the codes of it that have rows of
/// their own.
#[rustfmt::skip]
const ERRORS: &[Row<&str>] = &[
    // A conflict with another transaction, a deadlock, a row that stayed locked.
    row(&["40001", "40P01"],                   StoreUnavailable, Again,          None,                  ""),
    row(&["55P03"],                            StoreUnavailable, AgainThenNextHost, Some(Locked),       ""),
    // The statement was cancelled, or the session idled for too long or was left in a transaction.
    row(&["57014", "57P05", "25P02", "25P03"], StoreUnavailable, AnotherSession, None,                  ""),
    // A replica, or a primary that only reads.
    row(&["25006"],                            StoreUnavailable, NextHost,       None,                  ""),
    row(&["53300"],                            StoreUnavailable, NextHost,       Some(TooManySessions), ""),
    // A server that starts, ends or was ended, and a proxy without a server. A server without room.
    row(&["57P", "08", "53"],                  StoreUnavailable, NextHost,       None,                  ""),
    row(&["28P01", "28000"],                   InvalidConfig,    Report,         Some(LogInRefused),    LOG_IN),
    row(&["3D000"],                            InvalidConfig,    Report,         None,                  "create the database, or correct the URL"),
    row(&["3F000"],                            InvalidConfig,    Report,         None,                  SCHEMA),
    row(&["42501"],                            InvalidConfig,    Report,         Some(Denied),          GRANT),
    row(&["42P01"],                            InvalidConfig,    Report,         Some(MissingTable),    ""),
    row(&["23505"],                            StoreUnavailable, Report,         Some(Duplicate),       ""),
    row(&["42P07", "42710"],                   InvalidConfig,    Report,         Some(Duplicate),       COMPARE),
    row(&["42703"],                            InvalidConfig,    Report,         None,                  "leafmint needs that column"),
    row(&["23514"],                            InvalidConfig,    Report,         None,                  CONSTRAINT),
    // A trigger's own refusal.
    row(&["P0001"],                            StoreUnavailable, Report,         None,                  ""),
    row(&["23502"],                            InvalidConfig,    Report,         None,                  "give that column a default"),
    row(&["22003"],                            IdSpaceExhausted, Report,         None,                  NARROW),
    row(&["2200H"],                            IdSpaceExhausted, Report,         None,                  FULL),
    row(&["22001", "22021", "22P05"],          InvalidArgument,  Report,         None,                  ""),
    row(&["42", "22", "0A"],                   InvalidConfig,    Report,         None,                  COMPARE),
];

/// Returns what an SQLSTATE means.
pub fn meaning(state: &str) -> Sense {
    look_up(ERRORS, |known| state.starts_with(known)).1
}

/// Describes an error of the server by its code.
fn of_server(error: &DbError) -> Failure {
    let code = error.code().code();
    let sense = match error.routine() {
        Some(CHECKS_POLICIES) if code == "42501" => {
            Sense { kind: InvalidConfig, remedy: Report, reason: None, is_of_one_row: true, advice: POLICY }
        }
        _ => meaning(code),
    };
    of_answer(code, error.message(), sense)
}

fn of_answer(code: &str, message: &str, sense: Sense) -> Failure {
    let text = format!("error {code}: {}", cut(message));
    Failure::of_server(ServerError::new(None, Some(cut(code)), text), sense, "")
}

/// Returns what an error of the application's driver means.
pub(super) fn of_driver(error: DriverError) -> Failure {
    match error.state.filter(|state| !error.is_lost && state.len() == 5 && !state.starts_with("08")) {
        Some(code) => of_answer(&code, &error.text, meaning(&code)),
        None => Failure::broken(cut(&error.text)),
    }
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        if let Some(error) = error.as_db_error() {
            return of_server(error);
        }
        // The driver's kinds are private, so that its text alone says which log-ins cannot succeed.
        let in_vain = ["authentication error", "invalid configuration"].contains(&error.to_string().as_str());
        let (mut causes, mut of_system, mut next): (_, _, Option<&(dyn Error + 'static)>) =
            (Vec::new(), None, Some(&error));
        while let Some(cause) = next {
            if let Some(error) = cause.downcast_ref::<io::Error>() {
                if let Some(failure) = of_tls(error) {
                    return failure;
                }
                if error.kind() == io::ErrorKind::PermissionDenied && error.get_ref().is_some() {
                    return no_way_to_log_in(&error.to_string());
                }
                of_system = Some(error);
            }
            causes.push(cause.to_string());
            next = cause.source();
        }
        let text = cut(&causes.join(": "));
        match of_system {
            _ if in_vain => no_way_to_log_in(&text),
            Some(error) => Failure::of_io(error, text),
            None => Failure::broken(text),
        }
    }
}

/// Describes a server that says at once that it is a replica.
pub(super) fn replica() -> Failure {
    let sense = Sense {
        kind: StoreUnavailable,
        remedy: NextHost,
        reason: None,
        is_of_one_row: false,
        advice: "name the primary",
    };
    Failure::refused("the server is a replica, which only reads", sense)
}

/// Describes a server that asks for a way of logging in that leafmint does not have, or does not take.
fn no_way_to_log_in(text: &str) -> Failure {
    let advice = "check user and password, and let the account log in by scram-sha-256";
    let sense =
        Sense { kind: InvalidConfig, remedy: NextHost, reason: Some(LogInUnsupported), is_of_one_row: false, advice };
    Failure::refused(text, sense)
}
