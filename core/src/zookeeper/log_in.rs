//! Logs a session in: by the scheme `digest`, or by SASL.

use super::digest_md5::Exchange;
use super::failure;
use super::jute::Record;
use super::session::Session;
use crate::database::{Failure, Outcome};
use crate::error::{Error, ErrorKind};

const AUTH: i32 = 100;
const SASL: i32 = 102;

/// The number of the one request that answers have by its kind.
const AUTH_NUMBER: i32 = -4;

const SUBJECT: &str = "the log-in";

/// Shows user and password to the server, which compares them with the access list of each node.
///
/// Raises `invalid_config` if the user has a colon.
pub(super) async fn by_digest(session: &mut Session, user: &str, password: &str) -> Outcome<()> {
    if user.contains(':') {
        return Err(refused("user has a colon, which ends it in ZooKeeper's scheme digest"));
    }
    let record = Record::default().int(0).text("digest").text(&format!("{user}:{password}"));
    let answer = session.call_numbered(AUTH_NUMBER, AUTH, record).await?;
    check(answer.code)?;
    session.note_log_in();
    Ok(())
}

/// Proves to the server that the password is known, and has it do the same. The password itself is not sent.
///
/// Raises `invalid_config` if user or password is not ASCII.
pub(super) async fn by_sasl(session: &mut Session, user: &str, password: &str) -> Outcome<()> {
    if !user.is_ascii() || !password.is_ascii() {
        return Err(refused("user or password is not ASCII, which servers read differently in a log-in by SASL"));
    }
    let challenge = token(session, b"").await?;
    if challenge.is_empty() {
        return Err(refused(
            "the server does not log in by SASL: it may not be your server, or something on the way to it takes SASL away: find \
             that out first. Only if yours has no SASL, write zookeeper:// for its scheme digest",
        ));
    }
    let exchange = Exchange::of(&challenge, user, password, nonce()?)?;
    let answer = token(session, exchange.answer().as_bytes()).await?;
    exchange.check(&answer)?;
    session.note_log_in();
    Ok(())
}

/// Sends one part of a log-in by SASL, and returns the server's.
async fn token(session: &mut Session, token: &[u8]) -> Outcome<Vec<u8>> {
    let answer = session.call(SASL, Record::default().bytes(token)).await?;
    check(answer.code)?;
    Ok(answer.body().bytes()?.to_vec())
}

fn refused(problem: &str) -> Failure {
    Error::new(ErrorKind::InvalidConfig, problem).into()
}

fn check(code: i32) -> Outcome<()> {
    if code == 0 { Ok(()) } else { Err(failure::of_code(code, SUBJECT)) }
}

fn nonce() -> Outcome<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::broken(format!("the system provides no random bits for a log-in: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
