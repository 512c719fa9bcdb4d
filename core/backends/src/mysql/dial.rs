//! Opens sessions, encrypted if they must be or the server can, in as few round trips as the driver allows, and closes
//! those that did not answer.

use super::borrowed::Borrowed;
use super::session::{Link, Session};
use super::{errors, options};
use crate::sessions::{Account, DatabaseSettings, Engine, Failure, Hosts, Opened, Outcome, SslMode, Stay};
use leafmint_engine::runtime::process::start_thread;
use leafmint_ids::error::{ErrorKind, Reason};
use leafmint_ids::panics;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts, OptsBuilder, Result};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use tokio::runtime::{Handle, RuntimeFlavor};

/// MySQL and MariaDB.
pub struct MySql {
    settings: DatabaseSettings,
    hosts: Arc<Hosts>,
}

impl Engine for MySql {
    const SCHEME: &'static str = "mysql";

    type Session = Session;

    fn new(settings: DatabaseSettings, hosts: Arc<Hosts>) -> Self {
        Self { settings, hosts }
    }

    async fn open(&self, stay: Stay, account: &Account) -> Outcome<Opened<Session>> {
        if let Some(lender) = &self.settings.lender {
            let opening = Borrowed::open(lender, &self.settings);
            let borrowed = self.hosts.lent_within_deadline(stay, opening).await?;
            // Whether it is encrypted is the application's matter.
            return Ok(Opened { session: Session::new(Link::Borrowed(borrowed), Vec::new()), is_encrypted: true });
        }
        let answer = match self.settings.ssl_mode {
            SslMode::Preferred => self.dial_preferring_tls(stay, account).await,
            mode => self.dial(stay, mode, account).await.map(|connection| (connection, mode != SslMode::Disabled)),
        };
        let (connection, is_encrypted) = match account.is_supplied {
            true => answer.map_err(errors::of_supplied_credentials)?,
            false => answer?,
        };
        let session = Session::new(Link::Native(connection), options::session_setup(&self.settings));
        Ok(Opened { session, is_encrypted })
    }

    async fn ping(session: &mut Session) -> Outcome<()> {
        match &mut session.link {
            Link::Native(connection) => connection.ping().await.map_err(|_| Failure::broken("the session has ended")),
            Link::Borrowed(borrowed) => borrowed.ping().await,
        }
    }

    async fn end(session: Session) {
        match session.link {
            Link::Native(connection) => drop(connection.disconnect().await),
            Link::Borrowed(borrowed) => borrowed.end().await,
        }
    }

    fn is_shared(session: &Session) -> bool {
        matches!(&session.link, Link::Borrowed(borrowed) if borrowed.is_shared())
    }

    fn cut(sessions: Vec<Session>) {
        cut(sessions);
    }
}

impl MySql {
    /// Logs in with TLS, or without if the server does not speak it. Returns whether the connection is encrypted.
    ///
    /// The driver gives up on a server whose greeting offers no TLS, and another connection takes two more round trips
    /// to its greeting. So unless the host is known to speak TLS, a spare connection is opened in the same moment.
    async fn dial_preferring_tls(&self, stay: Stay, account: &Account) -> Outcome<(Conn, bool)> {
        let (settings, host, needs_spare, login) =
            (self.settings.clone(), self.hosts.index(stay), !self.hosts.speaks_tls(stay), account.clone());
        let dialling = async move {
            let options = driver_options(&settings, host, SslMode::Preferred, None, login).await?;
            let (answer, spare) = match needs_spare {
                true => Spare::open_beside(options).await,
                false => (Conn::new(options).await, None),
            };
            match answer.map_err(Failure::from) {
                Ok(connection) => Ok(Ok(connection)),
                Err(Failure::NoTls) => Ok(Err(spare)),
                Err(failure) => Err(failure),
            }
        };
        let answer = self.drive(stay, dialling).await?;
        self.hosts.note_tls(stay, answer.is_ok());
        match answer {
            Ok(connection) => Ok((connection, true)),
            Err(spare) => Ok((self.log_in_without_tls(stay, spare, account).await?, false)),
        }
    }

