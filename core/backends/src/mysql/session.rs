//! One session. Statements go as text, so that none costs a round trip of its own to prepare it, and several can go in
//! one packet.

use super::borrowed::Borrowed;
use crate::sessions::{Failure, Outcome};
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::text::beginning;
use mysql_async::consts::StatusFlags;
use mysql_async::prelude::{FromRow, Queryable};
use mysql_async::{Conn, QueryResult, Row, TextProtocol, Value};
use std::fmt::Write;

/// Maximum size of the rows of one answer. A registry of 50,000 worker ids fits.
const MOST_BYTES: usize = 8 << 20;

/// A connection, and the set-up that it needs.
pub struct Session {
    pub(super) link: Link,
    /// The set-up that this session still needs: it is sent before the first statement, in the same packet.
    setup: Vec<String>,
    /// The tables that this session's statements name were seen to last.
    pub has_lasting_tables: bool,
}

/// What statements go over.
pub(super) enum Link {
    /// A connection of our own driver.
    Native(Conn),
    /// A connection of the application.
    Borrowed(Borrowed),
}

/// What a statement changed, and the value that `LAST_INSERT_ID(…)` carried in its OK packet.
pub struct Changed {
    pub rows: u64,
    pub value: Option<u64>,
}

impl Session {
    pub(super) fn new(link: Link, setup: Vec<String>) -> Self {
        Self { link, setup, has_lasting_tables: false }
    }

    /// Returns the tables that the answer to a lease is to show: over a connection of the application, where each
    /// statement costs a round trip, those of a session that was not shown them yet.
    pub(super) fn tables_to_show<'a>(&self, tables: &'a [&'a str]) -> &'a [&'a str] {
        if self.has_lasting_tables && self.is_borrowed() { &[] } else { tables }
    }

    /// Returns whether it is a connection of the application, which shows no OK packets.
    pub(super) fn is_borrowed(&self) -> bool {
        matches!(self.link, Link::Borrowed(_))
    }

    /// Reads rows.
    pub async fn query<R: FromRow + Send + 'static>(&mut self, sql: &str, params: &[Value]) -> Outcome<Vec<R>> {
        self.send(sql, params).await?;
        self.rows().await
    }

    /// Reads the first row, if there is one.
    pub async fn first<R: FromRow + Send + 'static>(&mut self, sql: &str, params: &[Value]) -> Outcome<Option<R>> {
        Ok(self.query(sql, params).await?.into_iter().next())
    }

    /// Runs one statement that writes, as a transaction of its own.
    pub async fn write(&mut self, sql: &str, params: &[Value]) -> Outcome<Changed> {
        self.send(sql, params).await?;
        self.changed().await
    }

    /// Runs one statement, in whatever transaction the session is.
    pub async fn run(&mut self, sql: &str, params: &[Value]) -> Outcome<()> {
        self.send(sql, params).await?;
        self.skip().await
    }

    /// Sends statements in one packet, with a semicolon between two. The server runs them in turn, as long as they
    /// succeed.
    ///
    /// Each answer is then to be read, up to the first failure.
    pub async fn send(&mut self, sql: &str, params: &[Value]) -> Outcome<()> {
        self.send_as_written(&spell(sql, params)).await
    }

    /// Does the same with statements that have no parameters, in which a question mark is one.
    pub async fn send_as_written(&mut self, sql: &str) -> Outcome<()> {
        let connection = match &mut self.link {
            Link::Native(connection) => connection,
            Link::Borrowed(borrowed) => return borrowed.send(sql).await,
        };
        let statements: Vec<&str> = self.setup.iter().map(String::as_str).chain([sql]).collect();
        connection.query_iter(statements.join("; ")).await?;
        for _ in 0..self.setup.len() {
            self.skip().await?;
        }
        self.setup.clear();
        Ok(())
    }

    /// Reads the rows that the next statement answers.
    pub async fn rows<R: FromRow + Send + 'static>(&mut self) -> Outcome<Vec<R>> {
        self.rows_up_to(MOST_BYTES).await
    }

    /// Does the same, for an answer that may be longer or shorter than others.
    pub async fn rows_up_to<R: FromRow + Send + 'static>(&mut self, most_bytes: usize) -> Outcome<Vec<R>> {
        let mut rows = Vec::new();
        self.each_row(most_bytes, |row| {
            rows.push(typed(row)?);
            Ok(())
        })
        .await?;
        Ok(rows)
    }

    /// Passes over the answer of the next statement.
    pub async fn skip(&mut self) -> Outcome<()> {
        self.each_row(MOST_BYTES, |_| Ok(())).await
    }

    /// Reads the answer of the next statement, which no server can make longer than `most_bytes`.
    async fn each_row(&mut self, most_bytes: usize, mut take: impl FnMut(Row) -> Outcome<()> + Send) -> Outcome<()> {
        let connection = match &mut self.link {
            Link::Native(connection) => connection,
            Link::Borrowed(borrowed) => return borrowed.next_rows()?.into_iter().try_for_each(take),
        };
        let mut result = QueryResult::<TextProtocol>::new(connection);
        let mut bytes = 0;
        while let Some(row) = result.next().await? {
            bytes += length(&row);
            if bytes > most_bytes {
                let text = format!(
                    "the server answered more than {most_bytes} bytes of rows, which no table of leafmint's holds"
                );
                return Err(Failure::broken(text));
            }
            take(row)?;
        }
        Ok(())
    }

    /// Reads what the next statement changed, as a transaction of its own.
    pub async fn changed(&mut self) -> Outcome<Changed> {
        let connection = match &mut self.link {
            Link::Native(connection) => connection,
            Link::Borrowed(borrowed) => return Ok(Changed { rows: borrowed.next_changed()?, value: None }),
        };
        let packet = match connection.last_ok_packet() {
            Some(packet) => (packet.status_flags(), packet.affected_rows(), packet.last_insert_id()),
            None => {
                self.skip().await?;
                return Err(Failure::broken("the server sent no OK packet"));
            }
        };
        let (flags, rows, value) = packet;
        let is_open = flags.contains(StatusFlags::SERVER_STATUS_IN_TRANS);
        if is_open {
            // Not committed: were it handed out, another connection would get the same range.
            return Err(Failure::broken("the server left the statement in an open transaction; autocommit must be on"));
        }
        self.skip().await?;
        Ok(Changed { rows, value })
    }
}

