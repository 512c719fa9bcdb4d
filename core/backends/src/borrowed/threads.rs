//! Lenders whose drivers block: each connection has a thread of its own while it is asked.

use super::lender::{Answer, Connected, DriverError, Lender, Question, Ran, Wanted};
use leafmint_engine::runtime::background::Lane;
use leafmint_engine::runtime::process::{PerProcess, start_thread};
use leafmint_engine::sync::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of connections of one lender, with those that were given up while their driver did not return.
const MOST_CONNECTIONS: usize = 16;

/// A way to connect that blocks.
pub trait Blocking: Send + Sync + 'static {
    type Connection: BlockingConnection;

    /// Names the database, as [`Lender::name`].
    fn name(&self) -> &str;

    /// Opens a connection in autocommit mode.
    fn connect(&self) -> Result<(Self::Connection, Connected), DriverError>;
}

/// A connection whose calls block. Dropping it closes it at once.
pub trait BlockingConnection: Send + 'static {
    /// Runs statements in turn, each as a transaction of its own, up to the first that fails.
    fn run(&mut self, statements: &[String]) -> Vec<Result<Ran, DriverError>>;

    /// Runs statements in one transaction; an error of the commit is one more result.
    fn run_together(&mut self, statements: &[String]) -> Vec<Result<Ran, DriverError>>;

    /// Closes it politely, or gives it back.
    fn end(self);

    /// Returns what cuts the connection from another thread, while a call waits for the server, if the driver can.
    fn cutter(&self) -> Option<Box<dyn Fn() + Send + Sync>> {
        None
    }
}

/// A lender over a way to connect that blocks.
pub struct OnThreads<B: Blocking> {
    source: Arc<B>,
    /// The child of a fork has none of its parent's.
    open: PerProcess<Arc<Open<B::Connection>>>,
}

struct Open<C> {
    connections: Mutex<HashMap<u64, Arc<OnThread<C>>>>,
    /// Threads that may be inside the driver, those that were given up with them.
    count: Arc<AtomicUsize>,
}

impl<C> Default for Open<C> {
    fn default() -> Self {
        Self { connections: Mutex::default(), count: Arc::default() }
    }
}

/// One connection, and the thread that uses it.
struct OnThread<C> {
    lane: Lane,
    connection: Mutex<Option<C>>,
    cutter: Mutex<Option<Arc<dyn Fn() + Send + Sync>>>,
    count: Arc<AtomicUsize>,
}

impl<C> Drop for OnThread<C> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<B: Blocking> OnThreads<B> {
    pub fn new(source: B) -> Self {
        Self { source: Arc::new(source), open: PerProcess::new(Arc::default()) }
    }

    fn open(&self) -> &Arc<Open<B::Connection>> {
        self.open.get(|_| Arc::default())
    }

    /// Returns the connection of a question, which for one that is to be opened is an empty place.
    fn place(&self, question: &Question) -> Result<Arc<OnThread<B::Connection>>, DriverError> {
        let open = self.open();
        let mut connections = open.connections.lock();
        match question.wanted {
            Wanted::Connect => {
                if open.count.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                    open.count.fetch_sub(1, Ordering::Relaxed);
                    return Err(DriverError::lost(format!(
                        "{MOST_CONNECTIONS} calls of the driver have not returned: it waits without a deadline of its own"
                    )));
                }
                let place = Arc::new(OnThread {
                    lane: Lane::new("leafmint-driver", 1),
                    connection: Mutex::new(None),
                    cutter: Mutex::new(None),
                    count: open.count.clone(),
                });
                connections.insert(question.connection, place.clone());
                Ok(place)
            }
            Wanted::End | Wanted::Abandon => connections.remove(&question.connection).ok_or_else(gone),
            _ => connections.get(&question.connection).cloned().ok_or_else(gone),
        }
    }
}

fn gone() -> DriverError {
    DriverError::lost("the connection is closed")
}

impl<B: Blocking> Lender for OnThreads<B> {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn ask(&self, question: Question) {
        let place = match self.place(&question) {
            Ok(place) => place,
            Err(error) => return question.reply.send(Err(error)),
        };
        let Question { connection, wanted, reply } = question;
        if wanted == Wanted::Abandon {
            place.cut();
        }
        let is_new = wanted == Wanted::Connect;
        let (source, used, open) = (self.source.clone(), place.clone(), self.open().clone());
        let job = move || {
            let answer = used.answer(&*source, wanted);
            if is_new && answer.is_err() {
                open.forget(connection);
            }
            reply.send(answer);
        };
        // Without a thread the reply is dropped, which is an error.
        if place.lane.push(job).is_err() && is_new {
            self.open().forget(connection);
        }
    }
}

impl<C> Open<C> {
    /// Gives the place of a connection up that could not be had: nothing more is asked of it.
    fn forget(&self, connection: u64) {
        let place = self.connections.lock().remove(&connection);
        drop(place);
    }
}

impl<C: BlockingConnection> OnThread<C> {
    /// Does what is wanted, on the connection's own thread.
    fn answer(&self, source: &impl Blocking<Connection = C>, wanted: Wanted) -> Result<Answer, DriverError> {
        let mut connection = self.connection.lock();
        match wanted {
            Wanted::Connect => {
                let (opened, connected) = source.connect()?;
                *self.cutter.lock() = opened.cutter().map(Arc::from);
                *connection = Some(opened);
                Ok(Answer::Connected(connected))
            }
            Wanted::Run(statements) => Ok(Answer::Ran(connection.as_mut().ok_or_else(gone)?.run(&statements))),
            Wanted::RunTogether(statements) => {
                Ok(Answer::Ran(connection.as_mut().ok_or_else(gone)?.run_together(&statements)))
            }
            Wanted::End => {
                connection.take().ok_or_else(gone)?.end();
                Ok(Answer::Ended)
            }
            Wanted::Abandon => {
                drop(connection.take());
                Ok(Answer::Ended)
            }
        }
    }

    /// Cuts the connection under a call that waits for the server, on a thread of its own: a driver may wait for that
    /// call there too.
    fn cut(&self) {
        if let Some(cut) = self.cutter.lock().clone() {
            let _ = start_thread("leafmint-cut", move || cut());
        }
    }
}
