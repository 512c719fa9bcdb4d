//! Sessions with the hosts of one data set: few, idle ones kept, every statement under a deadline.
//!
//! No driver's own pool is used: one resets connections between uses, and waits for an answer to a statement that was
//! given up, for ever if the server is frozen. Here a session that did not answer in time is simply cut.
//!
//! A session has the settings, the search path and the rights of its log-in, which may be mended later. So one that was
//! refused something is used again only in its first second, and none is used for ever.
//!
//! A host that fails is left by all calls at once. If it was silent, the other calls that wait for it stop waiting, and
//! all its sessions are cut, so that the process waits for it only once. It is used again when the hosts after it have
//! failed.

use super::engine::Dialler;
use super::engine::Engine;
use super::error_meaning::Remedy;
use super::error_meaning::{Failure, Outcome};
use super::hosts::{Hosts, Stay};
use super::settings::{DatabaseSettings, LOCK_MOMENT, LockWait};
use super::work::{Keeping, Step, Work};
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Reason, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Maximum number of sessions that one generator uses at a time.
const MOST_SESSIONS: usize = 4;

/// A session that idled longer is replaced: servers and proxies cut idle ones, often at a minute.
const LONGEST_IDLE: Duration = Duration::from_secs(50);

/// A session whose answer was a refusal is replaced, unless it is younger: what it was refused, a new one would be too.
const LONGEST_REFUSED: Duration = Duration::from_secs(1);

/// Sessions are replaced at this age, or up to a tenth sooner, so that those of many processes do not end together.
const GREATEST_AGE: Duration = Duration::from_secs(600);

/// Number of retries after a conflict before the refill's own back-off takes over.
const MOST_CONFLICTS: u32 = 20;

pub struct Sessions<E: Engine> {
    settings: DatabaseSettings,
    name: String,
    hosts: Arc<Hosts>,
    dialler: Dialler<E>,
    idle: Mutex<Vec<Idle<E::Session>>>,
    permits: Semaphore,
}

/// A session, and when it was opened.
struct Aged<Session> {
    session: Session,
    opened: Instant,
    /// Its age when it is replaced.
    lifetime: Duration,
}

/// A session that no call uses.
struct Idle<Session> {
    aged: Aged<Session>,
    host: usize,
    since: Instant,
}

impl<Session> Aged<Session> {
    fn new(session: Session) -> Self {
        let lifetime = GREATEST_AGE.mul_f64(1.0 - fastrand::f64() / 10.0);
        Self { session, opened: Instant::now(), lifetime }
    }
}

impl<Session> Idle<Session> {
    fn is_over(&self) -> bool {
        self.since.elapsed() > LONGEST_IDLE || self.aged.opened.elapsed() > self.aged.lifetime
    }
}

/// What failed, and in which phase.
struct Failed {
    failure: Failure,
    phase: AttemptPhase,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AttemptPhase {
    /// No statement was sent.
    Connecting,
    /// On a session that was just opened.
    Fresh,
    /// On a session that had idled: the server, or a proxy, may have cut it meanwhile.
    Idle,
}

impl<E: Engine> Sessions<E> {
    pub fn new(settings: DatabaseSettings) -> Self {
        let name = settings.name(E::SCHEME);
        let (hosts, permits) = (Hosts::of(E::SCHEME, &settings), Semaphore::new(MOST_SESSIONS));
        let dialler = Dialler::new(settings.clone(), hosts.clone());
        Self { settings, name, hosts, dialler, idle: Mutex::default(), permits }
    }

    pub fn settings(&self) -> &DatabaseSettings {
        &self.settings
    }

    /// Names the database without credentials.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names the host in use, with its port, if there are several.
    pub fn host(&self) -> Option<String> {
        let hosts = &self.hosts;
        hosts.is_one_of_many().then(|| hosts.name(hosts.current()).to_owned())
    }

    /// Does work on a session, again after a conflict, on each host in turn until one answers.
    pub async fn run<'env, T: Send>(&self, work: impl Work<'env, E::Session, T>) -> Result<T> {
        self.run_waiting(LockWait::Usual, work).await
    }

