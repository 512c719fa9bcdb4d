//! What is written to a ticket server, apart from tickets.

use super::names::{table_of, table_schema};
use super::pin::Pin;
use super::read::rows_of;
use crate::database::Outcome;
use crate::mysql::Session;
use mysql_async::Value;

/// Stores the pin of a server, unless its offset is taken. Returns whether it was stored.
pub(super) async fn store_pin(session: &mut Session, pin: &Pin, is_self: bool) -> Outcome<bool> {
    let Pin { space, server, increment, offset, block } = pin;
    let params: Vec<Value> = vec![
        (*offset).into(),
        (*increment).into(),
        server.as_str().into(),
        space.as_str().into(),
        (*block).into(),
        i64::from(is_self).into(),
    ];
    let sql = "INSERT INTO leafmint_ticket_server (ticket_offset, ticket_increment, server, space, block, is_self) VALUES \
               (?, ?, ?, ?, ?, ?)";
    match session.write(sql, &params).await {
        Ok(changed) => Ok(changed.rows == 1),
        Err(failure) if failure.is_duplicate() => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// Inserts a tag that does not exist, with its ticket table, whose tickets begin above `last`. Returns whether it was
/// inserted.
pub(super) async fn create_tag(
    session: &mut Session,
    tag: &str,
    gene_bits: i64,
    description: Option<&str>,
    last: i64,
) -> Outcome<bool> {
    session.run(&table_schema(tag), &[]).await?;
    lift(session, tag, last).await?;
    // Last: a session that sees the tag sees its table.
    let sql = "INSERT INTO leafmint_ticket_tag (biz_tag, gene_bits, description) VALUES (?, ?, ?)";
    match session.write(sql, &[tag.into(), gene_bits.into(), description.into()]).await {
        Ok(changed) => Ok(changed.rows == 1),
        Err(failure) if failure.is_duplicate() => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// Lets the tickets of a tag go on above `last`, if they are not above it. Never lowers them.
///
/// A table without a row was emptied, so a new one gets a row that is no ticket of anyone.
pub(super) async fn lift(session: &mut Session, tag: &str, last: i64) -> Outcome<()> {
    let (table, last) = (table_of(tag), last.max(1));
    match session.write(&format!("INSERT INTO `{table}` (id, stub) VALUES ({last}, 'a')"), &[]).await {
        Err(failure) if !failure.is_duplicate() => return Err(failure),
        _ => {}
    }
    let sql = format!(
        "REPLACE INTO `{table}` (id, stub) SELECT {last}, 'a' FROM `{table}` WHERE stub = 'a' AND id < {last} FOR UPDATE"
    );
    session.write(&sql, &[]).await.map(drop)
}

/// Stores that a server has drawn this ticket of a tag.
pub(super) async fn note_floor(session: &mut Session, tag: &str, offset: i64, ticket: i64) -> Outcome<()> {
    let sql = format!(
        "INSERT INTO leafmint_ticket_floor (biz_tag, ticket_offset, ticket) VALUES (?, {offset}, {ticket}) ON DUPLICATE KEY \
         UPDATE ticket = GREATEST(ticket, {ticket})"
    );
    session.write(&sql, &[tag.into()]).await.map(drop)
}

/// Changes the description of a tag. Returns whether there is such a tag.
pub(super) async fn describe(session: &mut Session, tag: &str, description: &str) -> Outcome<bool> {
    let sql = "UPDATE leafmint_ticket_tag SET description = ? WHERE biz_tag = ?";
    session.write(sql, &[description.into(), tag.into()]).await?;
    let sql = "SELECT 1 FROM leafmint_ticket_tag WHERE biz_tag = ?";
    Ok(!rows_of::<i64>(session, sql, &[tag.into()]).await?.is_empty())
}
