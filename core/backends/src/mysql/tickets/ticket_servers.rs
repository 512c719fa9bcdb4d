//! The ticket servers of a generator: which one is asked, and what happens if it does not answer.
//!
//! A generator stays with one server, so that its tickets ascend without passing any over. A server that fails is left
//! at once and probed in the background; one that is slow gets a rival. Servers are compared before the first ticket.

use super::draw::{DrawnTicket, TicketDraw};
use super::pin::Pin;
use super::rows::read_tag;
use super::server::{Readiness, Server};
use super::tickets_seen::Seen;
use crate::mysql::Session;
use crate::sessions::{DatabaseSettings, Work};
use leafmint_engine::limit_cell::FIRST_REFUSED;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// A server that has not answered for this long gets a rival.
pub(super) const PATIENCE: Duration = Duration::from_millis(250);

pub(super) struct TicketServers {
    pub(super) servers: Vec<Server>,
    pub(super) scope: String,
    /// The server that drew last.
    pub(super) current: AtomicUsize,
    pub(super) seen: Seen,
    /// Held while servers are compared.
    pub(super) comparing: Mutex<()>,
    /// Number of ids that were leased and are handed out by no one.
    pub(super) wasted: AtomicI64,
}

/// A range of ids, and the size of every range.
pub(super) struct Leased {
    pub(super) range: Range<i64>,
    pub(super) block: i64,
}

impl TicketServers {
    pub(super) fn new(settings: &DatabaseSettings) -> Self {
        let of_host =
            |host: &(String, u16)| Server::new(DatabaseSettings { hosts: vec![host.clone()], ..settings.clone() });
        let servers: Vec<Server> = settings.hosts.iter().map(of_host).collect();
        let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
        let scope = format!("tickets://{}/{} (scope: everyone on those servers)", names.join(","), settings.database);
        Self {
            // Processes spread over the servers.
            current: AtomicUsize::new(fastrand::usize(..servers.len())),
            seen: Seen::default(),
            comparing: Mutex::default(),
            wasted: AtomicI64::new(0),
            servers,
            scope,
        }
    }

    /// Draws a ticket of a tag from one of the servers, and returns the ids that it leases.
    pub(super) async fn lease(self: &Arc<Self>, tag: &str, gene_bits: Option<i64>) -> Result<Leased> {
        self.meet().await?;
        self.read_floors(tag).await;
        let asked = self.order().len();
        let answer = match self.race(tag, gene_bits).await {
            // A server that was left a moment ago may be back.
            Err(error) if error.kind().retryable() && asked < self.servers.len() => {
                self.meet().await?;
                self.read_floors(tag).await;
                self.race(tag, gene_bits).await
            }
            answer => answer,
        };
        let (server, pin, drawn) = answer?;
        self.current.store(server, Ordering::Relaxed);
        self.report_skipped(tag, server, &pin, &drawn);
        let leased = range_of(tag, drawn.ticket, pin.block)?;
        if self.seen.is_to_be_stored(tag, pin.offset, Instant::now()) {
            self.store_floor(tag, pin.offset, drawn.ticket);
        }
        Ok(Leased { range: leased, block: pin.block })
    }

    pub(super) fn readiness(&self) -> Vec<Readiness> {
        let now = Instant::now();
        self.servers.iter().map(|server| server.readiness(now)).collect()
    }

    /// Asks the servers in turn: the next one as soon as one fails, or has not answered for a while.
    async fn race(self: &Arc<Self>, tag: &str, gene_bits: Option<i64>) -> Result<(usize, Pin, DrawnTicket)> {
        let (sender, mut answers) = mpsc::unbounded_channel();
        let asked = self.order();
        let (mut waiting, mut running, mut errors) = (asked.iter().copied(), 0, Vec::new());
        loop {
            if let Some(at) = waiting.next() {
                let (fleet, sender, tag) = (self.clone(), sender.clone(), tag.to_owned());
                running += 1;
                tokio::spawn(async move {
                    let answer = fleet.draw(at, &tag, gene_bits).await;
                    if let Err(mpsc::error::SendError(Ok((_, pin, _)))) = sender.send(answer) {
                        fleet.waste(&tag, at, pin.block, "it answered after another server had");
                    }
                });
            } else if running == 0 {
                if errors.iter().any(|error: &Error| error.kind() == ErrorKind::UnknownTag) {
                    self.seen.forget(tag);
                }
                return Err(self.joined(errors, &asked));
            }
            let patience = if waiting.len() > 0 { PATIENCE } else { Duration::MAX };
            match tokio::time::timeout(patience, answers.recv()).await {
                Ok(Some(Ok(drawn))) => {
                    self.report_refusals(tag, &errors);
                    return Ok(drawn);
                }
                Ok(Some(Err(error))) => {
                    errors.push(error);
                    running -= 1;
                }
                Ok(None) | Err(_) => {}
            }
        }
    }

    /// Returns the servers to ask, the one that drew last before the others.
    pub(super) fn order(&self) -> Vec<usize> {
        let (count, first, readiness) = (self.servers.len(), self.current.load(Ordering::Relaxed), self.readiness());
        (first..first + count).map(|at| at % count).filter(|at| readiness[*at] == Readiness::Ready).collect()
    }

