//! A spare connection without TLS, for a server that may turn out to speak none.

use mysql_async::{Conn, Opts, OptsBuilder, Result};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use tokio::runtime::{Handle, RuntimeFlavor};

type Dialling = Pin<Box<dyn Future<Output = Result<Conn>> + Send>>;

/// A connection that was opened, and on which nothing was sent.
///
/// It is the driver's future, which connects, reads the greeting and logs in, polled once. That sends the request to
/// connect. The poll ends there: on a runtime of one thread, nothing reports that the connection is open while a future
/// is polled. The kernel then opens it and takes in the greeting.
pub(super) struct Spare(Dialling);

impl Spare {
    /// Dials with these options, and opens a spare connection in the same moment.
    pub(super) async fn open_beside(options: Opts) -> (Result<Conn>, Option<Self>) {
        let without_tls = OptsBuilder::from_opts(options.clone()).ssl_opts(None);
        let mut dialling: Dialling = Conn::new(options);
        // This one goes first: a server that takes one more connection is to take this one.
        let first = poll_once(&mut dialling).await;
        let spare = Self::open(Conn::new(without_tls)).await;
        let answer = match first {
            Poll::Ready(answer) => answer,
            Poll::Pending => dialling.await,
        };
        (answer, spare)
    }

    async fn open(mut dialling: Dialling) -> Option<Self> {
        // With other threads the greeting may arrive, and the log-in leave, within the poll.
        let is_alone = Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread;
        (is_alone && poll_once(&mut dialling).await.is_pending()).then_some(Self(dialling))
    }

    /// Logs in without TLS.
    pub(super) async fn log_in(self) -> Result<Conn> {
        self.0.await
    }
}

async fn poll_once(dialling: &mut Dialling) -> Poll<Result<Conn>> {
    poll_fn(|context| Poll::Ready(dialling.as_mut().poll(context))).await
}
