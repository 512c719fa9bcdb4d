//! What a segment generator promises, on SQLite files and in memory.

mod stores;

use leafmint::binding::Want;
use leafmint::id::{gene_of_int, shard_of};
use leafmint::segment::{NewTagOptions, TagOptions};
use leafmint::{BizTag, ErrorKind, OptionValue, SegmentGenerator};
use rusqlite::Connection;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stores::options;

/// A SQLite file of its own.
struct Database {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Database {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ids.db");
        Self { _folder: folder, path }
    }

    fn open<const N: usize>(&self, given: [(&str, &str); N]) -> SegmentGenerator {
        SegmentGenerator::open(&url(&self.path), options(given)).unwrap()
    }

    fn sql(&self, statement: &str) {
        Connection::open(&self.path).unwrap().execute_batch(statement).unwrap();
    }

    fn max_id(&self, tag: &str) -> i64 {
        let connection = Connection::open(&self.path).unwrap();
        connection.query_row("SELECT max_id FROM leaf_alloc WHERE biz_tag = ?1", [tag], |row| row.get(0)).unwrap()
    }

    /// Holds the write lock, so that no lease can be had.
    fn outage(&self) -> Connection {
        let connection = Connection::open(&self.path).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        connection
    }
}

fn url(path: &Path) -> String {
    format!("sqlite:///{}", path.display())
}

fn memory<const N: usize>(given: [(&str, &str); N]) -> SegmentGenerator {
    SegmentGenerator::open(&format!("memory://{}", stores::unique("segment")), options(given)).unwrap()
}

fn create(generator: &SegmentGenerator, tag: &str, step: i64) -> BizTag {
    generator.create_tag_with(tag, NewTagOptions::new().step(step)).unwrap().wait().unwrap();
    generator.biz_tag(tag).unwrap()
}

#[test]
fn ids_of_one_generator_follow_on_one_another() {
    let ids = memory([]);
    let order = create(&ids, "order", 10);
    for expected in 1..=10_000 {
        assert_eq!(order.next_id().unwrap(), expected);
    }
}

#[test]
fn a_resolved_tag_keeps_its_generator_alive() {
    let order = memory([]).biz_tag("order").unwrap();
    assert_eq!(order.next_ids(3).unwrap(), [1, 2, 3]);
}

#[test]
fn names_that_never_had_an_id_are_forgotten_and_whatever_is_held_or_was_used_stays() {
    let ids = memory([("auto_create", "false")]);
    let used = create(&ids, "used", 10);
    assert_eq!(used.next_id().unwrap(), 1);
    drop(used);
    let held = ids.biz_tag("held").unwrap();
    for number in 0..20_000 {
        let name = format!("name {number}");
        let tag = ids.biz_tag(&name).unwrap();
        // Some are asked for in vain: what somebody else named need not exist.
        if number % 100 == 0 {
            assert_eq!(tag.try_next_id().unwrap(), None);
        }
    }
    let stats = ids.stats();
    assert!(stats.tags.len() < 3_000, "{} names are kept", stats.tags.len());
    assert!(ids.stats().tags.iter().any(|(name, stats)| name == "used" && stats.issued == 1));
    assert_eq!(ids.biz_tag("used").unwrap().next_id().unwrap(), 2, "what was in hand is in hand");
    ids.create_tag_with("held", NewTagOptions::new().step(10)).unwrap().wait().unwrap();
    assert_eq!(held.next_id().unwrap(), 1);
    assert_eq!(ids.biz_tag("held").unwrap().next_id().unwrap(), 2, "it is the same tag");
}

