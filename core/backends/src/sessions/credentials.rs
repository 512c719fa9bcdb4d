//! How to log in: with credentials that stay, or with those that rotate. For these a source is asked for user and
//! password before each new connection.

use super::error_meaning::{Failure, Outcome};
use leafmint_engine::runtime::background::Lane;
use leafmint_engine::runtime::process::PerProcess;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::panics;
use leafmint_ids::text::{beginning, printable};
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, mem};
use tokio::sync::oneshot;

/// Maximum length of what a source says about its failure, in characters.
const MOST_CHARACTERS: usize = 500;

/// An account of a database and its password. [`Debug`] hides the password.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub user: String,
    pub password: String,
}

impl Credentials {
    /// Makes credentials from an account and its password.
    pub fn new(user: impl Into<String>, password: impl Into<String>) -> Self {
        Self { user: user.into(), password: password.into() }
    }

    /// Refuses what the protocol would cut: it ends both at a NUL.
    fn check(self) -> std::result::Result<Self, String> {
        for (name, text) in [("username", &self.user), ("password", &self.password)] {
            if text.contains('\0') {
                return Err(format!("the {name} holds a NUL character"));
            }
        }
        Ok(self)
    }
}

impl Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("username", &self.user).field("password", &format_args!("***")).finish()
    }
}

type Supply = dyn Fn() -> std::result::Result<Credentials, String> + Send + Sync;
type Answer = Result<Credentials>;

/// Supplies the credentials for each new connection to a database: the value of the option `credentials`.
///
/// Sources are equal if they are clones of one.
#[derive(Clone)]
pub struct CredentialsSource(Arc<Source>);

struct Source {
    supply: Box<Supply>,
    /// The child of a fork asks on a thread of its own.
    asking: PerProcess<Asking>,
}

/// The connections that wait for credentials, and the thread that asks for them.
struct Asking {
    lane: Lane,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    callers: Vec<oneshot::Sender<Answer>>,
    /// The thread has still to look at these callers.
    is_queued: bool,
}

impl Asking {
    fn new() -> Self {
        Self { lane: Lane::new("leafmint-login", 1), waiting: Mutex::default() }
    }
}

impl CredentialsSource {
    /// Makes a source of a closure. It is called on a thread of its own, so it may block, and never twice at a time.
    ///
    /// If it fails, panics, or takes longer than the option `connect_timeout`, the connection fails with
    /// `store_unavailable` and the text of its error, and the closure is called again for the next attempt.
    pub fn new<E: Display>(supply: impl Fn() -> std::result::Result<Credentials, E> + Send + Sync + 'static) -> Self {
        let supply = Box::new(move || supply().map_err(|error| error.to_string()));
        Self(Arc::new(Source { supply, asking: PerProcess::new(Asking::new()) }))
    }

    /// Asks for the credentials of a new connection, for at most `longest`. All that wait when the closure is called
    /// get its answer.
    ///
    /// Raises `store_unavailable`.
    pub async fn ask(&self, longest: Duration) -> Answer {
        let (sender, answer) = oneshot::channel();
        self.queue(sender)?;
        match tokio::time::timeout(longest, answer).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(failed("it ended without an answer"))),
            Err(_) => Err(failed(&format!("no answer within connect_timeout={longest:?}"))),
        }
    }

    fn queue(&self, caller: oneshot::Sender<Answer>) -> Result<()> {
        let asking = self.asking();
        let mut waiting = asking.waiting.lock();
        waiting.callers.retain(|caller| !caller.is_closed());
        if !waiting.is_queued {
            let source = self.clone();
            asking.lane.push(move || source.answer())?;
            waiting.is_queued = true;
        }
        waiting.callers.push(caller);
        Ok(())
    }

    /// Calls the closure for all that wait, unless all have given up.
    fn answer(&self) {
        let mut callers = {
            let mut waiting = self.asking().waiting.lock();
            waiting.is_queued = false;
            mem::take(&mut waiting.callers)
        };
        callers.retain(|caller| !caller.is_closed());
        if callers.is_empty() {
            return;
        }
        let answer = self.call().map_err(|problem| failed(&problem));
        for caller in callers {
            let _ = caller.send(answer.clone());
        }
    }

    fn call(&self) -> std::result::Result<Credentials, String> {
        match catch_unwind(AssertUnwindSafe(|| (self.0.supply)())) {
            Ok(supplied) => supplied?.check(),
            Err(panic) => Err(panics::message_of(panic).replace(panics::IS_A_BUG, "it panicked: ")),
        }
    }

    fn asking(&self) -> &Asking {
        self.0.asking.get(|_| Asking::new())
    }
}

