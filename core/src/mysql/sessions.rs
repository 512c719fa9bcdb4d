//! Sessions with the hosts of one data set: few, idle ones kept, every statement under a deadline.
//!
//! The driver's own pool is left aside: it resets connections between uses, and it waits for an answer to a statement that was
//! given up, for ever where the server is frozen. Here a session that did not answer in time is simply cut.

use super::failure::{Failure, Remedy};
use super::session::Session;
use super::statement::{Outcome, Statement};
use crate::error::{Error, Result};
use crate::mutants::weaken;
use crate::sync::Mutex;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts, OptsBuilder, SslOpts};
use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// How many sessions one generator holds at the most.
const MOST_SESSIONS: usize = 4;

/// A session that idled longer is replaced: servers and proxies cut idle ones, often at a minute.
const LONGEST_IDLE: Duration = Duration::from_secs(50);

/// Conflicts (1205, 1213) are tried again this often before the refill's own back-off takes over.
const MOST_CONFLICTS: u32 = 20;

/// Whether and how sessions are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SslMode {
    /// Never.
    Disabled,
    /// Where the server can, without checking its certificate.
    Preferred,
    /// Always, without checking the server's certificate.
    Required,
    /// Always, with a certificate of a known authority.
    VerifyCa,
    /// Always, with a certificate of a known authority for this host name.
    VerifyIdentity,
}

/// Where the database is and how to log in.
#[derive(Clone)]
pub struct MySqlSettings {
    /// Host and port; a fail-over list over one data set.
    pub hosts: Vec<(String, u16)>,
    /// The database.
    pub database: String,
    /// The account.
    pub user: Option<String>,
    /// Its password.
    pub password: Option<String>,
    /// Encryption.
    pub ssl_mode: SslMode,
    /// A PEM file with the authorities to trust, instead of the built-in ones.
    pub ssl_ca: Option<PathBuf>,
    /// The longest wait for one connection or statement.
    pub connect_timeout: Duration,
}

/// A failure with the name that callers see.
pub(crate) struct Refusal {
    pub(crate) error: Error,
    pub(crate) missing_table: bool,
}

pub(crate) struct Sessions {
    settings: MySqlSettings,
    name: String,
    idle: Mutex<Vec<Session>>,
    permits: Semaphore,
    /// The host that answered last.
    host: AtomicUsize,
}

impl Sessions {
    pub(crate) fn new(settings: MySqlSettings) -> Self {
        let hosts: Vec<String> = settings.hosts.iter().map(|(host, port)| format!("{host}:{port}")).collect();
        let name = format!("mysql://{}/{}", hosts.join(","), settings.database);
        let permits = Semaphore::new(MOST_SESSIONS);
        Self { settings, name, idle: Mutex::default(), permits, host: AtomicUsize::new(0) }
    }

    pub(crate) fn settings(&self) -> &MySqlSettings {
        &self.settings
    }

    /// Names the database without credentials.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Runs a statement, again after a conflict, on each host in turn until one answers.
    pub(crate) async fn run<S: Statement>(&self, statement: &S) -> std::result::Result<S::Answer, Refusal> {
        let _permit = self.permits.acquire().await;
        let mut conflicts_left = MOST_CONFLICTS;
        let mut hosts_left = self.settings.hosts.len();
        loop {
            let (failure, was_idle) = match self.attempt(statement).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            match failure.remedy() {
                Remedy::Again if conflicts_left > 0 => {
                    conflicts_left -= 1;
                    tokio::time::sleep(Duration::from_micros(fastrand::u64(100..2000))).await;
                }
                // A session may have been cut while it idled, which says nothing about its host. Each one is tried once.
                Remedy::NextHost if was_idle => {}
                Remedy::NextHost if hosts_left > 1 => {
                    hosts_left -= 1;
                    self.leave_host();
                }
                remedy => {
                    if remedy == Remedy::NextHost {
                        self.leave_host();
                    }
                    let missing_table = failure.is_missing_table();
                    return Err(Refusal { error: failure.name(&self.name), missing_table });
                }
            }
        }
    }

    /// Runs a statement that must be sent at most once: the session is checked before, and nothing is tried again after.
    pub(crate) async fn once<S: Statement>(&self, statement: &S) -> Result<S::Answer> {
        let _permit = self.permits.acquire().await;
        let answered = async {
            let session = match self.take_checked().await {
                Some(session) => session,
                None => self.connect().await?,
            };
            self.on(session, statement).await
        };
        answered.await.map_err(|failure| failure.name(&self.name))
    }

    /// Takes an idle session that still answers.
    async fn take_checked(&self) -> Option<Session> {
        let mut session = self.take_idle()?;
        let alive = self.bounded(session.connection.ping()).await.is_ok();
        if !alive {
            cut(session);
            return None;
        }
        Some(session)
    }

