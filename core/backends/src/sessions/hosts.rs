//! The hosts of a fail-over list: which one is in use, whether it answers, and why each was left.

use super::error_meaning::{Failure, Outcome};
use super::settings::DatabaseSettings;
use leafmint_engine::runtime::process;
use leafmint_engine::runtime::process::PerProcess;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::text::beginning;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// An error message names this many hosts at most.
const MOST_NAMED: usize = 8;

/// The number of characters that an error message has for each host of several.
const MOST_CHARACTERS: usize = 300;

/// The lists in use, so that all generators of a process leave a host together.
static IN_USE: PerProcess<Mutex<Vec<Weak<Hosts>>>> = PerProcess::unset(Mutex::new(Vec::new()));

/// One stay on a host. The stay after it is on the next host of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stay(usize);

pub struct Hosts {
    scheme: &'static str,
    settings: DatabaseSettings,
    names: Vec<String>,
    stays: watch::Sender<Stays>,
    seen: Mutex<Vec<Seen>>,
}

#[derive(Clone, Copy)]
struct Stays {
    current: Stay,
    /// Stays before this one ended because the host was silent: waits for it end.
    answering: Stay,
}

/// What is known of one host.
#[derive(Clone, Default)]
struct Seen {
    answered: Option<Instant>,
    /// What was wrong with it, until it answers.
    error: Option<Error>,
    /// The last dial that could tell found that it speaks TLS.
    speaks_tls: bool,
}

impl Hosts {
    /// Returns the hosts of these settings. All generators of this process with the same settings share them, and no
    /// others: another account may be refused although this one is not, and with another timeout another host counts as
    /// silent.
    pub(super) fn of(scheme: &'static str, settings: &DatabaseSettings) -> Arc<Self> {
        process::count_forks();
        let mut in_use = IN_USE.get(|_| Mutex::default()).lock();
        in_use.retain(|hosts| hosts.strong_count() > 0);
        let is_same = |hosts: &Arc<Self>| hosts.scheme == scheme && hosts.settings == *settings;
        let found = in_use.iter().filter_map(Weak::upgrade).find(is_same);
        found.unwrap_or_else(|| {
            let hosts = Arc::new(Self::new(scheme, settings.clone()));
            in_use.push(Arc::downgrade(&hosts));
            hosts
        })
    }

    fn new(scheme: &'static str, settings: DatabaseSettings) -> Self {
        let names = settings.host_names();
        let seen = Mutex::new(vec![Seen::default(); names.len()]);
        let stays = watch::Sender::new(Stays { current: Stay(0), answering: Stay(0) });
        Self { scheme, settings, names, stays, seen }
    }

    pub(super) fn current(&self) -> Stay {
        self.stays.borrow().current
    }

    /// Returns the index of the host in the list.
    pub fn index(&self, stay: Stay) -> usize {
        stay.0 % self.names.len()
    }

    pub(super) fn name(&self, stay: Stay) -> &str {
        &self.names[self.index(stay)]
    }

    pub(super) fn is_one_of_many(&self) -> bool {
        self.names.len() > 1
    }

    /// Moves on to the next host, unless another call has left this one already.
    pub(super) fn leave(&self, stay: Stay, error: Error) {
        self.seen.lock()[self.index(stay)].error = Some(error);
        self.stays.send_if_modified(|stays| stays.leave(stay));
    }

    /// Ends all waits for a host that does not answer.
    pub(super) fn note_silence(&self, stay: Stay) {
        self.stays.send_modify(|stays| {
            stays.leave(stay);
            stays.answering = stays.answering.max(Stay(stay.0 + 1));
        });
    }

    /// Waits for the host's answer until the deadline, or until another call finds that the host is silent.
    pub(crate) async fn within_deadline<T>(
        &self,
        stay: Stay,
        what: &str,
        answer: impl Future<Output = T>,
    ) -> Outcome<T> {
        let longest = self.settings.connect_timeout;
        self.within(stay, || format!("no answer to {what} within connect_timeout={longest:?}"), answer).await
    }

    /// Does the same for a connection of the application.
    pub(crate) async fn lent_within_deadline<T>(
        &self,
        stay: Stay,
        opening: impl Future<Output = Outcome<T>>,
    ) -> Outcome<T> {
        self.within(stay, || self.settings.nothing_lent(), opening).await?
    }

    async fn within<T>(&self, stay: Stay, text: impl Fn() -> String, answer: impl Future<Output = T>) -> Outcome<T> {
        let longest = self.settings.connect_timeout;
        tokio::select! {
            biased;
            answer = answer => return Ok(answer),
            () = self.silence(stay) => return Err(Failure::Silent(text())),
            () = tokio::time::sleep(longest) => {}
        }
        // A host that still answers other calls is not silent: this one statement is slow.
        let is_slow = self.has_answered_within(stay, longest / 2);
        Err(if is_slow { Failure::Slow(text()) } else { Failure::Silent(text()) })
    }

    /// Waits until another call finds that the host is silent.
    async fn silence(&self, stay: Stay) {
        // The sender lives as long as `self`, so that the wait cannot fail.
        let _ = self.stays.subscribe().wait_for(|stays| stay < stays.answering).await;
    }

    pub(super) fn note_answer(&self, stay: Stay) {
        let seen = &mut self.seen.lock()[self.index(stay)];
        (seen.answered, seen.error) = (Some(Instant::now()), None);
    }

    /// Returns whether the host is known to speak TLS. Only a hint: it decides how a connection is dialled.
    pub(crate) fn speaks_tls(&self, stay: Stay) -> bool {
        self.seen.lock()[self.index(stay)].speaks_tls
    }

    pub(crate) fn note_tls(&self, stay: Stay, speaks_tls: bool) {
        self.seen.lock()[self.index(stay)].speaks_tls = speaks_tls;
    }

    /// Returns whether the host has answered any call within this time.
    fn has_answered_within(&self, stay: Stay, time: Duration) -> bool {
        self.seen.lock()[self.index(stay)].answered.is_some_and(|at| at.elapsed() < time)
    }

    /// Returns the error of a call that no host could serve: one after which a retry can help, if one of the hosts has
    /// such an error, with the messages of all.
    pub(super) fn error(&self, database: &str) -> Error {
        let seen = self.seen.lock();
        let errors: Vec<&Error> = seen.iter().filter_map(|seen| seen.error.as_ref()).collect();
        let longest = if errors.len() == 1 { usize::MAX } else { MOST_CHARACTERS };
        let shown = |error: &&Error| beginning(error.message(), longest).to_owned();
        let mut texts: Vec<String> = errors.iter().take(MOST_NAMED).map(shown).collect();
        if errors.len() > MOST_NAMED {
            texts.push(format!("and {} more hosts", errors.len() - MOST_NAMED));
        }
        let chosen = errors.iter().find(|error| error.kind().retryable()).or(errors.first());
        let other = || Error::new(ErrorKind::StoreUnavailable, "");
        chosen.map_or_else(other, |error| (*error).clone()).saying(format!("{database}: {}", texts.join("; ")))
    }
}

impl Stays {
    fn leave(&mut self, stay: Stay) -> bool {
        let is_current = self.current == stay;
        if is_current {
            self.current = Stay(stay.0 + 1);
        }
        is_current
    }
}