    /// Does the same, and waits for no longer than this for a locked row. No host is left for one that is waited for
    /// for a moment.
    pub(crate) async fn run_waiting<'env, T: Send>(
        &self,
        wait: LockWait,
        work: impl Work<'env, E::Session, T>,
    ) -> Result<T> {
        let work = Keeping::new(work);
        self.repeat(wait, &work).await?;
        Ok(work.answer())
    }

    async fn repeat(&self, wait: LockWait, work: &dyn Step<E::Session>) -> Result<()> {
        let _permit = self.permits.acquire().await;
        let (began, mut conflicts_left, mut tried) = (Instant::now(), MOST_CONFLICTS, Vec::new());
        loop {
            let stay = self.hosts.current();
            let failed = match self.attempt(stay, work).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let remedy = failed.remedy();
            let is_refused = wait == LockWait::Moment && failed.failure.reason() == Some(Reason::Locked);
            let longest = match remedy {
                _ if is_refused => LOCK_MOMENT,
                Remedy::AgainThenNextHost if self.hosts.is_one_of_many() => self.settings.connect_timeout,
                _ => Duration::from_secs(self.settings.lock_wait()),
            };
            let is_early = conflicts_left > 0 && began.elapsed() < longest;
            match remedy {
                Remedy::Again | Remedy::AgainThenNextHost if is_early => {
                    conflicts_left -= 1;
                    tokio::time::sleep(Duration::from_micros(fastrand::u64(100..2000))).await;
                }
                Remedy::AnotherSession => {}
                Remedy::NextHost => self.leave(stay, failed, &mut tried)?,
                Remedy::AgainThenNextHost if self.hosts.is_one_of_many() && !is_refused => {
                    self.leave(stay, failed, &mut tried)?;
                }
                Remedy::Again | Remedy::AgainThenNextHost | Remedy::Report => {
                    return Err(failed.failure.into_error(&self.name));
                }
            }
        }
    }

    /// Does work that must be done at most once: the session is checked before, and nothing is tried again after.
    pub async fn once<'env, T: Send>(&self, work: impl Work<'env, E::Session, T>) -> Result<T> {
        let work = Keeping::new(work);
        self.do_once(&work).await?;
        Ok(work.answer())
    }

    async fn do_once(&self, work: &dyn Step<E::Session>) -> Result<()> {
        let _permit = self.permits.acquire().await;
        let (stay, session) = self.checked_session().await?;
        let answer = self.on(stay, session, work).await;
        answer.map_err(|failure| {
            if matches!(failure, Failure::Silent(_)) {
                self.give_up(stay);
            }
            failure.into_error(&self.name)
        })
    }

    /// Ends the idle sessions politely.
    pub async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle.lock());
        for Idle { aged, .. } in idle {
            self.end(aged.session).await;
        }
    }

    async fn end(&self, session: E::Session) {
        let _ = tokio::time::timeout(self.settings.connect_timeout, E::end(session)).await;
    }

    /// Leaves a host that failed. Returns an error if this call has failed on every host.
    fn leave(&self, stay: Stay, failed: Failed, tried: &mut Vec<usize>) -> Result<()> {
        let host = self.hosts.index(stay);
        // The next session of this host may be a good one, even if a session that idled did not answer.
        if failed.phase != AttemptPhase::Idle {
            tried.push(host);
        }
        if matches!(failed.failure, Failure::Silent(_)) {
            self.give_up(stay);
        }
        let prefix = match failed.phase {
            // The name of a lender is that of the database, which the error begins with.
            AttemptPhase::Connecting if self.settings.lender.is_some() => "cannot connect: ".to_owned(),
            AttemptPhase::Connecting => format!("cannot connect to {}: ", self.hosts.name(stay)),
            _ if self.hosts.is_one_of_many() => format!("{}: ", self.hosts.name(stay)),
            _ => String::new(),
        };
        let error = failed.failure.into_plain_error();
        let text = format!("{prefix}{error}");
        self.hosts.leave(stay, error.saying(text));
        if tried.contains(&self.hosts.index(self.hosts.current())) {
            return Err(self.hosts.error(&self.name));
        }
        Ok(())
    }

    /// Cuts all sessions of a host that does not answer, those on which other calls wait as well.
    fn give_up(&self, stay: Stay) {
        self.hosts.note_silence(stay);
        let host = self.hosts.index(stay);
        let silent: Vec<_> = self.idle.lock().extract_if(.., |idle| idle.host == host).collect();
        cut_all::<E>(silent);
    }

    /// Returns a session that answers.
    async fn checked_session(&self) -> Result<(Stay, Aged<E::Session>)> {
        let mut tried = Vec::new();
        loop {
            let stay = self.hosts.current();
            let (session, phase) = match self.take_idle(stay) {
                Some(session) => (self.check(stay, session).await, AttemptPhase::Idle),
                None => (self.dialler.connect(stay).await.map(Aged::new), AttemptPhase::Connecting),
            };
            let failed = match session {
                Ok(session) => return Ok((stay, session)),
                Err(failure) => Failed { failure, phase },
            };
            if failed.failure.is_before_any_host() {
                return Err(failed.failure.into_error(&self.name));
            }
            if failed.remedy() == Remedy::NextHost {
                self.leave(stay, failed, &mut tried)?;
            }
        }
    }

    async fn check(&self, stay: Stay, mut aged: Aged<E::Session>) -> Outcome<Aged<E::Session>> {
        match self.hosts.within_deadline(stay, "a ping", E::ping(&mut aged.session)).await {
            Ok(Ok(())) => Ok(aged),
            answer => {
                E::cut(vec![aged.session]);
                Err(answer.map_or_else(|failure| failure, |_| Failure::broken("the session has ended")))
            }
        }
    }

    async fn attempt(&self, stay: Stay, work: &dyn Step<E::Session>) -> std::result::Result<(), Failed> {
        let (session, phase) = match self.take_idle(stay) {
            Some(session) => (session, AttemptPhase::Idle),
            None => {
                let connected = self.dialler.connect(stay).await;
                let connected = connected.map(Aged::new);
                (connected.map_err(|failure| Failed { failure, phase: AttemptPhase::Connecting })?, AttemptPhase::Fresh)
            }
        };
        self.on(stay, session, work).await.map_err(|failure| Failed { failure, phase })
    }

    /// Does work on a session, and keeps the session only if the server answered, and refused nothing.
    async fn on(&self, stay: Stay, mut aged: Aged<E::Session>, work: &dyn Step<E::Session>) -> Outcome<()> {
        let answer = self.hosts.within_deadline(stay, "a statement", work.begin(&mut aged.session)).await;
        match answer.and_then(|answer| answer) {
            Err(failure) if failure.ends_the_session() => {
                match failure {
                    Failure::Silent(_) | Failure::Slow(_) => E::abandon(aged.session),
                    _ => E::cut(vec![aged.session]),
                }
                Err(failure)
            }
            answer => {
                self.hosts.note_answer(stay);
                let is_refused = answer.as_ref().is_err_and(|failure| failure.remedy() == Remedy::Report);
                match is_refused && aged.opened.elapsed() > LONGEST_REFUSED {
                    _ if E::is_shared(&aged.session) => self.end(aged.session).await,
                    true => E::cut(vec![aged.session]),
                    false => {
                        let host = self.hosts.index(stay);
                        self.idle.lock().push(Idle { aged, host, since: Instant::now() });
                    }
                }
                answer
            }
        }
    }

    fn take_idle(&self, stay: Stay) -> Option<Aged<E::Session>> {
        let (mut idle, host) = (self.idle.lock(), self.hosts.index(stay));
        let expired: Vec<_> = idle.extract_if(.., |idle| idle.is_over()).collect();
        let at = idle.iter().rposition(|idle| idle.host == host);
        let found = at.map(|at| idle.remove(at).aged);
        drop(idle);
        cut_all::<E>(expired);
        found
    }
}

