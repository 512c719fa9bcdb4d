//! Servers that were emptied or restored: they would draw tickets again.

use super::{BLOCK, drawn_by, last_ticket, open, open_on_one, refusal, with_order};
use crate::stores::wait_until;
use leafmint::ErrorKind;

/// Mints until the highest tickets are stored on both servers, which happens in the background. Returns the server that
/// drew.
fn use_for_a_while(servers: &crate::stores::tickets::Servers) -> usize {
    let (_ids, got) = open_on_one(servers);
    let offset = drawn_by(got[0]);
    let drew = usize::try_from(offset - 1).unwrap();
    for at in 0..2 {
        wait_until("it is not stored", || !stored(servers, at, drew).is_empty());
    }
    drew
}

/// Returns the highest ticket of one server that another one stores.
fn stored(servers: &crate::stores::tickets::Servers, at: usize, of: usize) -> Vec<i64> {
    servers.sql(at, &format!("SELECT ticket FROM leafmint_ticket_floor WHERE ticket_offset = {}", of + 1))
}

#[test]
fn an_emptied_ticket_table_is_refused_until_the_tag_is_raised() {
    let servers = with_order();
    let at = use_for_a_while(&servers);
    servers.on_each("TRUNCATE TABLE Tickets64_order");
    for _ in 0..2 {
        let (kind, text) = refusal(&open(&servers), "order");
        assert_eq!(kind, ErrorKind::StoreRegressed, "{text}");
        assert!(text.contains("was emptied, or restored from a backup") && text.contains("raise_tag"), "{text}");
    }
    let ids = open(&servers);
    assert_eq!(ids.raise_tag("order", 900_000).unwrap().wait().unwrap(), 900_000);
    assert!(ids.biz_tag("order").unwrap().next_id().unwrap() >= 900_000);
    assert!(last_ticket(&servers, at) >= 8999);
}

#[test]
fn a_server_restored_from_a_backup_is_refused_by_what_the_other_knows_of_it() {
    let servers = with_order();
    let at = use_for_a_while(&servers);
    let known = stored(&servers, 1 - at, at)[0];
    // The whole database of the server as it was before: its own note of what it drew is gone as well.
    servers.sql::<mysql_async::Row>(at, "TRUNCATE TABLE Tickets64_order");
    servers.sql::<mysql_async::Row>(at, "INSERT INTO Tickets64_order (id, stub) VALUES (1, 'a')");
    servers.sql::<mysql_async::Row>(at, "DELETE FROM leafmint_ticket_floor");
    for _ in 0..8 {
        let got = open(&servers).biz_tag("order").unwrap().next_ids(250).unwrap();
        // On a busy machine this server is asked too, and then lifted above what the other has drawn.
        let again: Vec<_> = got.iter().filter(|id| drawn_by(**id) == at as i64 + 1 && **id / BLOCK <= known).collect();
        assert!(again.is_empty(), "its tickets up to {known} are known to be drawn: {again:?}");
    }
    open(&servers).raise_tag("order", 0).unwrap().wait().unwrap();
    assert!(last_ticket(&servers, at) > 1, "it is lifted above what is known to have been drawn");
}

#[test]
fn a_generator_refuses_tickets_below_those_that_it_has_seen() {
    let servers = with_order();
    let (ids, first) = open_on_one(&servers);
    let order = ids.biz_tag("order").unwrap();
    servers.on_each("DELETE FROM leafmint_ticket_floor");
    servers.on_each("TRUNCATE TABLE Tickets64_order");
    servers.on_each("INSERT INTO Tickets64_order (id, stub) VALUES (1, 'a')");
    // What was in hand, and then what the other server draws, which is lifted above it.
    let later: Vec<i64> = std::iter::repeat_with(|| order.next_ids(300).unwrap()).take(20).flatten().collect();
    assert!(later[0] > first[349] && later.is_sorted(), "{later:?}");
    assert!(later.iter().any(|id| drawn_by(*id) != drawn_by(first[0])), "the first server draws on");
}

#[test]
fn a_ticket_table_with_a_smaller_type_is_refused() {
    let servers = with_order();
    servers.on_each("ALTER TABLE Tickets64_order MODIFY id INT UNSIGNED NOT NULL AUTO_INCREMENT");
    let (kind, text) = refusal(&open(&servers), "order");
    assert_eq!(kind, ErrorKind::InvalidConfig, "{text}");
    assert!(text.contains("id BIGINT UNSIGNED AUTO_INCREMENT"), "{text}");
}

#[test]
fn a_raise_never_lowers_the_row_that_an_old_server_counts_from_after_a_restart() {
    let servers = with_order();
    let ids = open(&servers);
    ids.raise_tag("order", 900_000).unwrap().wait().unwrap();
    servers.sql::<mysql_async::Row>(1, "REPLACE INTO Tickets64_order (id, stub) VALUES (20000, 'a')");
    ids.raise_tag("order", 100).unwrap().wait().unwrap();
    assert_eq!((last_ticket(&servers, 0), last_ticket(&servers, 1)), (8999, 20000));
}
