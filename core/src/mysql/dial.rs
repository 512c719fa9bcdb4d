//! Opens sessions: encrypted if they must be or the server can, in as few round trips as the driver allows.

use super::cut_connection::cut;
use super::failure;
use super::options;
use super::session::Session;
use super::spare_connection::Spare;
use crate::database::{Account, DatabaseSettings, Engine, Failure, Hosts, Opened, Outcome, SslMode, Stay};
use crate::error::{ErrorKind, Reason};
use crate::panics;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts};
use std::sync::Arc;

/// MySQL and MariaDB.
pub(crate) struct MySql {
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
        let answer = match self.settings.ssl_mode {
            SslMode::Preferred => self.dial_preferring_tls(stay, account).await,
            mode => self.dial(stay, mode, account).await.map(|connection| (connection, mode != SslMode::Disabled)),
        };
        let (connection, is_encrypted) = match account.is_supplied {
            true => answer.map_err(failure::of_supplied_credentials)?,
            false => answer?,
        };
        Ok(Opened { session: Session::new(connection, options::session_setup(&self.settings)), is_encrypted })
    }

    async fn ping(session: &mut Session) -> Outcome<()> {
        session.connection.ping().await.map_err(|_| Failure::broken("the session has ended"))
    }

    async fn end(session: Session) {
        let _ = session.connection.disconnect().await;
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
            Ok(answer) => answer.map_err(failure::of_panic_of_driver)?,
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
