//! What differs between the kinds of database servers: how a session is opened, checked and closed. A dialler opens the
//! sessions of one generator: it asks for the credentials, and reports a session that is not encrypted.

use super::credentials::Account;
use super::error_meaning::{Failure, Outcome};
use super::hosts::{Hosts, Stay};
use super::settings::DatabaseSettings;
use leafmint_engine::runtime::events;
use leafmint_engine::runtime::events::EventKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A kind of database server.
pub trait Engine: Send + Sync + Sized + 'static {
    /// The scheme of its URLs.
    const SCHEME: &'static str;

    /// What statements run on.
    type Session: Send + 'static;

    fn new(settings: DatabaseSettings, hosts: Arc<Hosts>) -> Self;

    /// Opens a session with a host, within the deadline of a connection.
    fn open(&self, stay: Stay, account: &Account) -> impl Future<Output = Outcome<Opened<Self::Session>>> + Send;

    /// Asks for any answer. The caller sets the deadline.
    fn ping(session: &mut Self::Session) -> impl Future<Output = Outcome<()>> + Send;

    /// Returns whether the session is wanted back by others after each piece of work.
    fn is_shared(_: &Self::Session) -> bool {
        false
    }

    /// Ends a session politely. The caller sets the deadline.
    fn end(session: Self::Session) -> impl Future<Output = ()> + Send;

    /// Closes a session whose statement was given up. The server may still carry the statement out.
    fn abandon(session: Self::Session) {
        Self::cut(vec![session]);
    }

    /// Closes sessions at once, without sending anything.
    fn cut(sessions: Vec<Self::Session>);
}

/// A session that was just opened.
pub struct Opened<Session> {
    pub session: Session,
    pub is_encrypted: bool,
}

/// Opens the sessions of one generator.
pub(super) struct Dialler<E> {
    engine: E,
    settings: DatabaseSettings,
    hosts: Arc<Hosts>,
    /// A session without encryption was reported.
    warned: AtomicBool,
}

impl<E: Engine> Dialler<E> {
    pub(super) fn new(settings: DatabaseSettings, hosts: Arc<Hosts>) -> Self {
        let engine = E::new(settings.clone(), hosts.clone());
        Self { engine, settings, hosts, warned: AtomicBool::new(false) }
    }

    /// Opens a session with a host.
    pub(super) async fn connect(&self, stay: Stay) -> Outcome<E::Session> {
        let account = self.settings.log_in.account(self.settings.connect_timeout).await?;
        let Opened { session, is_encrypted } = match (self.engine.open(stay, &account).await, account.is_supplied) {
            (answer, false) => answer?,
            (answer, true) => answer.map_err(Failure::of_supplied_credentials)?,
        };
        if !is_encrypted {
            self.warn_of_plaintext(stay);
        }
        Ok(session)
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
}