    /// Ends the idle sessions politely.
    pub(crate) async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle.lock());
        for session in idle {
            let _ = self.bounded(session.connection.disconnect()).await;
        }
    }

    /// Tries once, and tells whether the session had idled before.
    async fn attempt<S: Statement>(&self, statement: &S) -> std::result::Result<S::Answer, (Failure, bool)> {
        let idle = self.take_idle();
        let was_idle = idle.is_some();
        let session = match idle {
            Some(session) => session,
            None => self.connect().await.map_err(|failure| (failure, false))?,
        };
        self.on(session, statement).await.map_err(|failure| (failure, was_idle))
    }

    /// Runs a statement on a session, and keeps the session only if the server answered.
    async fn on<S: Statement>(&self, mut session: Session, statement: &S) -> Outcome<S::Answer> {
        match tokio::time::timeout(self.settings.connect_timeout, statement.run(&mut session)).await {
            Ok(answer) => {
                if answer.as_ref().is_err_and(|failure| failure.remedy() == Remedy::NextHost) {
                    cut(session);
                } else {
                    session.used = Instant::now();
                    self.idle.lock().push(session);
                }
                answer
            }
            Err(_) => {
                cut(session);
                Err(self.no_answer("a statement"))
            }
        }
    }

    fn take_idle(&self) -> Option<Session> {
        let (mut idle, host) = (self.idle.lock(), self.host.load(Ordering::Relaxed));
        while let Some(session) = idle.pop() {
            if session.host == host && session.used.elapsed() < LONGEST_IDLE {
                return Some(session);
            }
            cut(session);
        }
        None
    }

    fn leave_host(&self) {
        let next = (self.host.load(Ordering::Relaxed) + 1) % self.settings.hosts.len();
        self.host.store(next, Ordering::Relaxed);
    }

    async fn connect(&self) -> Outcome<Session> {
        let host = self.host.load(Ordering::Relaxed);
        let mode = self.settings.ssl_mode;
        let connection = match self.dial(host, mode).await {
            Err(Failure::NoTls) if mode == SslMode::Preferred => self.dial(host, SslMode::Disabled).await,
            other => other,
        }
        .map_err(|failure| match failure {
            Failure::Broken(text) => {
                let (name, port) = &self.settings.hosts[host];
                Failure::Broken(format!("cannot connect to {name}:{port}: {text}"))
            }
            other => other,
        })?;
        Ok(Session::new(connection, self.setup(), host))
    }

    async fn dial(&self, host: usize, mode: SslMode) -> Outcome<Conn> {
        match self.dial_as(host, mode, None).await {
            // The authority counts, not the name: the driver compares names all the same, so it is given the certificate's own.
            Err(Failure::OtherName(Some(name))) if mode == SslMode::VerifyCa => self.dial_as(host, mode, Some(name)).await,
            other => other,
        }
    }

    async fn dial_as(&self, host: usize, mode: SslMode, name: Option<String>) -> Outcome<Conn> {
        let mut dialling = Box::pin(Conn::new(self.options(host, mode, name)));
        match tokio::time::timeout(self.settings.connect_timeout, &mut dialling).await {
            Ok(answer) => Ok(answer?),
            Err(_) => {
                cut(dialling);
                Err(self.no_answer("the connection"))
            }
        }
    }

    /// Runs a small exchange that ends a session or checks it.
    async fn bounded<T>(&self, exchange: impl Future<Output = mysql_async::Result<T>>) -> Outcome<T> {
        match tokio::time::timeout(self.settings.connect_timeout, exchange).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(self.no_answer("the connection")),
        }
    }

    fn no_answer(&self, to: &str) -> Failure {
        Failure::Broken(format!("no answer to {to} within connect_timeout={:?}", self.settings.connect_timeout))
    }

    fn options(&self, host: usize, mode: SslMode, certified: Option<String>) -> Opts {
        let ssl = self.ssl_options(mode).map(|ssl| ssl.with_danger_tls_hostname_override(certified));
        let (name, port) = &self.settings.hosts[host];
        OptsBuilder::default()
            .ip_or_hostname(name)
            .tcp_port(*port)
            .user(self.settings.user.clone())
            .pass(self.settings.password.clone())
            .db_name(Some(self.settings.database.clone()))
            .prefer_socket(false)
            .tcp_nodelay(true)
            .max_allowed_packet(Some(1 << 20))
            .wait_timeout(Some(28_800))
            .ssl_opts(ssl)
            .into()
    }

    /// What each session is told before its first statement.
    fn setup(&self) -> String {
        // A statement that is given up must not sit in the server's lock queue and burn a range later.
        let lock_wait = self.settings.connect_timeout.as_secs().max(1);
        // The check of every answer stands behind this, so it is tried without.
        let second_alone = weaken!("answer-of-an-open-transaction", true, false);
        let autocommit = weaken!("autocommit-not-set", "", if second_alone { "" } else { "autocommit=1, " });
        format!("SET {autocommit}innodb_lock_wait_timeout={lock_wait}")
    }

    fn ssl_options(&self, mode: SslMode) -> Option<SslOpts> {
        let plain = SslOpts::default();
        let options = match mode {
            SslMode::Disabled => return None,
            SslMode::Preferred | SslMode::Required => {
                plain.with_danger_accept_invalid_certs(true).with_danger_skip_domain_validation(true)
            }
            SslMode::VerifyCa | SslMode::VerifyIdentity => plain,
        };
        Some(match &self.settings.ssl_ca {
            Some(path) => options.with_root_certs(vec![path.clone().into()]).with_disable_built_in_roots(true),
            None => options,
        })
    }
}

/// Closes sockets at once, without a word to the server.
///
/// The driver says goodbye from a task on the current runtime, which waits for an outstanding answer first; on a thread of its
/// own there is no current runtime, and the socket is just closed.
fn cut<T: Send + 'static>(doomed: T) {
    // Where there is no thread to be had it is dropped here.
    let _ = std::thread::Builder::new().spawn(move || drop(doomed));
}
