//! Tags, of which each server has a table.

use super::{BLOCK, open, with_order};
use leafmint::ErrorKind;
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::SeriesOptions;
use leafmint::store::NewTagOptions;

#[test]
fn a_tag_begins_at_its_start_on_every_server() {
    let servers = with_order();
    let ids = open(&servers);
    assert!(ids.create_tag_with("later", NewTagOptions::new().start(5000)).unwrap().wait().unwrap());
    assert!(!ids.create_tag_with("later", NewTagOptions::new().start(1)).unwrap().wait().unwrap());
    for _ in 0..6 {
        assert!(open(&servers).biz_tag("later").unwrap().next_id().unwrap() >= 5000);
    }
}

#[test]
fn a_tag_that_one_server_lacks_is_served_by_the_other_and_completed_by_another_creation() {
    let servers = with_order();
    servers.sql::<mysql_async::Row>(0, "DELETE FROM leafmint_ticket_tag");
    for _ in 0..4 {
        let got = open(&servers).biz_tag("order").unwrap().next_ids(3 * BLOCK).unwrap();
        assert!(got.iter().all(|id| super::drawn_by(*id) == 2), "{got:?}");
    }
    let ids = open(&servers);
    assert!(!ids.create_tag("order").unwrap().wait().unwrap(), "it is completed, not created");
    assert_eq!(servers.sql::<String>(0, "SELECT biz_tag FROM leafmint_ticket_tag"), ["order"]);
    assert_eq!(super::refusal(&ids, "missing").0, ErrorKind::UnknownTag);
}

#[test]
fn a_tag_that_every_server_has_lost_is_not_created_anew() {
    let servers = with_order();
    let ids = super::open_at(&servers.url(), [("auto_create", "true")]);
    ids.biz_tag("order").unwrap().next_ids(5).unwrap();
    servers.on_each("DELETE FROM leafmint_ticket_tag");
    servers.on_each("DROP TABLE Tickets64_order");
    let (kind, text) = {
        let error = ids.biz_tag("order").unwrap().next_ids(100_000).unwrap_err();
        (error.kind(), error.message().to_owned())
    };
    assert!(kind == ErrorKind::StoreRegressed && text.contains("is gone"), "{text}");
    assert!(ids.list_tags().unwrap().wait().unwrap().is_empty());
}

#[test]
fn a_server_that_joins_draws_above_what_a_tag_was_created_with_or_raised_to() {
    let servers = with_order();
    let ids = open(&servers);
    ids.create_tag_with("later", NewTagOptions::new().start(500_000)).unwrap().wait().unwrap();
    ids.raise_tag("order", 900_000).unwrap().wait().unwrap();
    // The other server never knew it.
    servers.sql::<mysql_async::Row>(0, "DELETE FROM leafmint_ticket_server WHERE is_self = 0");
    servers.sql::<mysql_async::Row>(1, &format!("DROP DATABASE {}", servers.database));
    servers.sql::<mysql_async::Row>(1, &format!("CREATE DATABASE {}", servers.database));
    open(&servers).init_schema().unwrap().wait().unwrap();
    let last = |tag| servers.sql::<i64>(1, &format!("SELECT CAST(MAX(id) AS SIGNED) FROM Tickets64_{tag}"))[0];
    assert_eq!((last("order"), last("later")), (8999, 4999));
    for _ in 0..6 {
        assert!(open(&servers).biz_tag("order").unwrap().next_id().unwrap() >= 900_000);
    }
}

#[test]
fn a_tag_that_is_completed_goes_on_above_what_it_was_raised_to() {
    for at in 0..2 {
        let servers = with_order();
        let ids = open(&servers);
        ids.raise_tag("order", 900_000).unwrap().wait().unwrap();
        servers.sql::<mysql_async::Row>(at, "DELETE FROM leafmint_ticket_tag");
        servers.sql::<mysql_async::Row>(at, "DROP TABLE Tickets64_order");
        assert!(!ids.create_tag_with("order", NewTagOptions::new().start(700)).unwrap().wait().unwrap());
        assert_eq!(super::last_ticket(&servers, at), 8999);
    }
}

#[test]
fn a_raise_reports_what_the_servers_hold_or_fails() {
    let servers = with_order();
    let ids = open(&servers);
    assert_eq!(ids.raise_tag("order", 900_000).unwrap().wait().unwrap(), 900_000);
    let first = open(&servers).biz_tag("order").unwrap().next_id().unwrap();
    let reported = ids.raise_tag("order", 5).unwrap().wait().unwrap();
    assert!(900_000 <= reported && reported <= first + BLOCK, "{reported} {first}");
    for at in 0..2 {
        servers.sql::<mysql_async::Row>(
            at,
            "CREATE TRIGGER keep BEFORE INSERT ON Tickets64_order FOR EACH ROW SET NEW.id = LEAST(NEW.id, 20000)",
        );
    }
    let error = ids.raise_tag("order", 5_000_000).unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("trigger"), "{error}");
}

