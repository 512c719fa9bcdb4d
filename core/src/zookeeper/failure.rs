//! What the error codes of a server mean.

use crate::database::{Failure, Meaning, Remedy, ServerError};
use crate::error::ErrorKind;

pub(super) const NO_NODE: i32 = -101;
pub(super) const BAD_VERSION: i32 = -103;
pub(super) const NODE_EXISTS: i32 = -110;

const NO_AUTH: i32 = -102;
const AUTH_FAILED: i32 = -115;

/// Describes an error by its code, and names the node that it is about.
pub(super) fn of_code(code: i32, path: &str) -> Failure {
    let (kind, advice) = describe(code);
    Failure::Server(ServerError {
        kind,
        text: format!("{path}: error {code} ({})", name(code)),
        advice,
        remedy: remedy(code),
        meaning: meaning(code),
    })
}

fn name(code: i32) -> &'static str {
    match code {
        -1 => "SystemError",
        -4 => "ConnectionLoss",
        -5 => "MarshallingError",
        -6 => "Unimplemented",
        -7 => "OperationTimeout",
        -8 => "BadArguments",
        NO_NODE => "NoNode",
        NO_AUTH => "NoAuth",
        BAD_VERSION => "BadVersion",
        -108 => "NoChildrenForEphemerals",
        NODE_EXISTS => "NodeExists",
        -112 => "SessionExpired",
        -114 => "InvalidACL",
        AUTH_FAILED => "AuthFailed",
        -118 => "SessionMoved",
        -119 => "NotReadOnly",
        -124 => "SessionClosedRequireSaslAuth",
        -125 => "QuotaExceeded",
        -127 => "ThrottledOp",
        _ => "unknown",
    }
}

fn remedy(code: i32) -> Remedy {
    match code {
        -127 => Remedy::Again,
        -4 | -7 | -112 | -118 => Remedy::AnotherSession,
        -1 | -119 => Remedy::NextHost,
        _ => Remedy::Report,
    }
}

fn meaning(code: i32) -> Meaning {
    match code {
        NO_NODE => Meaning::MissingTable,
        NO_AUTH => Meaning::Denied,
        NODE_EXISTS => Meaning::Duplicate,
        AUTH_FAILED | -124 => Meaning::LogInRefused,
        _ => Meaning::Other,
    }
}

fn describe(code: i32) -> (ErrorKind, &'static str) {
    match code {
        NO_NODE => (ErrorKind::InvalidConfig, "create that node, or correct the URL"),
        NO_AUTH => (
            ErrorKind::InvalidConfig,
            "this account may not do that: give it the rights on that node (setAcl), or set user and password",
        ),
        -108 => (ErrorKind::InvalidConfig, "the node is ephemeral: delete it, or correct the URL"),
        -114 => (ErrorKind::InvalidConfig, "the server does not know this kind of account"),
        AUTH_FAILED => (ErrorKind::InvalidConfig, "check user and password, and how the server lets clients log in"),
        -124 => (
            ErrorKind::InvalidConfig,
            "the server wants a log-in by SASL: write zookeeper+sasl:// with user and password",
        ),
        -125 => (ErrorKind::InvalidConfig, "raise the quota of that node"),
        -5 | -6 | -8 => (ErrorKind::InvalidConfig, "the server does not understand the request"),
        _ => (ErrorKind::StoreUnavailable, ""),
    }
}
