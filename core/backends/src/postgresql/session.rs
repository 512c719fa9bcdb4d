//! One session. Each statement is an unnamed one, so that none costs a round trip of its own to prepare it, and that
//! proxies which give each transaction another session serve it.

use super::borrowed::Borrowed;
use super::cancel::Cancel;
use super::errors;
use super::incoming::{Allowance, Bounded};
use super::operators::EQ;
use super::tls::Encrypted;
use super::values::{Param, Row};
use crate::borrowed::Borrowing;
use crate::sessions::{DatabaseSettings, Failure, LOCK_MOMENT, LockWait, Outcome};
use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio_postgres::{AsyncMessage, Client, Connection};

/// Maximum size of one answer. A registry of 50,000 worker ids fits.
pub(super) const MOST_BYTES: usize = 8 << 20;

/// The pauses before a table is created again that another session creates: half a second together.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(256);

/// What statements go over, and the settings of their transactions.
pub struct Session {
    link: Link,
    settings: String,
}

enum Link {
    Native(Box<Native>),
    /// A connection of the application.
    Borrowed(Borrowed),
}

/// A connection. It is driven by the calls that wait for its answers, so that dropping it closes the socket.
struct Native {
    client: Client,
    connection: Connection<Bounded, Encrypted>,
    has_ended: bool,
    allowance: Allowance,
    cancel: Cancel,
    /// The server said that it gave up waiting for its replicas.
    is_unreplicated: bool,
}

impl Session {
    pub(super) fn new(
        client: Client,
        connection: Connection<Bounded, Encrypted>,
        allowance: Allowance,
        settings: &DatabaseSettings,
        host: usize,
    ) -> Self {
        let cancel = Cancel::new(client.cancel_token(), settings.clone(), host);
        let native = Native { client, connection, has_ended: false, allowance, cancel, is_unreplicated: false };
        Self { link: Link::Native(Box::new(native)), settings: of_usual_transactions(settings) }
    }

    /// Borrows a connection of the application.
    pub(super) async fn borrowed(lender: &Borrowing, settings: &DatabaseSettings) -> Outcome<Self> {
        let borrowed = Borrowed::open(lender, settings).await?;
        Ok(Self { link: Link::Borrowed(borrowed), settings: of_usual_transactions(settings) })
    }

    /// Closes the connection, and asks the server to give up what runs on it.
    pub(super) fn abandon(self) {
        match self.link {
            Link::Native(native) => {
                let Native { client, connection, cancel, .. } = *native;
                cancel.until(end(client, connection));
            }
            // Dropped, it is cut.
            Link::Borrowed(_) => {}
        }
    }

    pub(super) fn is_shared(&self) -> bool {
        matches!(&self.link, Link::Borrowed(borrowed) if borrowed.is_shared())
    }

    /// Asks for any answer.
    pub(super) async fn ping(&mut self) -> Outcome<()> {
        match &mut self.link {
            Link::Native(_) => self.write("", &[]).await.map(drop),
            Link::Borrowed(borrowed) => borrowed.query("SELECT 1", &[]).await.map(drop),
        }
    }