#[test]
fn an_unknown_tag_is_asked_for_with_pauses_and_a_call_works_soon_after_it_is_inserted() {
    let ids = memory([("auto_create", "false")]);
    let order = ids.biz_tag("order").unwrap();
    let attempts = || ids.stats().tags[0].1.refill_failures;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(1) {
        assert_eq!(order.try_next_id().unwrap(), None);
    }
    let polled = attempts();
    assert!((2..=12).contains(&polled), "{polled} attempts in a second of polling");
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(1) {
        let error = order.next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownTag, "{error}");
        // Too short for a pause: what is known is said.
        assert_eq!(order.next_id_within(Duration::from_millis(1)).unwrap_err().kind(), ErrorKind::UnknownTag);
    }
    let called = attempts() - polled;
    assert!((1..=12).contains(&called), "{called} attempts in a second of calls");
    create(&ids, "order", 10);
    let began = Instant::now();
    assert_eq!(order.next_id().unwrap(), 1);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn eight_threads_that_cross_thousands_of_switches_never_meet() {
    for step in [1, 2, 3, 50] {
        let ids = memory([("max_step", step.to_string().as_str())]);
        let order = create(&ids, "order", step);
        let all: Vec<i64> = std::thread::scope(|scope| {
            let mint = || {
                let order = order.clone();
                scope.spawn(move || {
                    let ids: Vec<i64> = (0..2_500).map(|_| order.next_id().unwrap()).collect();
                    assert!(ids.is_sorted_by(|a, b| a < b));
                    ids
                })
            };
            let threads: Vec<_> = (0..8).map(|_| mint()).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 20_000, "step {step}");
        let stats = &ids.stats().tags[0].1;
        assert!(all.iter().all(|id| (1..=stats.leased).contains(id)), "ids are of what was leased");
        // Whoever reads the limit just before a switch and draws just after it loses that one number.
        let wasted = stats.issued - 20_000;
        assert!((0..=7 * stats.refills).contains(&wasted), "{wasted} numbers wasted: {stats:?}");
        assert!(stats.refills >= 20_000 / step, "one switch per step: {stats:?}");
        println!("step {step}: {} refills, {wasted} numbers wasted", stats.refills);
    }
}

#[test]
fn batches_runs_and_single_ids_share_one_tag_without_meeting() {
    let ids = memory([("max_step", "64")]);
    let order = create(&ids, "order", 64);
    let mut all: Vec<i64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|number| {
                let order = order.clone();
                scope.spawn(move || {
                    let mut ids = Vec::new();
                    for turn in 0..300 {
                        match number % 3 {
                            0 => ids.push(order.next_id().unwrap()),
                            1 => ids.extend(order.next_ids(1 + turn % 200).unwrap()),
                            _ => {
                                let range = order.next_range(1 + turn % 90).unwrap();
                                assert_eq!(range.end - range.start, 1 + turn % 90, "in one piece");
                                ids.extend(range);
                            }
                        }
                    }
                    assert!(ids.is_sorted_by(|a, b| a < b));
                    ids
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn a_batch_may_be_larger_than_any_segment() {
    let ids = memory([("max_step", "10")]);
    let order = create(&ids, "order", 10);
    assert_eq!(order.next_ids(1000).unwrap(), (1..=1000).collect::<Vec<_>>());
    assert_eq!(order.next_range(1 << 20).unwrap().count(), 1 << 20);
}

#[test]
fn polling_an_empty_tag_takes_nothing_away() {
    let database = Database::new();
    let ids = database.open([("auto_create", "false"), ("connect_timeout", "50ms")]);
    ids.create_tag_with("order", NewTagOptions::new().step(100)).unwrap().wait().unwrap();
    let order = ids.biz_tag("order").unwrap();
    let outage = database.outage();
    for _ in 0..100_000 {
        assert_eq!(order.try_next_id().unwrap(), None);
    }
    drop(outage);
    assert_eq!(order.next_id().unwrap(), 1);
}

#[test]
fn supply_in_hand_is_served_while_the_store_is_down_and_the_generator_recovers_by_itself() {
    let database = Database::new();
    let ids = database.open([("connect_timeout", "50ms"), ("max_step", "1000")]);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(500).unwrap().len(), 500);
    while ids.stats().tags[0].1.refills < 2 {
        order.next_id().unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    let outage = database.outage();
    let held = ids.stats().tags[0].1.unused;
    assert!(held >= 1000, "{held}");
    for _ in 0..held {
        order.next_id_within(Duration::ZERO).unwrap();
    }
    let began = Instant::now();
    let error = order.next_id_within(Duration::from_millis(500)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    assert!(error.message().contains("locked") && error.message().contains("\"order\""), "{error}");
    let waited = began.elapsed();
    assert!(waited >= Duration::from_millis(500) && waited < Duration::from_secs(30), "{waited:?}");
    drop(outage);
    order.next_id_within(Duration::from_secs(30)).unwrap();
}

#[test]
fn a_store_that_leases_a_range_again_is_refused_for_good_with_the_statement_that_mends_it() {
    let database = Database::new();
    let ids = database.open([("max_step", "100"), ("default_step", "100")]);
    let order = ids.biz_tag("o'rder").unwrap();
    order.next_id().unwrap();
    database.sql("UPDATE leaf_alloc SET max_id = 1"); // yesterday's backup
    let mut handed_out = vec![1];
    let error = loop {
        match order.next_id() {
            Ok(id) => {
                assert!(Some(&id) > handed_out.last(), "nothing is handed out twice");
                handed_out.push(id);
            }
            Err(error) => break error,
        }
        assert!(handed_out.len() <= 1000, "more than the supply in hand");
    };
    assert_eq!(error.kind(), ErrorKind::StoreRegressed);
    assert!(error.message().contains("WHERE biz_tag = 'o''rder'"), "{error}");
    database.sql("UPDATE leaf_alloc SET max_id = 5000");
    assert_eq!(order.next_id().unwrap_err().kind(), ErrorKind::StoreRegressed, "until it is reopened");
    assert_eq!(database.open([]).biz_tag("o'rder").unwrap().next_id().unwrap(), 5000);
}

#[test]
fn a_clean_close_gives_the_unused_tail_back_and_a_second_one_does_nothing() {
    let database = Database::new();
    let ids = database.open([]);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(5).unwrap(), [1, 2, 3, 4, 5]);
    assert!(database.max_id("order") >= 1001);
    ids.close().unwrap();
    ids.close().unwrap();
    assert_eq!(database.max_id("order"), 6);
    let stats = &ids.stats().tags[0].1;
    assert_eq!((stats.issued, stats.unused, stats.given_back), (5, 0, stats.leased - 5));
    assert_eq!(database.open([]).biz_tag("order").unwrap().next_id().unwrap(), 6);
}

#[test]
fn a_generator_that_nobody_holds_any_more_is_closed() {
    let database = Database::new();
    assert_eq!(database.open([]).biz_tag("order").unwrap().next_id().unwrap(), 1);
    let deadline = Instant::now() + Duration::from_secs(5);
    while database.max_id("order") != 2 {
        assert!(Instant::now() < deadline, "the tail was not given back");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn every_call_after_the_close_says_so() {
    let ids = memory([]);
    let order = ids.biz_tag("order").unwrap();
    order.next_id().unwrap();
    ids.close().unwrap();
    let errors = [
        order.next_id().unwrap_err(),
        order.next_id_in_hand().unwrap_err(),
        order.try_next_id().unwrap_err(),
        order.next_ids(5).unwrap_err(),
        order.next_range(5).unwrap_err(),
        ids.biz_tag("order").unwrap_err(),
        ids.create_tag_with("x", NewTagOptions::new().step(1)).err().unwrap(),
        ids.init_schema().err().unwrap(),
    ];
    assert!(errors.iter().all(|error| error.kind() == ErrorKind::Closed), "{errors:?}");
}

#[test]
fn a_close_while_eight_threads_mint_ends_them_all_and_gives_nothing_back_that_was_handed_out() {
    let database = Database::new();
    let ids = database.open([("max_step", "1000")]);
    let order = ids.biz_tag("order").unwrap();
    let last = std::thread::scope(|scope| {
        let mint = || {
            let mut last = 0;
            loop {
                match order.next_id() {
                    Ok(id) => last = id,
                    Err(error) if error.kind() == ErrorKind::Closed => return last,
                    Err(error) => panic!("{error}"),
                }
            }
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(mint)).collect();
        std::thread::sleep(Duration::from_millis(50));
        ids.close().unwrap();
        threads.into_iter().map(|thread| thread.join().unwrap()).max().unwrap()
    });
    assert!(database.max_id("order") > last);
}

#[test]
fn a_close_ends_a_call_that_waits() {
    let database = Database::new();
    let ids = database.open([("connect_timeout", "100ms"), ("auto_create", "false")]);
    ids.create_tag_with("order", NewTagOptions::new().step(100)).unwrap().wait().unwrap();
    let order = ids.biz_tag("order").unwrap();
    let _outage = database.outage();
    let waiting = std::thread::spawn(move || order.next_id_within(Duration::from_secs(60)));
    std::thread::sleep(Duration::from_millis(50));
    let began = Instant::now();
    ids.close().unwrap();
    assert_eq!(waiting.join().unwrap().unwrap_err().kind(), ErrorKind::Closed);
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_tag_that_was_inserted_a_moment_ago_works() {
    let database = Database::new();
    let ids = database.open([("auto_create", "false")]);
    let order = ids.biz_tag("order").unwrap();
    for _ in 0..3 {
        assert_eq!(order.next_id().unwrap_err().kind(), ErrorKind::UnknownTag);
    }
    database.sql("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 100)");
    assert_eq!(order.next_id().unwrap(), 1);
}

#[test]
fn a_tag_that_was_deleted_is_unknown_once_its_supply_has_run_out() {
    let database = Database::new();
    let ids = database.open([("max_step", "100"), ("default_step", "100")]);
    let order = ids.biz_tag("order").unwrap();
    order.next_id().unwrap();
    ids.create_tag_with("other", NewTagOptions::new().step(1)).unwrap().wait().unwrap();
    let strict = database.open([("auto_create", "false"), ("max_step", "100")]);
    let order = strict.biz_tag("order").unwrap();
    order.next_id().unwrap();
    database.sql("DELETE FROM leaf_alloc WHERE biz_tag = 'order'");
    let error = (0..10_000).find_map(|_| order.next_id().err()).unwrap();
    assert_eq!(error.kind(), ErrorKind::UnknownTag);
}

#[test]
fn a_step_column_that_makes_no_sense_is_refused_and_nothing_is_written() {
    for step in [0, -1, (1 << 30) + 1, 1 << 31] {
        let database = Database::new();
        database.open([]).init_schema().unwrap().wait().unwrap();
        database.sql(&format!("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 7, {step})"));
        let error = database.open([]).biz_tag("order").unwrap().next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains(&step.to_string()), "{error}");
        assert_eq!(database.max_id("order"), 7);
    }
}

#[test]
fn eager_takes_supply_at_open_or_fails_there() {
    let ids = memory([("eager", "true"), ("tags", "order,user")]);
    let stats = ids.stats();
    assert!(stats.tags.len() == 2 && stats.tags.iter().all(|(_, tag)| tag.unused == 1000 && tag.issued == 0), "{stats:?}");

    let missing = Path::new("no/such/directory/ids.db");
    let error = SegmentGenerator::open(&url(missing), options([("eager", "true")])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("no/such/directory/ids.db"), "{error}");

    let error = SegmentGenerator::open("memory:", options([("eager", "true"), ("tags", "nobody"), ("auto_create", "false")]));
    assert_eq!(error.unwrap_err().kind(), ErrorKind::UnknownTag);
}

#[test]
fn max_unused_is_never_passed() {
    let ids = memory([("max_unused", "300"), ("default_step", "100")]);
    let order = ids.biz_tag("order").unwrap();
    for _ in 0..20_000 {
        order.next_id().unwrap();
        let unused = ids.stats().tags[0].1.unused;
        assert!(unused <= 300, "{unused}");
    }
}

#[test]
fn what_is_leased_stays_in_proportion_to_what_is_used() {
    let ids = memory([]);
    let order = create(&ids, "order", 100);
    for _ in 0..200 {
        order.next_ids(1000).unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(20));
    let stats = &ids.stats().tags[0].1;
    let ratio = stats.leased as f64 / stats.issued as f64;
    assert!(ratio <= 2.6, "{stats:?}");
    assert!(stats.unused as f64 >= 0.5 * stats.issued as f64, "an outage is survived: {stats:?}");
}

#[test]
fn a_call_that_is_given_up_leaves_the_tag_as_it_was() {
    let ids = memory([]);
    let order = ids.biz_tag("order").unwrap();
    drop(order.begin(Want::Many(10), None).unwrap());
    let mut wait = order.begin(Want::One, None).unwrap();
    let _ = wait.poll().unwrap();
    drop(wait);
    assert!(order.next_id().unwrap() <= 2);
}

#[test]
fn stats_have_the_fields_of_the_vectors() {
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../tests/vectors/stats.json")).unwrap();
    let names: Vec<&str> = vectors["tag"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names, leafmint::binding::TAG_STATS);
}

#[test]
fn a_list_option_may_hold_tags_with_commas() {
    let tags = OptionValue::List(vec!["a,b".into(), "c".into()]);
    let given = [("tags".to_owned(), tags), ("eager".to_owned(), OptionValue::from("true"))];
    let ids = SegmentGenerator::open(&format!("memory://{}", stores::unique("commas")), given).unwrap();
    assert_eq!(ids.stats().tags.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a,b", "c"]);
}

#[test]
fn a_gene_stands_in_the_low_bits_of_every_id() {
    let ids = memory([]);
    ids.create_tag_with("order", NewTagOptions::new().step(10).start(100).gene_bits(4)).unwrap().wait().unwrap();
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap();
    assert_eq!(order.gene_bits(), 4);
    for number in 100..1100 {
        let gene = gene_of_int(number * 7, 4).unwrap();
        let id = order.next_id_with_gene(gene, None).unwrap();
        assert_eq!((id >> 4, shard_of(id, 4).unwrap()), (number, gene));
    }
}

#[test]
fn eight_threads_with_genes_never_meet() {
    let ids = memory([("max_step", "3"), ("default_step", "3")]);
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(2)).unwrap();
    let all: HashSet<i64> = std::thread::scope(|scope| {
        let mint = |gene: i64| {
            let order = order.clone();
            scope.spawn(move || (0..5_000).map(|_| order.next_id_with_gene(gene % 4, None).unwrap()).collect::<Vec<_>>())
        };
        let threads: Vec<_> = (0..8).map(mint).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(all.len(), 40_000);
}

#[test]
fn every_call_without_a_gene_asks_for_one_and_every_gene_that_does_not_fit_is_refused() {
    let ids = memory([]);
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap();
    for _ in 0..2 {
        let errors = [
            order.next_id().unwrap_err(),
            order.next_id_within(Duration::ZERO).unwrap_err(),
            order.next_id_in_hand().unwrap_err(),
            order.try_next_id().unwrap_err(),
            order.next_ids(5).unwrap_err(),
            order.next_range(5).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.kind() == ErrorKind::InvalidArgument), "{errors:?}");
        assert!(errors.iter().all(|error| error.message().contains("pass a gene")), "{errors:?}");
        for gene in [-1, 16, i64::MAX, i64::MIN] {
            assert_eq!(order.next_id_with_gene(gene, None).unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
        order.next_id_with_gene(15, None).unwrap();
    }
    assert_eq!(order.next_id_with_gene(0, None).unwrap(), 3 << 4, "what was refused drew no number");
    let raw = ids.biz_tag("raw").unwrap().next_id_with_gene(0, None).unwrap_err();
    assert_eq!(raw.kind(), ErrorKind::InvalidArgument);
    for bits in [-1, 13, i64::MAX] {
        assert_eq!(ids.biz_tag_with("x", TagOptions::new().gene_bits(bits)).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(
            ids.create_tag_with("x", NewTagOptions::new().step(1).gene_bits(bits)).err().unwrap().kind(),
            ErrorKind::InvalidArgument
        );
    }
    let other = ids.biz_tag_with("order", TagOptions::new().gene_bits(5)).unwrap_err();
    assert_eq!(other.kind(), ErrorKind::InvalidArgument);
    assert!(other.message().contains("gene_bits=4") && other.message().contains('5'), "{other}");
    assert!(ids.biz_tag("order").is_err());
    ids.close().unwrap();
    assert_eq!(order.next_id_with_gene(0, None).unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn raw_ids_and_ids_with_genes_never_come_of_one_tag_whoever_is_first() {
    let database = Database::new();
    let first = database.open([]);
    first.biz_tag("raw").unwrap().next_id().unwrap();
    first.biz_tag_with("gene", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(0, None).unwrap();
    // Another process, and a restart.
    for _ in 0..2 {
        let other = database.open([]);
        let errors = [
            other.biz_tag_with("raw", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(0, None).unwrap_err(),
            other.biz_tag("gene").unwrap().next_id().unwrap_err(),
            database
                .open([])
                .biz_tag_with("gene", TagOptions::new().gene_bits(5))
                .unwrap()
                .next_id_with_gene(0, None)
                .unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.kind() == ErrorKind::InvalidConfig), "{errors:?}");
        assert!(errors[0].message().contains("already used without gene bits"), "{errors:?}");
        first.close().unwrap();
    }
    assert_eq!(database.max_id("raw"), 2, "the refusals wrote nothing");
    assert_eq!(
        database.open([]).biz_tag_with("gene", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(9, None).unwrap(),
        2 << 4 | 9
    );
    // Whoever deletes the row of a tag does not free its name for raw ids.
    database.sql("DELETE FROM leaf_alloc");
    assert_eq!(database.open([]).biz_tag("gene").unwrap().next_id().unwrap_err().kind(), ErrorKind::InvalidConfig);
}

#[test]
fn a_tag_with_genes_that_is_not_there_is_unknown_where_creation_is_off() {
    let ids = memory([("auto_create", "false")]);
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap();
    let error = order.next_id_with_gene(0, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTag);
    assert!(error.message().contains("gene_bits=4"), "{error}");
    ids.create_tag_with("order", NewTagOptions::new().step(10).start(0).gene_bits(4)).unwrap().wait().unwrap();
    assert_eq!(order.next_id_with_gene(5, None).unwrap(), 5);
}

#[test]
fn numbers_whose_ids_would_not_fit_are_exhausted() {
    let ids = memory([]);
    let last = i64::MAX >> 12;
    ids.create_tag_with("order", NewTagOptions::new().step(1).start(last).gene_bits(12)).unwrap().wait().unwrap();
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(12)).unwrap();
    assert_eq!(order.next_id_with_gene(4095, None).unwrap(), i64::MAX);
    assert_eq!(order.next_id_with_gene(0, None).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
}

#[test]
fn a_lease_whose_commit_fails_leases_nothing() {
    let database = Database::new();
    let ids = database.open([("timeout", "2s"), ("max_step", "100"), ("default_step", "100")]);
    ids.create_tag_with("order", NewTagOptions::new().step(100)).unwrap().wait().unwrap();
    // The row is changed, and what comes with it is found out at the commit.
    database.sql(
        "CREATE TABLE missing (id INTEGER PRIMARY KEY);
         CREATE TABLE leased (id INTEGER REFERENCES missing (id) DEFERRABLE INITIALLY DEFERRED);
         CREATE TRIGGER lease AFTER UPDATE OF max_id ON leaf_alloc BEGIN INSERT INTO leased VALUES (1); END",
    );
    let order = ids.biz_tag("order").unwrap();
    let error = order.next_id().unwrap_err();
    assert!(error.message().contains("FOREIGN KEY"), "{error}");
    assert_eq!(database.max_id("order"), 1);
    // It would go on trying.
    ids.close().unwrap();
    database.sql("DROP TRIGGER lease");
    assert_eq!(database.open([]).biz_tag("order").unwrap().next_id().unwrap(), 1);
}
