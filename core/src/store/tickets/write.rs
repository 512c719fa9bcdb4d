//! What is written to a ticket server, apart from tickets.

use super::names::{table_of, table_schema};
use super::pin::Pin;
use super::read::rows_of;
use crate::database::{Outcome, Statement};
use crate::mysql::Session;
use mysql_async::Value;

/// Runs a statement without values.
pub(super) struct Run<'a>(pub(super) &'a str);

impl Statement<Session> for Run<'_> {
    type Answer = ();

    async fn run(&self, session: &mut Session) -> Outcome<()> {
        session.run(self.0, &[]).await
    }
}

/// Stores the pin of a server, unless its offset is taken. Returns whether it was stored.
pub(super) struct StorePin<'a> {
    pub(super) pin: &'a Pin,
    pub(super) is_self: bool,
}

impl Statement<Session> for StorePin<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let Pin { space, server, increment, offset, block } = self.pin;
        let params: Vec<Value> = vec![
            (*offset).into(),
            (*increment).into(),
            server.as_str().into(),
            space.as_str().into(),
            (*block).into(),
            i64::from(self.is_self).into(),
        ];
        let sql = "INSERT INTO leafmint_ticket_server (ticket_offset, ticket_increment, server, space, block, is_self) VALUES \
                   (?, ?, ?, ?, ?, ?)";
        match session.write(sql, &params).await {
            Ok(changed) => Ok(changed.rows == 1),
            Err(failure) if failure.is_duplicate() => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

/// Inserts a tag that does not exist, with its ticket table, whose tickets begin above `last`. Returns whether it was
/// inserted.
pub(super) struct CreateTag<'a> {
    pub(super) tag: &'a str,
    pub(super) gene_bits: i64,
    pub(super) description: Option<&'a str>,
    pub(super) last: i64,
}

impl Statement<Session> for CreateTag<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let Self { tag, gene_bits, description, last } = *self;
        session.run(&table_schema(tag), &[]).await?;
        // A table without a row was emptied, so a new one gets a row that is no ticket of anyone.
        lift(session, tag, last.max(1)).await?;
        // Last: a session that sees the tag sees its table.
        let sql = "INSERT INTO leafmint_ticket_tag (biz_tag, gene_bits, description) VALUES (?, ?, ?)";
        match session.write(sql, &[tag.into(), gene_bits.into(), description.into()]).await {
            Ok(changed) => Ok(changed.rows == 1),
            Err(failure) if failure.is_duplicate() => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

/// Lets the tickets of a tag go on above `last`, if they are not above it. Never lowers them.
pub(super) struct Lift<'a> {
    pub(super) tag: &'a str,
    pub(super) last: i64,
}

impl Statement<Session> for Lift<'_> {
    type Answer = ();

    async fn run(&self, session: &mut Session) -> Outcome<()> {
        lift(session, self.tag, self.last.max(1)).await
    }
}

async fn lift(session: &mut Session, tag: &str, last: i64) -> Outcome<()> {
    let table = table_of(tag);
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
pub(super) struct NoteFloor<'a> {
    pub(super) tag: &'a str,
    pub(super) offset: i64,
    pub(super) ticket: i64,
}

impl Statement<Session> for NoteFloor<'_> {
    type Answer = ();

    async fn run(&self, session: &mut Session) -> Outcome<()> {
        let Self { tag, offset, ticket } = *self;
        let sql = format!(
            "INSERT INTO leafmint_ticket_floor (biz_tag, ticket_offset, ticket) VALUES (?, {offset}, {ticket}) ON DUPLICATE KEY \
             UPDATE ticket = GREATEST(ticket, {ticket})"
        );
        session.write(&sql, &[tag.into()]).await.map(drop)
    }
}

/// Changes the description of a tag. Returns whether there is such a tag.
pub(super) struct Describe<'a> {
    pub(super) tag: &'a str,
    pub(super) description: &'a str,
}

impl Statement<Session> for Describe<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let sql = "UPDATE leafmint_ticket_tag SET description = ? WHERE biz_tag = ?";
        session.write(sql, &[self.description.into(), self.tag.into()]).await?;
        let sql = "SELECT 1 FROM leafmint_ticket_tag WHERE biz_tag = ?";
        Ok(!rows_of::<i64>(session, sql, &[self.tag.into()]).await?.is_empty())
    }
}
