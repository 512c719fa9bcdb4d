//! What the error codes of a server mean.

use crate::sessions::Remedy::{Again, AnotherSession, NextHost, Report};
use crate::sessions::{Failure, Row, look_up, row};
use leafmint_ids::error::ErrorKind::{InvalidConfig, StoreUnavailable};
use leafmint_ids::error::Reason::{Denied, Duplicate, LogInRefused, MissingTable};
use leafmint_ids::error::ServerError;

pub(super) const NO_NODE: i32 = -101;
pub(super) const BAD_VERSION: i32 = -103;
pub(super) const NODE_EXISTS: i32 = -110;

const RIGHTS: &str = "this account may not do that: give it the rights on that node (setAcl), or set user and password";
const SASL: &str = "the server wants a log-in by SASL: write zookeeper+sasl:// with user and password";
const ACCOUNT: &str = "check user and password, and how the server lets clients log in";
const NO_LEAF: &str = "the node is ephemeral: delete it, or correct the URL";
const REQUEST: &str = "the server does not understand the request";

/// A code and its name.
type Code = (i32, &'static str);

/// What the server's errors mean, by code.
#[rustfmt::skip]
const ERRORS: &[Row<Code>] = &[
    row(&[(-127, "ThrottledOp")],                           StoreUnavailable, Again,          None,               ""),
    row(&[(-4, "ConnectionLoss")],                          StoreUnavailable, AnotherSession, None,               ""),
    row(&[(-7, "OperationTimeout")],                        StoreUnavailable, AnotherSession, None,               ""),
    row(&[(-112, "SessionExpired")],                        StoreUnavailable, AnotherSession, None,               ""),
    row(&[(-118, "SessionMoved")],                          StoreUnavailable, AnotherSession, None,               ""),
    row(&[(-1, "SystemError"), (-119, "NotReadOnly")],      StoreUnavailable, NextHost,       None,               ""),
    row(&[(NO_NODE, "NoNode")],                             InvalidConfig,    Report,         Some(MissingTable), "create that node, or correct the URL"),
    row(&[(-102, "NoAuth")],                                InvalidConfig,    Report,         Some(Denied),       RIGHTS),
    row(&[(BAD_VERSION, "BadVersion")],                     StoreUnavailable, Report,         None,               ""),
    row(&[(-108, "NoChildrenForEphemerals")],               InvalidConfig,    Report,         None,               NO_LEAF),
    row(&[(NODE_EXISTS, "NodeExists")],                     StoreUnavailable, Report,         Some(Duplicate),    ""),
    row(&[(-114, "InvalidACL")],                            InvalidConfig,    Report,         None,               "the server does not know this kind of account"),
    row(&[(-115, "AuthFailed")],                            InvalidConfig,    Report,         Some(LogInRefused), ACCOUNT),
    row(&[(-124, "SessionClosedRequireSaslAuth")],          InvalidConfig,    Report,         Some(LogInRefused), SASL),
    row(&[(-125, "QuotaExceeded")],                         InvalidConfig,    Report,         None,               "raise the quota of that node"),
    row(&[(-5, "MarshallingError"), (-6, "Unimplemented")], InvalidConfig,    Report,         None,               REQUEST),
    row(&[(-8, "BadArguments")],                            InvalidConfig,    Report,         None,               REQUEST),
];

/// Describes an error by its code, and names the node that it is about.
pub(super) fn of_code(code: i32, path: &str) -> Failure {
    let (known, sense) = look_up(ERRORS, |(known, _)| *known == code);
    let name = known.map_or("unknown", |(_, name)| name);
    let answer = ServerError::new(Some(code), None, format!("error {code} ({name})"));
    Failure::of_server(answer, sense, &format!("{path}: "))
}
