//! Opens sessions, which log in if there is an account.

use super::digest_md5::Exchange;
use super::errors;
use super::session::Session;
use super::stream::{Reader, Record, Stream};
use crate::sessions::{Account, DatabaseSettings, Engine, Failure, Hosts, Opened, Outcome, Stay};
use leafmint_ids::error::{Error, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// ZooKeeper.
pub struct ZooKeeper {
    settings: DatabaseSettings,
    hosts: Arc<Hosts>,
    /// The newest transaction that any session has seen: a server that lags behind it is not asked.
    newest: Arc<AtomicI64>,
}

impl Engine for ZooKeeper {
    const SCHEME: &'static str = "zookeeper";

    type Session = Session;

    fn new(settings: DatabaseSettings, hosts: Arc<Hosts>) -> Self {
        Self { settings, hosts, newest: Arc::default() }
    }

    async fn open(&self, stay: Stay, account: &Account) -> Outcome<Opened<Session>> {
        let dialling = self.dial(self.hosts.index(stay), account);
        match self.hosts.within_deadline(stay, "the connection", dialling).await? {
            Err(Failure::Named(error)) if error.kind() != ErrorKind::InvalidConfig => Err(Failure::Broken(error)),
            answer => answer,
        }
    }

    async fn ping(session: &mut Session) -> Outcome<()> {
        session.ping().await
    }

    async fn end(session: Session) {
        session.end().await;
    }

    fn cut(sessions: Vec<Session>) {
        drop(sessions);
    }
}

impl ZooKeeper {
    async fn dial(&self, host: usize, account: &Account) -> Outcome<Opened<Session>> {
        let mut stream = Stream::connect(&self.settings, host).await?;
        let newest = self.newest.load(Ordering::Relaxed);
        let kept_for = open_session(&mut stream, newest).await?;
        let mut session = Session::new(stream, kept_for, self.newest.clone());
        if let Account { user: Some(user), password, .. } = account {
            let password = password.as_deref().unwrap_or_default();
            match self.settings.sasl {
                true => by_sasl(&mut session, user, password).await?,
                false => by_digest(&mut session, user, password).await?,
            }
        }
        Ok(Opened { is_encrypted: session.is_encrypted(), session })
    }
}

/// How long a server should keep a session that idles; it may grant another time. Longer than a heartbeat, so that
/// the next one finds the session still there, and short, so that the server soon forgets one that was cut.
const IDLE: Duration = Duration::from_secs(30);

/// Opens a session, which a server grants only if it knows everything up to the transaction `newest`. Returns for how
/// long the server keeps it while it idles.
pub(super) async fn open_session(stream: &mut Stream, newest: i64) -> Outcome<Duration> {
    let (version, no_session, no_password, is_read_only) = (0, 0, [0; 16], false);
    let request = Record::default().int(version).long(newest).int(IDLE.as_millis() as i32);
    stream.send(request.long(no_session).bytes(&no_password).boolean(is_read_only)).await?;
    let answer = stream.receive().await.map_err(|failure| match failure {
        Failure::Broken(error) => {
            let text = format!(
                "{error} before it opened a session: it is no ZooKeeper server or is not encrypted as ssl_mode says, \
                 it has no quorum, or it lags behind what was read already"
            );
            Failure::Broken(error.saying(text))
        }
        other => other,
    })?;
    granted(&answer)
}

/// Reads the server's answer.
pub(super) fn granted(answer: &[u8]) -> Outcome<Duration> {
    let mut reader = Reader::of(answer);
    let (_version, idle, _session) = (reader.int()?, reader.int()?, reader.long()?);
    match u64::try_from(idle) {
        Ok(idle) if idle > 0 => Ok(Duration::from_millis(idle)),
        _ => Err(Failure::broken("the server opened no session")),
    }
}

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
    if code == 0 { Ok(()) } else { Err(errors::of_code(code, SUBJECT)) }
}

fn nonce() -> Outcome<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::broken(format!("the system provides no random bits for a log-in: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