impl PartialEq for CredentialsSource {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CredentialsSource {}

impl Debug for CredentialsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CredentialsSource")
    }
}

fn failed(problem: &str) -> Error {
    let problem = printable(problem.to_owned());
    let problem = beginning(&problem, MOST_CHARACTERS);
    Error::new(ErrorKind::StoreUnavailable, format!("the credentials supplier failed: {problem}"))
}

/// How to log in.
#[derive(Clone, PartialEq, Eq)]
pub enum LogIn {
    /// Always with the same credentials.
    Configured {
        /// The account.
        user: Option<String>,
        /// Its password.
        password: Option<String>,
    },
    /// With those that the source supplies for each new connection.
    Supplied(CredentialsSource),
}

/// What one connection logs in with.
#[derive(Clone)]
pub struct Account {
    pub user: Option<String>,
    pub password: Option<String>,
    pub is_supplied: bool,
}

impl LogIn {
    /// Returns what the next connection logs in with. Waits for a source, for at most `longest`.
    pub(super) async fn account(&self, longest: Duration) -> Outcome<Account> {
        match self {
            LogIn::Configured { user, password } => {
                Ok(Account { user: user.clone(), password: password.clone(), is_supplied: false })
            }
            LogIn::Supplied(source) => {
                let Credentials { user, password } = source.ask(longest).await.map_err(Failure::NoCredentials)?;
                Ok(Account { user: Some(user), password: Some(password), is_supplied: true })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn all_that_wait_share_the_answer_of_a_call_that_begins_after_they_asked() {
        let (hold, held) = mpsc::channel::<()>();
        let (held, calls, (begin, begun)) = (Mutex::new(held), AtomicU32::new(0), mpsc::channel());
        let source = CredentialsSource::new(move || {
            let call = calls.fetch_add(1, Ordering::Relaxed);
            begin.send(()).unwrap();
            let _ = held.lock().recv();
            Ok::<_, String>(Credentials::new(call.to_string(), "pw"))
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let users: Vec<String> = runtime.block_on(async {
            let ask = || {
                let source = source.clone();
                tokio::spawn(async move { source.ask(LONG).await.unwrap().user })
            };
            let mut asking = vec![ask()];
            tokio::task::yield_now().await;
            begun.recv_timeout(LONG).unwrap();
            asking.extend((0..3).map(|_| ask()));
            tokio::task::yield_now().await;
            drop(hold);
            let mut users = Vec::new();
            for user in asking {
                users.push(user.await.unwrap());
            }
            users
        });
        assert_eq!(users, ["0", "1", "1", "1"]);
    }

    #[test]
    fn a_panic_and_a_long_text_are_errors_of_the_supplier() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let panics = CredentialsSource::new(|| -> std::result::Result<Credentials, String> { panic!("seven") });
        let error = runtime.block_on(panics.ask(LONG)).unwrap_err();
        assert_eq!(error.message(), "the credentials supplier failed: it panicked: seven");
        let talks = CredentialsSource::new(|| Err("x".repeat(1 << 20)));
        let error = runtime.block_on(talks.ask(LONG)).unwrap_err();
        assert!(error.message().chars().count() < 600 && error.kind().retryable(), "{error}");
    }
}