    /// Returns the query that each statement which writes has among its tables: it makes the settings of a durable
    /// transaction.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// Returns the same with this limit on waits for locks.
    pub(crate) fn settings_waiting(&self, wait: LockWait) -> Cow<'_, str> {
        match wait {
            LockWait::Usual => self.settings().into(),
            LockWait::Moment => transaction_settings(LOCK_MOMENT).into(),
        }
    }

    /// Runs one statement as a transaction of its own, and returns its rows once it is committed.
    ///
    /// They are read to the end: rows arrive before the commit, which may still fail.
    pub async fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Outcome<Vec<Row>> {
        self.query_up_to(MOST_BYTES, sql, params).await
    }

    /// Does the same, for an answer that may be longer or shorter than others.
    pub async fn query_up_to(&mut self, most_bytes: usize, sql: &str, params: &[Param<'_>]) -> Outcome<Vec<Row>> {
        let native = match &mut self.link {
            Link::Native(native) => native,
            Link::Borrowed(borrowed) => return borrowed.query(sql, params).await,
        };
        native.allowance.renew(most_bytes);
        let Native { client, connection, has_ended, is_unreplicated, .. } = &mut **native;
        let rows = client.query_typed(sql, params);
        let answer = drive(connection, has_ended, is_unreplicated, rows).await?;
        native.check_replication()?;
        Ok(answer?.into_iter().map(Row::Native).collect())
    }

    /// Runs two statements in one round trip, each as a transaction of its own. The second one runs even if the first
    /// one fails.
    pub(crate) async fn query_both(
        &mut self,
        (first, first_params): (&str, &[Param<'_>]),
        (second, second_params): (&str, &[Param<'_>]),
    ) -> Outcome<(Outcome<Vec<Row>>, Outcome<Vec<Row>>)> {
        let native = match &mut self.link {
            Link::Native(native) => native,
            Link::Borrowed(borrowed) => {
                return Ok((borrowed.query(first, first_params).await, borrowed.query(second, second_params).await));
            }
        };
        native.allowance.renew(2 * MOST_BYTES);
        let Native { client, connection, has_ended, is_unreplicated, .. } = &mut **native;
        let rows = |answer: Result<Vec<tokio_postgres::Row>, _>| match answer {
            Ok(rows) => Ok(rows.into_iter().map(Row::Native).collect()),
            Err(error) => Err(Failure::from(error)),
        };
        let both = async {
            let (first, second) =
                tokio::join!(client.query_typed(first, first_params), client.query_typed(second, second_params));
            Ok((rows(first), rows(second)))
        };
        let answers = drive(connection, has_ended, is_unreplicated, both).await??;
        native.check_replication()?;
        Ok(answers)
    }

    /// Runs one statement as a transaction of its own, and returns how many rows it wrote.
    pub async fn write(&mut self, sql: &str, params: &[Param<'_>]) -> Outcome<u64> {
        let native = match &mut self.link {
            Link::Native(native) => native,
            Link::Borrowed(borrowed) => return borrowed.write(sql, params).await,
        };
        native.allowance.renew(MOST_BYTES);
        let Native { client, connection, has_ended, is_unreplicated, .. } = &mut **native;
        let rows = client.execute_typed(sql, params);
        let answer = drive(connection, has_ended, is_unreplicated, rows).await?;
        native.check_replication()?;
        answer
    }

    /// Runs one statement that creates a table, or fills it. What is there already stays.
    ///
    /// If another session creates the same table at the same moment, this statement fails, and the next one may still
    /// answer from the cache of names that the table is missing. So it is repeated until it finds the table.
    pub(super) async fn make(&mut self, sql: &str) -> Outcome<()> {
        let mut pause = SHORTEST_PAUSE;
        loop {
            match self.write(sql, &[]).await {
                Err(failure) if failure.is_duplicate() && pause <= LONGEST_PAUSE => tokio::time::sleep(pause).await,
                answer => return answer.map(drop),
            }
            pause *= 2;
        }
    }

    /// Says goodbye and closes the connection, or gives it back.
    pub(super) async fn end(self) {
        match self.link {
            Link::Native(native) => end(native.client, native.connection).await,
            Link::Borrowed(borrowed) => borrowed.end().await,
        }
    }
}

impl Native {
    /// Refuses an answer whose commit may be lost with this server: replicas were to have it, and do not.
    fn check_replication(&self) -> Outcome<()> {
        match self.is_unreplicated {
            false => Ok(()),
            true => Err(Failure::broken("the server gave up waiting for its replicas to store a commit")),
        }
    }
}

/// Says goodbye once nothing runs any more, and waits until the connection is closed.
async fn end(client: Client, mut connection: Connection<Bounded, Encrypted>) {
    drop(client);
    let _ = poll_fn(|cx| poll_to_the_end(&mut connection, cx, &mut false)).await;
}

/// Waits for an answer, and moves data in and out meanwhile. The outer error: the connection has failed.
async fn drive<T>(
    connection: &mut Connection<Bounded, Encrypted>,
    has_ended: &mut bool,
    is_unreplicated: &mut bool,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Outcome<Outcome<T>> {
    let mut answer = pin!(answer);
    poll_fn(|cx| {
        if let Poll::Ready(answer) = answer.as_mut().poll(cx) {
            return Poll::Ready(Ok(answer.map_err(Failure::from)));
        }
        if *has_ended {
            return Poll::Ready(Err(Failure::broken("the session has ended")));
        }
        let Poll::Ready(end) = poll_to_the_end(connection, cx, is_unreplicated) else { return Poll::Pending };
        *has_ended = true;
        // The answer may have come with the end of the connection.
        match (answer.as_mut().poll(cx), end) {
            (Poll::Ready(answer @ Ok(_)), _) | (Poll::Ready(answer), Ok(())) => {
                Poll::Ready(Ok(answer.map_err(Failure::from)))
            }
            (_, Err(error)) => Poll::Ready(Err(error.into())),
            (Poll::Pending, Ok(())) => Poll::Ready(Err(Failure::broken("the session has ended"))),
        }
    })
    .await
}

/// Moves data in and out, until the connection ends.
fn poll_to_the_end(
    connection: &mut Connection<Bounded, Encrypted>,
    cx: &mut Context<'_>,
    is_unreplicated: &mut bool,
) -> Poll<Result<(), tokio_postgres::Error>> {
    loop {
        match connection.poll_message(cx) {
            Poll::Ready(Some(Ok(AsyncMessage::Notice(notice)))) => *is_unreplicated |= errors::is_unreplicated(&notice),
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(error)),
            Poll::Ready(None) => return Poll::Ready(Ok(())),
            Poll::Pending => return Poll::Pending,
        }
    }
}

/// Returns the settings of transactions that wait for locks as usual.
fn of_usual_transactions(settings: &DatabaseSettings) -> String {
    transaction_settings(Duration::from_secs(settings.lock_wait()))
}

/// Returns a query of one row that makes the settings for the transaction that it runs in, and for no other.
///
/// They are part of each statement, since a proxy may give each transaction another session, and then share a setting
/// that stays with others.
/// * `synchronous_commit`: else the answer may come before the commit is on disk, and a crash of the server undoes a
///   lease that ids were taken from. A stronger value stays.
/// * `client_min_messages`: else the server may keep its warning that a commit reached no replica to itself.
/// * `lock_timeout`: a statement that is given up must not wait in the server's lock queue and burn a range later.
fn transaction_settings(lock_wait: Duration) -> String {
    let lock_wait = lock_wait.as_millis();
    let commit = format!(
        "CASE WHEN pg_catalog.current_setting('synchronous_commit') {EQ} 'remote_apply' THEN 'remote_apply' ELSE 'on' END"
    );
    format!(
        "SELECT pg_catalog.set_config('synchronous_commit', {commit}, true) AS commit, \
         pg_catalog.set_config('client_min_messages', 'warning', true) AS warnings, \
         pg_catalog.set_config('lock_timeout', '{lock_wait}ms', true) AS lock_wait"
    )
}
