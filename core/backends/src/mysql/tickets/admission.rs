//! Which servers may draw: those whose pins were read and do not contradict one another.

use super::pin::Pin;
use super::rows::read_pin;
use super::server::Readiness;
use super::tasks::gather;
use super::ticket_servers::TicketServers;
use leafmint_ids::error::{Error, Result};
use std::sync::Arc;

impl TicketServers {
    /// Reads and compares the pins of all servers that are not known yet. The first time it waits for all
    /// of them: one may know that another was restored. Later it waits for those that answer soon.
    ///
    /// Raises `invalid_config` if two servers contradict each other, and the servers' errors if none can be used.
    pub(super) async fn meet(self: &Arc<Self>) -> Result<()> {
        let readiness: Vec<Readiness> = self.readiness();
        let is_any_ready = readiness.contains(&Readiness::Ready);
        let unknown = |at: &usize| match readiness[*at] {
            Readiness::Ready => false,
            Readiness::Due => true,
            // Better now than never: the caller has its own pauses. A first probe that runs is waited for by all.
            Readiness::Resting => !is_any_ready || self.servers[*at].error().is_none(),
        };
        let unknown: Vec<usize> = (0..self.servers.len()).filter(unknown).collect();
        // Servers that were left are probed in the background, while others serve.
        let never_met = unknown.iter().any(|at| self.servers[*at].error().is_none());
        let answers = self.on_each(unknown, |fleet, at| async move { fleet.probe(at).await });
        if is_any_ready && !never_met {
            return Ok(());
        }
        let is_enough = || !never_met && self.readiness().contains(&Readiness::Ready);
        first_conflict(gather(answers, is_enough).await)?;
        if self.readiness().contains(&Readiness::Ready) { Ok(()) } else { Err(self.error()) }
    }

    /// Reads and compares the pins of all servers that are not in use, and waits for each: for work that needs all of
    /// them, also those that did not answer a moment ago.
    ///
    /// Raises `invalid_config` if two servers contradict each other.
    pub(super) async fn meet_all(self: &Arc<Self>) -> Result<()> {
        let is_away = |at: &usize| !self.servers[*at].is_admitted();
        let away: Vec<usize> = (0..self.servers.len()).filter(is_away).collect();
        let answers = self.on_each(away, |fleet, at| async move { fleet.probe(at).await });
        first_conflict(gather(answers, || false).await)
    }

    /// Reads the pin of a server, compares it with the others, and admits the server.
    async fn probe(&self, at: usize) -> std::result::Result<(), Conflict> {
        let server = &self.servers[at];
        let is_first = server.error().is_none();
        let _probing = server.probing.lock().await;
        let has_failed_meanwhile = is_first && server.error().is_some();
        if server.is_admitted() || has_failed_meanwhile {
            return Ok(());
        }
        match server.run(|session, _| Box::pin(read_pin(session, &server.name))).await {
            Ok(pin) => self.admit(at, pin),
            Err(error) => {
                server.note_failure(&error, &self.scope);
                Ok(())
            }
        }
    }

    /// Admits a server, unless it contradicts another one. Which of the two is right, no one can tell: then neither
    /// draws before both were read again.
    fn admit(&self, at: usize, pin: Pin) -> std::result::Result<(), Conflict> {
        let _comparing = self.comparing.lock();
        let server = &self.servers[at];
        server.note_pin(pin.clone());
        for (_, other) in self.servers.iter().enumerate().filter(|(index, _)| *index != at) {
            let Some(known) = other.known_pin() else { continue };
            if let Err(error) = pin.check_beside(&server.name, &known, &other.name) {
                server.note_failure(&error, &self.scope);
                other.note_failure(&error, &self.scope);
                return Err(Conflict(error));
            }
        }
        self.seen.forget_floors();
        server.admit(&self.scope);
        Ok(())
    }
}

/// Two servers that contradict each other.
#[derive(Debug)]
pub(super) struct Conflict(pub(super) Error);

fn first_conflict(answers: Vec<(usize, std::result::Result<(), Conflict>)>) -> Result<()> {
    answers.into_iter().try_for_each(|(_, answer)| answer.map_err(|Conflict(error)| error))
}
