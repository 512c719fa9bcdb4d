//! Opens sessions, which log in if there is an account.

use super::session::Session;
use super::stream::Stream;
use super::{handshake, log_in};
use crate::database::{Account, DatabaseSettings, Engine, Failure, Hosts, Opened, Outcome, Stay};
use crate::error::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// ZooKeeper.
pub(crate) struct ZooKeeper {
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
        let kept_for = handshake::open(&mut stream, newest).await?;
        let mut session = Session::new(stream, kept_for, self.newest.clone());
        if let Account { user: Some(user), password, .. } = account {
            let password = password.as_deref().unwrap_or_default();
            match self.settings.sasl {
                true => log_in::by_sasl(&mut session, user, password).await?,
                false => log_in::by_digest(&mut session, user, password).await?,
            }
        }
        Ok(Opened { is_encrypted: session.is_encrypted(), session })
    }
}
