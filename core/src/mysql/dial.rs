//! Opens sessions: encrypted if they must be or the server can, in as few round trips as the driver allows.

use super::cut::cut;
use super::failure::{Failure, Outcome};
use super::hosts::{Hosts, Stay};
use super::session::Session;
use super::settings::{MySqlSettings, SslMode};
use super::spare::Spare;
use crate::error::ErrorKind;
use crate::events::{self, EventKind};
use crate::panics;
use mysql_async::{Conn, Opts};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Opens the sessions of one generator.
pub(super) struct Dialler {
    settings: MySqlSettings,
    hosts: Arc<Hosts>,
    /// A session without encryption was reported.
    warned: AtomicBool,
}

impl Dialler {
    pub(super) fn new(settings: MySqlSettings, hosts: Arc<Hosts>) -> Self {
        Self { settings, hosts, warned: AtomicBool::new(false) }
    }

    /// Opens a session with a host.
    pub(super) async fn connect(&self, stay: Stay) -> Outcome<Session> {
        let (connection, is_encrypted) = match self.settings.ssl_mode {
            SslMode::Preferred => self.dial_preferring_tls(stay).await?,
            mode => (self.dial(stay, mode).await?, mode != SslMode::Disabled),
        };
        if !is_encrypted {
            self.warn_of_plaintext(stay);
        }
        Ok(Session::new(connection, self.settings.session_setup(), self.hosts.index(stay)))
    }

    /// Reports, once, that a session leaves this host without encryption.
    fn warn_of_plaintext(&self, stay: Stay) {
        let host = self.hosts.name(stay);
        if self.settings.is_on_this_host(self.hosts.index(stay)) || self.warned.swap(true, Ordering::Relaxed) {
            return;
        }
        let text = format_args!(
            "the session with {host} is not encrypted: any host on the way can read it, change it and take the password; \
             set ssl_mode=verify_identity"
        );
        events::emit(EventKind::SessionUnencrypted, host, text);
    }

    /// Logs in with TLS, or without if the server does not speak it. Returns whether the connection is encrypted.
    ///
    /// The driver gives up on a server whose greeting offers no TLS, and another connection takes two more round trips
    /// to its greeting. So unless the host is known to speak TLS, a spare connection is opened in the same moment.
    async fn dial_preferring_tls(&self, stay: Stay) -> Outcome<(Conn, bool)> {
        let (settings, host, needs_spare) =
            (self.settings.clone(), self.hosts.index(stay), !self.hosts.speaks_tls(stay));
        let dialling = async move {
            let options = options(&settings, host, SslMode::Preferred, None).await?;
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
            Err(spare) => Ok((self.log_in_without_tls(stay, spare).await?, false)),
        }
    }

    async fn log_in_without_tls(&self, stay: Stay, spare: Option<Spare>) -> Outcome<Conn> {
        if let Some(spare) = spare {
            match self.drive(stay, async { spare.log_in().await.map_err(Failure::from) }).await {
                // It was closed meanwhile, or the server had no room for two connections.
                Err(Failure::Broken(_) | Failure::Server { code: 1040, .. }) => {}
                answer => return answer,
            }
        }
        self.dial(stay, SslMode::Disabled).await
    }

    async fn dial(&self, stay: Stay, mode: SslMode) -> Outcome<Conn> {
        match self.dial_as(stay, mode, None).await {
            // The authority counts, not the name: the driver compares names all the same, so it is given the
            // certificate's own.
            Err(Failure::OtherName(Some(name))) if mode == SslMode::VerifyCa => {
                self.dial_as(stay, mode, Some(name)).await
            }
            other => other,
        }
    }

    async fn dial_as(&self, stay: Stay, mode: SslMode, name: Option<String>) -> Outcome<Conn> {
        let (settings, host) = (self.settings.clone(), self.hosts.index(stay));
        let dialling = async move {
            let options = options(&settings, host, mode, name).await?;
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
            Ok(answer) => answer.map_err(Failure::from_panic_of_driver)?,
            Err(failure) => {
                cut(work);
                Err(failure)
            }
        }
    }
}

async fn options(settings: &MySqlSettings, host: usize, mode: SslMode, name: Option<String>) -> Outcome<Opts> {
    settings.driver_options(host, mode, name).await.map_err(|error| match error.kind() {
        ErrorKind::InvalidConfig => Failure::Named(error),
        _ => Failure::broken(error.message()),
    })
}