    async fn log_in_without_tls(&self, stay: Stay, spare: Option<Spare>, account: &Account) -> Outcome<Conn> {
        if let Some(spare) = spare {
            match self.drive(stay, async { spare.log_in().await.map_err(Failure::from) }).await {
                // It was closed meanwhile, or the server had no room for two connections.
                Err(failure)
                    if matches!(failure, Failure::Broken(_)) || failure.reason() == Some(Reason::TooManySessions) => {}
                answer => return answer,
            }
        }
        self.dial(stay, SslMode::Disabled, account).await
    }

    async fn dial(&self, stay: Stay, mode: SslMode, account: &Account) -> Outcome<Conn> {
        match self.dial_as(stay, mode, None, account).await {
            // The authority counts, not the name: the driver compares names all the same, so it is given the
            // certificate's own.
            Err(Failure::OtherName(Some(name))) if mode == SslMode::VerifyCa => {
                self.dial_as(stay, mode, Some(name), account).await
            }
            other => other,
        }
    }

    async fn dial_as(&self, stay: Stay, mode: SslMode, name: Option<String>, account: &Account) -> Outcome<Conn> {
        let (settings, host, login) = (self.settings.clone(), self.hosts.index(stay), account.clone());
        let dialling = async move {
            let options = driver_options(&settings, host, mode, name, login).await?;
            Conn::new(options).await.map_err(Failure::from)
        };
        self.drive(stay, dialling).await
    }

    /// Runs the driver, which may panic, until the deadline of a connection.
    async fn drive<T: Send + 'static>(
        &self,
        stay: Stay,
        work: impl Future<Output = Outcome<T>> + Send + 'static,
    ) -> Outcome<T> {
        let mut work = Box::pin(panics::caught(async { Ok(work.await) }));
        match self.hosts.within_deadline(stay, "the connection", &mut work).await {
            Ok(answer) => answer.map_err(errors::of_panic_of_driver)?,
            Err(failure) => {
                cut(work);
                Err(failure)
            }
        }
    }
}

async fn driver_options(
    settings: &DatabaseSettings,
    host: usize,
    mode: SslMode,
    name: Option<String>,
    account: Account,
) -> Outcome<Opts> {
    options::of_driver(settings, host, mode, name, account).await.map_err(|error| match error.kind() {
        ErrorKind::InvalidConfig => Failure::Named(error),
        _ => Failure::Broken(error),
    })
}

/// Closes sockets at once, without sending anything.
///
/// The driver sends a farewell from a task on the current runtime, which waits for an outstanding answer first; on a
/// thread of its own there is no current runtime, and the socket is just closed.
pub(super) fn cut<T: Send + 'static>(doomed: T) {
    // If no thread can be started, it is dropped here.
    let _ = start_thread("leafmint-cut", move || drop(doomed));
}

type Dialling = Pin<Box<dyn Future<Output = Result<Conn>> + Send>>;

/// A connection that was opened, and on which nothing was sent.
///
/// It is the driver's future, which connects, reads the greeting and logs in, polled once. That sends the request to
/// connect. The poll ends there: on a runtime of one thread, nothing reports that the connection is open while a future
/// is polled. The kernel then opens it and takes in the greeting.
pub(super) struct Spare(Dialling);

impl Spare {
    /// Dials with these options, and opens a spare connection in the same moment.
    pub(super) async fn open_beside(options: Opts) -> (Result<Conn>, Option<Self>) {
        let without_tls = OptsBuilder::from_opts(options.clone()).ssl_opts(None);
        let mut dialling: Dialling = Conn::new(options);
        // This one goes first: a server that takes one more connection is to take this one.
        let first = poll_once(&mut dialling).await;
        let spare = Self::open(Conn::new(without_tls)).await;
        let answer = match first {
            Poll::Ready(answer) => answer,
            Poll::Pending => dialling.await,
        };
        (answer, spare)
    }

    async fn open(mut dialling: Dialling) -> Option<Self> {
        // With other threads the greeting may arrive, and the log-in leave, within the poll.
        let is_alone = Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread;
        (is_alone && poll_once(&mut dialling).await.is_pending()).then_some(Self(dialling))
    }

    /// Logs in without TLS.
    pub(super) async fn log_in(self) -> Result<Conn> {
        self.0.await
    }
}

async fn poll_once(dialling: &mut Dialling) -> Poll<Result<Conn>> {
    poll_fn(|context| Poll::Ready(dialling.as_mut().poll(context))).await
}
