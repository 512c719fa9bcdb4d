//! The one background runtime of a process: refills and everything else that waits for a store run here.

use crate::error::{Error, ErrorKind, Result};
use crate::process;
use std::future::Future;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};

/// The runtime of this process and, behind it, those of its forked children: threads do not survive a fork, and an inherited
/// runtime can neither be used nor dropped.
static RUNTIME: OnceLock<Box<Started>> = OnceLock::new();

struct Started {
    forks: u32,
    runtime: std::result::Result<Runtime, String>,
    in_child: OnceLock<Box<Started>>,
}

impl Started {
    fn new(forks: u32) -> Box<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(4)
            .thread_name("leafmint")
            .enable_all()
            .build()
            .map_err(|error| error.to_string());
        Box::new(Self { forks, runtime, in_child: OnceLock::new() })
    }
}

/// Returns the runtime of this process, starting its one thread on first use.
pub(crate) fn runtime() -> Result<&'static Handle> {
    let forks = process::count_forks();
    let mut started = RUNTIME.get_or_init(|| Started::new(forks));
    while started.forks != forks {
        started = started.in_child.get_or_init(|| Started::new(forks));
    }
    match &started.runtime {
        Ok(runtime) => Ok(runtime.handle()),
        Err(cause) => Err(Error::new(
            ErrorKind::StoreUnavailable,
            format!("the background thread could not be started: {cause}; raise the limit of threads for this process"),
        )),
    }
}

/// Work that goes on in the background, and that a caller may wait for in slices.
///
/// The slices are what lets a face look after its own signals between them.
pub struct Pending<T> {
    answer: Receiver<Result<T>>,
}

impl<T: Send + 'static> Pending<T> {
    pub(crate) fn spawn(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<Self> {
        let (sender, answer) = sync_channel(1);
        runtime()?.spawn(async move {
            let _ = sender.send(work.await);
        });
        Ok(Self { answer })
    }

    /// Makes work that has ended already, without a thread to do it on.
    pub(crate) fn done(answer: T) -> Self {
        let (sender, receiver) = sync_channel(1);
        let _ = sender.send(Ok(answer));
        Self { answer: receiver }
    }

    /// Waits for at most `slice`. Returns `None` while the work goes on.
    pub fn wait_for(&self, slice: Duration) -> Option<Result<T>> {
        match self.answer.recv_timeout(slice) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(panicked())),
        }
    }

    /// Waits until the work has ended. Everything that is done this way carries a deadline of its own.
    pub fn wait(&self) -> Result<T> {
        self.answer.recv().unwrap_or_else(|_| Err(panicked()))
    }
}

fn panicked() -> Error {
    Error::new(ErrorKind::StoreUnavailable, "the background task ended without an answer: this is a bug in leafmint")
}

/// Returns the instant that lies `wait` after now, or a day after now where that is sooner.
pub(crate) fn deadline(wait: Duration) -> Instant {
    Instant::now() + wait.min(Duration::from_secs(86_400))
}
