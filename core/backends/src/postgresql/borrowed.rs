//! A connection of the application: values are spelt into the statements, and read from texts.

use super::errors;
use super::values::{Param, Row};
use crate::borrowed::{Borrowing, Connection, DriverError, Ran};
use crate::sessions::{DatabaseSettings, Failure, Outcome};
use bytes::BytesMut;
use leafmint_ids::error::{Error, ErrorKind};
use std::fmt::Write;
use tokio_postgres::types::{FromSql, IsNull, Type};

/// Makes a setting of one transaction, which must be gone in the next statement.
const SET_ONE: &str = "SELECT pg_catalog.set_config('leafmint.transaction', 'open', true)";
const READ_ONE: &str = "SELECT pg_catalog.current_setting('leafmint.transaction', true), \
     CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'replica' ELSE 'primary' END";

pub(super) struct Borrowed(Connection);

impl Borrowed {
    pub(super) async fn open(lender: &Borrowing, settings: &DatabaseSettings) -> Outcome<Self> {
        let borrowed = Self(lender.connect().await.map_err(errors::of_driver)?);
        borrowed.check(settings).await?;
        Ok(borrowed)
    }

    /// Refuses a connection that would not commit each statement, and a replica.
    async fn check(&self, settings: &DatabaseSettings) -> Outcome<()> {
        let answers = self.run(vec![SET_ONE.to_owned(), READ_ONE.to_owned()]).await?;
        let shown = match answers.last() {
            Some(Ran::Rows(rows)) => rows.first().map(Vec::as_slice).unwrap_or_default(),
            _ => &[],
        };
        // Without a clear answer the connection is not used.
        let [set, role] = shown else { return Err(unclear()) };
        if set.as_deref() == Some("open") {
            let text = "the connection is in a transaction, although autocommit was asked for: name a data source that lets it \
                        be set";
            return Err(Error::new(ErrorKind::InvalidConfig, text).into());
        }
        match role.as_deref() {
            Some("replica") if !settings.takes_replica => Err(errors::replica()),
            Some("replica" | "primary") => Ok(()),
            _ => Err(unclear()),
        }
    }

    pub(super) fn is_shared(&self) -> bool {
        self.0.connected.is_shared
    }

    pub(super) async fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Outcome<Vec<Row>> {
        match self.run(vec![spell(sql, params)?]).await?.pop() {
            Some(Ran::Rows(rows)) => Ok(rows.into_iter().map(Row::Texts).collect()),
            _ => Ok(Vec::new()),
        }
    }

    pub(super) async fn write(&mut self, sql: &str, params: &[Param<'_>]) -> Outcome<u64> {
        Ok(match self.run(vec![spell(sql, params)?]).await?.pop() {
            Some(Ran::Rows(rows)) => rows.len() as u64,
            Some(Ran::Changed(rows)) => rows,
            None => 0,
        })
    }

    pub(super) async fn end(self) {
        self.0.end().await;
    }

    /// Runs statements in turn. Raises the first failure.
    async fn run(&self, statements: Vec<String>) -> Outcome<Vec<Ran>> {
        let count = statements.len();
        let results = self.0.run(statements).await.map_err(errors::of_driver)?;
        let answers = results.into_iter().collect::<Result<Vec<Ran>, DriverError>>().map_err(errors::of_driver)?;
        match answers.len() == count {
            true => Ok(answers),
            false => Err(Failure::broken("the driver left a statement unanswered")),
        }
    }
}

fn unclear() -> Failure {
    Failure::broken("the driver does not say whether the connection commits each statement, on a primary")
}

/// Puts values in the place of `$1`, `$2` and so on, outside of names and literals.
///
/// A text becomes hex digits, so that nothing in it can end the literal, whatever the server's settings are.
fn spell(sql: &str, params: &[Param<'_>]) -> Outcome<String> {
    let values = params.iter().map(literal).collect::<Outcome<Vec<String>>>()?;
    let (mut text, mut rest, mut quote) = (String::with_capacity(sql.len()), sql, None);
    while let Some(character) = rest.chars().next() {
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        match (quote, character) {
            (None, '$') if digits > 0 => {
                let at: usize = rest[1..=digits].parse().unwrap_or(0);
                text.push_str(at.checked_sub(1).and_then(|at| values.get(at)).expect("each parameter has a value"));
                rest = &rest[1 + digits..];
                continue;
            }
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
        text.push(character);
        rest = &rest[character.len_utf8()..];
    }
    Ok(text)
}

/// Returns a value as SQL of its type.
fn literal((value, kind): &Param<'_>) -> Outcome<String> {
    let mut bytes = BytesMut::new();
    let unspeakable = |_| Failure::broken(format!("a value is no {kind}"));
    if let IsNull::Yes = value.to_sql_checked(kind, &mut bytes).map_err(unspeakable)? {
        return Ok(format!("CAST(NULL AS pg_catalog.{kind})"));
    }
    Ok(match *kind {
        Type::INT8 => format!("CAST({} AS pg_catalog.int8)", i64::from_sql(kind, &bytes).map_err(unspeakable)?),
        Type::INT8_ARRAY => {
            let numbers = Vec::<i64>::from_sql(kind, &bytes).map_err(unspeakable)?;
            let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
            format!("CAST('{{{}}}' AS pg_catalog.int8[])", numbers.join(","))
        }
        _ => {
            let mut digits = String::with_capacity(2 * bytes.len());
            bytes.iter().for_each(|byte| write!(digits, "{byte:02x}").expect("a String takes everything"));
            format!("pg_catalog.convert_from(pg_catalog.decode('{digits}', 'hex'), 'UTF8')")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgresql::{number, numbers, text};

    fn spelt(sql: &str, params: &[Param<'_>]) -> String {
        spell(sql, params).ok().unwrap()
    }

    #[test]
    fn no_text_can_end_its_literal() {
        for value in ["order", "", "'; DROP TABLE leaf_alloc; --", "\\'", "\"", "$1", "🙂"] {
            let spelt = spelt("$1", &[text(&value)]);
            let digits = spelt.strip_prefix("pg_catalog.convert_from(pg_catalog.decode('").unwrap();
            let digits = digits.strip_suffix("', 'hex'), 'UTF8')").unwrap();
            assert!(digits.len() == 2 * value.len() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{spelt}");
        }
    }

    #[test]
    fn values_go_where_their_numbers_stand_outside_of_names_and_literals() {
        let several = vec![1, -2];
        let params = [number(&i64::MIN), numbers(&several), number(&None::<i64>)];
        let sql = spelt("SELECT $2, $1 FROM \"a$1\"\"$2\" WHERE b = '$1' AND c = $3 AND $1", &params);
        let minimum = "CAST(-9223372036854775808 AS pg_catalog.int8)";
        assert_eq!(
            sql,
            format!(
                "SELECT CAST('{{1,-2}}' AS pg_catalog.int8[]), {minimum} FROM \"a$1\"\"$2\" WHERE b = '$1' \
                 AND c = CAST(NULL AS pg_catalog.int8) AND {minimum}"
            )
        );
    }
}