/// Reads a row as the types asked for.
pub(crate) fn typed<R: FromRow>(row: Row) -> Outcome<R> {
    R::from_row_opt(row).map_err(|error| unreadable(&error.0))
}

/// Returns about how many bytes a row takes up.
fn length(row: &Row) -> usize {
    let texts = (0..row.len()).filter_map(|column| row.as_ref(column));
    texts.map(|value| 16 + if let Value::Bytes(bytes) = value { bytes.len() } else { 0 }).sum()
}

/// Names an answer that has other types than those asked for.
fn unreadable(row: &Row) -> Failure {
    let row = format!("{row:?}");
    let row = beginning(&row, 200);
    let text =
        format!("the server answered {row}, which leafmint cannot read: correct the row, or the types of its columns");
    Error::new(ErrorKind::InvalidConfig, text).into()
}

/// Puts values in the place of the question marks.
///
/// A text becomes hex digits. So nothing in it can end the literal, whatever the server's `sql_mode` and character sets
/// are; and it compares as a text does that is written out: by the column's collation, with the column's index.
fn spell(sql: &str, params: &[Value]) -> String {
    assert_eq!(sql.matches('?').count(), params.len(), "{sql}");
    let mut parts = sql.split('?');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (value, part) in params.iter().zip(parts) {
        match value {
            Value::Bytes(bytes) => {
                text.push_str("_utf8mb4 X'");
                bytes.iter().for_each(|byte| write!(text, "{byte:02X}").expect("a String takes everything"));
                text.push('\'');
            }
            other => text.push_str(&other.as_sql(true)),
        }
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_end_its_literal() {
        for text in
            ["order", "", "'; DROP TABLE leaf_alloc; --", "\\", "\\'", "`", "?", "\0", "\u{bf}\u{27}", "🙂", "\u{1a}"]
        {
            let spelt = spell("SELECT ?", &[text.into()]);
            let literal = spelt.strip_prefix("SELECT _utf8mb4 X'").and_then(|rest| rest.strip_suffix('\'')).unwrap();
            assert!(literal.bytes().all(|byte| byte.is_ascii_hexdigit()), "{spelt}");
            assert_eq!(literal.len(), 2 * text.len());
        }
    }

    #[test]
    fn numbers_and_null_are_spelt_as_they_are() {
        let params = [i64::MIN.into(), i64::MAX.into(), Value::NULL, "A".into()];
        assert_eq!(spell("? ? ? ?.", &params), "-9223372036854775808 9223372036854775807 NULL _utf8mb4 X'41'.");
    }
}
