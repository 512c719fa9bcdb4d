//! What is read from a ticket server.

use super::names::{table_of, table_schema};
use super::pin::{ConfiguredServer, Pin, invalid};
use crate::mysql::Session;
use crate::sessions::Outcome;
use leafmint_engine::store::tag_rules::unknown_tag;
use leafmint_ids::error::{Error, Result};
use mysql_async::Value;
use mysql_async::prelude::FromRow;
use std::collections::{HashMap, HashSet};

/// Maximum size of the list of tags that a server sends.
const MOST_BYTES: usize = 64 << 20;

/// Runs one query. The packet begins with a SET, so that no proxy sends it to a replica, which may lag behind.
pub(super) async fn rows_of<R: FromRow + Send + 'static>(
    session: &mut Session,
    sql: &str,
    params: &[Value],
) -> Outcome<Vec<R>> {
    session.send(&format!("SET @leafmint_row = NULL; {sql}"), params).await?;
    session.skip().await?;
    session.rows().await
}

/// Reads what is pinned, and compares it with what this session would draw.
pub(super) async fn read_pin(session: &mut Session, name: &str) -> Outcome<Pin> {
    Ok(read_server(session).await?.checked(name)?)
}

/// Reads what is pinned, if anything is, and what this session would draw.
pub(super) async fn read_server(session: &mut Session) -> Outcome<ConfiguredServer> {
    let sql = "SET @leafmint_row = NULL; SELECT CAST(@@auto_increment_increment AS SIGNED), \
               CAST(@@auto_increment_offset AS SIGNED); \
               SELECT space, server, ticket_increment, ticket_offset, block FROM leafmint_ticket_server WHERE is_self = 1";
    session.send(sql, &[]).await?;
    session.skip().await?;
    let (increment, offset) = session.rows::<(i64, i64)>().await?.pop().unwrap_or_default();
    let mut rows = session.rows::<(String, String, i64, i64, i64)>().await?;
    let pin =
        rows.pop().map(|(space, server, increment, offset, block)| Pin { space, server, increment, offset, block });
    if !rows.is_empty() {
        return Err(invalid("leafmint_ticket_server has more than one row with is_self = 1: leave one".into()).into());
    }
    if pin.as_ref().is_some_and(|pin| pin.space.len() != 32 || !pin.space.bytes().all(|c| c.is_ascii_hexdigit())) {
        return Err(invalid("the space in leafmint_ticket_server is not 32 hexadecimal digits".into()).into());
    }
    Ok(ConfiguredServer { pin, increment, offset })
}

/// A tag's row, and the highest ticket of a server that is known to its database.
pub(super) struct TagRow {
    pub(super) gene_bits: i64,
    pub(super) floor: i64,
}

/// Reads the row of a tag, and its floor for the server with this offset.
pub(super) async fn tag_row(session: &mut Session, tag: &str, offset: i64) -> Outcome<Option<TagRow>> {
    let sql = format!(
        "SELECT t.gene_bits, COALESCE(f.ticket, 1) FROM leafmint_ticket_tag t LEFT JOIN leafmint_ticket_floor f ON f.biz_tag = \
         t.biz_tag AND f.ticket_offset = {offset} WHERE t.biz_tag = ?"
    );
    let row = rows_of::<(i64, i64)>(session, &sql, &[tag.into()]).await?.pop();
    Ok(row.map(|(gene_bits, floor)| TagRow { gene_bits, floor }))
}

/// Reads the gene bits of a tag, and checks that its ticket table is one.
///
/// The error concerns the tag alone.
pub(super) async fn read_tag(session: &mut Session, name: &str, tag: &str) -> Outcome<Result<i64>> {
    let Some(row) = tag_row(session, tag, 0).await? else { return Ok(Err(unknown_tag(tag, name))) };
    let table = table_of(tag);
    match shapes(session, &format!("= '{table}'")).await?.is_good(&table) {
        true => Ok(Ok(row.gene_bits)),
        false => Ok(Err(no_table_of_tickets(tag, name))),
    }
}

/// The tables that tickets can be drawn from, by name; in lower case on a server that compares names without case.
struct Shapes(HashSet<String>);

impl Shapes {
    fn is_good(&self, table: &str) -> bool {
        // No name of a ticket table is in lower case, so on other servers the second look finds nothing.
        self.0.contains(table) || self.0.contains(&table.to_ascii_lowercase())
    }
}

/// Finds the tables that tickets can be drawn from among those whose names fit. REPLACE would draw the highest number
/// of a smaller type again and again.
///
/// The catalog is not joined: of hundreds of tables, MariaDB would open each for each other one.
async fn shapes(session: &mut Session, fits: &str) -> Outcome<Shapes> {
    let of = |column: &str, catalog: &str, condition: &str| {
        format!(
            "SELECT IF(@@lower_case_table_names, LOWER(TABLE_NAME), TABLE_NAME), LOWER({column}) FROM \
             information_schema.{catalog} WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME {fits}{condition}"
        )
    };
    let asked = [
        of("ENGINE", "TABLES", ""),
        of("CONCAT(DATA_TYPE, ' ', EXTRA)", "COLUMNS", " AND COLUMN_NAME = 'id'"),
        of("COLUMN_NAME", "STATISTICS", " AND COLUMN_NAME = 'stub' AND NON_UNIQUE = 0"),
    ];
    session.send(&format!("SET @leafmint_row = NULL; {}", asked.join("; ")), &[]).await?;
    session.skip().await?;
    let mut good: HashMap<String, u8> = HashMap::new();
    for wanted in ["innodb", "bigint auto_increment", "stub"] {
        let found: HashSet<(String, Option<String>)> = session.rows().await?.into_iter().collect();
        for (table, _) in found.into_iter().filter(|(_, shown)| shown.as_deref() == Some(wanted)) {
            *good.entry(table).or_default() += 1;
        }
    }
    Ok(Shapes(good.into_iter().filter(|(_, marks)| *marks == 3).map(|(table, _)| table).collect()))
}

