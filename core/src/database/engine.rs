//! What differs between the kinds of database servers: how a session is opened, checked and closed.

use super::failure::Outcome;
use super::hosts::{Hosts, Stay};
use super::log_in::Account;
use super::settings::DatabaseSettings;
use std::sync::Arc;

/// A kind of database server.
pub(crate) trait Engine: Send + Sync + Sized + 'static {
    /// The scheme of its URLs.
    const SCHEME: &'static str;

    /// What statements run on.
    type Session: Send + 'static;

    fn new(settings: DatabaseSettings, hosts: Arc<Hosts>) -> Self;

    /// Opens a session with a host, within the deadline of a connection.
    fn open(&self, stay: Stay, account: &Account) -> impl Future<Output = Outcome<Opened<Self::Session>>> + Send;

    /// Asks for any answer. The caller sets the deadline.
    fn ping(session: &mut Self::Session) -> impl Future<Output = Outcome<()>> + Send;

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
pub(crate) struct Opened<Session> {
    pub(crate) session: Session,
    pub(crate) is_encrypted: bool,
}
