//! Draws a ticket: one `REPLACE`, which changes nothing unless everything that keeps tickets unique is as pinned.

use super::names::table_of;
use super::pin::{Pin, invalid};
use super::rows::{TagRow, last_ticket, read_pin, tag_row};
use crate::mysql::Session;
use crate::sessions::Outcome;
use leafmint_engine::store::check_stored_gene_bits;
use leafmint_engine::store::tag_rules::unknown_tag;
use leafmint_ids::error::{Error, ErrorKind, Result};
use mysql_async::Value;

/// Maximum number of tries while other processes draw between the reads of one.
const MOST_TURNS: u32 = 5;

/// Draws the next ticket of a tag from one server.
pub(super) struct TicketDraw<'a> {
    /// The server, for messages.
    pub(super) name: &'a str,
    pub(super) pin: &'a Pin,
    pub(super) tag: &'a str,
    /// The gene bits that the tag must be stored with; any if `None`.
    pub(super) gene_bits: Option<i64>,
    /// A ticket that this server has drawn before, or 1.
    pub(super) at_least: i64,
    /// A ticket of another server that the new one must be above.
    pub(super) above: i64,
}

/// A ticket that belongs to the caller.
#[derive(Debug)]
pub(super) struct DrawnTicket {
    pub(super) ticket: i64,
    /// Number of tickets that the server passed over, to come above those of another server.
    pub(super) skipped: i64,
}

impl TicketDraw<'_> {
    /// Draws a ticket. The inner error concerns the tag alone: other tags may go on with this server.
    pub(super) async fn run(&self, session: &mut Session) -> Outcome<Result<DrawnTicket>> {
        for _ in 0..MOST_TURNS {
            let problem = match self.turn(session).await {
                Ok(Some(drawn)) => return Ok(drawn),
                Ok(None) => self.diagnose(session).await?,
                Err(failure) if failure.is_no_such_table() => Some(self.diagnose(session).await?.ok_or(failure)?),
                Err(failure) => return Err(failure),
            };
            if let Some(problem) = problem {
                return Ok(Err(problem));
            }
        }
        let text = format!("tag {:?} was changed again and again while a ticket was to be drawn", self.tag);
        Ok(Err(Error::new(ErrorKind::StoreUnavailable, text).of_one_tag()))
    }

    /// Returns the ticket, or `None` if the statement changed nothing.
    async fn turn(&self, session: &mut Session) -> Outcome<Option<Result<DrawnTicket>>> {
        let params: Vec<Value> = vec![self.tag.into()];
        session.send(&self.sql(), &params).await?;
        session.skip().await?;
        session.skip().await?;
        if self.above > 0 {
            session.changed().await?;
        }
        let changed = session.changed().await?;
        let row = session.rows::<Option<i64>>().await?.pop().flatten().unwrap_or(0);
        match (changed.rows, changed.value) {
            (0, _) => Ok(None),
            (_, Some(ticket)) => Ok(Some(self.drawn(ticket, row))),
            (_, None) => Ok(Some(Err(invalid(format!(
                "the ticket server {} answered without a ticket: {} has a trigger, or its column id is not AUTO_INCREMENT",
                self.name,
                table_of(self.tag)
            ))))),
        }
    }

    fn drawn(&self, ticket: u64, row: i64) -> Result<DrawnTicket> {
        let Self { name, pin, tag, .. } = self;
        let ticket = i64::try_from(ticket).unwrap_or(i64::MAX);
        // The condition of the statement holds for the row; this one for the counter, which may have been set back.
        if ticket <= row.max(self.above) {
            return Err(regressed(name, tag, ticket, row.max(self.above)));
        }
        if ticket % pin.increment != pin.offset % pin.increment {
            return Err(invalid(format!(
                "the ticket server {name} drew ticket {ticket} of tag {tag:?}, which belongs to another server: it was \
                 thrown away; auto_increment_increment and auto_increment_offset are not obeyed there"
            )));
        }
        Ok(DrawnTicket { ticket, skipped: (self.above - row).max(0) / pin.increment })
    }

    /// Returns the statements of one packet. It begins with a SET, so that no proxy takes it for a question to a
    /// replica.
    fn sql(&self) -> String {
        let Self { pin: Pin { space, increment, offset, block, .. }, at_least, above, .. } = self;
        let table = table_of(self.tag);
        // Only ever upwards: with a lower number in the row, an old server would draw numbers again after a restart.
        let lift = match above {
            0 => String::new(),
            _ => format!(
                "REPLACE INTO `{table}` (id, stub) SELECT {above}, 'a' FROM `{table}` WHERE stub = 'a' AND id < {above} FOR \
                 UPDATE; "
            ),
        };
        let genes = self.gene_bits.map_or(String::new(), |bits| format!("AND t.gene_bits = {bits}"));
        // The row is locked before the ticket is allocated: otherwise, with innodb_autoinc_lock_mode=2, an earlier one
        // may be stored later, and lower the row.
        format!(
            "SET @leafmint_row = NULL; SELECT MAX(id) INTO @leafmint_row FROM `{table}`; {lift}REPLACE INTO `{table}` (stub) \
             SELECT 'a' FROM (SELECT id FROM `{table}` WHERE stub = 'a' FOR UPDATE) o JOIN leafmint_ticket_server s JOIN \
             leafmint_ticket_tag t ON t.biz_tag = ? LEFT JOIN \
             leafmint_ticket_floor f ON f.biz_tag = t.biz_tag AND f.ticket_offset = {offset} WHERE s.is_self = 1 AND \
             s.space = '{space}' AND s.block = {block} \
             AND s.ticket_increment = {increment} AND s.ticket_offset = {offset} \
             AND @@auto_increment_increment = {increment} AND @@auto_increment_offset = {offset} \
             AND @leafmint_row >= {at_least} AND @leafmint_row >= COALESCE(f.ticket, 1) {genes}; SELECT CAST(@leafmint_row AS SIGNED)"
        )
    }

    /// Says why the statement changed nothing. `None` if nothing is wrong: another process drew meanwhile.
    async fn diagnose(&self, session: &mut Session) -> Outcome<Option<Error>> {
        let Self { name, pin, tag, at_least, .. } = *self;
        let now = read_pin(session, name).await?;
        if now != *pin {
            let text =
                format!("what is pinned in the database of the ticket server {name} was changed; it is read again");
            return Err(Error::new(ErrorKind::StoreUnavailable, text).into());
        }
        let Some(TagRow { gene_bits, floor }) = tag_row(session, tag, pin.offset).await? else {
            return Ok(Some(unknown_tag(tag, name)));
        };
        if let Some(Err(error)) = self.gene_bits.map(|wanted| check_stored_gene_bits(tag, Some(gene_bits), wanted)) {
            return Ok(Some(error));
        }
        // After the floor: a floor is stored later than the ticket that it is about.
        let row = last_ticket(session, tag).await?;
        let least = floor.max(at_least);
        Ok((row < least).then(|| regressed(name, tag, row, least)))
    }
}

/// Describes a server that would draw tickets again that it has drawn before.
fn regressed(name: &str, tag: &str, found: i64, known: i64) -> Error {
    Error::new(
        ErrorKind::StoreRegressed,
        format!(
            "the ticket server {name} is at ticket {found} of tag {tag:?}, but ticket {known} was drawn before: its table {} \
             was emptied, or restored from a backup; nothing is leased from this server. Call raise_tag_above with the \
             highest highest_leased of all processes, or the highest row if that is higher",
            table_of(tag)
        ),
    )
}
