//! One ticket server: its sessions, what is pinned there, and whether it answers.

use super::pin::Pin;
use crate::mysql::{MySql, Session};
use crate::sessions::{DatabaseSettings, Sessions, Work};
use leafmint_engine::backoff::Backoff;
use leafmint_engine::runtime::events;
use leafmint_engine::runtime::events::EventKind;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Reason};
use std::time::{Duration, Instant};

/// The longest pause between two probes of a server that is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

pub(super) struct Server {
    pub(super) name: String,
    sessions: Sessions<MySql>,
    health: Mutex<Health>,
    /// Held by the one probe that is under way; others wait for its result.
    pub(super) probing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Health {
    /// As last read. Other servers are compared with it even while this one is away.
    pin: Option<Pin>,
    /// It was compared with the others. Nothing is drawn before, and again after a failure.
    is_admitted: bool,
    backoff: Backoff,
    /// Why it is not used, until it answers.
    error: Option<Error>,
}

/// Whether a server may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readiness {
    /// It answered last time.
    Ready,
    /// It did not answer, or its pin is not known, and it may be asked now.
    Due,
    /// It did not answer a moment ago, or is asked right now.
    Resting,
}

impl Server {
    pub(super) fn new(settings: DatabaseSettings) -> Self {
        let (host, port) = &settings.hosts[0];
        Self {
            name: format!("{host}:{port}"),
            sessions: Sessions::new(settings),
            health: Mutex::default(),
            probing: tokio::sync::Mutex::default(),
        }
    }

    /// Does work on a session, and records whether the server answered.
    pub(super) async fn run<'env, T: Send>(&self, work: impl Work<'env, Session, T>) -> Result<T, Error> {
        let answer = self.sessions.run(work).await;
        answer.map_err(|error| {
            let text = match error.reason() {
                Some(Reason::MissingTable) => {
                    format!("{error}: call init_schema() with all servers in the URL, then create_tag")
                }
                _ => error.to_string(),
            };
            let error = error.saying(text);
            if !error.is_of_one_tag() {
                self.health.lock().error = Some(error.clone());
            }
            error
        })
    }

    /// Returns what was pinned when it was last read.
    pub(super) fn known_pin(&self) -> Option<Pin> {
        self.health.lock().pin.clone()
    }

    pub(super) fn is_admitted(&self) -> bool {
        self.health.lock().is_admitted
    }

    pub(super) fn readiness(&self, now: Instant) -> Readiness {
        let health = self.health.lock();
        if health.is_admitted {
            Readiness::Ready
        } else if self.probing.try_lock().is_err() || health.backoff.left(now, LONGEST_PAUSE).is_some() {
            Readiness::Resting
        } else {
            Readiness::Due
        }
    }

    /// Returns why the server is not used.
    pub(super) fn error(&self) -> Option<Error> {
        self.health.lock().error.clone()
    }

    /// Returns why the server was not asked.
    pub(super) fn absence(&self) -> Error {
        let text = || format!("the ticket server {} has not answered yet", self.name);
        self.error().unwrap_or_else(|| Error::new(ErrorKind::StoreUnavailable, text()))
    }

    pub(super) fn note_pin(&self, pin: Pin) {
        self.health.lock().pin = Some(pin);
    }

    /// Lets the server draw, after it was compared with the others.
    pub(super) fn admit(&self, scope: &str) {
        let was_away = {
            let mut health = self.health.lock();
            (health.is_admitted, health.error) = (true, None);
            health.backoff.note_success()
        };
        if was_away {
            events::clear_in(EventKind::TicketServerAway, scope, &self.name);
            let text = format_args!("the ticket server {} is used again: {scope}", self.name);
            events::emit_in(EventKind::TicketServerBack, scope, &self.name, text);
        }
    }

    /// Records that the server cannot be used now, and reports it.
    pub(super) fn note_failure(&self, error: &Error, scope: &str) {
        {
            let mut health = self.health.lock();
            health.backoff.note_failure(Instant::now(), fastrand::f64());
            health.error = Some(error.clone());
            health.is_admitted = false;
        }
        let text = format_args!("the ticket server {} is not used for now: {error}", self.name);
        events::emit_failure(EventKind::TicketServerAway, scope, &self.name, error, text);
    }

    /// Lets the server be asked at once.
    pub(super) fn forget_failure(&self) {
        let mut health = self.health.lock();
        (health.backoff, health.error) = (Backoff::default(), None);
    }

    pub(super) async fn close(&self) {
        self.sessions.close().await;
    }
}
