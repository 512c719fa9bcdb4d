//! Statements that the store carried out and whose answers were lost, and stores that go away: no id twice, and none
//! burnt.

use crate::lending;
use crate::stores::proxy::Proxy;
use crate::stores::{Table, mysql_url, number, options, sql, through_proxy, wait_until};
use leafmint::segment::SegmentStats;
use leafmint::{ErrorKind, SegmentGenerator};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// A table of Leaf's with one tag, `order`, and a network before it.
struct Faulty {
    table: Table,
    proxy: Proxy,
    url: String,
    /// An application connects.
    is_lent: bool,
}

impl Faulty {
    fn new(step: i64) -> Self {
        Self::of(false, step)
    }

    fn of(is_lent: bool, step: i64) -> Self {
        let table = Table::of_leaf();
        sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, {step})"));
        let (proxy, url) = through_proxy();
        Self { table, proxy, url, is_lent }
    }

    /// Opens a generator whose statements pass the network, as Leaf leases: two segments at the most.
    fn open(&self, max_step: &str) -> SegmentGenerator {
        self.open_at(&self.url, max_step)
    }

    fn open_at(&self, url: &str, max_step: &str) -> SegmentGenerator {
        let given =
            [("table", self.table.0.as_str()), ("max_step", max_step), ("timeout", "5s"), ("connect_timeout", "2s")];
        match self.is_lent {
            true => leafmint::open::segment_through_unready(lending::mysql::lender(url), options(given)),
            false => leafmint::open::segment(url, options(given)),
        }
        .unwrap()
    }

    fn max_id(&self) -> i64 {
        number(&format!("SELECT max_id FROM `{}`", self.table))
    }

    fn wait_for_max_id(&self, wanted: impl Fn(i64) -> bool) {
        wait_until("max_id stays", || wanted(self.max_id()));
    }
}

