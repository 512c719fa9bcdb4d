//! A connection of the application, as a session uses it.

use super::lender::{Answer, Connected, DriverError, Lender, Question, Ran, Wanted};
use leafmint_engine::runtime::background::reply;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of connections that were asked for.
static ASKED: AtomicU64 = AtomicU64::new(0);

/// One connection. Dropping it cuts it.
pub(crate) struct Connection {
    lender: Arc<dyn Lender>,
    key: u64,
    pub(crate) connected: Connected,
    is_over: bool,
}

impl Connection {
    /// Asks for a connection. The caller sets the deadline.
    pub(crate) async fn open(lender: &Arc<dyn Lender>) -> Result<Self, DriverError> {
        let key = ASKED.fetch_add(1, Ordering::Relaxed);
        // Cuts it too if the caller stops waiting, so that no connection is left behind.
        let mut connection = Self { lender: lender.clone(), key, connected: Connected::default(), is_over: false };
        match connection.ask(Wanted::Connect).await {
            Ok(Answer::Connected(connected)) => connection.connected = connected,
            Ok(_) => return Err(unexpected()),
            Err(error) => {
                connection.is_over = true;
                return Err(error);
            }
        }
        Ok(connection)
    }

    /// Runs statements in turn, each as a transaction of its own. Returns one result each, up to the first failure.
    pub(crate) async fn run(&self, statements: Vec<String>) -> Result<Vec<Result<Ran, DriverError>>, DriverError> {
        match self.ask(Wanted::Run(statements)).await? {
            Answer::Ran(results) => Ok(results),
            _ => Err(unexpected()),
        }
    }

    /// Runs statements in one transaction.
    pub(crate) async fn run_together(&self, statements: Vec<String>) -> Result<Vec<Ran>, DriverError> {
        match self.ask(Wanted::RunTogether(statements)).await? {
            Answer::Ran(results) => results.into_iter().collect(),
            _ => Err(unexpected()),
        }
    }

    /// Closes it, or gives it back.
    pub(crate) async fn end(mut self) {
        self.is_over = true;
        let _ = self.ask(Wanted::End).await;
    }

    async fn ask(&self, wanted: Wanted) -> Result<Answer, DriverError> {
        let (reply, answer) = reply();
        self.lender.ask(Question { connection: self.key, wanted, reply });
        answer.await.unwrap_or_else(|_| Err(DriverError::lost("the driver's thread ended without an answer")))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if !self.is_over {
            let (reply, _) = reply();
            self.lender.ask(Question { connection: self.key, wanted: Wanted::Abandon, reply });
        }
    }
}

fn unexpected() -> DriverError {
    DriverError::lost("the binding answered another question")
}
