//! Opens sessions: asks for the credentials, and reports a session that is not encrypted.

use super::engine::{Engine, Opened};
use super::failure::{Failure, Outcome};
use super::hosts::{Hosts, Stay};
use super::settings::DatabaseSettings;
use crate::events::{self, EventKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
