//! One session. Each statement is an unnamed one, so that none costs a round trip of its own to prepare it, and that
//! proxies which give each transaction another session serve it.

use super::allowance::Allowance;
use super::bounded::Bounded;
use super::cancel::Cancel;
use super::failure;
use super::tls::Encrypted;
use super::transaction;
use crate::database::{DatabaseSettings, Failure, LOCK_MOMENT, LockWait, Outcome};
use crate::error::{Error, ErrorKind};
use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Connection, Row};

/// Maximum size of one answer. A registry of 50,000 worker ids fits.
pub(super) const MOST_BYTES: usize = 8 << 20;

/// A value that a statement carries.
pub(crate) type Param<'a> = (&'a (dyn ToSql + Sync), Type);

/// Returns a text as a parameter.
pub(crate) fn text<'a>(text: &'a &'a str) -> Param<'a> {
    (text, Type::TEXT)
}

/// Returns a number as a parameter.
pub(crate) fn number(number: &(impl ToSql + Sync)) -> Param<'_> {
    (number, Type::INT8)
}

/// Returns numbers as a parameter, an array.
pub(crate) fn numbers(numbers: &Vec<i64>) -> Param<'_> {
    (numbers, Type::INT8_ARRAY)
}

/// A connection. It is driven by the calls that wait for its answers, so that dropping it closes the socket.
pub(crate) struct Session {
    client: Client,
    connection: Connection<Bounded, Encrypted>,
    has_ended: bool,
    allowance: Allowance,
    settings: String,
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
        let settings = transaction::settings(Duration::from_secs(settings.lock_wait()));
        Self { client, connection, has_ended: false, allowance, settings, cancel, is_unreplicated: false }
    }

    /// Closes the connection, and asks the server to give up what runs on it.
    pub(super) fn abandon(self) {
        let Self { client, connection, cancel, .. } = self;
        cancel.until(end(client, connection));
    }

    /// Returns the query that each statement which writes has among its tables: it makes the settings of a durable
    /// transaction.
    pub(crate) fn settings(&self) -> &str {
        &self.settings
    }

    /// Returns the same with this limit on waits for locks.
    pub(crate) fn settings_waiting(&self, wait: LockWait) -> Cow<'_, str> {
        match wait {
            LockWait::Usual => self.settings().into(),
            LockWait::Moment => transaction::settings(LOCK_MOMENT).into(),
        }
    }

    /// Runs one statement as a transaction of its own, and returns its rows once it is committed.
    ///
    /// They are read to the end: rows arrive before the commit, which may still fail.
    pub(crate) async fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Outcome<Vec<Row>> {
        self.query_up_to(MOST_BYTES, sql, params).await
    }

    /// Does the same, for an answer that may be longer or shorter than others.
    pub(crate) async fn query_up_to(
        &mut self,
        most_bytes: usize,
        sql: &str,
        params: &[Param<'_>],
    ) -> Outcome<Vec<Row>> {
        self.allowance.renew(most_bytes);
        let Self { client, connection, has_ended, is_unreplicated, .. } = self;
        let rows = client.query_typed(sql, params);
        let answer = drive(connection, has_ended, is_unreplicated, rows).await?;
        self.check_replication()?;
        answer
    }

    /// Runs two statements in one round trip, each as a transaction of its own. The second one runs even if the first
    /// one fails.
    pub(crate) async fn query_both(
        &mut self,
        (first, first_params): (&str, &[Param<'_>]),
        (second, second_params): (&str, &[Param<'_>]),
    ) -> Outcome<(Outcome<Vec<Row>>, Outcome<Vec<Row>>)> {
        self.allowance.renew(2 * MOST_BYTES);
        let Self { client, connection, has_ended, is_unreplicated, .. } = self;
        let both = async {
            let (first, second) =
                tokio::join!(client.query_typed(first, first_params), client.query_typed(second, second_params));
            Ok((first.map_err(Failure::from), second.map_err(Failure::from)))
        };
        let answers = drive(connection, has_ended, is_unreplicated, both).await??;
        self.check_replication()?;
        Ok(answers)
    }

    /// Runs one statement as a transaction of its own, and returns how many rows it wrote.
    pub(crate) async fn write(&mut self, sql: &str, params: &[Param<'_>]) -> Outcome<u64> {
        self.allowance.renew(MOST_BYTES);
        let Self { client, connection, has_ended, is_unreplicated, .. } = self;
        let rows = client.execute_typed(sql, params);
        let answer = drive(connection, has_ended, is_unreplicated, rows).await?;
        self.check_replication()?;
        answer
    }

    /// Says goodbye and closes the connection.
    pub(super) async fn end(self) {
        end(self.client, self.connection).await;
    }

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
            Poll::Ready(Some(Ok(AsyncMessage::Notice(notice)))) => {
                *is_unreplicated |= failure::is_unreplicated(&notice)
            }
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(error)),
            Poll::Ready(None) => return Poll::Ready(Ok(())),
            Poll::Pending => return Poll::Pending,
        }
    }
}

/// Reads a column of a row.
pub(crate) fn column<'a, T: FromSql<'a>>(row: &'a Row, at: usize) -> Outcome<T> {
    row.try_get(at).map_err(|_| {
        let text = format!("the server's answer has no column {at} of the type that leafmint asked for");
        Error::new(ErrorKind::StoreUnavailable, text).into()
    })
}
