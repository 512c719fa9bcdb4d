//! Opens sessions: encrypted if they must be or the server can.

use super::errors;
use super::incoming::{Allowance, Bounded, Incoming};
use super::session::{MOST_BYTES, Session};
use super::tls::Tls;
use crate::sessions::{Account, DatabaseSettings, Engine, Failure, Hosts, Opened, Outcome, SslMode, Stay, connect};
use leafmint_ids::error::ErrorKind;
use leafmint_ids::panics;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio_postgres::Config;

/// PostgreSQL.
pub struct Postgres {
    settings: DatabaseSettings,
    hosts: Arc<Hosts>,
}

impl Engine for Postgres {
    const SCHEME: &'static str = "postgresql";

    type Session = Session;

    fn new(settings: DatabaseSettings, hosts: Arc<Hosts>) -> Self {
        Self { settings, hosts }
    }

    async fn open(&self, stay: Stay, account: &Account) -> Outcome<Opened<Session>> {
        if let Some(lender) = &self.settings.lender {
            let opening = Session::borrowed(lender, &self.settings);
            let session = self.hosts.lent_within_deadline(stay, opening).await?;
            // Whether it is encrypted is the application's matter.
            return Ok(Opened { session, is_encrypted: true });
        }
        let dialling = dial(&self.settings, self.hosts.index(stay), account);
        let dialling = Box::pin(panics::caught(async { Ok(dialling.await) }));
        match self.hosts.within_deadline(stay, "the connection", dialling).await?.map_err(Failure::Named)? {
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

    fn is_shared(session: &Session) -> bool {
        session.is_shared()
    }

    fn abandon(session: Session) {
        session.abandon();
    }

    fn cut(sessions: Vec<Session>) {
        drop(sessions);
    }
}

async fn dial(settings: &DatabaseSettings, host: usize, account: &Account) -> Outcome<Opened<Session>> {
    let (name, port) = &settings.hosts[host];
    let allowance = Allowance::of(MOST_BYTES);
    let incoming = |allows_clear_text| Incoming::new(allowance.clone(), allows_clear_text);
    // Also on this host: any of its users may answer at the port while the server is down.
    let in_tls = incoming(settings.ssl_mode >= SslMode::VerifyCa);
    let without = incoming(false).behind_a_request(settings.ssl_mode != SslMode::Disabled);
    let tls = Tls::prepare(settings, name, in_tls).await?;
    let (needs_tls, is_encrypted) = (settings.ssl_mode >= SslMode::Required, tls.began());
    let stream = Bounded::new(connect(settings, name, *port).await?, allowance.clone(), without);
    let (client, connection) = match config(settings, account).connect_raw(stream, tls).await {
        Ok(connected) => connected,
        // Until TLS begins, the server can only answer whether it speaks it.
        Err(error) if needs_tls && !is_encrypted.load(Ordering::Relaxed) && !is_of_system(&error) => {
            return Err(Failure::NoTls);
        }
        Err(error) => return Err(error.into()),
    };
    // What it would read there is not what the primary has.
    if !settings.takes_replica && connection.parameter("in_hot_standby") == Some("on") {
        return Err(errors::replica());
    }
    let is_encrypted = is_encrypted.load(Ordering::Relaxed);
    let session = Session::new(client, connection, allowance, settings, host);
    Ok(Opened { session, is_encrypted })
}

fn is_of_system(error: &tokio_postgres::Error) -> bool {
    error.source().is_some_and(|source| source.is::<io::Error>())
}

fn config(settings: &DatabaseSettings, account: &Account) -> Config {
    let mut config = Config::new();
    config.dbname(&settings.database).application_name("leafmint").ssl_mode(match settings.ssl_mode {
        SslMode::Disabled => tokio_postgres::config::SslMode::Disable,
        SslMode::Preferred => tokio_postgres::config::SslMode::Prefer,
        SslMode::Required | SslMode::VerifyCa | SslMode::VerifyIdentity => tokio_postgres::config::SslMode::Require,
    });
    // Without a user the driver would ask the system for one.
    config.user(account.user.as_deref().unwrap_or_default());
    if let Some(password) = &account.password {
        config.password(password);
    }
    config
}
