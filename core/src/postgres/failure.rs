//! What the errors of the server and of the driver mean.

use crate::database::{Failure, Meaning, Remedy, ServerError, cut, of_tls};
use crate::error::ErrorKind;
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

/// Describes an error of the server by its code.
fn of_server(error: &DbError) -> Failure {
    let code = error.code().code();
    let (kind, advice) = describe(code);
    let (advice, meaning) = match error.routine() {
        Some(CHECKS_POLICIES) if code == "42501" => (POLICY, Meaning::Other),
        _ => (advice, meaning(code)),
    };
    let text = format!("error {code}: {}", cut(error.message()));
    Failure::Server(ServerError { kind, text, advice, remedy: remedy(code), meaning })
}

fn remedy(code: &str) -> Remedy {
    match code {
        // A conflict with another transaction, a deadlock, a row that stayed locked.
        "40001" | "40P01" | "55P03" => Remedy::Again,
        // The statement was cancelled, or the session idled for too long or was left in a transaction.
        "57014" | "57P05" | "25P02" | "25P03" => Remedy::AnotherSession,
        // A replica, or a primary that only reads.
        "25006" => Remedy::NextHost,
        // A server that starts, ends or was ended, and a proxy without a server. A server without room.
        _ if ["57P", "08", "53"].iter().any(|class| code.starts_with(class)) => Remedy::NextHost,
        _ => Remedy::Report,
    }
}

fn meaning(code: &str) -> Meaning {
    match code {
        "42P01" => Meaning::MissingTable,
        "42501" => Meaning::Denied,
        "23505" | "42P07" | "42710" => Meaning::Duplicate,
        "28P01" | "28000" => Meaning::LogInRefused,
        "55P03" => Meaning::Locked,
        "53300" => Meaning::Full,
        _ => Meaning::Other,
    }
}

fn describe(code: &str) -> (ErrorKind, &'static str) {
    match code {
        "28P01" | "28000" => (ErrorKind::InvalidConfig, "check user and password, and the server's pg_hba.conf"),
        "3D000" => (ErrorKind::InvalidConfig, "create the database, or correct the URL"),
        "3F000" => (
            ErrorKind::InvalidConfig,
            "create the schema, or put one on the search path (ALTER ROLE … SET search_path = …)",
        ),
        "42501" => (
            ErrorKind::InvalidConfig,
            "grant it to this account (GRANT SELECT, INSERT, UPDATE ON … TO …; GRANT USAGE ON SCHEMA … TO …)",
        ),
        "42P01" => (ErrorKind::InvalidConfig, ""),
        "42703" => (ErrorKind::InvalidConfig, "leafmint needs that column"),
        "23514" => {
            (ErrorKind::InvalidConfig, "a constraint of the table refuses what leafmint writes: drop or widen it")
        }
        "23502" => (ErrorKind::InvalidConfig, "give that column a default"),
        "22003" => (ErrorKind::IdSpaceExhausted, "widen that column (ALTER TABLE … ALTER COLUMN … TYPE bigint)"),
        "22001" | "22021" | "22P05" => (ErrorKind::InvalidArgument, ""),
        _ if code.starts_with("42") || code.starts_with("22") || code.starts_with("0A") => {
            (ErrorKind::InvalidConfig, "compare the table with schema_sql(\"postgresql\")")
        }
        _ => (ErrorKind::StoreUnavailable, ""),
    }
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        if let Some(error) = error.as_db_error() {
            return of_server(error);
        }
        let in_vain = ["authentication error", "invalid configuration"].contains(&error.to_string().as_str());
        let (mut causes, mut next): (_, Option<&(dyn Error + 'static)>) = (Vec::new(), Some(&error));
        while let Some(cause) = next {
            if let Some(error) = cause.downcast_ref::<io::Error>() {
                if let Some(failure) = of_tls(error) {
                    return failure;
                }
                if error.kind() == io::ErrorKind::PermissionDenied && error.get_ref().is_some() {
                    return no_way_to_log_in(error.to_string());
                }
            }
            causes.push(cause.to_string());
            next = cause.source();
        }
        let text = cut(&causes.join(": "));
        if in_vain { no_way_to_log_in(text) } else { Failure::Broken(text) }
    }
}

/// Describes a server that says at once that it is a replica.
pub(super) fn replica() -> Failure {
    Failure::Server(ServerError {
        kind: ErrorKind::StoreUnavailable,
        text: "the server is a replica, which only reads".to_owned(),
        advice: "name the primary",
        remedy: Remedy::NextHost,
        meaning: Meaning::Other,
    })
}

/// Describes a server that asks for a way of logging in that leafmint does not have, or does not take.
fn no_way_to_log_in(text: String) -> Failure {
    Failure::Server(ServerError {
        kind: ErrorKind::InvalidConfig,
        text,
        advice: "check user and password, and let the account log in by scram-sha-256",
        remedy: Remedy::NextHost,
        meaning: Meaning::NoWayToLogIn,
    })
}
