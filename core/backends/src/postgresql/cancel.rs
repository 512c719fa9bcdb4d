//! Asks the server to give up a statement that the caller has given up.
//!
//! The server does not notice that a client is gone while its statement waits for a lock. A lock of the whole table
//! comes before the statement runs, and so before its `lock_timeout`: each attempt would leave a session at the server,
//! and each of them would burn a range once the lock is free.

use super::incoming::{Allowance, Bounded, Incoming};
use super::tls::Tls;
use crate::sessions::{DatabaseSettings, Outcome, connect};
use std::pin::pin;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use tokio_postgres::CancelToken;

/// An answer to a request to cancel has no bytes but the one that agrees to encrypt, and the handshake.
const MOST_BYTES: usize = 1 << 20;

/// Maximum time until the session is closed even if its statement still runs.
const LONGEST: Duration = Duration::from_secs(10);

/// Maximum time that one request may take, and the pause until the next one.
const EACH: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(250);

/// Where a session's statement can be cancelled.
pub(super) struct Cancel {
    token: CancelToken,
    settings: DatabaseSettings,
    host: usize,
}

impl Cancel {
    pub(super) fn new(token: CancelToken, settings: DatabaseSettings, host: usize) -> Self {
        Self { token, settings, host }
    }

    /// Cancels what the session runs, and closes the session then: a proxy forgets whose statement it is with the
    /// connection. `ended` is done when the session has ended.
    ///
    /// A server ignores a request that overtakes the statement, so requests are repeated until the session ends.
    pub(super) fn until(self, ended: impl Future<Output = ()> + Send + 'static) {
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(timeout(LONGEST, async move {
                let mut ended = pin!(ended);
                loop {
                    let asked = async {
                        let _ = timeout(EACH, self.send()).await;
                        sleep(PAUSE).await;
                    };
                    tokio::select! {
                        () = &mut ended => break,
                        () = asked => {}
                    }
                }
            }));
        }
    }

    async fn send(&self) -> Outcome<()> {
        let (name, port) = &self.settings.hosts[self.host];
        // No password is sent on this connection.
        let (allowance, incoming) = (Allowance::of(MOST_BYTES), || Incoming::new(Allowance::of(MOST_BYTES), true));
        let tls = Tls::prepare(&self.settings, name, incoming()).await?;
        let stream = connect(&self.settings, name, *port).await?;
        let stream = Bounded::new(stream, allowance, incoming());
        Ok(self.token.cancel_query_raw(stream, tls).await?)
    }
}