    /// Draws from one server, and again if its ticket lies below one of another server.
    async fn draw(&self, at: usize, tag: &str, gene_bits: Option<i64>) -> Result<(usize, Pin, DrawnTicket)> {
        let server = &self.servers[at];
        let pin = server.known_pin().ok_or_else(|| self.error())?;
        if self.seen.is_first(tag, pin.offset) {
            self.on(server, |session, _| Box::pin(read_tag(session, &server.name, tag))).await??;
        }
        loop {
            let (at_least, above) = self.seen.bounds(tag, pin.offset);
            let draw = TicketDraw { name: &server.name, pin: &pin, tag, gene_bits, at_least, above };
            let drawn = self.on(server, |session, _| Box::pin(draw.run(session))).await??;
            if self.seen.note(tag, pin.offset, drawn.ticket) {
                return Ok((at, pin, drawn));
            }
            self.waste(tag, at, pin.block, "another server was ahead of it");
        }
    }

    /// Does work on a server, which is left if it fails, but not if it fails for one tag alone.
    pub(super) async fn on<'env, T: Send>(&self, server: &Server, work: impl Work<'env, Session, T>) -> Result<T> {
        let answer = server.run(work).await;
        if let Some(error) = answer.as_ref().err().filter(|error| !error.is_of_one_tag()) {
            server.note_failure(error, &self.scope);
        }
        answer
    }

    /// Reads the gene bits of a tag from the first server that has it.
    pub(super) async fn genes(self: &Arc<Self>, tag: &str) -> Result<i64> {
        self.meet().await?;
        let (asked, mut errors) = (self.order(), Vec::new());
        for server in asked.iter().map(|at| &self.servers[*at]) {
            match self.on(server, |session, _| Box::pin(read_tag(session, &server.name, tag))).await.flatten() {
                Ok(bits) => return Ok(bits),
                Err(error) => errors.push(error),
            }
        }
        Err(self.joined(errors, &asked))
    }

    /// Does work on the servers in turn, until one answers.
    pub(super) async fn ask<'env, T: Send>(self: &Arc<Self>, work: impl Work<'env, Session, T>) -> Result<T> {
        self.meet().await?;
        let mut errors = Vec::new();
        for at in self.order() {
            match self.on(&self.servers[at], &work).await {
                Ok(answer) => return Ok(answer),
                Err(error) => errors.push(error),
            }
        }
        Err(most_telling(errors).unwrap_or_else(|| self.error()))
    }

    /// Returns the error of a call that no server could serve.
    pub(super) fn error(&self) -> Error {
        let errors = self.servers.iter().filter_map(|server| server.error()).collect();
        most_telling(errors).unwrap_or_else(|| {
            Error::new(ErrorKind::StoreUnavailable, format!("{}: no server has answered yet", self.scope))
        })
    }

    /// Joins the errors of the servers that were asked and the reasons why the others were not: one of those may have
    /// the tag that these lack.
    fn joined(&self, mut errors: Vec<Error>, asked: &[usize]) -> Error {
        let others = (0..self.servers.len()).filter(|at| !asked.contains(at)).map(|at| &self.servers[at]);
        let absences: Vec<Error> = others.map(Server::absence).collect();
        errors.extend(absences);
        most_telling(errors).unwrap_or_else(|| self.error())
    }
}

/// Returns the ids that a ticket leases.
fn range_of(tag: &str, ticket: i64, block: i64) -> Result<Range<i64>> {
    let end = ticket.checked_add(1).and_then(|next| next.checked_mul(block)).filter(|end| *end <= FIRST_REFUSED);
    let Some(end) = end else {
        let text = format!(
            "ticket {ticket} of tag {tag:?} with blocks of {block} ids would pass 2^61, leafmint's largest number: use \
             another tag"
        );
        return Err(Error::new(ErrorKind::IdSpaceExhausted, text));
    };
    Ok(end - block..end)
}

/// Joins the errors of servers into one: a retry can help if it can help with one of them, and a tag is unknown only if
/// it is to all.
fn most_telling(errors: Vec<Error>) -> Option<Error> {
    let first = errors.first()?.kind();
    let kind = errors.iter().map(Error::kind).find(|kind| kind.retryable());
    let kind = kind.or_else(|| errors.iter().map(Error::kind).find(|kind| *kind != ErrorKind::UnknownTag));
    let mut texts: Vec<&str> = errors.iter().map(Error::message).collect();
    texts.dedup();
    let error = Error::new(kind.unwrap_or(first), texts.join("; "));
    let has_answered = errors.iter().all(|error| error.is_of_one_tag() || !error.kind().retryable());
    Some(if has_answered { error.of_one_tag() } else { error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_leases_a_block_that_no_other_ticket_leases() {
        assert_eq!(range_of("order", 2, 1000), Ok(2000..3000));
        assert_eq!(range_of("order", 3, 1000), Ok(3000..4000));
        assert_eq!(range_of("order", (1 << 51) - 1, 1 << 10), Ok((1 << 61) - 1024..1 << 61));
        for ticket in [1 << 51, i64::MAX] {
            assert_eq!(range_of("order", ticket, 1 << 10).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
        }
    }

    #[test]
    fn a_retry_can_help_if_it_can_with_one_server_and_a_tag_is_unknown_only_if_it_is_to_all() {
        let kind = |kinds: &[ErrorKind]| {
            most_telling(kinds.iter().map(|kind| Error::new(*kind, "away")).collect()).map(|error| error.kind())
        };
        use ErrorKind::{InvalidConfig, StoreUnavailable, UnknownTag};
        assert_eq!(kind(&[UnknownTag, InvalidConfig, StoreUnavailable]), Some(StoreUnavailable));
        assert_eq!(kind(&[UnknownTag, InvalidConfig]), Some(InvalidConfig));
        assert_eq!(kind(&[UnknownTag, UnknownTag]), Some(UnknownTag));
        assert_eq!(kind(&[]), None);
    }
}