macro_rules! on_each_link {
    ($($promise:ident),* $(,)?) => {
        mod native { $(#[test] fn $promise() { super::$promise(false); })* }
        mod lent { $(#[test] fn $promise() { super::$promise(true); })* }
    };
}

on_each_link! {
    a_range_whose_lease_was_carried_out_without_an_answer_is_lost_and_never_handed_out,
    connections_cut_between_a_commit_and_its_answer_cost_ranges_and_never_an_id_twice,
    a_give_back_whose_answer_is_lost_is_not_sent_again_even_if_the_same_range_was_leased_meanwhile,
}

fn a_range_whose_lease_was_carried_out_without_an_answer_is_lost_and_never_handed_out(is_lent: bool) {
    let faulty = Faulty::of(is_lent, 100);
    let ids = faulty.open("100");
    // Without the table of the gene bits the first packet leases nothing: the second does.
    ids.init_schema().unwrap().wait().unwrap();
    faulty.proxy.lose_answer_to("LAST_INSERT_ID");
    let order = ids.biz_tag("order").unwrap();
    let error = order.next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    assert!(error.message().contains("connect_timeout"), "{error}");
    faulty.wait_for_max_id(|max_id| max_id >= 101);
    let lost_up_to = faulty.max_id();
    faulty.proxy.pass();
    assert!(order.next_id_within(Duration::from_secs(30)).unwrap() >= lost_up_to);
}

fn connections_cut_between_a_commit_and_its_answer_cost_ranges_and_never_an_id_twice(is_lent: bool) {
    let faulty = Faulty::of(is_lent, 100);
    let generators = [faulty.open("100"), faulty.open("100")];
    let tags = generators.each_ref().map(|ids| ids.biz_tag("order").unwrap());
    let mut minted = Vec::new();
    let heard_of = || generators.iter().map(|ids| ids.stats().tags[0].1.leased).sum::<i64>();
    let lost = || faulty.max_id() - 1 - heard_of();
    // A refill that is answered just before the network fails may leave nothing to lose.
    let mut turns = 0;
    while lost() < 6 * 100 {
        turns += 1;
        assert!(turns < 30, "{} ids are lost", lost());
        for order in &tags {
            minted.extend(order.next_ids(150).unwrap());
        }
        let before = faulty.max_id();
        faulty.proxy.lose_answers();
        for order in &tags {
            while let Ok(Some(id)) = order.try_next_id() {
                minted.push(id);
            }
        }
        faulty.wait_for_max_id(|max_id| max_id > before);
        faulty.proxy.cut();
        faulty.proxy.pass();
        for order in &tags {
            minted.push(order.next_id_within(Duration::from_secs(30)).unwrap());
        }
    }
    println!("{} ids; of {} leased ids and {} lost ones none twice", minted.len(), heard_of(), lost());
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), minted.len(), "an id was handed out twice");
}

fn a_give_back_whose_answer_is_lost_is_not_sent_again_even_if_the_same_range_was_leased_meanwhile(is_lent: bool) {
    let faulty = Faulty::of(is_lent, 100);
    let ids = faulty.open("100");
    assert_eq!(ids.biz_tag("order").unwrap().next_ids(5).unwrap(), [1, 2, 3, 4, 5]);
    let end = faulty.max_id();
    faulty.proxy.lose_answer_to("SET max_id = 6 WHERE");
    let closing = std::thread::spawn(move || ids.close());
    faulty.wait_for_max_id(|max_id| max_id == 6);
    // Another generator leases what was given back, up to the same end: a second give-back would match.
    let step = end - 6;
    sql(&format!("UPDATE `{}` SET step = {step}", faulty.table));
    let other = faulty.open_at(&mysql_url(), "1");
    let mine = other.biz_tag("order").unwrap().next_ids(3).unwrap();
    assert_eq!(mine, [6, 7, 8]);
    assert_eq!(faulty.max_id(), end);
    faulty.proxy.pass();
    closing.join().unwrap().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(faulty.max_id(), end, "it was sent again");
    assert_eq!(faulty.open_at(&mysql_url(), "1").biz_tag("order").unwrap().next_id().unwrap(), end);
}

#[test]
fn polling_at_full_speed_while_the_store_is_away_draws_no_number_and_no_refill() {
    let faulty = Faulty::new(100);
    let ids = faulty.open("100");
    let order = ids.biz_tag("order").unwrap();
    let mut minted = vec![order.next_id().unwrap()];
    faulty.proxy.cut();
    let (began, mut polls) = (Instant::now(), 0_u64);
    while began.elapsed() < Duration::from_secs(3) {
        let drawn = match polls % 2 {
            0 => order.next_id_or_wait(None).map(|drawn| drawn.ok()),
            _ => order.try_next_id(),
        };
        minted.extend(drawn.unwrap());
        polls += 1;
    }
    let attempts = ids.stats().tags[0].1.refill_failures;
    assert_eq!(ids.stats().tags[0].1.unused, 0, "it ran dry");
    let dry_at = minted.len();
    faulty.proxy.pass();
    let began = Instant::now();
    while minted.len() < dry_at + 1000 {
        assert!(began.elapsed() < Duration::from_secs(20), "it did not recover");
        minted.extend(order.try_next_id().unwrap());
    }
    ids.close().unwrap();
    println!("{polls} polls and {attempts} attempts in 3 s without a store; {} ids", minted.len());
    assert_eq!(minted, (1..=minted.len() as i64).collect::<Vec<_>>(), "no number was burnt");
    assert_eq!(faulty.max_id(), minted.len() as i64 + 1, "and the rest went back");
    assert!(attempts < 300, "{attempts} attempts: polling must not hammer the store");
}

#[test]
fn ten_tags_that_wait_for_a_store_ask_it_as_one_and_all_go_on_once_it_is_back() {
    let faulty = Faulty::new(100);
    for number in 1..=10 {
        sql(&format!("INSERT INTO `{}` (biz_tag, max_id, step) VALUES ('tag {number}', 1, 100)", faulty.table));
    }
    let ids = faulty.open("100");
    faulty.proxy.cut();
    let tags: Vec<_> = (1..=10).map(|number| ids.biz_tag(&format!("tag {number}")).unwrap()).collect();
    std::thread::scope(|scope| {
        let waiting: Vec<_> = tags
            .iter()
            .map(|tag| scope.spawn(|| (tag.next_id_within(Duration::from_secs(60)), Instant::now())))
            .collect();
        std::thread::sleep(Duration::from_secs(3));
        let attempts_of = |stats: &SegmentStats| stats.tags.iter().map(|(_, stats)| stats.refill_failures).sum::<i64>();
        let know_why = |stats: &SegmentStats| stats.tags.iter().filter(|(_, stats)| stats.last_error.is_some()).count();
        wait_until("they do not ask", || attempts_of(&ids.stats()) >= 5 && know_why(&ids.stats()) == 10);
        let (stats, before) = (ids.stats(), Instant::now());
        faulty.proxy.pass();
        let attempts = attempts_of(&stats);
        assert!(attempts <= 30, "{attempts} attempts of ten tags in 3 s without a store");
        let ended: Vec<_> = waiting.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(ended.iter().all(|(id, _)| *id == Ok(1)), "{ended:?}");
        let longest = ended.iter().map(|(_, at)| at.duration_since(before)).max().unwrap();
        println!(
            "{attempts} attempts of ten tags in 3 s; the last of them went on {longest:?} after the store was back"
        );
        // A pause of two seconds; the rest is for a busy machine.
        assert!(longest < Duration::from_secs(15), "{longest:?}");
    });
}

#[test]
fn a_tag_whose_row_is_locked_holds_up_no_other_tag_for_long() {
    use mysql_async::prelude::Queryable;
    let faulty = Faulty::new(10);
    sql(&format!("INSERT INTO `{}` (biz_tag, max_id, step) VALUES ('locked', 1, 10)", faulty.table));
    let ids = faulty.open("10");
    let (order, locked) = (ids.biz_tag("order").unwrap(), ids.biz_tag("locked").unwrap());
    let runtime = crate::stores::runtime();
    let mut holder = runtime.block_on(mysql_async::Conn::from_url(mysql_url())).unwrap();
    runtime.block_on(holder.query_drop("BEGIN")).unwrap();
    runtime
        .block_on(holder.query_drop(format!("SELECT * FROM `{}` WHERE biz_tag = 'locked' FOR UPDATE", faulty.table)))
        .unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| locked.next_id_within(Duration::from_secs(60)));
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(3) {
            let asked = Instant::now();
            order.next_id_within(Duration::from_secs(20)).unwrap();
            // A slow attempt takes two seconds, and the store is left alone for up to three times as long.
            assert!(asked.elapsed() < Duration::from_secs(16), "{:?}", asked.elapsed());
        }
        runtime.block_on(holder.query_drop("ROLLBACK")).unwrap();
        assert_eq!(waiting.join().unwrap().unwrap(), 1);
    });
}