impl Failed {
    fn remedy(&self) -> Remedy {
        match (self.phase, self.failure.remedy()) {
            // A host that accepts no session is of no use, whatever it answers.
            (AttemptPhase::Connecting, _) if !self.failure.is_before_any_host() => Remedy::NextHost,
            (AttemptPhase::Fresh, Remedy::AnotherSession) => Remedy::NextHost,
            (_, remedy) => remedy,
        }
    }
}

fn cut_all<E: Engine>(doomed: Vec<Idle<E::Session>>) {
    if !doomed.is_empty() {
        E::cut(doomed.into_iter().map(|idle| idle.aged.session).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_used_for_ten_minutes_at_most() {
        let idle = |lifetime| {
            let aged = Aged { lifetime, ..Aged::new(()) };
            Idle { aged, host: 0, since: Instant::now() }
        };
        assert!(idle(Duration::ZERO).is_over());
        let lifetimes: Vec<Duration> = (0..100).map(|_| Aged::new(()).lifetime).collect();
        for lifetime in &lifetimes {
            assert!(!idle(*lifetime).is_over() && (540..=600).contains(&lifetime.as_secs()), "{lifetime:?}");
        }
        assert!(lifetimes.iter().any(|lifetime| *lifetime != lifetimes[0]), "sessions of many processes end together");
    }
}
