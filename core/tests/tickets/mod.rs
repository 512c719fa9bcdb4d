//! Ticket servers: what they lease, what happens if one is away, and what is refused. On real servers, one file per
//! topic.

mod away;
mod blocks;
mod killed;
mod pins;
mod restored;
mod tags;

use crate::stores::options;
use crate::stores::tickets::Servers;
use leafmint::{ErrorKind, SegmentGenerator};

/// Ids of a ticket.
const BLOCK: i64 = 100;

fn open_at<const N: usize>(url: &str, given: [(&str, &str); N]) -> SegmentGenerator {
    let usual = [("default_step", "100"), ("max_step", "100"), ("connect_timeout", "5s"), ("timeout", "20s")];
    leafmint::open::segment(url, options(usual).chain(options(given))).unwrap()
}

fn open(servers: &Servers) -> SegmentGenerator {
    open_at(&servers.url(), [])
}

/// Returns servers that are set up, with the tag `order`.
fn with_order() -> Servers {
    let servers = Servers::empty();
    let ids = open_at(&servers.url(), [("connect_timeout", "8s")]);
    ids.init_schema().unwrap().wait().unwrap();
    assert!(ids.create_tag("order").unwrap().wait().unwrap());
    servers
}

/// Opens a generator and takes 350 ids, all of one server. A server that takes a quarter of a second gets a rival, so
/// on a busy machine some generators draw from both.
fn open_on_one(servers: &Servers) -> (SegmentGenerator, Vec<i64>) {
    let opened = std::iter::repeat_with(|| {
        let ids = open(servers);
        let got = ids.biz_tag("order").unwrap().next_ids(350).unwrap();
        (ids, got)
    });
    let is_of_one = |(_, got): &(_, Vec<i64>)| got.iter().all(|id| drawn_by(*id) == drawn_by(got[0]));
    opened.take(20).find(is_of_one).expect("a generator stays with one server")
}

/// Returns the offset of the server that drew the ticket of an id.
fn drawn_by(id: i64) -> i64 {
    id / BLOCK % 10
}

/// Returns the last ticket that a server drew, or that was set.
fn last_ticket(servers: &Servers, at: usize) -> i64 {
    servers.sql::<i64>(at, "SELECT CAST(MAX(id) AS SIGNED) FROM Tickets64_order")[0]
}

fn refusal(ids: &SegmentGenerator, tag: &str) -> (ErrorKind, String) {
    let error = ids.biz_tag(tag).unwrap().next_id().unwrap_err();
    (error.kind(), error.message().to_owned())
}