#[test]
fn hundreds_of_tags_are_listed_in_a_few_round_trips_with_the_problems_of_some() {
    let servers = with_order();
    for at in 0..2 {
        for tag in 0..300 {
            servers.sql::<mysql_async::Row>(at, &format!("CREATE TABLE Tickets64_t{tag:03} LIKE Tickets64_order"));
            servers.sql::<mysql_async::Row>(
                at,
                &format!("INSERT INTO Tickets64_t{tag:03} (id, stub) VALUES ({tag} + 1, 'a')"),
            );
            servers.sql::<mysql_async::Row>(
                at,
                &format!("INSERT INTO leafmint_ticket_tag (biz_tag, gene_bits) VALUES ('t{tag:03}', 0)"),
            );
        }
    }
    servers.sql::<mysql_async::Row>(1, "ALTER TABLE Tickets64_t007 ENGINE=MyISAM");
    servers.sql::<mysql_async::Row>(1, "DROP TABLE Tickets64_t008");
    servers.sql::<mysql_async::Row>(0, "DELETE FROM leafmint_ticket_tag WHERE biz_tag = 't009'");
    let questions = |at| {
        servers.sql::<i64>(
            at,
            "SELECT VARIABLE_VALUE + 0 FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'QUESTIONS'",
        )[0]
    };
    let before = questions(1);
    let tags = open(&servers).list_tags().unwrap().wait().unwrap();
    assert!(questions(1) - before < 200, "{} questions", questions(1) - before);
    assert!(tags.len() >= 300, "{}", tags.len());
    let of = |name: &str| tags.iter().find(|tag| tag.biz_tag == name).unwrap();
    assert_eq!((of("t100").max_id, &of("t100").problem), (Some(102 * BLOCK), &None));
    for name in ["t007", "t008"] {
        assert!(of(name).problem.as_ref().unwrap().contains("no table of tickets"), "{:?}", of(name));
    }
}

#[test]
fn gene_bits_are_stored_on_every_server_and_never_change() {
    let servers = with_order();
    let ids = open(&servers);
    let created = |bits| ids.create_tag_with("with genes", NewTagOptions::new().gene_bits(bits)).unwrap().wait();
    assert!(created(4).unwrap());
    assert!(!created(4).unwrap());
    assert_eq!(created(5).unwrap_err().kind(), ErrorKind::InvalidConfig);
    let (kind, text) = super::refusal(&ids, "with genes");
    assert_eq!(kind, ErrorKind::InvalidConfig, "{text}");
    assert!(text.contains("gene_bits=4"), "{text}");
    ids.biz_tag("order").unwrap().next_id().unwrap();
}

#[test]
fn a_tag_is_created_without_a_step_or_with_the_size_of_the_blocks_and_no_other() {
    let servers = with_order();
    let ids = super::open_at(&servers.url(), [("default_step", "70")]);
    let create = |step| ids.create_tag_with("later", NewTagOptions::new().step(step)).unwrap().wait();
    let error = create(500).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    assert!(error.message().contains("cannot be 500: every ticket leases 100 ids"), "{error}");
    assert_eq!((create(BLOCK), create(1000), create(70)), (Ok(true), Ok(false), Ok(false)), "the usual ones");
}

#[test]
fn tags_are_listed_with_the_size_of_their_blocks_which_cannot_be_changed() {
    let servers = with_order();
    let ids = open(&servers);
    let id = ids.biz_tag("order").unwrap().next_id().unwrap();
    ids.set_tag("order", None, Some("orders of the shop")).unwrap().wait().unwrap();
    let error = ids.set_tag("order", Some(5), None).unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    let tags = ids.list_tags().unwrap().wait().unwrap();
    assert_eq!((tags.len(), tags[0].biz_tag.as_str(), tags[0].step), (1, "order", Some(BLOCK)));
    assert_eq!((tags[0].description.as_deref(), tags[0].problem.as_deref()), (Some("orders of the shop"), None));
    assert!(tags[0].max_id.unwrap() > id);
}

#[test]
fn a_series_is_refused_because_blocks_of_numbers_do_not_begin_at_1() {
    let ids = open(&with_order());
    let series = ids.series("invoice", SeriesOptions::new(Period::Day, "UTC")).unwrap();
    let error = series.next_on(CalendarDate::new(2026, 11, 25).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("use a table of a database"), "{error}");
}

/// The servers of the tests distinguish names of tables by case.
#[test]
fn a_tag_whose_table_draws_no_tickets_is_listed_with_its_problem_beside_one_in_another_case() {
    let servers = with_order();
    let ids = open(&servers);
    assert!(ids.create_tag("Order").unwrap().wait().unwrap());
    servers.sql::<mysql_async::Row>(0, "ALTER TABLE Tickets64_order ENGINE=MyISAM");
    let listed = open(&servers).list_tags().unwrap().wait().unwrap();
    let problems = listed.iter().map(|tag| (tag.biz_tag.as_str(), tag.problem.is_some())).collect::<Vec<_>>();
    assert_eq!(problems, [("Order", false), ("order", true)]);
}