fn no_table_of_tickets(tag: &str, name: &str) -> Error {
    invalid(format!(
        "{} on the ticket server {name} is no table of tickets: it needs ENGINE=InnoDB, id BIGINT UNSIGNED AUTO_INCREMENT and a \
         unique key on stub",
        table_of(tag)
    ))
}

/// Most tags whose last tickets are read by one statement.
const MOST_TABLES: usize = 200;

/// Reads the last ticket of each of these tags, or what is wrong with the tag.
pub(super) async fn read_tags(session: &mut Session, name: &str, tags: &[String]) -> Outcome<Vec<Result<i64>>> {
    let known: HashSet<String> =
        rows_of(session, "SELECT biz_tag FROM leafmint_ticket_tag", &[]).await?.into_iter().collect();
    let shapes = shapes(session, "LIKE 'Tickets64%'").await?;
    let judged = |tag: &String| match shapes.is_good(&table_of(tag)) {
        _ if !known.contains(tag) => Err(unknown_tag(tag, name)),
        true => Ok(0),
        false => Err(no_table_of_tickets(tag, name)),
    };
    let mut found: Vec<Result<i64>> = tags.iter().map(judged).collect();
    let good: Vec<usize> = (0..tags.len()).filter(|at| found[*at].is_ok()).collect();
    for some in good.chunks(MOST_TABLES) {
        let last = |at: &usize| format!("SELECT {at}, CAST(MAX(id) AS SIGNED) FROM `{}`", table_of(&tags[*at]));
        let sql = some.iter().map(last).collect::<Vec<_>>().join(" UNION ALL ");
        for (at, last) in rows_of::<(usize, Option<i64>)>(session, &sql, &[]).await? {
            if let Some(found) = found.get_mut(at) {
                *found = Ok(last.unwrap_or(0));
            }
        }
    }
    Ok(found)
}

/// Reads the highest known tickets of a tag: the offset of the server that drew each, and the ticket.
pub(super) async fn read_floors(session: &mut Session, tag: &str) -> Outcome<Vec<(i64, i64)>> {
    let sql = "SELECT ticket_offset, ticket FROM leafmint_ticket_floor WHERE biz_tag = ?";
    rows_of(session, sql, &[tag.into()]).await
}

/// A tag as a server has it.
pub(super) struct Listed {
    pub(super) biz_tag: String,
    pub(super) gene_bits: i64,
    pub(super) description: Option<String>,
    /// In Unix milliseconds.
    pub(super) update_time: Option<i64>,
}

/// Lists the tags.
pub(super) async fn list_tags(session: &mut Session) -> Outcome<Vec<Listed>> {
    let sql = "SET @leafmint_row = NULL; SELECT biz_tag, gene_bits, description, CAST(UNIX_TIMESTAMP(update_time) * 1000 AS \
               SIGNED) FROM leafmint_ticket_tag ORDER BY biz_tag";
    session.send(sql, &[]).await?;
    session.skip().await?;
    let rows: Vec<(String, i64, Option<String>, Option<i64>)> = session.rows_up_to(MOST_BYTES).await?;
    let listed =
        |(biz_tag, gene_bits, description, update_time)| Listed { biz_tag, gene_bits, description, update_time };
    Ok(rows.into_iter().map(listed).collect())
}

/// Reads the last ticket that a server drew for a tag, or that was set; 0 if there is none.
pub(super) async fn last_ticket(session: &mut Session, tag: &str) -> Outcome<i64> {
    let sql = format!("SELECT CAST(MAX(id) AS SIGNED) FROM `{}`", table_of(tag));
    Ok(rows_of::<Option<i64>>(session, &sql, &[]).await?.pop().flatten().unwrap_or(0))
}

/// Reads the rows of all servers that a server knows: the offset and the server.
pub(super) async fn read_members(session: &mut Session) -> Outcome<Vec<(i64, String)>> {
    rows_of(session, "SELECT ticket_offset, server FROM leafmint_ticket_server", &[]).await
}

/// Checks the columns that a draw needs, and the account's privileges, and counts the tags.
pub(super) async fn check_server(session: &mut Session) -> Outcome<i64> {
    session.run("SELECT biz_tag, ticket_offset, ticket FROM leafmint_ticket_floor WHERE FALSE", &[]).await?;
    let tags = rows_of::<i64>(session, "SELECT COUNT(*) FROM leafmint_ticket_tag", &[]).await?.pop();
    Ok(tags.unwrap_or(0))
}

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
