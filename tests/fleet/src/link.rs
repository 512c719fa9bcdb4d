//! The network between one process and the server, with the sessions of the process.
//!
//! As in leafmint's own sessions: at most 4 at a time, one that idled for 50 seconds is replaced, and one that does not
//! answer within 3 seconds is cut. A statement that was sent by then may still run.

use crate::server::Server;
use leafmint::Answer;
use leafmint_backends::rows::Network;
use leafmint_simulation::{Process, unavailable};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};

const MOST_SESSIONS: usize = 4;
const LONGEST_IDLE: Duration = Duration::from_secs(50);
const DEADLINE: Duration = Duration::from_secs(3);

/// Half of a round trip at its shortest; now and then it takes much longer.
const ONE_WAY: Duration = Duration::from_micros(150);

/// Unix milliseconds at the beginning of the world.
pub(crate) const BEGINNING: i64 = 1_793_491_200_000;

/// The network between one process and the server.
pub(crate) struct Link {
    process: Arc<Process>,
    server: Arc<Server>,
    permits: Semaphore,
    /// When the sessions that idle were used last.
    idle: Mutex<Vec<Duration>>,
    /// Answers lost, and statements delayed by seconds, in a thousand.
    lost: AtomicU32,
    delayed: AtomicU32,
}

impl Link {
    pub(crate) fn new(process: Arc<Process>, server: Arc<Server>) -> Arc<Self> {
        let (permits, idle) = (Semaphore::new(MOST_SESSIONS), Mutex::default());
        Arc::new(Self { process, server, permits, idle, lost: AtomicU32::new(0), delayed: AtomicU32::new(0) })
    }

    /// Sets how many answers in a thousand are lost, and how many statements are delayed by seconds.
    pub(crate) fn set_faults(&self, lost: u32, delayed: u32) {
        self.lost.store(lost, Ordering::Relaxed);
        self.delayed.store(delayed, Ordering::Relaxed);
    }

    /// Returns the time since the beginning of the world.
    pub(crate) fn passed(&self) -> Duration {
        self.process.passed()
    }

    /// Names the server as this process knows it: what processes remember of their stores they do not share.
    pub(crate) fn scope(&self) -> String {
        format!("simulated store of process {:p}", self.process)
    }

    async fn run(&self, statement: Box<dyn FnOnce() + Send>) -> leafmint::Result<()> {
        let _permit = self.permits.acquire().await;
        if !self.take_idle() {
            self.connect().await?;
        }
        let (answer, answered) = oneshot::channel();
        self.server.process.run(carry(
            self.server.clone(),
            statement,
            answer,
            self.delay(),
            chance(self.lost.load(Ordering::Relaxed)),
        ));
        tokio::select! {
            biased;
            answer = answered => answer.map_err(|_| unavailable("the connection was cut"))?,
            () = self.process.sleep(DEADLINE) => return Err(unavailable("no answer in time")),
        }
        self.idle.lock().expect("no panic").push(self.process.passed());
        Ok(())
    }

    /// Opens a session: two round trips.
    async fn connect(&self) -> leafmint::Result<()> {
        let taken = self.server.accept(true);
        self.process.sleep(4 * one_way()).await;
        taken.map(drop).ok_or_else(|| unavailable("connection refused"))
    }

    fn take_idle(&self) -> bool {
        let (mut idle, now) = (self.idle.lock().expect("no panic"), self.process.passed());
        idle.retain(|used| now - *used < LONGEST_IDLE);
        if self.server.is_away() {
            idle.clear();
        }
        idle.pop().is_some()
    }

    fn delay(&self) -> Duration {
        match chance(self.delayed.load(Ordering::Relaxed)) {
            true => Duration::from_millis(fastrand::u64(1..20_000)),
            false => one_way(),
        }
    }
}

/// Carries a statement to the server, and its answer back.
async fn carry(
    server: Arc<Server>,
    statement: Box<dyn FnOnce() + Send>,
    answer: oneshot::Sender<()>,
    there: Duration,
    is_lost: bool,
) {
    server.process.sleep(there).await;
    let Some(takes) = server.accept(false) else { return };
    server.process.sleep(takes).await;
    if server.is_away() {
        return;
    }
    statement();
    if answer.is_closed() {
        server.note_wasted();
    }
    server.process.sleep(one_way()).await;
    if is_lost {
        // The client waits for it until its deadline.
        server.process.sleep(2 * DEADLINE).await;
    }
    let _ = answer.send(());
}

impl Network for Link {
    fn call(&self, statement: Box<dyn FnOnce() + Send>) -> Answer<'_, ()> {
        Box::pin(self.run(statement))
    }

    fn server_clock(&self) -> i64 {
        BEGINNING + self.process.passed().as_millis() as i64
    }
}

/// Runs a statement on the server, and returns what it returns.
pub(crate) async fn ask<T: Send + 'static>(
    link: &Link,
    statement: impl FnOnce() -> T + Send + 'static,
) -> leafmint::Result<T> {
    let result = Arc::new(Mutex::new(None));
    let there = result.clone();
    link.call(Box::new(move || *there.lock().expect("no panic") = Some(statement()))).await?;
    let answer = result.lock().expect("no panic").take();
    answer.ok_or_else(|| unavailable("an answer without a result"))
}

fn one_way() -> Duration {
    ONE_WAY.mul_f64(1.0 + 0.2 / (0.02 + fastrand::f64()))
}

fn chance(in_a_thousand: u32) -> bool {
    in_a_thousand > 0 && fastrand::u32(0..1000) < in_a_thousand
}