#[test]
fn a_table_restored_from_a_backup_is_refused_and_nothing_of_it_is_handed_out() {
    let faulty = Faulty::new(100);
    let ids = faulty.open("100");
    let order = ids.biz_tag("order").unwrap();
    let mut minted = order.next_ids(500).unwrap();
    sql(&format!("UPDATE `{}` SET max_id = 101", faulty.table)); // yesterday's
    let error = loop {
        match order.next_id() {
            Ok(id) => minted.push(id),
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::StoreRegressed);
    assert!(minted.is_sorted_by(|a, b| a < b), "nothing is handed out twice");
    assert!(error.message().contains("leafmint tags recover order;"), "{error}");
    let highest = ids.stats().tags[0].1.highest_leased;
    ids.raise_tag_above("order", highest).unwrap().wait().unwrap();
    let next = faulty.open("100").biz_tag("order").unwrap().next_id().unwrap();
    assert!(next > *minted.last().unwrap());
}

#[test]
fn a_tag_deleted_under_a_generator_is_unknown_once_its_supply_has_run_out_and_works_again_once_it_is_back() {
    let faulty = Faulty::new(10);
    let order = faulty.open("10").biz_tag("order").unwrap();
    order.next_id().unwrap();
    sql(&format!("DELETE FROM `{}`", faulty.table));
    let error = (0..1000).find_map(|_| order.next_id().err()).unwrap();
    assert_eq!(error.kind(), ErrorKind::UnknownTag, "{error}");
    sql(&format!("INSERT INTO `{}` (biz_tag, max_id, step) VALUES ('order', 5000, 10)", faulty.table));
    assert_eq!(order.next_id().unwrap(), 5000);
}

#[test]
fn rows_that_make_no_sense_are_refused_and_left_as_they_are() {
    for (max_id, step, kind) in [
        (7, 0, ErrorKind::InvalidConfig),
        (7, -5, ErrorKind::InvalidConfig),
        (7, 1_500_000_000, ErrorKind::InvalidConfig),
        (i64::MAX - 10, 1000, ErrorKind::IdSpaceExhausted),
        (-5, 1000, ErrorKind::IdSpaceExhausted),
    ] {
        let faulty = Faulty::new(1);
        sql(&format!("UPDATE `{}` SET max_id = {max_id}, step = {step}", faulty.table));
        let error = faulty.open("1000").biz_tag("order").unwrap().next_id().unwrap_err();
        assert_eq!(error.kind(), kind, "{max_id} {step}: {error}");
        assert_eq!(faulty.max_id(), max_id, "nothing is written");
    }
}
